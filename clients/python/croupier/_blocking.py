"""The waiting primitives of the blocking client. `_waiting` has those of the asyncio client."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import grpc

Credentials = str | Callable[[], str] | None
"""An API key or a token, or a function that returns one."""

Channel = grpc.Channel
Lock = threading.Lock
sleep = time.sleep


P = ParamSpec("P")
T = TypeVar("T")


def apart(act: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Calls what blocks, as everything here does."""
    return act(*args, **named)


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


def resolved(told: Any) -> Any:
    """What was told: there is nothing to wait for."""
    return told
