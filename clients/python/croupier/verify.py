"""Verifies records of matches as docs/verify.md specifies: everything but the rules of the games."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field as default, replace
from datetime import datetime, timedelta, timezone
from typing import Any, AnyStr

from blake3 import blake3

from croupier import chacha8, ed25519
from croupier.outcome import (
    Code,
    Contribution,
    Finding,
    Kept,
    Problem,
    Receipt,
    Report,
    Tally,
    VerifiedMatch,
    require,
)
from croupier.seated import Player, Seats
from croupier.stored import LOW, SEATS_MAX, Body, decode

__all__ = ["Altered", "Contribution", "Finding", "Kept", "NotProven", "Problem", "Receipt", "Report"]
__all__ += ["Unverified", "VerifiedMatch", "read_receipt", "verify", "verify_receipts", "verify_record"]

# The versions of the rules that this release knows, by game.
RULES = {"among-thieves": 3, "grifters": 2, "mountebank": 2, "rigs": 3, "you-dirty-rat": 2}

# Limits: nobody can make the verifier use more memory or time than a file of that size is worth.
LINE_MAX = 1 << 20  # bytes of a line, with its line feed
MATCH_MAX = 1 << 26  # bytes of a match
DEPTH_MAX, NUMBER_MAX = 32, (1 << 53) - 1  # of JSON

CROUPIER, MATCH, END = b'{"croupier":', b'{"match":', b'{"end":'
HEADER = re.compile(rb'\{"croupier":\{"version":(\d*)')
KIND = re.compile(r'\{"(croupier|match|entry|end)":')
CHECK = re.compile(rb',"check":"(.{16})"\}\n', re.DOTALL)
TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
SPACE, BRACKETS = re.compile("[ \t\r\n]"), re.compile(r"[][{}]")
HEX = re.compile("([0-9a-f]{2})*")
NAME = re.compile("matches/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{0,5}[1-9]))?Z", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
BAD = (ValueError, RecursionError)  # errors that bad input raises


def required(found: re.Match[AnyStr] | None, reason: str, code: Code = "LINE_INVALID") -> re.Match[AnyStr]:
    if not found:
        raise Problem(reason, code)
    return found


# === JSON ===


def parse(text: bytes) -> Any:
    return json.loads(text.decode(), object_pairs_hook=unique)


def parse_plain(text: str) -> Any:
    """The JSON of a line: stricter than JSON, so that no two parsers read one differently."""
    value = json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_float=whole, parse_constant=whole)
    # Valid JSON: every text ends, so that the pattern takes linear time.
    tokens = TEXT.sub("", text)
    require(not SPACE.search(tokens), "it has white space")
    depth = deepest = 0
    for bracket in BRACKETS.findall(tokens):
        depth += 1 if bracket in "[{" else -1
        deepest = max(depth, deepest)
    require(deepest <= DEPTH_MAX, f"it nests deeper than {DEPTH_MAX} levels")
    if "\\u" in text:  # an escape may be half of a surrogate pair, which has no encoding
        json.dumps(value, ensure_ascii=False).encode()
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    require(len(found) == len(pairs), "a field is there twice")
    return found


def whole(text: str) -> int:
    is_whole = len(text) <= 17 and text != "-0" and text.lstrip("-").isdigit()
    require(is_whole and abs(int(text)) <= NUMBER_MAX, f"{text[:80]!a} is not a whole number of at most 2^53 - 1")
    return int(text)


def field(of: Any, name: str, kind: type, optional: bool = False) -> Any:
    value = of.get(name) if type(of) is dict else None
    require(type(value) is kind or optional and value is None, f"{name!r} is missing or has a wrong type")
    return value


def number(of: Any, name: str, least: int, most: int, optional: bool = False) -> Any:
    value = field(of, name, int, optional)
    require(value is None or least <= value <= most, f"{name!r} is not from {least} to {most}")
    return value


def unhex(text: str, length: int) -> bytes:
    require(len(text) == 2 * length and HEX.fullmatch(text), f"{text[:80]!a} is not {length} bytes in hexadecimal")
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
    *date_and_time, fraction = found.groups("")
    year, month, day, hour, minute, second = map(int, date_and_time)
    require(year >= 1970, f"{text!a} is before 1970")
    time = datetime(year, month, day, hour, minute, second, int(fraction.ljust(6, "0")), timezone.utc)
    return (time - EPOCH) // timedelta(microseconds=1)


# === Digests and chance ===


def creation_digest(line: Any) -> bytes:
    options, follows = field(line, "options", dict), field(line, "follows", dict, optional=True)
    wait, seats = number(line, "reveal_wait_s", 0, NUMBER_MAX, optional=True), number(line, "seats", 1, SEATS_MAX)
    parts = [match_id(field(line, "name", str)), field(line, "platform", str).encode()]
    parts += [field(line, "game", str).encode(), struct.pack("<h", seats), struct.pack("<Q", len(options))]
    parts += itertools.chain(*sorted((name.encode(), field(options, name, str).encode()) for name in options))
    created = struct.pack("<q", micros(field(line, "create_time", str)))
    parts += [unhex(field(line, "seed_commitment", str), 32), created]
    parts.append(b"" if wait is None else struct.pack("<q", wait))
    if follows is not None:
        best_of, wins = number(follows, "best_of", 1, LOW >> 1, optional=True), field(follows, "wins", list)
        nth = number(follows, "number", 1, LOW >> 1)
        is_possible = len(wins) == seats and all(type(won) is int and won >= 0 for won in wins) and sum(wins) < nth
        require(is_possible, "the numbers of its series contradict each other")
        parts += [match_id(field(follows, "previous", str)), struct.pack("<i", nth)]
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


# === Lines ===


@dataclass
class Block:
    """The lines of one match, or lines that belong to none."""

    line: int  # the number of the first
    lines: list[bytes] = default(default_factory=list)
    is_too_large: bool = False  # the rest of it was left out


def split(lines: Iterable[bytes]) -> Iterator[Block | Finding]:
    """The matches of a file, without parsing them; last a finding, if the rest cannot be read. A
    line of more than `LINE_MAX` bytes may be cut, but not to so many."""
    block: Block | None = None
    nth = size = 0
    try:
        for nth, line in enumerate(lines, 1):
            if nth == 1 or not block and line.startswith(CROUPIER):
                check_header(line)
                continue
            if block and line.startswith(MATCH):
                yield block
                block = None
            if not block:
                block, size = Block(nth), 0
            size += min(len(line), LINE_MAX)
            block.is_too_large = block.is_too_large or size > MATCH_MAX
            if not block.is_too_large:
                block.lines.append(line)
            if line.startswith(END):
                yield block
                block = None
        require(nth, "the file is empty", "EMPTY")
    except Problem as problem:
        line_of = nth + 1 if problem.code in ("UNREADABLE", "EMPTY") else nth
        yield Finding(problem.code, str(problem), line=line_of)
        return
    if block:
        yield block


def check_header(line: bytes) -> None:
    """Checks the first line of a file, or a header between two matches. The version comes first, so
    that a later version may change everything else."""
    none = "it is not a file of records: its first line is not a header"
    version = required(HEADER.match(line), none, "NOT_A_RECORD")[1].decode()
    require(line.endswith(b"\n") and len(line) <= LINE_MAX, "it was cut off in the middle of this line", "LINE_CUT")
    require(version, none, "NOT_A_RECORD")
    require(version == "1", f"it has version {version[:80]}; this program knows version 1", "VERSION_UNKNOWN")
    try:
        _, held, _ = read_line(line, b"")
        field(held, "version", int)
    except BAD as error:
        raise problem_of(error) from None


def read_line(line: bytes, before: bytes) -> tuple[str, Any, bytes]:
    """The kind of a line, what it holds, and its check, given the check of the line before."""
    require(len(line) <= LINE_MAX, f"it has more than {LINE_MAX} bytes", "LINE_TOO_LONG")
    require(line.endswith(b"\n"), "it was cut off in the middle of this line", "LINE_CUT")
    no_check = "it has no check, so it is not a line of a file of records"
    stated = required(CHECK.fullmatch(line[-29:]), no_check, "CHECK_MISSING")[1]
    bare = line[:-29] + b"}"
    check = blake3((b"" if bare.startswith((CROUPIER, MATCH)) else before) + bare).hexdigest()[:16].encode()
    why = "its check is wrong: the line was altered, or lines before it are missing"
    require(check == stated, why, "CHECK_WRONG")
    text = bare.decode()
    kind = required(KIND.match(text), "it is of no kind that a file of records has")[1]
    held = parse_plain(text)
    require(len(held) == 1, "it is not one field")
    return kind, held[kind], check


def problem_of(error: Exception) -> Problem:
    return error if isinstance(error, Problem) else Problem(f"it cannot be parsed: {error}")


# === Matches ===


class Match:
    """A match whose lines are verified one after another."""

    def __init__(self, line: Any) -> None:
        players = read_players(line)
        self.digest, seed = creation_digest(line), field(line, "seed", str, optional=True)
        secret = field(line, "secret_seed", str, optional=True)
        require(seed is None or secret is None, "it has its seed twice")
        requested = field(line, "request_digest", str, optional=True)
        require(HEX.fullmatch(requested or ""), "'request_digest' is not in hexadecimal")
        self.name, self.seats, self.id = line["name"], line["seats"], match_id(line["name"])
        self.game, self.commitment, self.time = line["game"], line["seed_commitment"], micros(line["create_time"])
        self.is_revealed, seed = seed is not None, secret if seed is None else seed
        self.seed = None if seed is None else unhex(seed, 32)
        self.entries, self.choices, self.later = 0, 0, 0
        self.contributions: list[Contribution] = []
        self.key: bytes | None = None
        self.has_ended, self.has_proofs = False, True
        self.players = Seats(self.id, players)
        if self.seed:
            is_promised = blake3(self.seed).hexdigest() == self.commitment
            require(is_promised, "the seed does not match its commitment", "SEED_WRONG")
            self.digests = digest_key(self.id, self.seed)

    def entry(self, line: Any) -> tuple[str | None, str]:
        """Verifies the next entry. Returns its digest, as computed or else as it was recorded, and
        its time."""
        stated, body = field(line, "position", int), unbase64(field(line, "body", str))
        created, digest = field(line, "create_time", str), field(line, "digest", str, optional=True)
        request_id = field(line, "request_id", str, optional=True)
        seat_and_verb = number(line, "seat", 0, 255, optional=True), field(line, "verb", str)
        position, time = self.entries + 1, micros(created)
        if digest is not None:
            unhex(digest, 32)
        require(stated == position, f"position {position} is next, not {stated}", "POSITION_WRONG")
        require(not self.has_ended, "it follows the end of the match", "ENTRY_AFTER_END")
        early = "its time is before that of the entry or the creation before it"
        require(time >= self.time, early, "TIME_BACKWARDS")
        found = decode(body)
        require(seat_and_verb == (found.seat, found.verb), "its seat or verb differs from its body", "BODY_DIFFERS")
        require(found.seat is None or found.seat < self.seats, f"the match has no seat {found.seat}", "SEAT_UNKNOWN")
        self.check_proofs(digest, found)
        if self.seed:
            self.digest = entry_digest(self.digests, self.digest, position, time, found.seat, request_id, body)
            why = "this entry, one before it, or what the match was created with was altered"
            require(digest in (None, self.digest.hex()), f"its digest is wrong: {why}", "DIGEST_WRONG")
            digest = self.digest.hex()
        self.contribute(found)
        self.choose(found)
        self.players.entry(position, found)
        if found.rules > RULES.get(self.game, LOW):
            self.later = self.later or position
        self.entries, self.choices, self.time = position, self.choices + len(found.choices), time
        self.has_ended = found.ends
        return digest, created

    def check_proofs(self, digest: str | None, found: Body) -> None:
        """Either every entry has a digest and a version of rules, or none has any proof."""
        has_any = bool(digest is not None or found.rules or found.choices or found.contributions or found.players)
        if self.entries == 0:
            self.has_proofs = has_any
        late = "it has proofs, and the entries before it have none"
        require(self.has_proofs or not has_any, late, "PROOF_MISSING")
        require(digest is not None or not self.has_proofs, "it has no digest", "PROOF_MISSING")
        require(found.rules or not self.has_proofs, "it has no version of rules", "PROOF_MISSING")

    def contribute(self, found: Body) -> None:
        given = found.contributions
        is_in_place = not found.has_late_contribution and (self.entries == 0 or not given)
        require(is_in_place, "contributions are only at the start of a match", "CONTRIBUTION_INVALID")
        if self.entries == 0:
            seats = [it.seat for it in given if it.seat < self.seats]
            is_one_a_seat = seats == sorted(set(seats)) and len(seats) == len(given)
            require(is_one_a_seat, "its contributions are not one a seat, in order", "CONTRIBUTION_INVALID")
            self.contributions = given
            if self.seed:
                self.key = chance_key(self.id, self.seed, [(it.seat, it.contribution) for it in given])

    def choose(self, found: Body) -> None:
        if not self.key or not found.choices:
            return
        words = chacha8.words(self.key, self.choices, len(found.choices))
        for nth, (bound, value) in enumerate(found.choices, 1):
            chosen = choose(words, bound)
            reason = f"its choice {nth}, below {bound}, is {value}; the seed gives {chosen}"
            require(value == chosen, reason, "CHOICE_WRONG")

    def end(self, line: Any) -> None:
        name, counted = field(line, "name", str), number(line, "entries", 0, NUMBER_MAX)
        require(name == self.name, f"it ends another match than {self.name}", "END_WRONG")
        require(counted == self.entries, f"the match has {self.entries} entries, not {counted}", "END_WRONG")
        no_end = "the match has its seed, which is told at the end, but no end"
        require(self.has_ended or not self.is_revealed, no_end, "END_MISSING")
        no_seed = "the match has ended, and its seed is not in the record"
        require(self.is_revealed or not self.has_ended, no_seed, "SEED_MISSING")
        self.players.end()


def read_players(line: Any) -> dict[int, list[Player]]:
    """The players of each seat of a match, in order."""
    found = dict[int, list[Player]]()
    seats, last = number(line, "seats", 1, SEATS_MAX), -1
    for it in field(line, "players", list):
        last = number(it, "seat", last + 1, seats - 1)
        micros(field(it, "create_time", str))
        field(it, "request_id", str, optional=True)
        before = it.get("before", [])
        require(type(before) is list, "'before' is not a list")
        found[last] = [read_player(player, field(player, "until", int)) for player in before]
        found[last].append(read_player(it, None))
    return found


def read_player(it: Any, until: int | None) -> Player:
    field(it, "display_name", str, optional=True)
    player, key = field(it, "player", str), field(it, "speech_key", str, optional=True)
    erased = it.get("erased", False)
    require(type(erased) is bool, "'erased' is neither true nor false")
    return Player(player, None if key is None else unhex(key, 32), erased, until)


def verify_block(kept: Kept, block: Block) -> VerifiedMatch:
    """Verifies the match of a block. Its findings do not name their source yet."""
    outcome, match, check, nth = VerifiedMatch(), None, b"", block.line
    is_whole = False
    try:
        for nth, line in enumerate(block.lines, block.line):
            if not match and line.endswith(b"\n") and len(line) <= LINE_MAX:
                no_match = "it belongs to no match: the line of its match is missing or was altered"
                require(line.startswith(MATCH), no_match, "LINE_MISPLACED")
            kind, held, check = read_line(line, check)
            if not match:
                match = Match(held)
                outcome.match, outcome.seed_commitment = match.name, match.commitment
            elif kind == "entry":
                digest, created = match.entry(held)
                count(outcome, match, digest)
                compare(outcome, kept, digest, created)
            elif kind == "end":
                match.end(held)
                is_whole = True
            else:
                number(held, "version", 0, LOW)
                raise Problem(f"it is within {match.name}, which has no end", "LINE_MISPLACED")
        if not is_whole:
            nth += 1
            too_large = f"the match has more than {MATCH_MAX >> 20} MB, and nothing after is verified"
            require(not block.is_too_large, too_large, "TOO_LARGE")
            raise Problem(f"the file was cut off within {outcome.match}", "MATCH_CUT")
    except BAD as error:
        problem = problem_of(error)
    except Exception as error:
        problem = Problem(f"this program failed on it: {error!r}", "PROGRAM_FAILED")
    else:
        finish(outcome, kept, match)
        return outcome
    outcome.add(problem.code, str(problem), nth, match.entries + 1 if match else None)
    reason = "the record is not verified up to the entry of the receipt"
    for receipt in kept.after(outcome):
        outcome.contradict(receipt, "RECEIPT_DIFFERS", reason)
    return outcome


def count(outcome: VerifiedMatch, match: Match, digest: str | None) -> None:
    outcome.entries, outcome.choices, outcome.has_ended = match.entries, match.choices, match.has_ended
    outcome.contributions, outcome.digest = match.contributions, digest or ""
    outcome.players = replace(match.players.counts)


def compare(outcome: VerifiedMatch, kept: Kept, digest: str | None, created: str) -> None:
    """Compares the last entry with the receipts for it."""
    for receipt in kept.receipts:
        if (receipt.match, receipt.position) != (outcome.match, outcome.entries):
            continue
        if (receipt.digest, receipt.create_time) == (digest, created):
            outcome.receipts.append(receipt)
            outcome.anchored = outcome.entries
        else:
            reason = "the record was changed after the receipt was issued: it is not the entry of the receipt"
            outcome.contradict(receipt, "RECEIPT_DIFFERS", reason)


def finish(outcome: VerifiedMatch, kept: Kept, match: Match | None) -> None:
    """Compares a whole match with what was kept, and tells what is not proven."""
    for receipt in kept.after(outcome):
        reason = f"the record was cut short after the receipt was issued: it has {outcome.entries} entries"
        outcome.contradict(receipt, "RECEIPT_BEYOND_END", reason)
    if kept.seed_commitment is not None and kept.seed_commitment.lower() != outcome.seed_commitment:
        outcome.add("COMMITMENT_DIFFERS", "the record has another commitment than the one that was kept")
    recorded = {it.seat: it.contribution for it in outcome.contributions}
    for seat, contribution in sorted(kept.contributions.items()):
        reason = f"the record does not have the contribution of seat {seat} that was kept"
        if recorded.get(seat) != contribution:
            outcome.add("CONTRIBUTION_DIFFERS", reason, position=1)
    if match and match.game not in RULES:
        outcome.add("GAME_UNKNOWN", f"this release does not know the game {match.game[:80]!a}")
    if match and not match.has_proofs:
        reason = "it was recorded without digests and choices: nothing in it can be proven"
        outcome.add("NO_PROOFS", reason, position=1)
    if match and match.later:
        reason = "it was decided by a later version of the rules: use a newer release"
        outcome.add("RULES_UNKNOWN", reason, position=match.later)
    if not outcome.has_ended:
        outcome.add("UNFINISHED", "it has not ended, or its end was cut off")


# === Records ===


class Unverified(Exception):
    """A record is not proven; `report` has the findings, and the message the first of them."""

    def __init__(self, report: Report) -> None:
        first = (*report.wrong, *report.unproven)[0]
        line = f"line {first.line}" if first.line else ""
        position = f"position {first.position}" if first.position else ""
        place = ", ".join(filter(None, (first.match, line, position)))
        super().__init__(f"{place}: {first.reason} [{first.code}]".lstrip(": "))
        self.report = report


class Altered(Unverified):
    """A record is wrong: the service cannot have recorded it, or it contradicts what was kept."""


class NotProven(Unverified):
    """Nothing is known to be wrong with a record, but not everything in it could be verified."""


def verify(record: bytes | str | Iterable[str], kept: Kept = Kept()) -> Report:
    """Verifies the record of one or more matches: a file's content, or its lines without line
    feeds, as a client's `Match.record` returns them."""
    tally = Tally()
    blocks = split(lines_of(record))
    found = (it if isinstance(it, Finding) else verify_block(kept, it) for it in blocks)
    matches = list(tally.add_all(found, kept))
    tally.close(kept.receipts)
    return Report(tally.answer, matches, tally.wrong, tally.unproven, tally.told())


def verify_receipts(receipts: Iterable[Receipt]) -> Report:
    """Compares receipts with each other, without a record. The answer is `WRONG` if they prove that
    the service signed two digests for one entry, and otherwise `NOT_PROVEN`: receipts alone prove
    nothing about a record."""
    tally = Tally()
    tally.compare(receipts)
    return Report(tally.answer, (), tally.wrong, tally.unproven, tally.told())


def verify_record(record: bytes | str | Iterable[str], kept: Kept = Kept()) -> dict[str, Any]:
    """Verifies a record like `verify`, and returns the counts if everything in it is proven.

    Raises `Altered` if anything is wrong, and `NotProven` if anything could not be verified.
    """
    report = verify(record, kept)
    if report.answer == "WRONG":
        raise Altered(report)
    if report.answer == "NOT_PROVEN":
        raise NotProven(report)
    return dict(report.counts)


def lines_of(record: bytes | str | Iterable[str]) -> Iterator[bytes]:
    if isinstance(record, bytes):
        yield from io.BytesIO(record)
    elif isinstance(record, str):
        # What is not Unicode stays so, and is found.
        yield from io.BytesIO(record.encode(errors="surrogatepass"))
    else:
        for line in record:
            yield from io.BytesIO(line.encode(errors="surrogatepass") + b"\n")


# === Receipts ===


def read_receipt(text: str, keys: Any, label: str = "") -> Receipt:
    """The statement of a receipt or of an answer of `GetReceipt`. Raises `Problem` unless one of the
    keys signed it. Findings name it by its label, or else by the receipt's name."""
    try:
        receipt = signed_receipt(text, keys)
        return replace(receipt, label=label) if label else receipt
    except BAD as error:
        raise Problem(str(error), "RECEIPT_INVALID") from None


def signed_receipt(text: str, keys: Any) -> Receipt:
    answer: Any = {}
    if text.lstrip().startswith("{"):
        answer = parse(text.encode())
        answer = answer.get("receipt", answer)
        text = field(answer, "jws", str)
    parts = text.strip().split(".")
    require(len(parts) == 3, "it is not a JSON Web Signature in compact form")
    head, payload, signature = (unbase64(part + "=" * (-len(part) % 4), b"-_") for part in parts)
    header, stated = parse(head), parse(payload)
    kinds = field(header, "alg", str), field(header, "typ", str)
    require(kinds == ("EdDSA", "croupier-receipt+jwt"), "it is not a receipt")
    key_id = field(header, "kid", str)
    found = [key for key in field(keys, "keys", list) if field(key, "kid", str) == key_id]
    is_known = found and (found[0].get("kty"), found[0].get("crv")) == ("OKP", "Ed25519")
    require(is_known, f"its key {key_id[:80]!a} is not among the keys")
    key, signed = unbase64(field(found[0], "x", str) + "=", b"-_"), ".".join(parts[:2]).encode()
    require(ed25519.is_signed(key, signed, signature), "its signature is wrong")
    match, digest, created = (field(stated, name, str) for name in ("match", "digest", "create_time"))
    match_id(match), micros(created)
    name = f"{match}/entries/{field(stated, 'position', int)}/receipt"
    beside = field(answer, "name", str, optional=True), field(answer, "digest", str, optional=True)
    coded = base64.b64encode(unhex(digest, 32)).decode()
    require(beside[0] in (None, name) and beside[1] in (None, coded), "it says something else than what was signed")
    term = field(stated, "term", int, optional=True)
    return Receipt(match, stated["position"], digest, created, name, term)


if __name__ == "__main__":
    from croupier.command import main

    sys.exit(main())
