"""Figures on a local port: `/metrics` for Prometheus, `/status` for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from larspark.diagnostics import Rejected
from larspark.monitoring.metrics import Metrics
from larspark.read.live.ports import PortTaken

HOST = "127.0.0.1"


@contextmanager
def served(metrics: Metrics, port: int) -> Iterator[int]:
    """While it runs; the port that was taken, of which 0 asks for a free one. `Rejected` when it is not free."""

    class MetricsHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told = {"/metrics": metrics.text, "/status": metrics.status_line}.get(self.path)
            body = b"There are /metrics and /status.\n" if told is None else told().encode()
            self.send_response(HTTPStatus.NOT_FOUND if told is None else HTTPStatus.OK)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody wants to read of every question."""

    try:
        server = ThreadingHTTPServer((HOST, port), MetricsHandler)
    except OSError as error:
        raise Rejected([PortTaken(port, error).diagnostic]) from error
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, name="larspark metrics", daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
