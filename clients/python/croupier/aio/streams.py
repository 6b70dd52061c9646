"""The stream of all matches of a platform, and subscriptions to it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from croupier import v1
from croupier.aio.calls import Calls, Pages, Stream, paged
from croupier.errors import Refusal
from croupier.names import duration, resource

if TYPE_CHECKING:
    from croupier.aio.client import Croupier


class Streams:
    """The subscriptions of a platform, and the stream of all its matches."""

    def __init__(self, client: Croupier) -> None:
        self._client = client

    def entries(
        self,
        filter: v1.StreamFilter | None = None,
        *,
        cursor: str = "",
        live: bool = False,
        unredacted: bool = False,
        language: str = "",
    ) -> Stream[v1.StreamEntriesResponse]:
        """Messages with entries, and with the cursor from which to resume. Store the cursor in one
        transaction with the effects of the entries, and each entry is processed exactly once;
        `live` skips recorded entries.

        A message that has `went_back` tells which of the received entries are void, because the
        database lost them. What the record has instead follows, with other digests."""
        request = v1.StreamEntriesRequest(
            filter=filter, cursor=cursor, live=live, unredacted=unredacted, language=language
        )
        client = self._client
        return after_cursor(
            client._calls, request, lambda: client.rpc.streams.StreamEntries(request)
        )

    def subscription(self, name: str) -> SubscriptionHandle:
        """A handle of a subscription. Makes no call."""
        return SubscriptionHandle(self._client, name)

    def subscriptions(self) -> Pages[v1.Subscription]:
        """The platform's subscriptions, by name."""
        request = v1.ListSubscriptionsRequest()
        call = self._client.rpc.streams.ListSubscriptions
        return paged(call, request, lambda page: page.subscriptions)


class SubscriptionHandle:
    """A named position in the platform's stream, which the service keeps. Creating a handle makes no
    call."""

    def __init__(self, client: Croupier, name: str) -> None:
        self._client = client
        self.name = resource("subscriptions", name)

    def __repr__(self) -> str:
        return f"SubscriptionHandle({self.name!r})"

    async def create(
        self,
        filter: v1.StreamFilter | None = None,
        *,
        cursor: str = "",
        live: bool = False,
        unredacted: bool = False,
        push: v1.PushTarget | None = None,
    ) -> v1.CreateSubscriptionResponse:
        """Creates it; with `push`, the service sends it to an endpoint, and returns its secret: see
        `croupier.webhooks`."""
        request = v1.CreateSubscriptionRequest(
            name=self.name,
            filter=filter,
            cursor=cursor,
            live=live,
            unredacted=unredacted,
            push=push,
        )
        return await self._client.rpc.streams.CreateSubscription(request)

    async def get(self) -> v1.Subscription:
        """The subscription and its position."""
        request = v1.GetSubscriptionRequest(name=self.name)
        return (await self._client.rpc.streams.GetSubscription(request)).subscription

    async def delete(self, *, allow_missing: bool = False) -> None:
        """Deletes it; its streams end. With `allow_missing` it may be gone."""
        request = v1.DeleteSubscriptionRequest(name=self.name, allow_missing=allow_missing)
        await self._client.rpc.streams.DeleteSubscription(request)

    async def acknowledge(self, cursor: str) -> None:
        """Acknowledges everything up to a cursor, for those who read the stream by `rpc`; `consume`
        does it by itself."""
        request = v1.AcknowledgeEntriesRequest(name=self.name, cursor=cursor)
        await self._client.rpc.streams.AcknowledgeEntries(request)

    # === The endpoint of one that the service sends ===

    async def rotate_secret(
        self, secret: str = "", *, overlap: float | None = None
    ) -> v1.RotateSecretResponse:
        """Adds a secret, generated unless given, that signs the messages from now on. The earlier
        ones sign as well for `overlap` seconds, a day if absent."""
        request = v1.RotateSecretRequest(
            name=self.name, secret=secret, overlap=duration(overlap)
        )
        return await self._client.rpc.streams.RotateSecret(request)

    async def move_webhook(self, url: str) -> v1.Subscription:
        """Changes the URL of the endpoint, and enables a disabled subscription again."""
        request = v1.MoveWebhookRequest(name=self.name, url=url)
        return (await self._client.rpc.streams.MoveWebhook(request)).subscription

    async def redeliver(self, cursor: str = "") -> v1.Subscription:
        """Sends the entries after a cursor again, or skips those before it; without one it goes on
        where it is. Enables a disabled subscription again."""
        request = v1.RedeliverEntriesRequest(name=self.name, cursor=cursor)
        return (await self._client.rpc.streams.RedeliverEntries(request)).subscription

    def deliveries(self) -> Pages[v1.Delivery]:
        """The latest attempts to send messages, newest first."""
        request = v1.ListDeliveriesRequest(parent=self.name)
        call = self._client.rpc.streams.ListDeliveries
        return paged(call, request, lambda page: page.deliveries)

    async def test_webhook(self) -> v1.Delivery:
        """Sends one message of type `test` to the endpoint, and returns the outcome."""
        request = v1.TestWebhookRequest(name=self.name)
        return (await self._client.rpc.streams.TestWebhook(request)).delivery

    # === Consuming ===

    def consume(
        self, consumer: str = "", *, heartbeat: float | None = None, language: str = ""
    ) -> Consumer:
        """The endless stream of a consumer's share of the subscription. A consumer that returns under
        its name gets its share back at once; without one, it is given one. `heartbeat` is the
        interval of heartbeats on a silent stream, in seconds; 15 if absent."""
        request = v1.ConsumeSubscriptionRequest(
            name=self.name,
            consumer=consumer or uuid.uuid4().hex,
            heartbeat=duration(heartbeat),
            language=language,
        )
        client = self._client
        return Consumer(
            self, client._calls, lambda: client.rpc.streams.ConsumeSubscription(request)
        )


class Consumer(Stream[v1.ConsumeSubscriptionResponse]):
    """A consumer's share of a subscription.

    A message is acknowledged when the loop asks for the next one. If the loop raises or breaks, the
    current message is not acknowledged and is sent again to the next consumer, so each entry is
    processed at least once.

    A message that has `went_back` tells which of the received entries are void, as in
    `Streams.entries`.
    """

    def __init__(self, subscription: SubscriptionHandle, calls: Calls, begin: Any) -> None:
        super().__init__(calls, begin, lambda message: [message], is_over=lambda: False)
        self._subscription = subscription
        self._processed: str | None = None

    async def __anext__(self) -> v1.ConsumeSubscriptionResponse:
        while True:
            if self._processed is not None and not self._closed:
                await self._acknowledge(self._processed)
                self._processed = None
            message = await super().__anext__()
            self._processed = message.cursor
            if message.entries or message.unreadable or message.HasField("went_back"):
                return message

    async def _acknowledge(self, cursor: str) -> None:
        try:
            await self._subscription.acknowledge(cursor)
        except Refusal as refusal:
            # The entries of the message are lost; the stream tells it next.
            if refusal.reason != "RECORD_WENT_BACK":
                raise


def after_cursor(calls: Calls, request: Any, begin: Any) -> Stream[Any]:
    """A stream that resumes after the cursor of its last message."""

    def take(message: Any) -> list[Any]:
        request.cursor, request.live = message.cursor, False
        return [message]

    def refused(refusal: Refusal) -> None:
        # The cursor of a stream of new entries that received none yet.
        if not request.cursor and (cursor := refusal.facts.get("cursor", "")):
            request.cursor, request.live = cursor, False

    return Stream(calls, begin, take, is_over=lambda: False, refused=refused)
