"""Players of a platform, and those who look for a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from croupier import v1
from croupier.aio.calls import Pages, Stream, paged
from croupier.aio.streams import after_cursor
from croupier.names import duration, resource

if TYPE_CHECKING:
    from croupier.aio.client import Croupier


class PlayerHandle:
    """A player of a platform, by the platform's id. Creating a handle makes no call."""

    def __init__(self, client: Croupier, name: str) -> None:
        self._client = client
        self.name = resource("players", name)

    def __repr__(self) -> str:
        return f"PlayerHandle({self.name!r})"

    async def get(self, *, consistency_token: str = "") -> v1.Player:
        """The player's results in each game and against others."""
        request = v1.GetPlayerRequest(name=self.name, consistency_token=consistency_token)
        return (await self._client.rpc.players.GetPlayer(request)).player

    def rating_changes(
        self,
        game: str,
        *,
        seats: int = 0,
        clock_class: v1.ClockClass.ValueType = v1.CLOCK_CLASS_UNTIMED,
    ) -> Pages[v1.RatingChange]:
        """How the player's rating in a pool came about, newest match first."""
        request = v1.ListRatingChangesRequest(
            parent=self.name,
            game=resource("games", game),
            seats=seats,
            clock_class=clock_class,
        )
        call = self._client.rpc.players.ListRatingChanges
        return paged(call, request, lambda page: page.rating_changes)

    def watch(
        self, *, cursor: str = "", live: bool = False, language: str = ""
    ) -> Stream[v1.WatchPlayerResponse]:
        """The endless stream of the player's matches: messages with entries as the player's seat
        sees them, with notices for the player, and with the cursor from which to resume. Store the
        cursor of the last processed message, to resume there after a restart of your program;
        `live` skips recorded entries. A message that has `went_back` tells which of the received
        entries are void, as in `Streams.entries`."""
        request = v1.WatchPlayerRequest(
            name=self.name, cursor=cursor, live=live, language=language
        )
        client = self._client
        return after_cursor(client._calls, request, lambda: client.rpc.players.WatchPlayer(request))

    async def create_token(
        self, *, lifetime: int | None = None
    ) -> v1.CreatePlayerTokenResponse:
        """Mints a token for the player, over all the player's matches; `lifetime` is in seconds, an
        hour if absent."""
        request = v1.CreatePlayerTokenRequest(parent=self.name, lifetime=duration(lifetime))
        return await self._client.rpc.tokens.CreatePlayerToken(request)

    async def revoke_tokens(self) -> None:
        """Revokes all tokens minted so far for the player."""
        request = v1.RevokePlayerTokensRequest(parent=self.name)
        await self._client.rpc.tokens.RevokePlayerTokens(request)

    async def erase(self) -> bool:
        """Erases the player permanently, in all matches. Returns whether there was anything to
        erase."""
        request = v1.ErasePlayerRequest(name=self.name)
        return (await self._client.rpc.players.ErasePlayer(request)).erased


class Seeks:
    """Players who look for a match together."""

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
        """Creates a seek, once: for a match with any of these numbers of seats, in order of
        preference."""
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

    def list(self, game: str = "", player: str = "") -> Pages[v1.Seek]:
        """The open seeks, oldest first."""
        request = v1.ListSeeksRequest(game=resource("games", game), player=player)
        return paged(self._client.rpc.seeks.ListSeeks, request, lambda page: page.seeks)

    async def delete(self, name: str, *, allow_missing: bool = False) -> None:
        """Deletes a seek: the player will not be seated for it. With `allow_missing` there may
        be no such seek."""
        request = v1.DeleteSeekRequest(
            name=resource("seeks", name), allow_missing=allow_missing
        )
        await self._client.rpc.seeks.DeleteSeek(request)
