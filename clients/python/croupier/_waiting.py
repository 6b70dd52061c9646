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
sleep = asyncio.sleep


def open_channel(
    target: str, secrets: grpc.ChannelCredentials | None, options: list[tuple[str, int | str]]
) -> Channel:
    if secrets is None:
        return grpc.aio.insecure_channel(target, options)
    return grpc.aio.secure_channel(target, secrets, options)


async def provided(credentials: Credentials) -> str:
    told: Any = credentials() if callable(credentials) else credentials
    if inspect.isawaitable(told):
        told = await told
    return told or ""
