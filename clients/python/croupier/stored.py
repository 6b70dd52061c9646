"""Stored entries, in the one canonical encoding of their protobuf message."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from croupier.outcome import Contribution, Problem, require

EVENTS_MAX, PROMPTS_MAX, CHOICES_MAX = 10_000, 1_000, 10_000  # of an entry
SEATS_MAX = 8
LOW = (1 << 32) - 1
CANONICAL, NO_ENTRY = "its body is not in the canonical encoding", "its body is not an entry"


@dataclass
class Body:
    """The parts of a stored entry that a verifier needs."""

    seat: int | None = None
    verb: str = ""
    rules: int = 0  # the version of the game's rules; 0 if there is none
    choices: list[tuple[int, int]] = field(default_factory=list)  # bounds and values
    contributions: list[Contribution] = field(default_factory=list)  # at the start
    has_late_contribution: bool = False
    replaced: int | None = None  # the seat whose player is replaced, if the first event says so
    players: dict[int, bytes] = field(default_factory=dict)  # commitments to players, by seat
    ends: bool = False


def decode(body: bytes) -> Body:
    """Refuses what is not the canonical encoding of an entry."""
    found, events, prompts, last = Body(), 0, 0, 0
    for kind, value in fields(body):
        require(kind > last or kind == last and kind in (4, 5, 8), CANONICAL, "BODY_INVALID")
        require(kind < 9, f"its body has a field {kind}: it was recorded by a later release", "BODY_INVALID")
        is_meant = type(value) is (int if kind in (1, 6) else bytes) and (value or kind not in (2, 6, 7))
        require(is_meant, CANONICAL, "BODY_INVALID")
        last = kind
        if kind == 1:
            found.seat = value
        elif kind == 2:
            found.verb = decode_text(value)
        elif kind == 4:
            events += 1
            decode_event(found, value, events)
        elif kind == 5:
            prompts += 1
        elif kind == 6:
            require(value <= LOW, NO_ENTRY, "BODY_INVALID")
            found.rules = value
        elif kind == 7:
            found.choices = decode_choices(value)
        elif kind == 8:
            decode_player(found.players, value)
    for count, most, what in ((events, EVENTS_MAX, "events"), (prompts, PROMPTS_MAX, "prompts")):
        require(count <= most, f"its body has {count} {what}, and an entry has at most {most}", "BODY_INVALID")
    return found


def decode_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Problem(NO_ENTRY, "BODY_INVALID") from None


def decode_event(body: Body, event: bytes, count: int) -> None:
    """Takes over an event; `count` is the number of events with it."""
    kinds = list(itertools.islice(fields(event), 2))
    require(len(kinds) == 1, "its body has an event of no kind, or of two", "BODY_INVALID")
    ((kind, value),) = kinds
    body.ends = body.ends or kind in (15, 25)
    if kind == 26 and count == 1:
        require(type(value) is int, NO_ENTRY, "BODY_INVALID")
        body.replaced = value
    if kind == 18 and len(body.contributions) + 1 == count:
        body.contributions.append(decode_contribution(value))
    elif kind == 18:
        body.has_late_contribution = True


def decode_contribution(value: int | bytes) -> Contribution:
    reason = "a contribution is not one of 16 to 32 bytes"
    if isinstance(value, int):
        raise Problem(reason, "CONTRIBUTION_INVALID")
    found: dict[int, Any] = {1: 0, 2: b"", 3: 0}
    last = 0
    for kind, held in fields(value):
        is_meant = last < kind < 4 and type(held) is type(found[kind]) and held != 0 and (kind != 3 or held == 1)
        require(is_meant, reason, "CONTRIBUTION_INVALID")
        found[kind], last = held, kind
    require(16 <= len(found[2]) <= 32 and found[1] < SEATS_MAX, reason, "CONTRIBUTION_INVALID")
    return Contribution(found[1], found[2], found[3] == 1)


def decode_player(players: dict[int, bytes], value: bytes) -> None:
    reason = "its commitments to players are not of 32 bytes, one a seat, in the order of seats"
    found: dict[int, Any] = {1: 0, 2: b""}
    last = 0
    for kind, held in fields(value):
        is_meant = last < kind < 3 and type(held) is type(found[kind]) and held != 0
        require(is_meant, reason, "BODY_INVALID")
        found[kind], last = held, kind
    is_next = max(players, default=-1) < found[1] < SEATS_MAX
    require(is_next and len(found[2]) == 32, reason, "BODY_INVALID")
    players[found[1]] = found[2]


def decode_choices(packed: bytes) -> list[tuple[int, int]]:
    choices, at = list[tuple[int, int]](), 0
    while at < len(packed):
        bound, at = varint(packed, at)
        value, at = varint(packed, at)
        nth = len(choices) + 1
        require(value < bound <= LOW, f"its choice {nth} is {value}, which is not below {bound}", "CHOICE_INVALID")
        choices.append((bound, value))
    too_many = f"its body has {len(choices)} choices, and an entry has at most {CHOICES_MAX}"
    require(len(choices) <= CHOICES_MAX, too_many, "BODY_INVALID")
    return choices


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Each field's number and value."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        value: Any
        value, at = varint(data, at)
        require(tag & 7 in (0, 2), NO_ENTRY, "BODY_INVALID")
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
            require(at <= len(data), NO_ENTRY, "BODY_INVALID")
        yield tag >> 3, value


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            require(value < 1 << 64 and (byte or shift == 7), CANONICAL, "BODY_INVALID")
            return value, at
    raise Problem(NO_ENTRY, "BODY_INVALID")
