"""The client: games, matches, players, and a platform's streams."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from croupier import _waiting, v1
from croupier.aio.calls import Calls, Stream, paged
from croupier.aio.match import Match
from croupier.errors import Refusal
from croupier.names import resource
from croupier.v1 import (
    entries_pb2_grpc,
    games_pb2_grpc,
    history_pb2_grpc,
    matches_pb2_grpc,
    players_pb2_grpc,
    projections_pb2_grpc,
    search_pb2_grpc,
    seeks_pb2_grpc,
    streams_pb2_grpc,
    tokens_pb2_grpc,
)


class Rpc:
    """Every method of the contract, by service. Their errors are `Refusal`, and retries and request
    ids are as in all other calls."""

    def __init__(self, calls: Calls) -> None:
        channel: Any = calls
        self.entries: entries_pb2_grpc.EntryServiceAsyncStub
        self.entries = entries_pb2_grpc.EntryServiceStub(channel)
        self.games: games_pb2_grpc.GameServiceAsyncStub
        self.games = games_pb2_grpc.GameServiceStub(channel)
        self.history: history_pb2_grpc.HistoryServiceAsyncStub
        self.history = history_pb2_grpc.HistoryServiceStub(channel)
        self.matches: matches_pb2_grpc.MatchServiceAsyncStub
        self.matches = matches_pb2_grpc.MatchServiceStub(channel)
        self.players: players_pb2_grpc.PlayerServiceAsyncStub
        self.players = players_pb2_grpc.PlayerServiceStub(channel)
        self.projections: projections_pb2_grpc.ProjectionServiceAsyncStub
        self.projections = projections_pb2_grpc.ProjectionServiceStub(channel)
        self.search: search_pb2_grpc.SearchServiceAsyncStub
        self.search = search_pb2_grpc.SearchServiceStub(channel)
        self.seeks: seeks_pb2_grpc.SeekServiceAsyncStub
        self.seeks = seeks_pb2_grpc.SeekServiceStub(channel)
        self.streams: streams_pb2_grpc.StreamServiceAsyncStub
        self.streams = streams_pb2_grpc.StreamServiceStub(channel)
        self.tokens: tokens_pb2_grpc.TokenServiceAsyncStub
        self.tokens = tokens_pb2_grpc.TokenServiceStub(channel)


class Croupier:
    """A client of a service.

        async with Croupier("http://127.0.0.1:7710", credentials=key) as croupier:
            print([game.name async for game in croupier.games.list()])

    `credentials` are an API key or a token, or a function that returns one, which is called again
    when one expires. `language` is a BCP 47 tag such as `de`: with it, answers have texts.
    `timeout` limits a call, including its retries, in seconds. `root_certificates` are in PEM, for
    a service whose certificate no public authority signed.
    """

    def __init__(
        self,
        url: str,
        *,
        credentials: _waiting.Credentials = None,
        language: str = "",
        timeout: float = 30.0,
        root_certificates: bytes | None = None,
    ) -> None:
        self.calls = Calls(url, credentials, language, timeout, root_certificates)
        """What all calls have in common."""
        self.rpc = Rpc(self.calls)
        """Every method of the contract."""
        self.games = Games(self)
        """What can be played."""
        self.matches = Matches(self)
        """To create and to find matches."""
        self.players = Players(self)
        """Results, ratings and streams of players."""
        self.seeks = Seeks(self)
        """Players who look for a match."""
        self.streams = Streams(self)
        """The entries of all matches, and subscriptions to them."""

    def match(self, name: str, *, seat: int | None = None, viewer: str | None = None) -> Match:
        """A match, by its name. Makes no call."""
        return Match(self, name, seat, viewer)

    async def close(self) -> None:
        """Ends the connection and all streams."""
        await self.calls.close()

    async def __aenter__(self) -> Croupier:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Games:
    """The games of a service."""

    def __init__(self, client: Croupier) -> None:
        self._client = client
        self._known: dict[str, v1.Game] = {}

    def list(self) -> AsyncIterator[v1.Game]:
        """All games, without their layouts."""
        call = self._client.rpc.games.ListGames
        return paged(call, v1.ListGamesRequest(), lambda page: page.games)

    async def get(self, name: str, *, refresh: bool = False) -> v1.Game:
        """A game with its layout and its rules. It is cached unless `refresh` is set; do not modify
        it."""
        name = resource("games", name)
        if refresh or name not in self._known:
            answer = await self._client.rpc.games.GetGame(v1.GetGameRequest(name=name))
            self._known[name] = answer.game
        return self._known[name]


class Matches:
    """The matches of a platform, or of a player."""

    def __init__(self, client: Croupier) -> None:
        self._client = client

    async def create(
        self,
        game: str = "",
        seats: int = 0,
        players: Sequence[str] = (),
        *,
        bots: Sequence[str] = (),
        display_names: Sequence[str] = (),
        options: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
        time_control: v1.TimeControl | str | None = None,
        lobby: bool = False,
        casual: bool | None = None,
        previous: str = "",
        reveal: v1.Reveal.ValueType = v1.REVEAL_UNSPECIFIED,
        reveal_delay: int = 0,
        contributions: Sequence[bytes] = (),
        seed_commitment: str = "",
        request_id: str = "",
    ) -> v1.Match:
        """Creates a match; see `CreateMatchRequest`. `time_control` may be the name of a preset.

        Calls with the same `request_id` create one match; without one, each call creates a match.
        """
        if isinstance(time_control, str):
            time_control = v1.TimeControl(preset=time_control)
        request = v1.CreateMatchRequest(
            game=resource("games", game),
            seats=seats,
            players=players,
            bots=bots,
            display_names=display_names,
            options=options,
            tags=tags,
            time_control=time_control,
            lobby=lobby,
            casual=casual,
            previous=resource("matches", previous),
            reveal=reveal,
            reveal_delay_s=reveal_delay,
            contributions=contributions,
            seed_commitment=seed_commitment,
            request_id=request_id,
        )
        return (await self._client.rpc.matches.CreateMatch(request)).match

    def list(
        self,
        request: v1.ListMatchesRequest | None = None,
        *,
        game: str = "",
        player: str = "",
        state: v1.MatchState.ValueType = v1.MATCH_STATE_UNSPECIFIED,
        tags: Mapping[str, str] | None = None,
        waiting_for: str = "",
        oldest_first: bool = False,
    ) -> AsyncIterator[v1.Match]:
        """Matches, newest first. `request` holds further filters."""
        asked = v1.ListMatchesRequest(
            game=resource("games", game),
            player=player,
            state=state,
            tags=[f"{key}={value}" for key, value in (tags or {}).items()],
            waiting_for_player=waiting_for,
            oldest_first=oldest_first,
        )
        asked.MergeFrom(request or v1.ListMatchesRequest())
        return paged(self._client.rpc.matches.ListMatches, asked, lambda page: page.matches)

    def open(self, game: str = "", seats: int = 0) -> AsyncIterator[v1.Match]:
        """The matches of the lobby that have open seats, newest first."""
        request = v1.ListOpenMatchesRequest(game=resource("games", game), seats=seats)
        call = self._client.rpc.matches.ListOpenMatches
        return paged(call, request, lambda page: page.matches)

    def search(
        self,
        game: str,
        request: v1.SearchEntriesRequest | None = None,
        *,
        player: str = "",
        verb: str = "",
        piece: str = "",
        announcement: str = "",
    ) -> AsyncIterator[v1.Entry]:
        """Entries across matches, newest match first. `request` holds further filters."""
        asked = v1.SearchEntriesRequest(
            parent=resource("games", game),
            player=player,
            verb=verb,
            piece=piece,
            announcement=announcement,
        )
        asked.MergeFrom(request or v1.SearchEntriesRequest())
        return paged(self._client.rpc.search.SearchEntries, asked, lambda page: page.entries)


class Players:
    """The players of a platform."""

    def __init__(self, client: Croupier) -> None:
        self._client = client

    async def get(self, player: str) -> v1.Player:
        """A player's results in each game and against others."""
        request = v1.GetPlayerRequest(name=resource("players", player))
        return (await self._client.rpc.players.GetPlayer(request)).player

    def standings(
        self,
        game: str,
        *,
        seats: int = 0,
        clock_class: v1.ClockClass.ValueType = v1.CLOCK_CLASS_UNTIMED,
    ) -> AsyncIterator[v1.Standing]:
        """The players of a pool of a game by rating, highest first: of matches with that number of
        seats, 0 for the fewest, and such clocks."""
        request = v1.ListStandingsRequest(
            parent=resource("games", game), seats=seats, clock_class=clock_class
        )
        call = self._client.rpc.players.ListStandings
        return paged(call, request, lambda page: page.standings)

    def rating_changes(
        self,
        player: str,
        game: str,
        *,
        seats: int = 0,
        clock_class: v1.ClockClass.ValueType = v1.CLOCK_CLASS_UNTIMED,
    ) -> AsyncIterator[v1.RatingChange]:
        """How the player's rating in a pool came about, newest match first."""
        request = v1.ListRatingChangesRequest(
            parent=resource("players", player),
            game=resource("games", game),
            seats=seats,
            clock_class=clock_class,
        )
        call = self._client.rpc.players.ListRatingChanges
        return paged(call, request, lambda page: page.rating_changes)

    def watch(
        self, player: str, *, cursor: str = "", live: bool = False
    ) -> Stream[v1.WatchPlayerResponse]:
        """The stream of a player's matches: messages with entries, with notices for the player, and
        with the cursor from which to resume. Store the cursor of the last processed message, to
        resume there after a restart of your program; `live` skips recorded entries. A message that
        has `went_back` tells which of the received entries are void, as in `Streams.entries`."""
        request = v1.WatchPlayerRequest(
            name=resource("players", player), cursor=cursor, live=live
        )
        client = self._client
        return _resumed(client, request, lambda: client.rpc.players.WatchPlayer(request))

    async def create_token(self, player: str, *, lifetime: int = 0) -> str:
        """A token with which a player calls the service; `lifetime` is in seconds."""
        request = v1.CreatePlayerTokenRequest(
            parent=resource("players", player), lifetime_s=lifetime
        )
        return (await self._client.rpc.tokens.CreatePlayerToken(request)).token

    async def revoke_tokens(self, player: str) -> None:
        """Revokes all tokens of a player."""
        request = v1.RevokePlayerTokensRequest(parent=resource("players", player))
        await self._client.rpc.tokens.RevokePlayerTokens(request)

    async def erase(self, player: str) -> bool:
        """Erases a player permanently. Returns whether there was anything to erase."""
        request = v1.ErasePlayerRequest(name=resource("players", player))
        return (await self._client.rpc.players.ErasePlayer(request)).erased


class Seeks:
    """Players who look for a match."""

    def __init__(self, client: Croupier) -> None:
        self._client = client

    async def create(
        self,
        game: str,
        seats: Sequence[int],
        *,
        player: str = "",
        display_name: str = "",
        options: Mapping[str, str] | None = None,
        time_control: v1.TimeControl | str | None = None,
        casual: bool = False,
        rating_distance: float | None = None,
        rating_widening: float = 0.0,
        request_id: str = "",
    ) -> v1.Seek:
        """Looks for a match with any of these numbers of seats, in order of preference."""
        if isinstance(time_control, str):
            time_control = v1.TimeControl(preset=time_control)
        request = v1.CreateSeekRequest(
            game=resource("games", game),
            seats=seats,
            player=player,
            display_name=display_name,
            options=options,
            time_control=time_control,
            casual=casual,
            rating_distance=rating_distance,
            rating_widening_per_s=rating_widening,
            request_id=request_id,
        )
        return (await self._client.rpc.seeks.CreateSeek(request)).seek

    async def get(self, name: str) -> v1.Seek:
        """A seek, with its match once the player is seated."""
        request = v1.GetSeekRequest(name=resource("seeks", name))
        return (await self._client.rpc.seeks.GetSeek(request)).seek

    def list(self, game: str = "", player: str = "") -> AsyncIterator[v1.Seek]:
        """The open seeks, oldest first."""
        request = v1.ListSeeksRequest(game=resource("games", game), player=player)
        return paged(self._client.rpc.seeks.ListSeeks, request, lambda page: page.seeks)

    async def delete(self, name: str) -> None:
        """Ends a seek."""
        request = v1.DeleteSeekRequest(name=resource("seeks", name))
        await self._client.rpc.seeks.DeleteSeek(request)


class Streams:
    """The entries of all matches of a platform."""

    def __init__(self, client: Croupier) -> None:
        self._client = client

    def entries(
        self,
        filter: v1.StreamFilter | None = None,
        *,
        cursor: str = "",
        live: bool = False,
        unredacted: bool = False,
    ) -> Stream[v1.StreamEntriesResponse]:
        """Messages with entries, and with the cursor from which to resume. Store the cursor in one
        transaction with the effects of the entries, and each entry is processed exactly once;
        `live` skips recorded entries.

        A message that has `went_back` tells which of the received entries are void, because the
        database lost them. What the record has instead follows, with other digests."""
        request = v1.StreamEntriesRequest(
            filter=filter, cursor=cursor, live=live, unredacted=unredacted
        )
        client = self._client
        return _resumed(client, request, lambda: client.rpc.streams.StreamEntries(request))

    def consume(
        self, subscription: str, consumer: str = ""
    ) -> Stream[v1.ConsumeSubscriptionResponse]:
        """A consumer's share of a subscription: messages whose entries are sent again until
        `acknowledge` is called with their cursor. A message that has `went_back` tells which of the
        received entries are void, as in `entries`; it is sent again until it is acknowledged."""
        request = v1.ConsumeSubscriptionRequest(
            name=resource("subscriptions", subscription), consumer=consumer
        )
        client = self._client
        return Stream(
            client.calls,
            lambda: client.rpc.streams.ConsumeSubscription(request),
            lambda message: [message],
            is_over=lambda: False,
        )

    async def acknowledge(self, subscription: str, cursor: str) -> None:
        """Acknowledges everything sent to a consumer up to a message. If the database lost these
        entries, nothing is acknowledged, and the consumer's stream tells it next."""
        request = v1.AcknowledgeEntriesRequest(
            name=resource("subscriptions", subscription), cursor=cursor
        )
        try:
            await self._client.rpc.streams.AcknowledgeEntries(request)
        except Refusal as refusal:
            if refusal.reason != "RECORD_WENT_BACK":
                raise

    async def subscribe(
        self,
        name: str,
        filter: v1.StreamFilter | None = None,
        *,
        cursor: str = "",
        live: bool = False,
        unredacted: bool = False,
        push: v1.PushTarget | None = None,
    ) -> v1.CreateSubscriptionResponse:
        """Creates a subscription; with `push` the service sends it to an endpoint, see
        `croupier.webhooks`."""
        request = v1.CreateSubscriptionRequest(
            name=resource("subscriptions", name),
            filter=filter,
            cursor=cursor,
            live=live,
            unredacted=unredacted,
            push=push,
        )
        return await self._client.rpc.streams.CreateSubscription(request)

    def subscriptions(self) -> AsyncIterator[v1.Subscription]:
        """The platform's subscriptions, by name."""
        request = v1.ListSubscriptionsRequest()
        call = self._client.rpc.streams.ListSubscriptions
        return paged(call, request, lambda page: page.subscriptions)

    async def unsubscribe(self, name: str) -> None:
        """Deletes a subscription."""
        request = v1.DeleteSubscriptionRequest(name=resource("subscriptions", name))
        await self._client.rpc.streams.DeleteSubscription(request)


def _resumed(client: Croupier, request: Any, begin: Any) -> Stream[Any]:
    """A stream that resumes after the cursor of its last message."""

    def take(message: Any) -> list[Any]:
        request.cursor, request.live = message.cursor, False
        return [message]

    return Stream(client.calls, begin, take, is_over=lambda: False)
