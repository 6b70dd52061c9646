"""Who sat where: the players in the line of a match, and the commitments to them in its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blake3 import blake3

from croupier.outcome import PlayerCounts, require
from croupier.stored import Body


@dataclass(frozen=True)
class Player:
    """A player of a seat, as the line of the match names it."""

    player: str
    key: bytes | None  # None if there is none, as after the player's erasure
    is_erased: bool
    until: int | None  # the entry with which the next player took over; None for the last one


def player_commitment(match: bytes, seat: int, key: bytes, player: str) -> bytes:
    data = match + bytes((seat,)) + key + player.encode()
    return blake3(data, derive_key_context="croupier 2026-11 player of a seat").digest()


class Seats:
    """The players of each seat, compared with the entries one after another."""

    def __init__(self, match: bytes, players: Mapping[int, Sequence[Player]]) -> None:
        self.match, self.players = match, players
        self.now = dict.fromkeys(players, 0)  # the index of each seat's current player
        self.counts = PlayerCounts()

    def entry(self, position: int, found: Body) -> None:
        """Verifies the players who take seats with an entry."""
        begun = set[int]()
        if position == 1:
            begun = {*self.players, *found.players}
        elif found.replaced is not None:
            begun = {self.replace(position, found.replaced)}
        nobody = "it commits to the player of a seat that nobody takes with it"
        require(begun.issuperset(found.players), nobody, "BODY_INVALID")
        for seat in sorted(begun):
            self.compare(seat, found.players.get(seat))

    def replace(self, position: int, seat: int) -> int:
        """Goes on to the next player of a seat."""
        players = self.players.get(seat)
        is_told = players is not None and players[self.now[seat]].until == position
        reason = f"its line does not say who took over seat {seat} with this entry"
        require(is_told, reason, "PLAYER_DIFFERS")
        self.now[seat] += 1
        return seat

    def compare(self, seat: int, commitment: bytes | None) -> None:
        """Compares the current player of a seat with the commitment, if there is one."""
        if commitment is None:
            self.counts.not_covered += 1
            return
        missing = f"seat {seat}: its player is not in the line of the match"
        require(seat in self.players, missing, "PLAYER_DIFFERS")
        player = self.players[seat][self.now[seat]]
        if player.key is None:
            gone = f"seat {seat}: the key of its player is gone, who was not erased"
            require(player.is_erased, gone, "PLAYER_DIFFERS")
            self.counts.erased += 1
            return
        is_same = player_commitment(self.match, seat, player.key, player.player) == commitment
        other = f"seat {seat}: its player is another one than the entry commits to"
        require(is_same, other, "PLAYER_DIFFERS")
        self.counts.proven += 1

    def end(self) -> None:
        for seat, players in sorted(self.players.items()):
            reason = f"seat {seat}: the line has a player who took over with no entry"
            require(self.now[seat] + 1 == len(players), reason, "PLAYER_DIFFERS")
