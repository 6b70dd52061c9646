"""Calls of a chat's HTTP interface, what waits to be sent by them, and calls by the chat."""

import asyncio
import contextlib
import http.server
import json
import threading
import urllib.error
import urllib.request
import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Any

TIMEOUT = 60
ATTEMPTS_MAX = 8
BODY_MAX = 256 * 1024  # bytes of what a chat sends


class Failed(Exception):
    """A call that the chat refused."""

    def __init__(self, status: int, answer: Any) -> None:
        self.status = status
        known = answer if isinstance(answer, dict) else {}
        self.code = str(known.get("errcode") or known.get("code") or "")
        super().__init__(f"{status} {self.code} {known.get('error') or known.get('message') or ''}")


@dataclass
class Upload:
    """A body that is not JSON."""

    data: bytes
    content_type: str


def form(message: Any, name: str, picture: bytes) -> Upload:
    """A message and a picture in one body, as Discord takes them."""
    boundary = uuid.uuid4().hex
    parts = [
        ('name="payload_json"', "application/json", json.dumps(message).encode()),
        (f'name="files[0]"; filename="{name}"', "image/png", picture),
    ]
    data = b"".join(
        f"--{boundary}\r\ncontent-disposition: form-data; {disposition}\r\n"
        f"content-type: {content_type}\r\n\r\n".encode() + part + b"\r\n"
        for disposition, content_type, part in parts
    )
    content_type = f"multipart/form-data; boundary={boundary}"
    return Upload(data + f"--{boundary}--\r\n".encode(), content_type)


async def call(
    method: str, url: str, body: Any = None, authorization: str = "", again: str = "-"
) -> Any:
    """Makes a call. It waits where the chat asks to, and tries again while the chat is away, or
    refuses by the code `again`."""
    headers = {"content-type": "application/json", "user-agent": "croupier-example"}
    if authorization:
        headers["authorization"] = authorization
    data: bytes | None
    if isinstance(body, Upload):
        data, headers["content-type"] = body.data, body.content_type
    else:
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


# What a call is answered, None for one that is refused, and what is done once that was sent.
Heard = tuple[Any, Callable[[], object] | None]


@contextlib.contextmanager
def listening(port: int, hear: Callable[[Message, bytes], Heard]) -> Iterator[None]:
    """Takes posts on a port of this machine. `hear` gets their headers and bodies, in threads."""

    class Endpoint(http.server.BaseHTTPRequestHandler):
        timeout = 30

        def do_POST(self) -> None:
            length = self.headers.get("content-length", "")
            body = self.rfile.read(min(int(length), BODY_MAX) if length.isdecimal() else 0)
            answer, then = hear(self.headers, body)
            data = json.dumps(answer).encode() if answer else b""
            self.send_response(200 if answer else 401)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            if then:
                then()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
