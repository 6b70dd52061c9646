"""The outcome of verification: three answers, and findings with codes, as docs/verify.md lists
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

Answer = Literal["PROVEN", "NOT_PROVEN", "WRONG"]
Unproven = Literal[
    "VERSION_UNKNOWN", "NO_MATCH", "TOO_LARGE", "GAME_UNKNOWN", "NO_PROOFS", "RULES_UNKNOWN", "UNFINISHED",
    "RECEIPT_TERMS_DIFFER", "LOG_MISSING"
]
OfLines = Literal["EMPTY", "NOT_A_RECORD", "LINE_CUT", "LINE_TOO_LONG", "CHECK_MISSING", "CHECK_WRONG", "LINE_INVALID"]
OfMatches = Literal["LINE_MISPLACED", "MATCH_CUT", "END_WRONG", "END_MISSING", "SEED_WRONG", "SEED_MISSING"]
OfPlaces = Literal["POSITION_WRONG", "ENTRY_AFTER_END", "TIME_BACKWARDS"]
OfEntries = Literal["BODY_INVALID", "BODY_DIFFERS", "SEAT_UNKNOWN", "PROOF_MISSING"]
OfProofs = Literal["DIGEST_WRONG", "CONTRIBUTION_INVALID", "CHOICE_INVALID", "CHOICE_WRONG", "PLAYER_DIFFERS"]
OfKept = Literal["OTHER_MATCH", "INCOMPLETE", "COMMITMENT_DIFFERS", "CONTRIBUTION_DIFFERS"]
OfReceipts = Literal["RECEIPT_INVALID", "RECEIPT_DIFFERS", "RECEIPT_BEYOND_END", "RECEIPT_OF_OTHER_MATCH", "RECEIPTS_CONTRADICT"]
OfLogs = Literal["LOG_DIFFERS", "LOG_PROOF_INVALID", "LOG_CONTRADICTS"]
Code = Literal[
    Unproven, OfLines, OfMatches, OfPlaces, OfEntries, OfProofs, OfKept, OfReceipts, OfLogs, "UNREADABLE", "PROGRAM_FAILED"
]
Entropy = Literal["SHARED", "SHARED_ORDER_NOT_PROVEN", "SERVICE_ONLY"]

UNPROVEN: frozenset[str] = frozenset(get_args(Unproven))
LISTED_MAX = 1000  # findings that are listed of each kind
REASON_MAX = 1000  # characters; a reason may quote what a stranger wrote


class Problem(ValueError):
    """Why a line, a match or a receipt is wrong, or not proven."""

    def __init__(self, reason: str, code: Code = "LINE_INVALID") -> None:
        super().__init__(reason)
        self.code: Code = code


def require(holds: object, reason: str, code: Code = "LINE_INVALID") -> None:
    if not holds:
        raise Problem(reason, code)


@dataclass(frozen=True)
class Finding:
    """A reason why something is wrong or not proven, and its place as far as it is known."""

    code: Code
    reason: str  # for people
    match: str = ""  # `matches/{match}`
    line: int | None = None
    position: int | None = None
    receipt: str | None = None  # the label of the receipt that shows it
    source: str | None = None  # the file, or the match that the service was asked for

    def told(self) -> dict[str, Any]:
        """As in the JSON of `croupier verify --json`."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Receipt:
    """The statement of a receipt whose signature was verified."""

    match: str
    position: int
    digest: str
    create_time: str
    label: str = ""
    term: int | None = None  # in which it was signed; None in receipts of the first builds


@dataclass(frozen=True)
class Contribution:
    """A seat's contribution to the chance of its match."""

    seat: int
    contribution: bytes
    after_commitment: bool  # whether the commitment could be read before


@dataclass
class PlayerCounts:
    """The players who took seats, by what is known about them."""

    proven: int = 0  # those that the entries commit to
    erased: int = 0  # erased since, so that their commitments cannot be checked
    not_covered: int = 0  # no entry commits to them


@dataclass(frozen=True)
class Kept:
    """What was kept from before and during a match."""

    match: str | None = None  # the match that a service was asked for: the record is of no other, and complete
    may_be_unfinished: bool = False  # with `match`: whether the match may not have ended
    seed_commitment: str | None = None  # in hexadecimal, from before the match began
    contributions: Mapping[int, bytes] = field(default_factory=dict)  # one's own, by seat
    receipts: Sequence[Receipt] = ()

    def after(self, match: VerifiedMatch) -> list[Receipt]:
        """The receipts for entries of the match after those that it has."""
        return [it for it in self.receipts if it.match == match.match and it.position > match.entries]


@dataclass
class VerifiedMatch:
    """The outcome for one match: what was verified before the first error, and what was found."""

    match: str = ""
    entries: int = 0
    choices: int = 0
    has_ended: bool = False
    seed_commitment: str = ""
    contributions: list[Contribution] = field(default_factory=list)
    players: PlayerCounts = field(default_factory=PlayerCounts)
    digest: str = ""  # of its last entry
    anchored: int = 0  # the last position for which a receipt agrees
    receipts: list[Receipt] = field(default_factory=list)  # those that agree
    wrong: list[Finding] = field(default_factory=list)
    unproven: list[Finding] = field(default_factory=list)

    @property
    def answer(self) -> Answer:
        return "WRONG" if self.wrong else "NOT_PROVEN" if self.unproven else "PROVEN"

    @property
    def is_anchored(self) -> bool:
        """Whether a receipt confirms its last entry, and so its end."""
        return 0 < self.entries == self.anchored

    @property
    def entropy(self) -> Entropy | None:
        """The sources of its chance; None before the deal."""
        if not self.entries:
            return None
        if not self.contributions:
            return "SERVICE_ONLY"
        return "SHARED" if all(it.after_commitment for it in self.contributions) else "SHARED_ORDER_NOT_PROVEN"

    def add(self, code: Code, reason: str, line: int | None = None, position: int | None = None) -> None:
        (self.unproven if code in UNPROVEN else self.wrong).append(Finding(code, reason, self.match, line, position))

    def contradict(self, receipt: Receipt, code: Code, reason: str) -> None:
        found = Finding(code, reason, receipt.match, position=receipt.position, receipt=receipt.label)
        self.wrong.append(found)

    def expect(self, kept: Kept, is_only: bool) -> None:
        """Checks that this is the match that a service was asked for, the only one, and complete."""
        if self.match != kept.match or not is_only:
            self.add("OTHER_MATCH", f"the service was asked for {kept.match}")
        if not kept.may_be_unfinished and any(it.code == "UNFINISHED" for it in self.unproven):
            reason = "the record of a match that has ended was asked for, and it has no end"
            self.add("INCOMPLETE", reason, position=self.entries + 1)


@dataclass
class Tally:
    """The outcomes of many matches."""

    matches: int = 0
    entries: int = 0
    choices: int = 0
    proven: int = 0
    not_proven: int = 0
    wrong_matches: int = 0
    anchored: int = 0
    shared: int = 0
    shared_unordered: int = 0
    service_only: int = 0
    players_proven: int = 0
    players_erased: int = 0
    players_not_covered: int = 0
    receipts: set[str] = field(default_factory=set)
    unproven_counts: dict[str, int] = field(default_factory=dict)
    wrong: list[Finding] = field(default_factory=list)
    unproven: list[Finding] = field(default_factory=list)

    @property
    def answer(self) -> Answer:
        """The answer about all matches together. Without a match nothing is proven."""
        return "WRONG" if self.wrong else "PROVEN" if self.matches and not self.unproven else "NOT_PROVEN"

    def add_all(
        self, found: Iterable[VerifiedMatch | Finding], kept: Kept, source: str | None = None
    ) -> Iterator[VerifiedMatch]:
        """Adds the outcomes of one file, or of one answer of a service if `kept.match` is given, and
        yields those of matches."""
        count, is_readable = 0, True
        for it in found:
            if isinstance(it, Finding):
                self.note([replace(it, source=source)])
                is_readable = False
                continue
            count += 1
            if kept.match is not None:
                it.expect(kept, count == 1)
            it.wrong = [replace(of, source=source) for of in it.wrong]
            it.unproven = [replace(of, source=source) for of in it.unproven]
            self.add(it)
            yield it
        if is_readable and not count:
            asked = f"the service was asked for {kept.match}, and tells no match"
            none = Finding("NO_MATCH", "there is no match in it", source=source)
            self.note([none if kept.match is None else Finding("OTHER_MATCH", asked, source=source)])

    def add(self, it: VerifiedMatch) -> None:
        self.matches += 1
        self.entries += it.entries
        self.choices += it.choices
        self.anchored += it.is_anchored
        self.shared += it.entropy == "SHARED"
        self.shared_unordered += it.entropy == "SHARED_ORDER_NOT_PROVEN"
        self.service_only += it.entropy == "SERVICE_ONLY"
        self.players_proven += it.players.proven
        self.players_erased += it.players.erased
        self.players_not_covered += it.players.not_covered
        self.receipts.update(receipt.label for receipt in it.receipts)
        self.proven += it.answer == "PROVEN"
        self.not_proven += it.answer == "NOT_PROVEN"
        self.wrong_matches += it.answer == "WRONG"
        self.note(it.wrong or it.unproven)

    def note(self, findings: Iterable[Finding]) -> None:
        for it in findings:
            if len(it.reason) > REASON_MAX:
                it = replace(it, reason=it.reason[:REASON_MAX] + "…")
            if it.code in UNPROVEN:
                self.unproven_counts[it.code] = self.unproven_counts.get(it.code, 0) + 1
            listed = self.unproven if it.code in UNPROVEN else self.wrong
            if len(listed) < LISTED_MAX:
                listed.append(it)

    def close(self, receipts: Iterable[Receipt]) -> None:
        """Refuses receipts that belong to none of the matches, and those that contradict each other.
        Call it after the last match."""
        receipts = list(receipts)
        contradict = {it.receipt for it in self.wrong}
        for it in receipts:
            if it.label not in self.receipts and it.label not in contradict:
                reason = f"the receipt is for another match: {it.match} is not here"
                code: Code = "RECEIPT_OF_OTHER_MATCH"
                self.note([Finding(code, reason, it.match, position=it.position, receipt=it.label)])
        self.compare(receipts)

    def compare(self, receipts: Iterable[Receipt]) -> None:
        """Compares receipts with each other: the service signs one digest for an entry in a term.
        There is a finding for each entry for which it signed several."""
        of_entries: dict[tuple[str, int], list[Receipt]] = {}
        for it in receipts:
            of_entries.setdefault((it.match, it.position), []).append(it)
        for (match, position), of in sorted(of_entries.items()):
            differing = [(it, other) for nth, it in enumerate(of) for other in of[:nth] if it.digest != other.digest]
            in_a_term = [it for it, other in differing if it.term is not None and it.term == other.term]
            code: Code = "RECEIPTS_CONTRADICT" if in_a_term else "RECEIPT_TERMS_DIFFER"
            reason = "the service signed two receipts for this entry, in one term, with different digests"
            if not in_a_term:
                reason = "the service signed receipts for this entry with different digests, and not in one term: "
                reason += "the record went back between them, or was changed"
            for it in (in_a_term or [it for it, _ in differing])[:1]:
                self.note([Finding(code, reason, match, position=position, receipt=it.label)])

    def told(self) -> dict[str, Any]:
        """With the keys of `croupier verify --json`."""
        names = ["matches", "entries", "choices", "proven", "not_proven", "wrong_matches"]
        names += ["anchored", "shared", "shared_unordered", "service_only"]
        names += ["players_proven", "players_erased", "players_not_covered"]
        counts = {name: getattr(self, name) for name in names}
        listed = {"wrong": [it.told() for it in self.wrong], "unproven": [it.told() for it in self.unproven]}
        of_receipts = {"receipts": sorted(self.receipts)}
        told = {"answer": self.answer, "checks_rules": False} | counts | of_receipts | listed
        return told | {"unproven_counts": dict(sorted(self.unproven_counts.items()))}


@dataclass(frozen=True)
class Report:
    """The outcome of verifying a record."""

    answer: Answer
    matches: Sequence[VerifiedMatch]
    wrong: Sequence[Finding]
    unproven: Sequence[Finding]
    counts: Mapping[str, Any]  # as `croupier verify --json` prints them
