"""The calls of a client: all of them pass here, so that all have credentials, a language, safe
retries and typed refusals.
"""

from __future__ import annotations

import random
import time
import urllib.parse
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import grpc
from google.protobuf import descriptor_pool, descriptor_pb2, message

from croupier import _waiting
from croupier.errors import Refusal, refusal_of

Q = TypeVar("Q", bound=message.Message)
P = TypeVar("P", bound=message.Message)
T = TypeVar("T")

Headers = tuple[tuple[str, str], ...]
Listener = Callable[[bool], None]

# These have no request id, but the contract allows repeating them.
_REPEATABLE = frozenset(
    {"TagMatch", "ContributeEntropy", "AcknowledgeEntries", "CreateSubscription", "DeleteSeek"}
    | {"CreateToken", "CreatePlayerToken", "RevokeTokens", "RevokePlayerTokens", "ErasePlayer"}
)

_OPTIONS: list[tuple[str, int | str]] = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 64 << 20),
    # Clients with different credentials share nothing.
    ("grpc.use_local_subchannel_pool", 1),
]


def backoff(failures: int) -> float:
    """The randomized wait in seconds after `failures` consecutive failures, up to 5."""
    return min(5.0, 0.05 * 2.0 ** min(failures, 10)) * random.uniform(0.5, 1.0)


class Calls:
    """A connection, and the state that its calls share."""

    def __init__(
        self,
        url: str,
        credentials: _waiting.Credentials,
        language: str,
        timeout: float,
        root_certificates: bytes | None,
    ) -> None:
        address = urllib.parse.urlsplit(url if "//" in url else f"//{url}", scheme="http")
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"not the address of a service: {url!r}")
        if address.path.strip("/") or address.query or address.fragment:
            raise ValueError(f"the address of a service has no path: {url!r}")
        host = f"[{address.hostname}]" if ":" in address.hostname else address.hostname
        self._secure = address.scheme == "https"
        self._target = f"{host}:{address.port or (443 if self._secure else 80)}"
        self._root_certificates = root_certificates
        self._credentials = credentials
        self._token: str | None = None
        self._channel: _waiting.Channel | None = None
        self.language = language
        self.timeout = timeout

    @property
    def channel(self) -> _waiting.Channel:
        """The connection, created on first use."""
        if self._channel is None:
            secrets = None
            if self._secure:
                secrets = grpc.ssl_channel_credentials(self._root_certificates)
            self._channel = _waiting.open_channel(self._target, secrets, _OPTIONS)
        return self._channel

    async def close(self) -> None:
        """Ends the connection and everything on it."""
        if self._channel is not None:
            await self._channel.close()

    async def headers(self) -> Headers:
        """The metadata of a call."""
        if self._token is None:
            self._token = await _waiting.provided(self._credentials)
        headers = [("authorization", f"Bearer {self._token}")] if self._token else []
        if self.language:
            headers.append(("accept-language", self.language))
        return tuple(headers)

    def renew(self, refusal: Refusal, headers: Headers) -> bool:
        """Drops refused credentials. Returns whether new ones can be fetched."""
        if refusal.code != grpc.StatusCode.UNAUTHENTICATED or not callable(self._credentials):
            return False
        # Another call may have renewed them since.
        if ("authorization", f"Bearer {self._token}") in headers:
            self._token = None
        return True

    # The methods of a channel that generated stubs use.

    def unary_unary(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes] | None = None,
        response_deserializer: Callable[[bytes], Any] | None = None,
        **_: object,
    ) -> Unary[Any, Any]:
        return Unary(self, method, request_serializer, response_deserializer)

    def unary_stream(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes] | None = None,
        response_deserializer: Callable[[bytes], Any] | None = None,
        **_: object,
    ) -> Callable[..., Messages[Any]]:
        def call(request: Any, timeout: float | None = None, **_: object) -> Messages[Any]:
            make = self.channel.unary_stream(method, request_serializer, response_deserializer)
            return Messages(self, make, request, timeout)

        return call

    def stream_stream(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes] | None = None,
        response_deserializer: Callable[[bytes], Any] | None = None,
        **_: object,
    ) -> Callable[..., Messages[Any]]:
        def call(requests: Any, timeout: float | None = None, **_: object) -> Messages[Any]:
            make = self.channel.stream_stream(method, request_serializer, response_deserializer)
            return Messages(self, make, requests, timeout)

        return call


class Unary(Generic[Q, P]):
    """A method with one answer.

    A missing `request_id` is generated, and repeatable requests are retried while the service is
    unavailable, until the call's timeout.
    """

    def __init__(
        self,
        calls: Calls,
        method: str,
        serializer: Callable[[Q], bytes] | None,
        deserializer: Callable[[bytes], P] | None,
    ) -> None:
        self._calls = calls
        self._method = method
        self._serializer = serializer
        self._deserializer = deserializer
        service, _, name = method.strip("/").rpartition("/")
        found = descriptor_pool.Default().FindMethodByName(f"{service}.{name}")
        level = descriptor_pb2.MethodOptions.NO_SIDE_EFFECTS
        self._only_reads = found.GetOptions().idempotency_level == level
        self._has_request_id = "request_id" in found.input_type.fields_by_name
        self._repeatable = self._only_reads or self._has_request_id or name in _REPEATABLE

    async def __call__(self, request: Q, timeout: float | None = None, **_: object) -> P:
        if self._has_request_id and not self._only_reads and not getattr(request, "request_id"):
            request = type(request).FromString(request.SerializeToString())
            setattr(request, "request_id", uuid.uuid4().hex)
        until = time.monotonic() + (self._calls.timeout if timeout is None else timeout)
        make = self._calls.channel.unary_unary(self._method, self._serializer, self._deserializer)
        failures, renewed = 0, False
        while True:
            headers = await self._calls.headers()
            try:
                left = max(0.0, until - time.monotonic())
                answer: P = await make(request, timeout=left, metadata=headers)
                return answer
            except grpc.RpcError as error:
                refusal = refusal_of(error)
            if not renewed and self._calls.renew(refusal, headers):
                renewed = True
                continue
            delay = max(refusal.retry_delay or 0.0, backoff(failures))
            may_repeat = refusal.nothing_done or self._repeatable and refusal.is_retryable
            if not may_repeat or time.monotonic() + delay >= until:
                raise refusal
            failures += 1
            await _waiting.sleep(delay)


class Messages(Generic[P]):
    """The answers of a streaming method, without resumption; `Stream` resumes by itself."""

    def __init__(self, calls: Calls, make: Any, request: Any, timeout: float | None) -> None:
        self._calls = calls
        self._make = make
        self._request = request
        self._timeout = timeout
        self._call: Any = None
        self._answers: Any = None
        self._headers: Headers = ()

    def __aiter__(self) -> AsyncIterator[P]:
        return self

    async def __anext__(self) -> P:
        try:
            if self._call is None:
                self._headers = await self._calls.headers()
                self._call = self._make(
                    self._request, timeout=self._timeout, metadata=self._headers
                )
                self._answers = aiter(self._call)
            answer: P = await anext(self._answers)
            return answer
        except grpc.RpcError as error:
            refusal = refusal_of(error)
        # The next call uses new credentials.
        self._calls.renew(refusal, self._headers)
        raise refusal

    def cancel(self) -> None:
        """Ends the call."""
        if self._call is not None:
            self._call.cancel()


class Stream(Generic[T]):
    """The messages of a stream, one by one, for as long as it is iterated.

    It resumes by itself after the last received message when the service stops, when the connection
    breaks, and when the credentials expire and a function renews them. It ends with the service's
    last message, and raises a `Refusal` if resuming is useless.
    """

    def __init__(
        self,
        calls: Calls,
        begin: Callable[[], Any],
        take: Callable[[Any], Sequence[T]],
        is_over: Callable[[], bool] = lambda: True,
    ) -> None:
        self._calls = calls
        self._begin = begin
        self._take = take
        self._is_over = is_over
        self._messages: Messages[Any] | None = None
        self._items: list[T] = []
        self._failures = 0
        self._renewed = False
        self._closed = False
        self._connected = False
        self._listeners: list[Listener] = []

    @property
    def connected(self) -> bool:
        """Whether the service sent something since the connection broke last."""
        return self._connected

    @property
    def listeners(self) -> Sequence[Listener]:
        """The functions that `on_connection` was given."""
        return self._listeners

    def on_connection(self, listener: Listener) -> None:
        """Calls a function whenever `connected` changes."""
        self._listeners.append(listener)

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not self._items:
            if self._closed:
                raise StopAsyncIteration
            await self._receive()
        return self._items.pop(0)

    async def _receive(self) -> None:
        """Receives a message, or the reason why there is none."""
        if self._messages is None:
            self._messages = self._begin()
        try:
            message = await anext(self._messages)
        except StopAsyncIteration:
            self._messages = None
            # A proxy may end a stream that the service did not end.
            if self._is_over():
                self._closed = True
            else:
                await self._wait(0.0)
            return
        except _waiting.Cancelled:
            # The call ends with its waiter; the next waiter begins another call.
            self._messages = None
            if not self._closed:
                raise
            return
        except Refusal as refusal:
            self._messages = None
            if self._closed:
                return
            self._note(False)
            can_renew = refusal.code == grpc.StatusCode.UNAUTHENTICATED and not self._renewed
            if can_renew and self._calls.renew(refusal, ()):
                self._renewed = True
            elif not (refusal.is_retryable or refusal.reason == "SLOW_CONSUMER"):
                self._closed = True
                raise
            await self._wait(refusal.retry_delay or 0.0)
            return
        self._failures, self._renewed = 0, False
        self._items.extend(self._take(message))
        self._note(True)

    async def _wait(self, delay: float) -> None:
        await _waiting.sleep(max(delay, backoff(self._failures)))
        self._failures += 1

    def _note(self, connected: bool) -> None:
        if connected != self._connected:
            self._connected = connected
            for listener in self._listeners:
                listener(connected)

    def close(self) -> None:
        """Ends the stream and all loops over it."""
        self._closed = True
        if self._messages is not None:
            self._messages.cancel()
        self._note(False)

    async def __aenter__(self) -> Stream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class _Paged(Protocol):
    page_token: str


class _Page(Protocol):
    @property
    def next_page_token(self) -> str: ...


Request = TypeVar("Request", bound=_Paged)
Page = TypeVar("Page", bound=_Page)


async def paged(
    call: Callable[[Request], Awaitable[Page]],
    request: Request,
    items: Callable[[Page], Iterable[T]],
) -> AsyncIterator[T]:
    """The items of all pages of a list."""
    while True:
        page = await call(request)
        for item in items(page):
            yield item
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token
