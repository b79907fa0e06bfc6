"""A real MQTT broker for tests: mosquitto, from the machine or from Debian's packages."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

PATIENCE = 30


def find_mosquitto() -> str:
    """The program; installed when this is a Debian and we may; otherwise the test is skipped and says why."""
    places = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    found = shutil.which("mosquitto", path=places)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        for words in (["update"], ["install", "-y", "--no-install-recommends", "mosquitto"]):
            subprocess.run(["apt-get", "-qq", *words], env=quiet, capture_output=True, check=False, timeout=180)
        found = shutil.which("mosquitto", path=places)
    if found is None:
        pytest.skip("mosquitto is not installed, and cannot be installed from Debian's packages here")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Broker:
    """A mosquitto that keeps its sessions on disk, so that it can be stopped and started."""

    def __init__(self, folder: Path, *settings: str) -> None:
        """`settings` are further lines of its configuration, for the files of the folder."""
        self._program = find_mosquitto()
        self._folder = folder
        self.port = free_port()
        folder.mkdir(exist_ok=True)
        (folder / "conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous {'false' if settings else 'true'}\npersistence true\n"
            f"persistence_location {folder}/\nmax_queued_messages 0\n"
            f"user {getpass.getuser()}\n"  # as root it would become another user, who may not write here
            + "".join(f"{line}\n" for line in settings)
        )
        self.start()

    def start(self) -> None:
        words = [self._program, "-c", str(self._folder / "conf")]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert self._process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)

    def publish(self, topic: str, lines: Iterable[str], *, retain: bool = False) -> None:
        """Send each line as a message, and wait until the broker has them all."""
        client = paho.Client(CallbackAPIVersion.VERSION2)
        client.max_queued_messages_set(0)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        for sent in [client.publish(topic, line, qos=1, retain=retain) for line in lines]:
            sent.wait_for_publish(PATIENCE)
            assert sent.is_published()
        client.disconnect()
        client.loop_stop()
