"""Calls of a chat's HTTP interface, and what waits to be sent by them."""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from typing import Any

TIMEOUT = 60
ATTEMPTS_MAX = 8


class Failed(Exception):
    """A call that the chat refused."""

    def __init__(self, status: int, answer: Any) -> None:
        self.status = status
        known = answer if isinstance(answer, dict) else {}
        self.code = str(known.get("errcode") or known.get("code") or "")
        super().__init__(f"{status} {self.code} {known.get('error') or known.get('message') or ''}")


async def call(
    method: str, url: str, body: Any = None, authorization: str = "", again: str = "-"
) -> Any:
    """Makes a call. It waits where the chat asks to, and tries again while the chat is away, or
    refuses by the code `again`."""
    headers = {"content-type": "application/json", "user-agent": "croupier-example"}
    if authorization:
        headers["authorization"] = authorization
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    for attempt in range(1, ATTEMPTS_MAX + 1):
        wait = float(min(30, 2**attempt / 4))
        try:
            status, answer = await asyncio.to_thread(_answer, request)
        except OSError:
            if attempt == ATTEMPTS_MAX:
                raise
        else:
            if status < 300:
                return answer
            if status == 429 and isinstance(answer, dict):
                wait = float(answer.get("retry_after") or answer.get("retry_after_ms", 1000) / 1000)
            failed = Failed(status, answer)
            passing = status in (429, 500, 502, 503, 504) or failed.code == again
            if not passing or attempt == ATTEMPTS_MAX:
                raise failed
        await asyncio.sleep(wait)


def _answer(request: urllib.request.Request) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return response.status, _read(response.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _read(error.read())


def _read(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        return None


class Outbox:
    """What is sent, one after another. What cannot be sent is reported and dropped: above all,
    what was meant for one player is never sent to anybody else."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[tuple[str, Callable[[], Awaitable[Any]]]] = asyncio.Queue()

    def put(self, to: str, send: Callable[[], Awaitable[Any]]) -> None:
        self._queue.put_nowait((to, send))

    async def run(self) -> None:
        while True:
            to, send = await self._queue.get()
            try:
                await send()
            except (Failed, OSError) as error:
                print(f"nothing could be sent to {to}: {error}", flush=True)
