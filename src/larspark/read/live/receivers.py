"""Which receiver takes a kind of address."""

from __future__ import annotations

from collections.abc import Mapping

from larspark.extras import require
from larspark.read.live.addresses import Address
from larspark.read.live.receiving import Keeper, Receiver
from larspark.read.live.socket_lines import SocketCaller, SocketListener


def receiver_of(address: Address, options: Mapping[str, str], keeper: Keeper) -> Receiver:
    """The receiver for a kind of address."""
    if address.scheme in ("mqtt", "mqtts"):
        require("paho")
        from larspark.read.live.mqtt import MqttSubscriber  # noqa: PLC0415 - a library of its own

        return MqttSubscriber(address, options, keeper)
    return (SocketListener if address.scheme == "listen" else SocketCaller)(address, options, keeper)
