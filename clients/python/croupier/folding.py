"""Folds the entries that a viewer receives to the viewer's table, without the service. The table
equals what `GetView` returns at each position, except for texts and the times of prompts.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from croupier import v1


class FoldError(ValueError):
    """An entry cannot be folded: it is not the next one, or a newer release recorded it. `Live`
    then asks the service for the table."""


def empty_table(game: v1.Game, match: v1.Match, viewer: str) -> v1.Table:
    """The table before the first entry: every piece in its starting place.

    `viewer` is `seats/{seat}`, `spectator` or `house`.
    """
    board = _board_of(game.layout)
    table = v1.Table(match=match.name, viewer=viewer, scores=[0] * len(match.seats))
    fold = _Fold(board, table)
    for piece, start in board.starts.items():
        fold.lay(piece, start)
    seats = len(match.seats)
    fold.touched = {
        place.name
        for place in game.layout.places
        if not place.HasField("seat") or place.seat < seats
    }
    fold.write(table)
    return table


def fold(layout: v1.Layout, table: v1.Table, entry: v1.Entry) -> v1.Table:
    """The table after an entry, as a new message. `table` is of the position before the entry and of
    the viewer who received it.

    A layout must not be modified after it was used here.
    """
    if entry.position != table.position + 1:
        raise FoldError(f"entry {entry.position} does not follow position {table.position}")
    folded = _Fold(_board_of(layout), table)
    result = v1.Table()
    result.CopyFrom(table)
    result.position = entry.position
    result.digest = entry.digest
    del result.prompts[:]
    result.prompts.extend(entry.prompts)
    result.text = ""
    try:
        for event in entry.events:
            folded.apply(event, result)
        folded.write(result)
    except KeyError as error:
        raise FoldError(f"the layout has no {error}") from error
    return result


class _Board:
    """A layout, by name."""

    def __init__(self, layout: v1.Layout) -> None:
        self.layout = layout
        self.places = {place.name: place for place in layout.places}
        self.starts = {piece.name: piece.start for piece in layout.pieces}
        self.backs = {piece.name: piece.back for piece in layout.pieces}
        self.layers = {piece.name: piece.layer for piece in layout.pieces}
        self.purses = {
            place.name: [purse.coin for purse in place.purses] for place in layout.places
        }
        self.piece_order = {piece.name: n for n, piece in enumerate(layout.pieces)}
        self.back_order = {back.name: n for n, back in enumerate(layout.backs)}
        self.mark_order = {mark.name: n for n, mark in enumerate(layout.marks)}
        self.place_order = {place.name: n for n, place in enumerate(layout.places)}
        self.sights: dict[str, tuple[set[str], set[str]]] = {}
        self.piles = {
            place.name
            for place in layout.places
            if place.sight == v1.SIGHT_ALL and place.arrangement == v1.ARRANGEMENT_PILE
        }

    def seen_by(self, viewer: str) -> tuple[set[str], set[str]]:
        """The places whose pieces a viewer sees, and those whose pieces the viewer can count."""
        if viewer not in self.sights:
            house = viewer == "house"
            sees, counts = set(), set()
            for place in self.layout.places:
                own = place.HasField("seen_by") and viewer == f"seats/{place.seen_by}"
                if house or place.sight == v1.SIGHT_ALL or place.sight == v1.SIGHT_SEAT and own:
                    sees.add(place.name)
                if house or own or not place.count_hidden:
                    counts.add(place.name)
            self.sights[viewer] = sees, counts
        return self.sights[viewer]


# The last layouts, by identity: reading one takes longer than folding an entry.
_boards: OrderedDict[int, _Board] = OrderedDict()


def _board_of(layout: v1.Layout) -> _Board:
    board = _boards.get(id(layout))
    if board is None or board.layout is not layout:
        board = _boards[id(layout)] = _Board(layout)
        if len(_boards) > 16:
            _boards.popitem(last=False)
    return board


class _Fold:
    """The mutable parts of a table."""

    def __init__(self, board: _Board, table: v1.Table) -> None:
        self.board = board
        self.is_house = table.viewer == "house"
        self.sees, self.counts = board.seen_by(table.viewer)
        # By piece: its place, if the viewer knows it.
        self.at: dict[str, str] = {}
        # By place and back: the number of other pieces, where the viewer can count them.
        self.unseen: dict[str, dict[str, int]] = {}
        self.coins: dict[str, dict[str, int]] = {}
        self.marks = {mark.mark: mark.value for mark in table.marks}
        # The places that differ from those of the table.
        self.touched: set[str] = set()
        self.marks_differ = False
        for place in table.places:
            for piece in place.pieces:
                self.at[piece] = place.place
            self.unseen[place.place] = {it.back: it.count for it in place.unseen}
            self.coins[place.place] = {it.coin: it.amount for it in place.purses}

    def apply(self, event: v1.Event, table: v1.Table) -> None:
        """Applies an event; changes other than those of places and marks are written to `table`."""
        kind = event.WhichOneof("kind")
        if kind == "moved":
            moved = event.moved
            self.lift(moved.piece, moved.back, getattr(moved, "from"))
            if moved.piece:
                self.lay(moved.piece, moved.to)
            elif moved.back:
                self.count(moved.to, moved.back, 1)
        elif kind == "gathered":
            self.gather(getattr(event.gathered, "from"), event.gathered.to)
        elif kind == "shown":
            self.show(event.shown.piece, event.shown.at)
        elif kind == "paid":
            paid = event.paid
            self.pay(paid.coin, getattr(paid, "from"), -paid.amount)
            self.pay(paid.coin, paid.to, paid.amount)
        elif kind == "marked":
            self.marks[event.marked.mark] = event.marked.value
            self.marks_differ = True
        elif kind == "round_began":
            table.round = event.round_began
        elif kind == "phase_began":
            table.phase = event.phase_began
        elif kind == "turn_began":
            table.turn = event.turn_began
        elif kind == "offered":
            table.offers.append(event.offered)
            for item in [*table.offers[-1].give, *table.offers[-1].take]:
                item.ClearField("text")
        elif kind == "offer_closed":
            _replace(table.offers, [it for it in table.offers if it.by != event.offer_closed])
        elif kind == "announced" and event.announced.points:
            told = event.announced
            others = [
                it
                for it in table.score_parts
                if (it.seat, it.part) != (told.seat, told.announcement)
            ]
            part = v1.ScorePart(seat=told.seat, part=told.announcement, points=told.points)
            _replace(table.score_parts, [*others, part])
        elif kind == "scored":
            table.scores[event.scored.seat] = event.scored.points
        elif kind == "resigned":
            resigned = sorted({*table.resigned, event.resigned})
            table.resigned[:] = resigned
        elif kind == "replaced":
            seat = event.replaced.seat
            table.resigned[:] = [it for it in table.resigned if it != seat]
            _replace(table.standing, [it for it in table.standing if it.seat != seat])
        elif kind == "stood":
            stood = event.stood
            answer = v1.StandingAnswer(seat=stood.seat, decision=stood.decision)
            _replace(table.standing, [it for it in table.standing if it != answer])
            if stood.on:
                table.standing.append(answer)
        elif kind == "ended":
            table.ended.CopyFrom(event.ended)
            del table.offers[:]
        elif kind == "abandoned":
            table.ended.SetInParent()
            del table.offers[:]
        elif kind is None:
            raise FoldError("an event of a kind that this release does not know")
        # All others change nothing on the table.

    def lay(self, piece: str, to: str) -> None:
        if to in self.sees:
            self.at[piece] = to
            self.touched.add(to)
        else:
            self.count(to, self.board.backs[piece], 1)

    def lift(self, piece: str, back: str, place: str) -> None:
        self.touched.add(place)
        if piece and self.at.get(piece) == place:
            del self.at[piece]
        elif piece:
            self.count(place, self.board.backs[piece], -1)
        else:
            # The piece that left may be any of those that were shown here.
            self.forget(place)
            if back:
                self.count(place, back, -1)

    def gather(self, place: str, to: str) -> None:
        self.touched.add(place)
        if not (place in self.sees and to in self.sees):
            self.forget(place)
        for piece in [piece for piece, at in self.at.items() if at == place]:
            del self.at[piece]
            self.lay(piece, to)
        for back, count in self.unseen.pop(place, {}).items():
            self.count(to, back, count)

    def show(self, piece: str, place: str) -> None:
        """A viewer knows a shown piece until an unseen piece leaves its place."""
        if piece and not self.is_house and self.at.get(piece) != place:
            self.touched.add(place)
            self.count(place, self.board.backs[piece], -1)
            self.at[piece] = place

    def forget(self, place: str) -> None:
        if place in self.sees:
            return
        self.touched.add(place)
        for piece in [piece for piece, at in self.at.items() if at == place]:
            del self.at[piece]
            self.count(place, self.board.backs[piece], 1)

    def count(self, place: str, back: str, change: int) -> None:
        if place in self.counts:
            self.touched.add(place)
            unseen = self.unseen.setdefault(place, {})
            unseen[back] = unseen.get(back, 0) + change

    def pay(self, coin: str, place: str, change: int) -> None:
        if place in self.sees:
            self.touched.add(place)
            purse = self.coins.setdefault(place, {})
            purse[coin] = purse.get(coin, 0) + change

    def write(self, table: v1.Table) -> None:
        """Writes places and marks to the table."""
        if self.touched:
            pieces: dict[str, list[str]] = {place: [] for place in self.touched}
            for piece, place in self.at.items():
                if place in pieces:
                    pieces[place].append(piece)
            places = [it for it in table.places if it.place not in self.touched]
            for place in self.touched:
                contents = self.contents(place, pieces[place])
                if contents.count_hidden or contents.pieces or contents.unseen or contents.purses:
                    places.append(contents)
            _replace(table.places, sorted(places, key=self.place_order))
        if self.marks_differ:
            marks = [v1.Marked(mark=it, value=self.marks[it]) for it in self.marks if self.marks[it]]
            marks.sort(key=lambda it: self.board.mark_order[it.mark])
            _replace(table.marks, marks)

    def place_order(self, contents: v1.PlaceContents) -> int:
        return self.board.place_order[contents.place]

    def contents(self, place: str, pieces: list[str]) -> v1.PlaceContents:
        board = self.board
        pieces.sort(key=board.piece_order.__getitem__)
        unseen = [(back, count) for back, count in self.unseen.get(place, {}).items() if count]
        unseen.sort(key=lambda it: board.back_order[it[0]])
        coins = self.coins.get(place, {})
        return v1.PlaceContents(
            place=place,
            pieces=pieces,
            unseen=[v1.Unseen(back=back, count=count) for back, count in unseen],
            purses=[
                v1.Purse(coin=coin, amount=coins[coin])
                for coin in board.purses[place]
                if coins.get(coin)
            ],
            count_hidden=place not in self.counts,
            top=self.top(place, pieces),
        )

    def top(self, place: str, pieces: list[str]) -> str:
        """The top piece of a pile, if layers determine it."""
        if place not in self.board.piles or not pieces:
            return ""
        layers = [self.board.layers[piece] for piece in pieces]
        first = min(layers)
        return pieces[layers.index(first)] if layers.count(first) == 1 else ""


def _replace(field: Any, items: list[Any]) -> None:
    """Sets a repeated field to these items, some of which were in it before."""
    copies = [type(item).FromString(item.SerializeToString()) for item in items]
    del field[:]
    field.extend(copies)
