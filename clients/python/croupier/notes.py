"""Signed notes, checkpoints and trees of transparency logs, as C2SP and RFC 6962 define them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from croupier import ed25519
from croupier.outcome import Problem, require
from croupier.verify import BAD, unbase64

PLAIN, TIMED = 1, 4  # types of Ed25519 signatures: of the text alone, and of the text and a time
SIGNATURES_MAX, HASHES_MAX, LOGS_MAX = 64, 63, 100
SUCCESSION = "croupier log succession v1\n"
WHOLE = re.compile("0|[1-9][0-9]{0,18}")
LINE = re.compile("— ([^ ]+) (.*)")


@dataclass(frozen=True)
class VerifierKey:
    """The key of a log, from the text that C2SP calls *vkey*."""

    name: str
    key: bytes

    @staticmethod
    def parse(vkey: str) -> VerifierKey:
        """Raises `Problem` for anything else."""
        name, _, rest = vkey.strip().partition("+")
        hashed, _, coded = rest.partition("+")
        try:
            data = unbase64(coded)
        except BAD:
            data = b""
        key = VerifierKey(name, data[1:])
        is_key = is_name(name) and len(data) == 33 and data[0] in (PLAIN, TIMED)
        is_own = is_key and key.id(data[0]).hex() == hashed
        require(is_own, "it is not the verifier key of a log")
        return key

    def id(self, kind: int) -> bytes:
        return hashlib.sha256(self.name.encode() + bytes([10, kind]) + self.key).digest()[:4]


@dataclass(frozen=True)
class Checkpoint:
    """The size and the hash of a log's tree."""

    origin: str
    size: int
    root: bytes

    @staticmethod
    def parse(text: str) -> Checkpoint:
        *lines, rest = text.split("\n")
        is_whole = len(lines) >= 3 and all(lines) and not rest and WHOLE.fullmatch(lines[1])
        require(is_whole, "it is not a checkpoint")
        data = unbase64(lines[2])
        require(len(data) == 32, "it is not a checkpoint")
        return Checkpoint(lines[0], int(lines[1]), data)


@dataclass(frozen=True)
class Signed:
    """A checkpoint that its log signed."""

    checkpoint: Checkpoint
    time: int | None  # in seconds since 1970, as the log says
    note: str

    @staticmethod
    def verify(note: str, key: VerifierKey) -> Signed:
        """Raises `Problem` unless the log with this key signed the note."""
        parsed = Note.parse(note)
        parsed.verify(key)
        time = parsed.time(key)
        checkpoint = Checkpoint.parse(parsed.text)
        require(checkpoint.origin == key.name, f"it is a checkpoint of {checkpoint.origin[:80]!a}")
        return Signed(checkpoint, time, note)


@dataclass(frozen=True)
class Note:
    """A text and the signatures below it."""

    text: str
    lines: Sequence[tuple[str, bytes]]

    @staticmethod
    def parse(note: str) -> Note:
        try:
            return Note.read(note)
        except BAD:
            raise Problem("it is not a signed note") from None

    @staticmethod
    def read(note: str) -> Note:
        at = note.rfind("\n\n")
        is_note = at >= 0 and note.endswith("\n") and not re.search("[\x00-\x09\x0b-\x1f]", note)
        require(is_note, "it is not a signed note")
        lines = list[tuple[str, bytes]]()
        for line in note[at + 2 : -1].split("\n"):
            found = LINE.fullmatch(line)
            require(found, "it is not a signed note")
            name, data = (found[1], unbase64(found[2])) if found else ("", b"")
            require(is_name(name) and len(data) > 4, "it is not a signed note")
            lines.append((name, data))
        require(len(lines) <= SIGNATURES_MAX, "it is not a signed note")
        return Note(note[: at + 1], lines)

    def verify(self, key: VerifierKey) -> None:
        """Raises `Problem` unless the key signed the text."""
        found = self.of(key, PLAIN)
        require(found, f"the key {key.name} did not sign it")
        for signature in found:
            is_right = ed25519.is_signed(key.key, self.text.encode(), signature)
            require(is_right, f"its signature by {key.name} is wrong")

    def time(self, key: VerifierKey) -> int | None:
        """The latest time with which the key signed the text."""
        times = list[int]()
        for data in self.of(key, TIMED):
            time = int.from_bytes(data[:8], "big")
            text = f"cosignature/v1\ntime {time}\n{self.text}".encode()
            is_right = time < 2**63 and ed25519.is_signed(key.key, text, data[8:])
            require(is_right, f"its signature by {key.name} is wrong")
            times.append(time)
        return max(times, default=None)

    def of(self, key: VerifierKey, kind: int) -> list[bytes]:
        name, begin = key.name, key.id(kind)
        return [data[4:] for of, data in self.lines if of == name and data[:4] == begin]


@dataclass(frozen=True)
class Succession:
    """That a log ended with a checkpoint, and which one follows."""

    last: Checkpoint
    next: str  # the verifier key
    note: str

    @staticmethod
    def verify(text: str, old: VerifierKey) -> Succession:
        note = Note.parse(text)
        note.verify(old)
        following, _, rest = note.text[len(SUCCESSION) :].partition("\n")
        last = Checkpoint.parse(rest)
        require(last.origin == old.name, f"it is a checkpoint of {last.origin[:80]!a}")
        note.verify(VerifierKey.parse(following))
        return Succession(last, following, text)


def follow(key: VerifierKey, statements: str) -> list[Succession]:
    """The logs that follow the one with this key, by statements one after the other."""
    texts = [SUCCESSION + it for it in statements.split(SUCCESSION)[1:]]
    followed = list[Succession]()
    while len(followed) < LOGS_MAX:
        for text in texts:
            try:
                followed.append(Succession.verify(text, key))
            except BAD:
                continue
            break
        else:
            break
        key = VerifierKey.parse(followed[-1].next)
    return followed


def is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(map(str.isspace, name))


def stated_size(note: str) -> int | None:
    """The size that a note names, whoever signed it."""
    try:
        return Checkpoint.parse(Note.parse(note).text).size
    except BAD:
        return None


# === Trees ===


def parse_hashes(lines: Sequence[str]) -> list[bytes] | None:
    """Hashes, a line of base64 each; None for anything else."""
    try:
        hashes = [unbase64(line) for line in lines]
    except BAD:
        return None
    return hashes if len(hashes) <= HASHES_MAX and all(len(it) == 32 for it in hashes) else None


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def path(
    size: int, is_before: Callable[[int], bool], is_done: Callable[[int, int], bool]
) -> tuple[list[int], int]:
    """The first leaves of the parts whose hashes are in a proof, in its order, and of what is
    left."""
    starts, begin, end = list[int](), 0, size
    while not is_done(begin, end):
        middle = begin + (1 << (end - begin - 1).bit_length() - 1)
        starts.append(middle if is_before(middle) else begin)
        begin, end = (begin, middle) if is_before(middle) else (middle, end)
    return starts[::-1], begin


def is_included(index: int, tree: Checkpoint, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree has the leaf with this hash at this index."""
    if index >= tree.size:
        return False
    starts, _ = path(tree.size, lambda middle: index < middle, lambda begin, end: end - begin <= 1)
    if len(starts) != len(proof):
        return False
    for start, other in zip(starts, proof):
        leaf = node_hash(leaf, other) if start > index else node_hash(other, leaf)
    return leaf == tree.root


def is_continued(old: Checkpoint, now: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the larger tree continues the smaller one."""
    if old.size > now.size:
        return False
    if old.size == 0:
        return not proof and old.root == hashlib.sha256().digest()
    if old.size == now.size:
        return not proof and old.root == now.root
    size = old.size
    starts, begin = path(now.size, lambda middle: size <= middle, lambda _, end: end == size)
    # The smaller tree is a full subtree of the larger one, or the first hash is one of both.
    starts = [begin] * (begin != 0) + starts
    if len(starts) != len(proof):
        return False
    of_old = of_new = proof[0] if begin else old.root
    for start, other in list(zip(starts, proof))[begin != 0 :]:
        if start < old.size:
            of_old, of_new = node_hash(other, of_old), node_hash(other, of_new)
        else:
            of_new = node_hash(of_new, other)
    return of_old == old.root and of_new == now.root
