"""What a log tells of a match, compared with what was kept of the log."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from blake3 import blake3

from croupier.notes import (
    Signed,
    VerifierKey,
    is_continued,
    is_included,
    leaf_hash,
    parse_hashes,
    stated_size,
)
from croupier.outcome import UNPROVEN, Answer, Code, Finding, Problem, require
from croupier.stored import SEATS_MAX
from croupier.verify import BAD, match_id, micros, unbase64

HEADER = "c2sp.org/tlog-proof@v1\n"
MATCH = "croupier 2026-11 match of a leaf"
INDEX = re.compile("index (0|[1-9][0-9]{0,19})")
VERSION, OPENED, CLOSED = 1, 1, 2
VERSION_OF_PLATFORMS, TAG = 2, 16  # openings that tell platforms apart, and the bytes for it
WON, DELETED = 1, 3


@dataclass(frozen=True)
class AboutMatch:
    """What somebody knows of a match. What is absent is not compared."""

    name: str
    create_time: str | None = None  # in RFC 3339
    seats: int | None = None
    seed_commitment: str | None = None  # in hexadecimal
    end: tuple[int, str] | None = None  # position and digest of the last entry


@dataclass(frozen=True)
class Look:
    """What is told now, and what was kept."""

    log_key: str
    told: str  # a `tlog-proof`, or a signed checkpoint
    checkpoint: str | None = None  # the last one that was kept of the log
    consistency: str | None = None  # as at `/log/consistency/`
    match: AboutMatch | None = None  # of which the proof is


@dataclass(frozen=True)
class Looked:
    """What a look shows."""

    answer: Answer
    findings: Sequence[Finding]
    evidence: Sequence[str]  # the statements that contradict each other, as they were signed
    checkpoint: str | None  # to keep: the newest that nothing contradicts
    size: int  # the number of its leaves
    index: int | None = None  # of the match's leaf
    time: int | None = None  # when the checkpoint that was told was signed


@dataclass(frozen=True)
class Proof:
    """That a log has a leaf, as C2SP's tlog-proof has it."""

    leaf: bytes
    index: int
    hashes: Sequence[bytes]
    note: str

    @staticmethod
    def parse(text: str) -> Proof | None:
        head, end, note = text.partition("\n\n")
        if not end or not text.startswith(HEADER):
            return None
        _, extra, *rest = head.split("\n")
        hashes = parse_hashes(rest[1:])
        if not extra.startswith("extra ") or hashes is None:
            return None
        if not rest or not INDEX.fullmatch(rest[0]):
            return None
        try:
            return Proof(unbase64(extra[6:]), int(rest[0][6:]), hashes, note)
        except BAD:
            return None


@dataclass(frozen=True)
class Leaf:
    """That a match was opened, or closed."""

    kind: int
    match: bytes
    time: int
    digest: bytes
    seed_commitment: bytes = b""
    seats: int = 0
    position: int = 0

    @staticmethod
    def parse(data: bytes) -> Leaf | None:
        """The one encoding of a leaf; None for anything else, such as a later version."""
        try:
            version, kind, match, time, digest = struct.unpack_from("<BB32sq32s", data)
            if version in (VERSION, VERSION_OF_PLATFORMS) and kind == OPENED:
                tag = TAG if version == VERSION_OF_PLATFORMS else 0
                commitment, _, seats = struct.unpack_from(f"<32s{tag}sB", data, 74)
                is_whole = 1 <= seats <= SEATS_MAX and len(data) == 107 + tag + 32 * seats
                return Leaf(kind, match, time, digest, commitment, seats) if is_whole else None
            if (version, kind) == (VERSION, CLOSED):
                position, end = struct.unpack("<qB", data[74:])
                is_possible = WON <= end <= DELETED and (position == 0) == (end == DELETED)
                is_whole = is_possible and position >= 0
                return Leaf(kind, match, time, digest, position=position) if is_whole else None
        except struct.error:
            pass
        return None

    def compare(self, about: AboutMatch) -> None:
        """Raises `Problem` if the leaf says something else than is known."""
        hashed = blake3(match_id(about.name), derive_key_context=MATCH).digest()
        expect(self.match == hashed, "the leaf is of another match")
        if self.kind == CLOSED:
            end = self.position, self.digest.hex()
            expect(about.end in (None, end), "the log has another end of it")
            return
        created = None if about.create_time is None else micros(about.create_time)
        expect(created in (None, self.time), "the log has it as opened at another time")
        expect(about.seats in (None, self.seats), "the log has it with another number of seats")
        commitment = self.seed_commitment.hex()
        is_same = about.seed_commitment in (None, commitment)
        expect(is_same, "the log has another commitment to its seed")


def expect(holds: bool, reason: str) -> None:
    require(holds, reason, "LOG_DIFFERS")


def needed_consistency(it: Look) -> tuple[int, int] | None:
    """The sizes between which `Look.consistency` is needed, the smaller one first; None if it is
    not."""
    proof = Proof.parse(it.told)
    told = stated_size(proof.note if proof else it.told)
    kept = stated_size(it.checkpoint or "")
    if told is None or kept is None or told == kept:
        return None
    return min(told, kept), max(told, kept)


def compare(it: Look) -> Looked:
    """Raises `Problem` if what was kept cannot be used."""
    key = VerifierKey.parse(it.log_key)
    kept = None if it.checkpoint is None else Signed.verify(it.checkpoint, key)
    size = kept.checkpoint.size if kept else 0
    try:
        signed, index = told_by(it, key)
    except Problem as error:
        return judged(it, error, [it.told], Looked("PROVEN", (), (), it.checkpoint, size))
    same = Looked("PROVEN", (), (), it.checkpoint, size, index, signed.time)
    problem = relation(kept, signed, it.consistency) if kept else None
    if kept and problem:
        return judged(it, problem, [kept.note, signed.note], same)
    if kept and age(signed) < age(kept):
        return same
    return Looked("PROVEN", (), (), signed.note, signed.checkpoint.size, index, signed.time)


def age(it: Signed) -> tuple[int, int]:
    return it.checkpoint.size, -1 if it.time is None else it.time


def judged(it: Look, problem: Problem, evidence: Sequence[str], same: Looked) -> Looked:
    found = Finding(problem.code, str(problem), it.match.name if it.match else "")
    answer: Answer = "NOT_PROVEN" if problem.code in UNPROVEN else "WRONG"
    return Looked(answer, (found,), evidence, same.checkpoint, same.size, same.index, same.time)


def told_by(it: Look, key: VerifierKey) -> tuple[Signed, int | None]:
    """The checkpoint that is told, and where the leaf of the match is."""
    proof = Proof.parse(it.told)
    if not proof:
        return held("the checkpoint", it.told, key), None
    signed = held("the proof", proof.note, key)
    is_there = is_included(proof.index, signed.checkpoint, leaf_hash(proof.leaf), proof.hashes)
    reason = f"its tree of {signed.checkpoint.size} leaves lacks it at {proof.index}"
    require(is_there, f"the proof does not hold: {reason}", "LOG_PROOF_INVALID")
    leaf = Leaf.parse(proof.leaf)
    require(leaf, "the leaf is of a later release", "LOG_PROOF_INVALID")
    if leaf and it.match:
        leaf.compare(it.match)
    return signed, proof.index


def held(what: str, note: str, key: VerifierKey) -> Signed:
    try:
        return Signed.verify(note, key)
    except BAD as error:
        raise Problem(f"{what} does not hold: {error}", "LOG_PROOF_INVALID") from None


def relation(kept: Signed, told: Signed, consistency: str | None) -> Problem | None:
    """Why the checkpoints are not of one history, or are not shown to be."""
    one, two = kept.checkpoint, told.checkpoint
    if one.size == two.size:
        if one.root == two.root:
            return None
        reason = f"the log signed two checkpoints of {one.size} leaves with different hashes"
        return Problem(reason, "LOG_CONTRADICTS")
    proof = None if consistency is None else parse_hashes(consistency.splitlines())
    small, large = (one, two) if one.size < two.size else (two, one)
    if is_continued(small, large, proof or ()):
        return None
    of = f"checkpoint of {two.size} leaves and the kept one of {one.size} are"
    code: Code = "LOG_MISSING" if proof is None else "LOG_CONTRADICTS"
    if proof is None:
        return Problem(f"the service does not show that its {of} of one history", code)
    return Problem(f"the {of} not of one history, by the proof that the service gives", code)
