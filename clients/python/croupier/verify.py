"""Verifies records of matches as docs/verify.md specifies: everything but the rules of the games."""

import base64
import itertools
import json
import re
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, AnyStr

from blake3 import blake3

from croupier import chacha8, ed25519

LOW = (1 << 32) - 1
HEADER = re.compile(rb'\{"croupier":\{"version":(\d+)')
LINE = re.compile(rb'(.*),"check":"([0-9a-f]{16})"\}\n', re.DOTALL)
NAME = re.compile("matches/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{0,5}[1-9]))?Z", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
BAD = (ValueError, struct.error, RecursionError)  # errors that bad input raises


Receipts = Mapping[str, Sequence[tuple[str, Any]]]  # by match: labels and statements
Chunk = tuple[str, Iterable[tuple[int, bytes]]]  # the source of a match's lines, and the lines with their numbers
Wrong = dict[str, Any]


def require(holds: object, reason: str) -> None:
    if not holds:
        raise ValueError(reason)


def required(found: re.Match[AnyStr] | None, reason: str) -> re.Match[AnyStr]:
    if not found:
        raise ValueError(reason)
    return found


def parse(text: bytes) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len(dict(pairs)) == len(pairs), "a field is there twice")
        return dict(pairs)

    return json.loads(text.decode(), object_pairs_hook=unique)


def field(of: Any, name: str, kind: type, optional: bool = False) -> Any:
    value = of.get(name) if type(of) is dict else None
    require(type(value) is kind or optional and value is None, f"{name!r} is missing or has a wrong type")
    return value


def unhex(text: str, length: int) -> bytes:
    require(re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text), f"{text[:80]!a} is not {length} bytes in hexadecimal")
    return bytes.fromhex(text)


def unbase64(text: str, chars: bytes | None = None) -> bytes:
    data = base64.b64decode(text, chars)
    require(base64.b64encode(data, chars) == text.encode(), "it is not in base64")  # only the canonical encoding
    return data


def match_id(name: str) -> bytes:
    require(NAME.fullmatch(name), f"{name[:80]!a} is not the name of a match")
    return bytes.fromhex(name[8:].replace("-", ""))


def micros(text: str) -> int:
    found = required(TIME.fullmatch(text), f"{text[:80]!a} is not a time")
    *whole, fraction = found.groups("")
    year, month, day, hour, minute, second = map(int, whole)
    time = datetime(year, month, day, hour, minute, second, int(fraction.ljust(6, "0")), timezone.utc)
    return (time - EPOCH) // timedelta(microseconds=1)


# === Stored entries: protobuf ===


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            require(value < 1 << 64 and (byte or shift == 7), "its body is not in the canonical encoding")
            return value, at
    raise ValueError("its body is not an entry")


def fields(data: bytes) -> list[tuple[int, Any]]:
    """Each field's number and value: a number, or bytes."""
    at, found = 0, list[tuple[int, Any]]()
    while at < len(data):
        tag, at = varint(data, at)
        number, at = varint(data, at)
        value: int | bytes = number
        if tag & 7 == 2:
            value, at = data[at : at + number], at + number
        require(tag & 7 in (0, 2) and at <= len(data), "its body is not an entry")
        found.append((tag >> 3, value))
    return found


def decode(body: bytes) -> tuple[int | None, str, list[tuple[int, Any]], int, list[tuple[int, int]]]:
    """An entry's seat, verb, events, version of the rules, and choices as (bound, value)."""
    found: dict[int, Any] = {1: None, 2: b"", 6: 0, 7: b""}
    events, last, choices, at = list[tuple[int, Any]](), 0, list[int](), 0
    for number, value in fields(body):
        require(number < 8, f"its body has a field {number}: it was recorded by a later release")
        in_order = number > last or number == last and number in (4, 5)
        is_meant = type(value) is (int if number in (1, 6) else bytes) and (value or number not in (2, 6, 7))
        require(in_order and is_meant, "its body is not in the canonical encoding")
        found[number], last = value, number
        if number == 4:
            require(len(event := fields(value)) == 1, "its body has an event of no kind, or of two")
            events += event
    while at < len(found[7]):
        value, at = varint(found[7], at)
        choices.append(value)
    require(len(choices) % 2 == 0 and found[6] <= LOW, "its body is not an entry")
    return found[1], found[2].decode(), events, found[6], list(zip(choices[::2], choices[1::2]))


# === Digests and chance ===


def creation_digest(line: Any) -> bytes:
    options, follows = field(line, "options", dict), field(line, "follows", dict, optional=True)
    wait, seats = field(line, "reveal_wait_s", int, optional=True), field(line, "seats", int)
    parts = [match_id(field(line, "name", str)), field(line, "platform", str).encode()]
    parts += [field(line, "game", str).encode(), struct.pack("<h", seats), struct.pack("<Q", len(options))]
    parts += itertools.chain(*sorted((name.encode(), field(options, name, str).encode()) for name in options))
    created = struct.pack("<q", micros(field(line, "create_time", str)))
    parts += [unhex(field(line, "seed_commitment", str), 32), created]
    parts.append(b"" if wait is None else struct.pack("<q", wait))
    if follows is not None:
        best_of, wins = field(follows, "best_of", int, optional=True), field(follows, "wins", list)
        parts += [match_id(field(follows, "previous", str)), struct.pack("<i", field(follows, "number", int))]
        parts.append(b"" if best_of is None else struct.pack("<i", best_of))
        parts += [struct.pack("<i", won) for won in wins]
    data = b"".join(struct.pack("<Q", len(part)) + part for part in parts)
    return blake3(data, derive_key_context="croupier 2026-11 digest of a match").digest()


def digest_key(match: bytes, seed: bytes) -> bytes:
    return blake3(match + seed, derive_key_context="croupier 2026-11 digests of a match's entries").digest()


def entry_digest(
    key: bytes, before: bytes, position: int, time: int, seat: int | None, request_id: str | None, body: bytes
) -> bytes:
    request, place = (request_id or "").encode(), struct.pack("<q", position)
    length = LOW if request_id is None else len(request)
    head = struct.pack("<qBI", time, 255 if seat is None else seat, length)
    return blake3(before + place + head + request + body, key=blake3(place, key=key).digest()).digest()


def chance_key(match: bytes, seed: bytes, contributions: Iterable[tuple[int, bytes]]) -> bytes:
    given = b"".join(bytes((seat, len(given))) + given for seat, given in contributions)
    return blake3(match + seed + given, derive_key_context="croupier 2026-11 chance of a match").digest()


def choose(words: Iterator[int], bound: int) -> int:
    wide = next(words) * bound
    if wide & LOW < bound:
        while wide & LOW < ((1 << 32) - bound) % bound:
            wide = next(words) * bound
    return wide >> 32


# === Records ===


class Match:
    """A match whose lines are verified one after another."""

    def __init__(self, line: Any, receipts: Receipts) -> None:
        self.digest, seed = creation_digest(line), field(line, "seed", str, optional=True)
        self.name, self.seats, self.id = line["name"], line["seats"], match_id(line["name"])
        self.commitment, self.receipts = line["seed_commitment"], receipts.get(self.name, ())
        self.seed = None if seed is None else unhex(seed, 32)
        self.entries, self.choices, self.undigested = 0, 0, 0
        self.contributions: list[tuple[int, bytes]] = []
        self.key: bytes | None = None
        self.is_earlier, self.has_ended, self.is_whole = False, False, False
        if self.seed:
            require(blake3(self.seed).hexdigest() == self.commitment, "the seed does not match its commitment")
            self.digests = digest_key(self.id, self.seed)

    def entry(self, line: Any) -> None:
        position, body, time = self.entries + 1, unbase64(field(line, "body", str)), field(line, "create_time", str)
        require(field(line, "position", int) == position, f"position {position} is next, not {line['position']}")
        seat, verb, events, rules, choices = decode(body)
        stated = field(line, "seat", int, optional=True), field(line, "verb", str)
        require(stated == (seat, verb), "its seat or verb differs from its body")
        require(seat is None or seat < self.seats, f"the match has no seat {seat}")
        digest, request_id = field(line, "digest", str, optional=True), field(line, "request_id", str, optional=True)
        require(digest or not rules and self.undigested == self.entries, "it has no digest")
        self.undigested += digest is None
        if self.seed:
            self.digest = entry_digest(self.digests, self.digest, position, micros(time), seat, request_id, body)
            why = "this entry, one before it, or what the match was created with was altered"
            require(digest in (None, self.digest.hex()), f"its digest is wrong: {why}")
        for label, receipt in self.receipts:
            is_same = (receipt["digest"], receipt["create_time"]) == (digest or self.digest.hex(), time)
            require(is_same or receipt["position"] != position, f"it is not the entry of the receipt {label}")
        self.contribute(position, [it for it in events if it[0] == 18], events, rules)
        require(rules or not choices, "it has choices, but no version of the rules")
        words = chacha8.words(self.key, self.choices, len(choices)) if choices and self.key else None
        for nth, (bound, value) in enumerate(choices, 1):
            require(value < bound <= LOW, f"its choice {nth} is {value}, which is not below {bound}")
            chosen = choose(words, bound) if words else value
            require(value == chosen, f"its choice {nth}, below {bound}, is {value}; the seed gives {chosen}")
        self.has_ended = self.has_ended or any(number in (15, 25) for number, _ in events)
        self.entries, self.choices, self.is_earlier = position, self.choices + len(choices), self.is_earlier or not rules

    def contribute(
        self, position: int, given: list[tuple[int, Any]], events: list[tuple[int, Any]], rules: int
    ) -> None:
        require(not given or position == 1 and rules, "contributions are only at the start of a match")
        require(events[: len(given)] == given, "its contributions do not come first")
        if position == 1:
            empty: dict[int, Any] = {1: 0, 2: b""}
            found = [empty | dict(fields(value)) for _, value in given]
            self.contributions = [(it[1], it[2]) for it in found]
            seats = [seat for seat, _ in self.contributions if seat < self.seats]
            require(seats == sorted(set(seats)) and len(seats) == len(given), "its contributions are not one a seat")
            require(all(0 < len(it) <= 32 for _, it in self.contributions), "a contribution is not of 1 to 32 bytes")
            self.key = chance_key(self.id, self.seed, self.contributions) if self.seed else None

    def end(self, line: Any) -> None:
        require(field(line, "name", str) == self.name, f"it ends another match than {self.name}")
        counted, last = field(line, "entries", int), max((it["position"] for _, it in self.receipts), default=0)
        require(counted == self.entries, f"the match has {self.entries} entries, not {counted}")
        require(last <= self.entries, f"it was cut short: there is a receipt of its entry {last}")
        require(self.seed or not self.has_ended, "the match has ended, and its seed is not in the record")
        self.is_whole = True

    def counts(self) -> dict[str, int]:
        """In the order and with the keys of `croupier verify --json`."""
        is_verified = self.is_whole and self.seed and not self.undigested and not self.is_earlier
        counts = {"matches": 1, "entries": self.entries, "choices": self.choices, "verified": int(bool(is_verified))}
        counts |= {"under_way": int(not self.has_ended), "shared": int(bool(self.contributions))}
        counts |= {"earlier_rules": int(self.is_earlier), "without_seed": int(not self.seed)}
        return counts | {"without_digest": self.undigested}


def verify(receipts: Receipts, chunk: Chunk) -> tuple[str, Match | None, Wrong | None]:
    """Verifies the lines of one match, and those around it that belong to none."""
    (source, lines), check, number = chunk, b"", 1
    match: Match | None = None
    reason: Wrong | None = None
    try:
        for number, text in lines:
            if number == 1:
                why = "it is not a file of records: its first line is not a header"
                found = required(HEADER.match(text), why)
                require(int(found[1]) == 1, f"it has version {int(found[1])}; this program knows version 1")
            require(text.endswith(b"\n"), "it was cut off in the middle of this line")
            found = required(LINE.fullmatch(text), "it has no check, so it is not a line of a file of records")
            kind, held = None, None
            problem: Exception | None = None
            try:
                require(type(held := parse(found[1] + b"}")) is dict and len(held) == 1, "it is not one field")
                ((kind, held),) = held.items()
            except BAD as error:
                problem = error
            check = b"" if kind in ("croupier", "match") else check
            check = blake3(check + found[1] + b"}").hexdigest()[:16].encode()
            require(check == found[2], "its check is wrong: the line was altered, or lines before it are missing")
            require(not problem, f"it cannot be parsed: {problem}")
            if match and not match.is_whole and kind in ("entry", "end"):
                match.entry(held) if kind == "entry" else match.end(held)
            elif not match and kind == "match":
                match = Match(held, receipts)
            else:
                require(kind == "croupier" and (not match or match.is_whole), f"a line {kind!a} cannot be here")
                require(field(held, "version", int) == 1, "this part of it has another version")
        number += 1
        require(not match or match.is_whole, "it was cut off within this match")
    except BAD as error:
        position = match.entries + 1 if match and not match.is_whole else None
        reason = {"match": match.name if match else "", "line": number, "position": position, "reason": str(error)}
    return source, match, reason


class Altered(Exception):
    """A record differs from what was played or promised; the message says where and why."""


def verify_record(lines: Iterable[str]) -> dict[str, int]:
    """Verifies the record of one match, as read by a client's `Match.record`, and returns the
    counts.

    Raises `Altered` if anything is wrong.
    """
    chunk = [(number, line.encode() + b"\n") for number, line in enumerate(lines, 1)]
    _, match, wrong = verify({}, ("", chunk))
    if wrong or not match:
        wrong = wrong or {"match": "", "line": 1, "reason": "there is no match in it"}
        raise Altered(f"{wrong['match']} line {wrong['line']}: {wrong['reason']}".strip())
    return match.counts()


def read_receipt(text: str, keys: Any) -> Any:
    """The statement of a receipt or of an answer of `GetReceipt`; refused unless one of the keys
    signed it."""
    if text.lstrip().startswith("{"):
        answer = parse(text.encode())
        text = field(answer.get("receipt", answer), "jws", str)
    parts = text.strip().split(".")
    require(len(parts) == 3, "it is not a JSON Web Signature in compact form")
    head, payload, signature = (unbase64(part + "=" * (-len(part) % 4), b"-_") for part in parts)
    header, stated = parse(head), parse(payload)
    kinds = field(header, "alg", str), field(header, "typ", str)
    require(kinds == ("EdDSA", "croupier-receipt+jwt"), "it is not a receipt")
    key_id = field(header, "kid", str)
    found = [key for key in field(keys, "keys", list) if field(key, "kid", str) == key_id]
    require(found and found[0].get("crv") == "Ed25519", f"its key {key_id[:80]!a} is not among the keys")
    key, signed = unbase64(field(found[0], "x", str) + "=", b"-_"), ".".join(parts[:2]).encode()
    require(ed25519.is_signed(key, signed, signature), "its signature is wrong")
    for name in ("match", "digest", "create_time"):
        field(stated, name, str)
    field(stated, "position", int)
    return stated


if __name__ == "__main__":
    from croupier.command import main

    sys.exit(main())
