"""The waiting primitives of the blocking client. `_waiting` has those of the asyncio client."""

from __future__ import annotations

import time
from collections.abc import Callable

import grpc

Credentials = str | Callable[[], str] | None
"""An API key or a token, or a function that returns one."""

Channel = grpc.Channel
sleep = time.sleep


class Cancelled(Exception):
    """Never raised: a call that is cancelled ends with the status CANCELLED."""


def open_channel(
    target: str, secrets: grpc.ChannelCredentials | None, options: list[tuple[str, int | str]]
) -> Channel:
    if secrets is None:
        return grpc.insecure_channel(target, options)
    return grpc.secure_channel(target, secrets, options)


def provided(credentials: Credentials) -> str:
    return (credentials() if callable(credentials) else credentials) or ""
