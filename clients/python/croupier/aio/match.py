"""A match: reading, playing and following it."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.field_mask_pb2 import FieldMask

from croupier import _waiting, v1
from croupier.aio.calls import Stream
from croupier.errors import Refusal, went_back_to
from croupier.folding import FoldError, empty_table, fold
from croupier.names import duration, named_in, resource, seat_viewer
from croupier.table.v1.actions_pb2 import Action as TableAction, Say, Stand
from croupier.verify import Kept, verify_record

if TYPE_CHECKING:
    from croupier.aio.client import Croupier


class MatchHandle:
    """A match, for one seat or viewer. Creating a handle makes no call.

    `seat` is the seat to act for with a platform's credentials; a seat's token acts for its own
    seat. `viewer` is `seats/{seat}`, `spectator` or `house`; by default that of the seat, otherwise
    that of the credentials.
    """

    def __init__(
        self, client: Croupier, name: str, seat: int | None = None, viewer: str | None = None
    ) -> None:
        self._client = client
        self.name = resource("matches", name)
        self.seat = seat
        self.viewer = viewer or ("" if seat is None else seat_viewer(seat))

    def __repr__(self) -> str:
        return f"MatchHandle({self.name!r}, seat={self.seat!r}, viewer={self.viewer!r})"

    def at(self, seat: int) -> MatchHandle:
        """The same match, for a seat."""
        return MatchHandle(self._client, self.name, seat)

    def seen_by(self, viewer: str) -> MatchHandle:
        """The same match, for another viewer."""
        return MatchHandle(self._client, self.name, self.seat, viewer)

    # === Reading ===

    async def get(self, *, language: str = "") -> v1.Match:
        """The match with its players, its turn and its scores."""
        request = v1.GetMatchRequest(name=self.name, viewer=self.viewer, language=language)
        return (await self._client.rpc.matches.GetMatch(request)).match

    async def view(
        self,
        position: int | None = None,
        time: datetime.datetime | None = None,
        *,
        language: str = "",
    ) -> v1.Table:
        """The table as the viewer sees it: now, at a position, or at a time."""
        request = v1.GetViewRequest(
            name=self.name, viewer=self.viewer, position=position, language=language
        )
        if time is not None:
            request.read_time.FromDatetime(time)
        return (await self._client.rpc.matches.GetView(request)).table

    async def can_take_back(self) -> bool:
        """Whether the seat could take back its last action now."""
        request = v1.GetViewRequest(name=self.name, viewer=self.viewer, take_back=True)
        return (await self._client.rpc.matches.GetView(request)).can_take_back

    async def diff(self, start: int, end: int | None = None) -> v1.ViewDiff:
        """The difference between the viewer's tables at two positions."""
        request = v1.DiffViewsRequest(
            name=self.name, viewer=self.viewer, from_position=start, to_position=end
        )
        return (await self._client.rpc.history.DiffViews(request)).diff

    async def image(
        self,
        *,
        position: int | None = None,
        width: int = 0,
        format: v1.ImageFormat.ValueType = v1.IMAGE_FORMAT_PNG,
        language: str = "",
    ) -> bytes:
        """The table as the viewer sees it, as a picture."""
        request = v1.GetTableImageRequest(
            name=self.name,
            viewer=self.viewer,
            position=position,
            width=width,
            format=format,
            language=language,
        )
        answer = await self._client.rpc.matches.GetTableImage(request)
        return bytes(answer.image.data)

    async def legal_actions(
        self,
        verb: str = "",
        pieces: Iterable[str] = (),
        copies: bool = False,
        *,
        reasons: bool = False,
        effects: bool = False,
        language: str = "",
    ) -> v1.ListLegalActionsResponse:
        """The legal actions of the seat; optionally only of one kind, or with these pieces. With
        `copies` also those that differ from others only in which copies of a card they name. With
        `reasons` it says why other kinds of action are not legal, and with `effects` what is
        certain about each action."""
        request = v1.ListLegalActionsRequest(
            name=self.name,
            seat=self.seat,
            verb=verb,
            pieces=list(pieces),
            copies=copies,
            reasons=reasons,
            effects=effects,
            language=language,
        )
        return await self._client.rpc.matches.ListLegalActions(request)

    async def suggest_actions(
        self, position: int | None = None, *, language: str = ""
    ) -> v1.SuggestActionsResponse:
        """What the seat could do, the best first, as a bot sees it; against bots only.

        With a position, what it could have done there, in a match that has ended also against
        people.
        """
        request = v1.SuggestActionsRequest(
            name=self.name, seat=self.seat, position=position, language=language
        )
        return await self._client.rpc.matches.SuggestActions(request)

    async def entry(self, position: int, *, language: str = "") -> v1.Entry:
        """One entry, as the viewer may know it."""
        request = v1.GetEntryRequest(
            name=f"{self.name}/entries/{position}", viewer=self.viewer, language=language
        )
        return (await self._client.rpc.entries.GetEntry(request)).entry

    def entries(
        self, after: int = 0, until: int | None = None, *, language: str = ""
    ) -> Stream[v1.Entry]:
        """The entries recorded so far, after a position."""
        return self.replay(after, until, speed=0.0, language=language)

    def replay(
        self,
        after: int = 0,
        until: int | None = None,
        speed: float = 1.0,
        pause_max: float | None = None,
        *,
        language: str = "",
    ) -> Stream[v1.Entry]:
        """The recorded entries after a position, with their original pauses divided by `speed`,
        each at most `pause_max` seconds, 5 if absent. A speed of 0 means without pauses."""
        request = v1.ReplayEntriesRequest(
            parent=self.name,
            viewer=self.viewer,
            after_position=after,
            until_position=until,
            speed=speed,
            pause_max=duration(pause_max),
            language=language,
        )

        def take(message: v1.ReplayEntriesResponse) -> list[v1.Entry]:
            request.after_position = message.position
            request.after_digest = message.digest
            return list(message.entries)

        client = self._client
        return Stream(client._calls, lambda: client.rpc.history.ReplayEntries(request), take)

    def watch(
        self, after: int = 0, after_digest: bytes = b"", *, language: str = ""
    ) -> Stream[v1.Entry]:
        """The entries after a position: the recorded ones, then each new one, until the match has
        ended. It survives restarts of the service without gaps or repeats. If the database lost
        entries that were received, it raises `RECORD_WENT_BACK` once, whose fact `position` is the
        last one that is still valid, and continues after it when it is iterated again. Give
        `after_digest`, the digest of the entry at `after`, so that this is noticed from the start."""
        request = v1.WatchEntriesRequest(
            parent=self.name,
            after_position=after,
            after_digest=after_digest,
            viewer=self.viewer,
            language=language,
        )

        def take(message: v1.WatchEntriesResponse) -> list[v1.Entry]:
            request.after_position = message.position
            request.after_digest = message.digest
            if message.HasField("went_back"):
                raise went_back_to(message.position)
            return list(message.entries)

        client = self._client
        return Stream(client._calls, lambda: client.rpc.entries.WatchEntries(request), take)

    async def live(self, *, language: str = "") -> Live:
        """Loads the table, and keeps it up to date until it is closed or the match has ended."""
        match = await self.get(language=language)
        game = await self._client.games.get(match.game, language=language)
        try:
            table = await self.view(language=language)
        except Refusal as refusal:
            if refusal.reason != "MATCH_NOT_STARTED":
                raise
            table = empty_table(game, match, self.viewer or "spectator")
        return Live(self, game, table, language)

    async def receipt(self, position: int) -> v1.Receipt:
        """The service's signed statement that an entry is in the record."""
        request = v1.GetReceiptRequest(name=f"{self.name}/entries/{position}/receipt")
        return (await self._client.rpc.entries.GetReceipt(request)).receipt

    async def record(self) -> list[str]:
        """The lines of the whole record of a revealed match. `verify` checks them."""
        request = v1.ReadRecordRequest(name=f"{self.name}/record")
        lines: list[str] = []

        def begin() -> object:
            # An interrupted record is read again from its start.
            lines.clear()
            return self._client.rpc.entries.ReadRecord(request)

        def take(message: v1.ReadRecordResponse) -> list[str]:
            lines.extend(message.lines)
            return []

        async for _ in Stream(self._client._calls, begin, take):
            pass
        return lines

    async def verify(self, kept: Kept = Kept()) -> dict[str, Any]:
        """Reads the record and verifies it, with what was kept from before and during the match:
        every digest, the seed's commitment and every choice of chance, but not the rules.

        Returns the counts if everything is proven. Raises `croupier.verify.Altered` if anything is
        wrong, such as a record without an end, and `croupier.verify.NotProven` if anything could not
        be verified.
        """
        return verify_record(await self.record(), replace(kept, match=self.name))

    # === Acting ===

    async def submit(
        self,
        action: v1.Action,
        *,
        request_id: str = "",
        expected_position: int | None = None,
        expected_prompt: int | None = None,
        language: str = "",
    ) -> v1.Entry:
        """Submits an action of the seat, and returns the resulting entry.

        While the service is unavailable, the same request is retried, so the action happens once.
        """
        request = v1.SubmitActionRequest(
            name=self.name,
            seat=self.seat,
            action=action,
            request_id=request_id,
            expected_position=expected_position,
            expected_prompt=expected_prompt,
            language=language,
        )
        return (await self._client.rpc.matches.SubmitAction(request)).entry

    async def say(
        self, text: str, to: Iterable[int] = (), *, request_id: str = "", language: str = ""
    ) -> v1.Entry:
        """Says something to some seats, or to everyone."""
        action = v1.Action(table=TableAction(say=Say(text=text, to=list(to))))
        return await self.submit(action, request_id=request_id, language=language)

    async def stand(
        self, decision: str, on: bool = True, *, request_id: str = "", language: str = ""
    ) -> v1.Entry:
        """Declares or withdraws a standing answer: the house answers a decision."""
        action = v1.Action(table=TableAction(stand=Stand(decision=decision, on=on)))
        return await self.submit(action, request_id=request_id, language=language)

    async def resign(
        self,
        *,
        expected_position: int | None = None,
        request_id: str = "",
        language: str = "",
    ) -> v1.Entry:
        """Resigns the seat."""
        request = v1.ResignMatchRequest(
            name=self.name,
            seat=self.seat,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.ResignMatch(request)).entry

    async def take_back(
        self, *, expected_position: int | None = None, request_id: str = "", language: str = ""
    ) -> v1.Entry:
        """Takes back the seat's last action, if it revealed nothing."""
        request = v1.TakeBackRequest(
            name=self.name,
            seat=self.seat,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.TakeBack(request)).entry

    async def vote(
        self,
        motion: v1.Motion.ValueType,
        *,
        withdraw: bool = False,
        expected_position: int | None = None,
        request_id: str = "",
        language: str = "",
    ) -> v1.Entry:
        """Votes to end, to pause or to resume the match, or withdraws the vote."""
        request = v1.VoteMatchRequest(
            name=self.name,
            seat=self.seat,
            motion=motion,
            withdraw=withdraw,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.VoteMatch(request)).entry

    async def contribute(self, contribution: bytes, *, language: str = "") -> v1.Match:
        """Contributes 16 to 32 bytes of the seat to the chance of the match, before it is dealt."""
        request = v1.ContributeEntropyRequest(
            name=self.name, seat=self.seat, contribution=contribution, language=language
        )
        return (await self._client.rpc.matches.ContributeEntropy(request)).match

    async def join(
        self,
        player: str = "",
        *,
        display_name: str = "",
        bot: str = "",
        contribution: bytes = b"",
        request_id: str = "",
        language: str = "",
    ) -> v1.JoinMatchResponse:
        """Takes the seat of this handle for a player, or any open one. With a player's token, leave
        the player empty. A `bot` of this level takes the seat of the handle instead of a player."""
        request = v1.JoinMatchRequest(
            name=self.name,
            player=player,
            seat=self.seat,
            display_name=display_name,
            bot=bot,
            contribution=contribution,
            request_id=request_id,
            language=language,
        )
        return await self._client.rpc.matches.JoinMatch(request)

    async def leave(self, player: str = "", *, language: str = "") -> v1.Match:
        """Frees the seat of a player before the match starts; by default that of the token's
        player."""
        request = v1.LeaveMatchRequest(name=self.name, player=player, language=language)
        return (await self._client.rpc.matches.LeaveMatch(request)).match

    # === For platforms ===

    async def pause(
        self,
        *,
        expected_position: int | None = None,
        request_id: str = "",
        language: str = "",
    ) -> v1.Entry:
        """Pauses the match without a vote of its seats."""
        request = v1.PauseMatchRequest(
            name=self.name,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.PauseMatch(request)).entry

    async def resume(
        self,
        *,
        expected_position: int | None = None,
        request_id: str = "",
        language: str = "",
    ) -> v1.Entry:
        """Resumes the match after a pause."""
        request = v1.ResumeMatchRequest(
            name=self.name,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.ResumeMatch(request)).entry

    async def end(
        self,
        *,
        expected_position: int | None = None,
        request_id: str = "",
        language: str = "",
    ) -> v1.Entry:
        """Ends the match without a result."""
        request = v1.EndMatchRequest(
            name=self.name,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.EndMatch(request)).entry

    async def delete(self, *, allow_missing: bool = False) -> None:
        """Deletes a match that waits for players. With `allow_missing` it may be gone."""
        request = v1.DeleteMatchRequest(name=self.name, allow_missing=allow_missing)
        await self._client.rpc.matches.DeleteMatch(request)

    async def update(
        self,
        *,
        display_name: str | None = None,
        lobby: bool | None = None,
        tags: Mapping[str, str] | None = None,
        language: str = "",
    ) -> v1.Match:
        """Changes what the match is called, whether it is in the lobby, and its tags, all of them.
        What is None stays."""
        changes = {"display_name": display_name, "lobby": lobby, "tags": tags}
        request = v1.UpdateMatchRequest(
            match=v1.Match(
                name=self.name, display_name=display_name or "", lobby=bool(lobby), tags=tags
            ),
            update_mask=FieldMask(paths=named_in(changes)),
            language=language,
        )
        return (await self._client.rpc.matches.UpdateMatch(request)).match

    async def tag(
        self, tags: Mapping[str, str] | None = None, remove: Iterable[str] = ()
    ) -> v1.Match:
        """Sets and removes tags."""
        request = v1.TagMatchRequest(name=self.name, set=tags, remove=list(remove))
        return (await self._client.rpc.matches.TagMatch(request)).match

    async def replace_seat(
        self,
        player: str = "",
        *,
        bot: str = "",
        display_name: str = "",
        absent: bool = False,
        expected_position: int | None = None,
        request_id: str = "",
        language: str = "",
    ) -> v1.Match:
        """Seats another player, or a bot, on the seat of this handle, which has resigned or whose
        player is gone."""
        request = v1.ReplaceSeatRequest(
            name=self.name,
            seat=self.seat,
            player=player,
            bot=bot,
            display_name=display_name,
            absent=absent,
            expected_position=expected_position,
            request_id=request_id,
            language=language,
        )
        return (await self._client.rpc.matches.ReplaceSeat(request)).match

    async def invite(
        self, *, inviter: str = "", lifetime: int | None = None
    ) -> v1.CreateInvitationResponse:
        """Invites guests to the seat of this handle, or to any open one. Whoever has the token sees
        the match and takes a seat with a name of their own, until it expires or no seat is open.
        `lifetime` is in seconds, a day if absent."""
        request = v1.CreateInvitationRequest(
            parent=self.name, seat=self.seat, inviter=inviter, lifetime=duration(lifetime)
        )
        return await self._client.rpc.invitations.CreateInvitation(request)

    async def revoke_invitations(self) -> None:
        """Revokes all invitations to the match that were created so far."""
        request = v1.RevokeInvitationsRequest(parent=self.name)
        await self._client.rpc.invitations.RevokeInvitations(request)

    async def attend(
        self, *, rematch: v1.Rematch.ValueType = v1.REMATCH_UNSPECIFIED
    ) -> v1.AttendMatchResponse:
        """Says that the seat of this handle is here, and returns who else is. Call it every few
        seconds."""
        request = v1.AttendMatchRequest(name=self.name, seat=self.seat, rematch=rematch)
        return await self._client.rpc.matches.AttendMatch(request)

    async def create_token(self, *, lifetime: int | None = None) -> v1.CreateTokenResponse:
        """Mints a token for the seat of this handle, or for a spectator if it has none; `lifetime`
        is in seconds, an hour if absent."""
        request = v1.CreateTokenRequest(
            parent=self.name, seat=self.seat, lifetime=duration(lifetime)
        )
        return await self._client.rpc.tokens.CreateToken(request)

    async def revoke_tokens(self) -> None:
        """Revokes the tokens of the seat of this handle; without a seat, all of the match."""
        request = v1.RevokeTokensRequest(parent=self.name, seat=self.seat)
        await self._client.rpc.tokens.RevokeTokens(request)


class Change(NamedTuple):
    """An entry, and the tables before and after it."""

    entry: v1.Entry
    """The entry."""
    before: v1.Table
    """The table before it."""
    table: v1.Table
    """The table after it."""


class Live:
    """A table that is kept up to date by the entries of its match.

    Iterate it for each entry with the tables before and after; the table advances as it is
    iterated. Do not modify its tables.
    """

    def __init__(
        self, match: MatchHandle, game: v1.Game, table: v1.Table, language: str = ""
    ) -> None:
        self.match = match
        self.game = game
        """The game, with its layout."""
        self.table = table
        """The table as the viewer sees it, after the last entry that was iterated."""
        self.went_back = 0
        """How often the database lost entries that were on the table. The table was then read
        again, so the next change does not follow from the one before."""
        self._closed = False
        self._language = language
        self._entries = self._watch()

    @property
    def position(self) -> int:
        """The position of the table."""
        return self.table.position

    @property
    def prompts(self) -> list[v1.Prompt]:
        """The prompts that can be answered now."""
        top = max((it.layer for it in self.table.prompts), default=0)
        return [it for it in self.table.prompts if it.layer == top]

    @property
    def prompt(self) -> v1.Prompt | None:
        """The prompt that the seat of the match's handle can answer now."""
        own = [it for it in self.prompts if it.seat == self.match.seat]
        return own[-1] if own else None

    @property
    def ended(self) -> bool:
        """Whether the match has ended."""
        return self.table.HasField("ended")

    @property
    def connected(self) -> bool:
        """Whether the service sent something since the connection broke last."""
        return self._entries.connected

    def on_connection(self, listener: Callable[[bool], None]) -> None:
        """Calls a function whenever `connected` changes."""
        self._entries.on_connection(listener)

    def __aiter__(self) -> AsyncIterator[Change]:
        return self

    async def __anext__(self) -> Change:
        entry = await self._next()
        before = self.table
        # If the credentials imply the viewer, it is known only from the first view. An entry is
        # missed if its reader was cancelled here.
        unknown = before.position == 0 and not self.match.viewer
        if unknown or entry.position != before.position + 1:
            self.table = await self._view(entry.position)
        else:
            try:
                self.table = fold(self.game.layout, before, entry)
            except FoldError:
                games = self.match._client.games
                self.game = await games.refresh(self.game.name, language=self._language)
                self.table = await self._view(entry.position)
        return Change(entry, before, self.table)

    async def _next(self) -> v1.Entry:
        while True:
            try:
                return await anext(self._entries)
            except Refusal as refusal:
                # Of a match that ended long ago only the result is kept, which the table shows.
                if refusal.reason == "HISTORY_NOT_KEPT" and self.ended:
                    raise StopAsyncIteration from None
                # Entries of earlier releases have no digest, which would tell that one is gone.
                if refusal.reason not in {"RECORD_WENT_BACK", "POSITION_AHEAD"}:
                    raise
                await self._read_again()

    async def _read_again(self) -> None:
        """Reads the table again, because the record went back."""
        self.went_back += 1
        before = self._entries
        before.close()
        await _waiting.sleep(1.0)
        table = await self._view()
        if self._closed:
            raise StopAsyncIteration
        self.table = table
        self._entries = self._watch()
        for listener in before.listeners:
            self._entries.on_connection(listener)

    def _watch(self) -> Stream[v1.Entry]:
        position, digest = self.table.position, self.table.digest
        return self.match.watch(position, digest, language=self._language)

    async def _view(self, position: int | None = None) -> v1.Table:
        return await self.match.view(position, language=self._language)

    async def reach(self, position: int) -> v1.Table:
        """Iterates up to a position, such as that of your own entry."""
        while self.position < position:
            await anext(self)
        return self.table

    def close(self) -> None:
        """Ends it."""
        self._closed = True
        self._entries.close()

    async def __aenter__(self) -> Live:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
