"""JSON lines from an MQTT broker, at least once (QoS 1), in a session that the broker keeps while we are away.

A message is acknowledged when it is kept. If that gets lost on the way, the broker sends it again, marked as a
repetition and under its old number; those that are known already are left out.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from larspark.read.live.receiving import ReceivedLines, Receiver

QOS = 1
ANSWER_TIMEOUT = 10.0
"""Seconds for the first connection and subscription."""


class MqttSubscriber(Receiver):
    """Subscribes to a topic, which may have wildcards."""

    def start(self) -> None:
        self._arrived: queue.SimpleQueue[paho.MQTTMessage] = queue.SimpleQueue()
        self._settled = threading.Event()
        self._refusal: str | None = "no answer"
        self._client = self._make_client()
        reached = self._reach()
        self._client.loop_start()
        if reached:
            self._settled.wait(ANSWER_TIMEOUT)
            if self._refusal is not None:
                self.stop()
                raise ConnectionError(f"{self.address} does not let us subscribe: {self._refusal}")
        self.in_thread(self._keep_messages)

    def _reach(self) -> bool:
        try:
            self._client.connect(self.address.host, self.address.port, keepalive=30)
        except OSError as error:
            if not self.keeper.going_on:
                raise ConnectionError(f"{self.address} does not answer: {error}") from error
            self.tell(f"is gone, trying again: {error}")
            return False
        return True

    def stop(self) -> None:
        super().stop()
        self._client.disconnect()
        self._client.loop_stop()

    def _make_client(self) -> paho.Client:
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._client_id(),
            clean_session=self.keeper.name is None,
            manual_ack=True,
        )
        if self.address.user is not None:
            client.username_pw_set(self.address.user, self.address.password)
        if self.address.scheme == "mqtts":
            client.tls_set(self.options.get("ca"))
        client.reconnect_delay_set(1, 10)
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        return client

    def _client_id(self) -> str:
        """The name of our session: the same after a restart, another one for another stream; "" if it ends with us."""
        given = f"{self.keeper.name}\n{self.address}"
        named = "" if self.keeper.name is None else f"larspark-{hashlib.sha256(given.encode()).hexdigest()[:16]}"
        return self.options.get("clientid") or named

    def _on_connect(self, client: paho.Client, _: Any, flags: Any, reason: Any, __: Any) -> None:
        if reason.is_failure:
            self._settle(str(reason))
        elif flags.session_present:
            self._settle()  # subscribing again would bring all retained messages again
        else:
            client.subscribe(self.address.topic, QOS)

    def _on_subscribe(self, _: paho.Client, __: Any, ___: int, reasons: Any, ____: Any) -> None:
        failed = [str(reason) for reason in reasons if reason.is_failure]
        self._settle(*failed)

    def _settle(self, refusal: str | None = None) -> None:
        self._refusal = refusal
        self._settled.set()

    def _on_disconnect(self, _: paho.Client, __: Any, ___: Any, reason: Any, ____: Any) -> None:
        if self._refusal is None and not self.stopping.is_set():
            self.tell(f"is gone, trying again: {reason}")

    def _on_message(self, _: paho.Client, __: Any, message: paho.MQTTMessage) -> None:
        self._arrived.put(message)

    def _keep_messages(self) -> None:
        while not self.stopping.is_set():
            messages = self._waiting()
            fresh: list[ReceivedLines] = []
            for message in messages:
                lines = _lines(message)
                fresh += [one for one in lines if not (message.dup and (one in fresh or self.keeper.known(one)))]
            self.keep(fresh)
            for message in messages:
                # If the broker is gone by now it gets no receipt, and sends the message again.
                self._client.ack(message.mid, message.qos)

    def _waiting(self) -> list[paho.MQTTMessage]:
        """All messages that have come since, so that they are kept together."""
        found = []
        try:
            found.append(self._arrived.get(timeout=0.5))
            while True:
                found.append(self._arrived.get_nowait())
        except queue.Empty:
            return found


def _lines(message: paho.MQTTMessage) -> list[ReceivedLines]:
    """The lines of a message, under the number that a repetition of it has, too."""
    receipt = str(message.mid) if message.qos else ""
    return [ReceivedLines(line, receipt) for line in bytes(message.payload).splitlines() if line.strip()]
