"""The client: games, matches, and what is derived from all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from croupier import _waiting, v1
from croupier.aio.calls import Calls, Pages, paged
from croupier.aio.match import MatchHandle
from croupier.aio.players import PlayerHandle, Seeks
from croupier.aio.streams import Streams
from croupier.names import duration, resource
from croupier.v1 import (
    entries_pb2_grpc,
    games_pb2_grpc,
    history_pb2_grpc,
    invitations_pb2_grpc,
    matches_pb2_grpc,
    modules_pb2_grpc,
    platforms_pb2_grpc,
    players_pb2_grpc,
    projections_pb2_grpc,
    push_pb2_grpc,
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
        self.invitations: invitations_pb2_grpc.InvitationServiceAsyncStub
        self.invitations = invitations_pb2_grpc.InvitationServiceStub(channel)
        self.matches: matches_pb2_grpc.MatchServiceAsyncStub
        self.matches = matches_pb2_grpc.MatchServiceStub(channel)
        self.modules: modules_pb2_grpc.ModuleServiceAsyncStub
        self.modules = modules_pb2_grpc.ModuleServiceStub(channel)
        self.platforms: platforms_pb2_grpc.PlatformServiceAsyncStub
        self.platforms = platforms_pb2_grpc.PlatformServiceStub(channel)
        self.players: players_pb2_grpc.PlayerServiceAsyncStub
        self.players = players_pb2_grpc.PlayerServiceStub(channel)
        self.projections: projections_pb2_grpc.ProjectionServiceAsyncStub
        self.projections = projections_pb2_grpc.ProjectionServiceStub(channel)
        self.push: push_pb2_grpc.PushServiceAsyncStub
        self.push = push_pb2_grpc.PushServiceStub(channel)
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
    when one expires. `language` is a BCP 47 tag such as `de`: with it, answers have texts, and a
    call may ask for another. `request_timeout` limits one attempt of a call, and `retry_for` for
    how long it is tried again while the service is away, in seconds. `certificates` are in PEM, for
    a service whose certificate no public authority signed.
    """

    def __init__(
        self,
        url: str,
        *,
        credentials: _waiting.Credentials = None,
        language: str = "",
        request_timeout: float = 15.0,
        retry_for: float = 60.0,
        certificates: bytes | None = None,
    ) -> None:
        self._calls = Calls(url, credentials, language, request_timeout, retry_for, certificates)
        self.rpc = Rpc(self._calls)
        """Every method of the contract."""
        self.games = Games(self)
        """What can be played."""
        self.matches = Matches(self)
        """To create and to find matches."""
        self.history = History(self)
        """Search, standings and projections."""
        self.seeks = Seeks(self)
        """Players who look for a match."""
        self.streams = Streams(self)
        """The entries of all matches, and subscriptions to them."""

    @property
    def url(self) -> str:
        """The address of the service."""
        return self._calls.url

    def match(self, name: str, *, seat: int | None = None, viewer: str | None = None) -> MatchHandle:
        """A handle of a match, for a seat or a viewer. Makes no call."""
        return MatchHandle(self, name, seat, viewer)

    def player(self, name: str) -> PlayerHandle:
        """A handle of a player, by the platform's id. Makes no call."""
        return PlayerHandle(self, name)

    async def page(self, path: str) -> str | None:
        """A page of the service as text, by its path, such as `/log/checkpoint`; None if there is
        none. Needs no credentials."""
        return await self._calls.page(path)

    async def invitation(self, *, language: str = "") -> v1.GetInvitationResponse:
        """What the invitation invites to that are the credentials of this client."""
        request = v1.GetInvitationRequest(language=language)
        return await self.rpc.invitations.GetInvitation(request)

    async def accept_invitation(
        self,
        guest_key: str,
        display_name: str,
        *,
        seat: int | None = None,
        contribution: bytes = b"",
        lifetime: int | None = None,
        language: str = "",
    ) -> v1.AcceptInvitationResponse:
        """Takes a seat by the invitation that are the credentials of this client. With the same
        `guest_key`, the call returns the guest's seat again."""
        request = v1.AcceptInvitationRequest(
            guest_key=guest_key,
            display_name=display_name,
            seat=seat,
            contribution=contribution,
            lifetime=duration(lifetime),
            language=language,
        )
        return await self.rpc.invitations.AcceptInvitation(request)

    async def close(self) -> None:
        """Ends the connection and all streams."""
        await self._calls.close()

    async def __aenter__(self) -> Croupier:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Games:
    """The games of a service."""

    def __init__(self, client: Croupier) -> None:
        self._client = client
        self._known: dict[tuple[str, str, str], v1.Game] = {}

    def list(self, *, language: str = "") -> Pages[v1.Game]:
        """All games, without their layouts."""
        request = v1.ListGamesRequest(language=language)
        return paged(self._client.rpc.games.ListGames, request, lambda page: page.games)

    async def get(self, name: str, *, language: str = "", module: str = "") -> v1.Game:
        """A game with its layout, or that of a module, as in `Match.module`.

        It is read once in each language; do not modify it.
        """
        known = self._known.get((resource("games", name), language, module))
        return known or await self.refresh(name, language=language, module=module)

    async def refresh(self, name: str, *, language: str = "", module: str = "") -> v1.Game:
        """The same, read again, for example after an upgrade of the service."""
        name = resource("games", name)
        request = v1.GetGameRequest(name=name, language=language, module=module)
        game = (await self._client.rpc.games.GetGame(request)).game
        self._known[name, language, module] = game
        return game

    async def rules(self, name: str, *, language: str = "") -> v1.Rules:
        """The rules of a game, as text."""
        name = f"{resource('games', name)}/rules"
        request = v1.GetRulesRequest(name=name, language=language)
        return (await self._client.rpc.games.GetRules(request)).rules


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
        display_name: str = "",
        options: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
        time_control: v1.TimeControl | str | None = None,
        lobby: bool = False,
        casual: bool | None = None,
        previous: str = "",
        reveal: v1.Reveal.ValueType = v1.REVEAL_UNSPECIFIED,
        reveal_delay: int | None = None,
        contributions: Sequence[bytes] = (),
        seed_commitment: str = "",
        request_id: str = "",
        language: str = "",
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
            display_name=display_name,
            options=options,
            tags=tags,
            time_control=time_control,
            lobby=lobby,
            casual=casual,
            previous=resource("matches", previous),
            reveal=reveal,
            reveal_delay=duration(reveal_delay),
            contributions=contributions,
            seed_commitment=seed_commitment,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.CreateMatch(request)).match

    async def batch_create(
        self, matches: Sequence[v1.CreateMatchRequest], *, language: str = ""
    ) -> list[v1.Match]:
        """Creates up to 500 matches, such as a round of a tournament: all of them or none. Returns
        them in the same order. Short names such as `mountebank` will do for the games."""
        request = v1.BatchCreateMatchesRequest(requests=matches, language=language)
        for match in request.requests:
            match.game = resource("games", match.game)
        answer = await self._client.rpc.matches.BatchCreateMatches(request)
        return list(answer.matches)

    async def commit_seed(self, request_id: str) -> v1.CommitSeedResponse:
        """The commitment to the seed of a match before it is created: create it with this
        `request_id` and this `seed_commitment`."""
        request = v1.CommitSeedRequest(request_id=request_id)
        return await self._client.rpc.matches.CommitSeed(request)

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
        language: str = "",
    ) -> Pages[v1.Match]:
        """Matches, newest first. Filters are combined with AND; `request` holds further ones."""
        asked = v1.ListMatchesRequest(
            game=resource("games", game),
            player=player,
            state=state,
            tags=[f"{key}={value}" for key, value in (tags or {}).items()],
            waiting_for_player=waiting_for,
            oldest_first=oldest_first,
            language=language,
        )
        asked.MergeFrom(request or v1.ListMatchesRequest())
        return paged(self._client.rpc.matches.ListMatches, asked, lambda page: page.matches)

    def list_open(
        self, game: str = "", seats: int = 0, *, language: str = ""
    ) -> Pages[v1.Match]:
        """The matches of the lobby that have open seats, newest first."""
        request = v1.ListOpenMatchesRequest(
            game=resource("games", game), seats=seats, language=language
        )
        call = self._client.rpc.matches.ListOpenMatches
        return paged(call, request, lambda page: page.matches)


class History:
    """Search, standings and projections, across all matches of a platform."""

    def __init__(self, client: Croupier) -> None:
        self._client = client

    def search(
        self,
        game: str,
        request: v1.SearchEntriesRequest | None = None,
        *,
        player: str = "",
        verb: str = "",
        piece: str = "",
        announcement: str = "",
        language: str = "",
    ) -> Pages[v1.Entry]:
        """The entries of a game's matches: newest match first, in order within each. Filters are
        combined with AND; `request` holds further ones."""
        asked = v1.SearchEntriesRequest(
            parent=resource("games", game),
            player=player,
            verb=verb,
            piece=piece,
            announcement=announcement,
            language=language,
        )
        asked.MergeFrom(request or v1.SearchEntriesRequest())
        return paged(self._client.rpc.search.SearchEntries, asked, lambda page: page.entries)

    def standings(
        self,
        game: str,
        *,
        seats: int = 0,
        clock_class: v1.ClockClass.ValueType = v1.CLOCK_CLASS_UNTIMED,
        consistency_token: str = "",
    ) -> Pages[v1.Standing]:
        """The players of a pool of a game by rating, highest first: of matches with that number of
        seats, 0 for the fewest, and such clocks."""
        request = v1.ListStandingsRequest(
            parent=resource("games", game),
            seats=seats,
            clock_class=clock_class,
            consistency_token=consistency_token,
        )
        call = self._client.rpc.players.ListStandings
        return paged(call, request, lambda page: page.standings)

    async def projection(self, name: str) -> v1.Projection:
        """The state of a projection, such as `matches`, and how far it is behind."""
        request = v1.GetProjectionRequest(name=resource("projections", name))
        return (await self._client.rpc.projections.GetProjection(request)).projection
