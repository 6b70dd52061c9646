"""The waiting primitives of the asyncio client. `_blocking` has those of the blocking client."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

Credentials = str | Callable[[], "str | Awaitable[str]"] | None
"""An API key or a token, or a function that returns one."""

Channel = grpc.aio.Channel
Cancelled = asyncio.CancelledError
Lock = asyncio.Lock
sleep = asyncio.sleep
apart = asyncio.to_thread
"""Calls what blocks, on a thread of its own."""


def open_channel(
    target: str, secrets: grpc.ChannelCredentials | None, options: list[tuple[str, int | str]]
) -> Channel:
    if secrets is None:
        return grpc.aio.insecure_channel(target, options)
    return grpc.aio.secure_channel(target, secrets, options)


async def provided(credentials: Credentials) -> str:
    told: Any = await resolved(credentials() if callable(credentials) else credentials)
    return told or ""


async def resolved(told: Any) -> Any:
    """What was told, or what is told once it was waited for."""
    return await told if inspect.isawaitable(told) else told
