"""The calls of a client: all of them pass here, so that all have credentials, a language, safe
retries and typed refusals.
"""

from __future__ import annotations

import collections
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
from croupier.reading import UNREADABLE, read

Q = TypeVar("Q", bound=message.Message)
P = TypeVar("P", bound=message.Message)
T = TypeVar("T")

Headers = tuple[tuple[str, str], ...]
Listener = Callable[[bool], None]

# These have no request id, but the contract allows repeating them.
REPEATABLE = frozenset(
    {
        "AcceptInvitation",
        "AcknowledgeEntries",
        "AttendMatch",
        "ContributeEntropy",
        "CreateInvitation",
        "CreatePlayerToken",
        "CreateToken",
        "DeleteSeek",
        "ErasePlayer",
        "ImportMatch",
        "JoinMatch",
        "RevokeInvitations",
        "RevokePlayerTokens",
        "RevokeTokens",
        "TagMatch",
        "UpdateMatch",
        "UpdateSubscription",
    }
)

# The longest waits, in seconds, before a call is repeated and before a stream is resumed, that the
# service did not ask for.
_CALL_WAIT_MAX = 2.0
_STREAM_WAIT_MAX = 10.0

_OPTIONS: list[tuple[str, int | str]] = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 64 << 20),
    # Clients with different credentials share nothing.
    ("grpc.use_local_subchannel_pool", 1),
]


def backoff(failures: int, longest: float) -> float:
    """The randomized wait in seconds after `failures` consecutive failures."""
    return min(longest, 0.1 * 2.0 ** min(failures, 10)) * random.uniform(0.5, 1.0)


class Calls:
    """A connection, and the state that its calls share."""

    def __init__(
        self,
        url: str,
        credentials: _waiting.Credentials,
        language: str,
        request_timeout: float,
        retry_for: float,
        certificates: bytes | None,
    ) -> None:
        address = urllib.parse.urlsplit(url if "//" in url else f"//{url}", scheme="http")
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"not the address of a service: {url!r}")
        if address.path.strip("/") or address.query or address.fragment:
            raise ValueError(f"the address of a service has no path: {url!r}")
        host = f"[{address.hostname}]" if ":" in address.hostname else address.hostname
        self._secure = address.scheme == "https"
        self._target = f"{host}:{address.port or (443 if self._secure else 80)}"
        self._certificates = certificates
        self._credentials = credentials
        self._token: str | None = None
        self._channel: _waiting.Channel | None = None
        self.url = url.rstrip("/") if "//" in url else f"http://{url}"
        self.language = language
        self.request_timeout = request_timeout
        self.retry_for = retry_for

    @property
    def channel(self) -> _waiting.Channel:
        """The connection, created on first use."""
        if self._channel is None:
            secrets = None
            if self._secure:
                secrets = grpc.ssl_channel_credentials(self._certificates)
            self._channel = _waiting.open_channel(self._target, secrets, _OPTIONS)
        return self._channel

    async def page(self, path: str) -> str | None:
        """A page of the service as text; None if there is none. It is asked for again while the
        service is away."""
        until, failures = time.monotonic() + self.retry_for, 0
        while True:
            limit = self.request_timeout
            try:
                return await _waiting.apart(read, self.url + path, self._certificates, limit)
            except UNREADABLE as error:
                problem = error
            delay = backoff(failures, _CALL_WAIT_MAX)
            if time.monotonic() + delay >= until:
                reason = f"{self.url}{path} cannot be read: {problem}"
                raise Refusal(grpc.StatusCode.UNAVAILABLE, reason) from problem
            failures += 1
            await _waiting.sleep(delay)

    async def close(self) -> None:
        """Ends the connection and everything on it."""
        if self._channel is not None:
            await self._channel.close()

    async def headers(self, given: Headers | None = None) -> Headers:
        """The metadata of a call: what it was given, and what all calls have."""
        if self._token is None:
            self._token = await _waiting.provided(self._credentials)
        headers = [(name.lower(), value) for name, value in given or ()]
        names = {name for name, _ in headers}
        if self._token and "authorization" not in names:
            headers.append(("authorization", f"Bearer {self._token}"))
        if self.language and "accept-language" not in names:
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
        def call(
            request: Any,
            timeout: float | None = None,
            metadata: Headers | None = None,
            **_: object,
        ) -> Messages[Any]:
            make = self.channel.unary_stream(method, request_serializer, response_deserializer)
            return Messages(self, make, request, timeout, metadata)

        return call

    def stream_stream(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes] | None = None,
        response_deserializer: Callable[[bytes], Any] | None = None,
        **_: object,
    ) -> Callable[..., Messages[Any]]:
        def call(
            requests: Any,
            timeout: float | None = None,
            metadata: Headers | None = None,
            **_: object,
        ) -> Messages[Any]:
            make = self.channel.stream_stream(method, request_serializer, response_deserializer)
            return Messages(self, make, requests, timeout, metadata)

        return call


class Unary(Generic[Q, P]):
    """A method with one answer.

    A missing `request_id` is generated, also for each match of a batch, and repeatable requests are
    retried while the service is unavailable. A timeout is that of one attempt.
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
        fields = found.input_type.fields_by_name
        self._has_request_id = "request_id" in fields or name == "BatchCreateMatches"
        self._repeatable = self._only_reads or self._has_request_id or name in REPEATABLE

    async def __call__(
        self,
        request: Q,
        timeout: float | None = None,
        metadata: Headers | None = None,
        **_: object,
    ) -> P:
        if self._has_request_id and not self._only_reads:
            request = _identified(request)
        limit = self._calls.request_timeout if timeout is None else timeout
        until = time.monotonic() + self._calls.retry_for
        make = self._calls.channel.unary_unary(self._method, self._serializer, self._deserializer)
        failures, renewed = 0, False
        while True:
            headers = await self._calls.headers(metadata)
            try:
                answer: P = await make(request, timeout=limit, metadata=headers)
                return answer
            except grpc.RpcError as error:
                refusal = refusal_of(error)
            if not renewed and self._calls.renew(refusal, headers):
                renewed = True
                continue
            delay = max(refusal.retry_after or 0.0, backoff(failures, _CALL_WAIT_MAX))
            may_repeat = refusal.nothing_done or self._repeatable and refusal.is_retryable
            if not may_repeat or time.monotonic() + delay >= until:
                raise refusal
            failures += 1
            await _waiting.sleep(delay)


def _identified(request: Q) -> Q:
    """The request with a request id; each of a batch has one of its own."""
    copy: Any = type(request).FromString(request.SerializeToString())
    for each in getattr(copy, "requests", (copy,)):
        each.request_id = each.request_id or uuid.uuid4().hex
    identified: Q = copy
    return identified


class Messages(Generic[P]):
    """The answers of a streaming method, without resumption; `Stream` resumes by itself."""

    def __init__(
        self,
        calls: Calls,
        make: Any,
        request: Any,
        timeout: float | None,
        metadata: Headers | None,
    ) -> None:
        self._calls = calls
        self._make = make
        self._request = request
        self._timeout = timeout
        self._metadata = metadata
        self._call: Any = None
        self._answers: Any = None
        self._headers: Headers = ()

    def __aiter__(self) -> AsyncIterator[P]:
        return self

    async def __anext__(self) -> P:
        try:
            if self._call is None:
                self._headers = await self._calls.headers(self._metadata)
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
        refused: Callable[[Refusal], None] = lambda _: None,
    ) -> None:
        self._calls = calls
        self._begin = begin
        self._take = take
        self._is_over = is_over
        self._refused = refused
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
            self._refused(refusal)
            await self._wait(refusal.retry_after or 0.0)
            return
        self._failures, self._renewed = 0, False
        self._items.extend(self._take(message))
        self._note(True)

    async def _wait(self, delay: float) -> None:
        await _waiting.sleep(max(delay, backoff(self._failures, _STREAM_WAIT_MAX)))
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


class Pages(Generic[T]):
    """The items of a list, one by one; further pages are requested as they are needed."""

    def __init__(
        self,
        call: Callable[[Any], Awaitable[Any]],
        request: Any,
        items: Callable[[Any], Iterable[T]],
    ) -> None:
        self._call = call
        self._request = request
        self._items = items
        self._read: collections.deque[T] = collections.deque()
        self._is_last = False

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not self._read:
            if self._is_last:
                raise StopAsyncIteration
            page = await self._call(self._request)
            self._read.extend(self._items(page))
            self._request.page_token = page.next_page_token
            self._is_last = not page.next_page_token
        return self._read.popleft()

    async def all(self) -> list[T]:
        """All items that are left."""
        return [item async for item in self]


def paged(
    call: Callable[[Request], Awaitable[Page]],
    request: Request,
    items: Callable[[Page], Iterable[T]],
) -> Pages[T]:
    """The items of all pages of a list."""
    return Pages(call, request, items)
