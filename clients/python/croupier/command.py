"""The command `python -m croupier.verify`: reads records from files or from a service, and reports
errors."""

import argparse
import functools
import http.client
import json
import multiprocessing
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import IO, Any

from croupier import verify
from croupier.outcome import LISTED_MAX, Code, Finding, Kept, Problem, Receipt, Tally, VerifiedMatch, require
from croupier.verify import LINE_MAX, Block, field

BATCH = 512  # matches that are read at a time and shared among processes
BATCH_BYTES = 1 << 24  # and their bytes, before the last
ANSWER_MAX = 1 << 26  # bytes of a message of the service
TIMEOUT_S = 60
PROVEN, WRONG, USAGE, NOT_PROVEN = range(4)  # exit codes
UNREADABLE = (OSError, http.client.HTTPException, *verify.BAD)

Found = VerifiedMatch | Finding


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0 if everything is proven, 1 if something is wrong, 2 for a wrong call,
    and 3 if nothing is wrong, but not everything is proven."""
    parser = options()
    args = parser.parse_args(arguments)
    if args.receipt and not args.keys and not args.url:
        parser.error("a receipt is of no use without the service's public keys: give --keys")
    if not args.what and len(args.receipt) < 2:
        parser.error("give files or matches, or receipts to compare")
    if args.url and not all(map(verify.NAME.fullmatch, args.what)):
        parser.error("with --url, give names of matches: matches/ID")
    tally, refused = Tally(), list[Finding]()
    kept = Kept(
        may_be_unfinished=args.unfinished,
        seed_commitment=args.commitment,
        contributions=dict(args.contribution),
        receipts=read_receipts(args, refused),
    )
    work = functools.partial(verify.verify_block, kept)
    for what in args.what:
        lines = answered(args, what) if args.url else read(what)
        found = results(work, verify.split(lines), args.jobs)
        for _ in tally.add_all(found, replace(kept, match=what if args.url else None), what):
            pass
    if (args.commitment or args.contribution) and tally.matches != 1:
        parser.error(f"--contribution and --commitment are about one match, and here are {tally.matches}")
    if args.what:
        tally.close(kept.receipts)
    else:
        tally.compare(kept.receipts)
    tally.note(refused)
    if args.json:
        print(json.dumps(tally.told()))
    else:
        print("\n".join(words(tally)))
    return {"PROVEN": PROVEN, "WRONG": WRONG, "NOT_PROVEN": NOT_PROVEN}[tally.answer]


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("croupier.verify", description="Verify records of matches: all but the rules.")
    parser.add_argument("what", nargs="*", help="files of `croupier export`, - for standard input; with --url, matches/ID")
    parser.add_argument("--url", help="read the matches from the service at this address")
    parser.add_argument("--token", default=os.environ.get("CROUPIER_KEY"), help="a token or API key; CROUPIER_KEY")
    parser.add_argument("--unfinished", action="store_true", help="a match of the service may be unfinished")
    parser.add_argument("--receipt", action="append", default=[], help="a file with a receipt; may be repeated")
    parser.add_argument("--keys", help="the service's public keys: a file, or an address ending in /.well-known/jwks.json")
    told = "the commitment of the match that you were told before it began"
    parser.add_argument("--commitment", metavar="HEX", type=commitment, help=told)
    parser.add_argument(
        "--contribution", metavar="SEAT=HEX", type=contribution, action="append", default=[], help="yours; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes work side by side")
    return parser


def commitment(text: str) -> str:
    return verify.unhex(text.lower(), 32).hex()


def contribution(text: str) -> tuple[int, bytes]:
    seat, _, given = text.partition("=")
    require(seat.isdecimal() and given, "write SEAT=HEX")
    return int(seat), verify.unhex(given.lower(), len(given) // 2)


# === The outcome, in words ===


def words(tally: Tally) -> Iterator[str]:
    for kind, findings in (("WRONG", tally.wrong), ("not proven", tally.unproven)):
        for it in findings:
            line, position = f"line {it.line}", f"position {it.position}"
            places = [it.source if it.source != it.match else "", line if it.line else "", it.match]
            places += [position if it.position is not None else "", f"receipt {it.receipt}" if it.receipt else ""]
            yield f"{kind}: {', '.join(filter(None, places))}: {it.reason} [{it.code}]"
        if len(findings) == LISTED_MAX:
            yield f"{kind}: only the first {LISTED_MAX} findings are listed"
    told = [counted(tally.matches, "match", "matches"), counted(tally.entries, "entry", "entries")]
    told.append(counted(tally.choices, "random choice", "random choices"))
    outcome = f"{tally.proven} proven, {tally.not_proven} not proven, {tally.wrong_matches} wrong"
    if tally.answer == "PROVEN":
        outcome = "all proven"
    yield f"{', '.join(told)}: {outcome}."
    for count, sources in (
        (tally.shared, "Chance was shared by the seats"),
        (tally.shared_unordered, "Chance was shared by the seats, but the order is not proven,"),
        (tally.service_only, "Chance came from the service alone"),
    ):
        if count:
            yield f"{sources} in {counted(count, 'match', 'matches')}."
    for count, meaning in (
        (tally.players_proven, "are those that the entries commit to"),
        (tally.players_erased, "erased since: who sat there cannot be verified any more"),
        (tally.players_not_covered, "to whom no entry commits: who sat there is not covered"),
    ):
        if count:
            yield f"{counted(count, 'player', 'players')} {meaning}."
    if tally.proven:
        yield "Proven means: the seed is the promised one, and every choice and digest follows from it. This program"
        yield "does not know the rules: `croupier verify` decides every action again."
    if unanchored := max(0, tally.proven - tally.anchored):
        yield "Only a receipt for the last entry shows that nothing was rewritten as a whole, and there is none for"
        yield f"{counted(unanchored, 'match', 'matches')}."


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


# === Sources of records ===


def read(path: str) -> Iterator[bytes]:
    try:
        if path == "-":
            yield from lines(sys.stdin.buffer)
        else:
            with open(path, "rb") as file:
                yield from lines(file)
    except OSError as error:
        raise Problem(f"it cannot be read: {error}", "UNREADABLE") from None


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines, of which only the beginning is read if they are too long."""
    while line := file.readline(LINE_MAX + 1):
        yield line
        while line and len(line) > LINE_MAX and not line.endswith(b"\n"):
            line = file.readline(LINE_MAX + 1)


def answered(args: argparse.Namespace, name: str) -> Iterator[bytes]:
    try:
        with open_url(f"{args.url.rstrip('/')}/v1/{name}/record", args.token) as answer:
            for line in iter(lambda: answer.readline(ANSWER_MAX), b""):
                message = verify.parse(line)
                require(type(message) is dict and "error" not in message, f"the service answered {message}")
                for it in field(message, "lines", list):
                    require(type(it) is str, "the service answered what is not a line")
                    yield from verify.lines_of([it])
    except UNREADABLE as error:
        raise Problem(f"it cannot be read: {error}", "UNREADABLE") from None


def open_url(url: str, token: str | None = None) -> IO[bytes]:
    request = urllib.request.Request(url, headers={"Accept": "application/x-ndjson, application/json"})
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        answer: IO[bytes] = urllib.request.urlopen(request, timeout=TIMEOUT_S)
        return answer
    except urllib.error.HTTPError as error:
        raise OSError(f"{url} answered {error.code}: {error.read(500).decode(errors='replace')}") from None


def results(work: Callable[[Block], VerifiedMatch], blocks: Iterator[Block | Finding], jobs: int) -> Iterator[Found]:
    """The outcomes in order. Few matches are not worth other processes."""
    batch, is_full = next_batch(blocks)
    if jobs <= 1 or not is_full:
        while batch:
            yield from done(map(work, matches_of(batch)), batch)
            batch, _ = next_batch(blocks)
        return
    with multiprocessing.Pool(jobs) as pool:
        while batch:
            under_way, before = pool.map_async(work, matches_of(batch), 16), batch
            batch, _ = next_batch(blocks)
            yield from done(iter(under_way.get()), before)


def next_batch(blocks: Iterator[Block | Finding]) -> tuple[list[Block | Finding], bool]:
    """The next blocks, and whether there may be more."""
    batch, size = list[Block | Finding](), 0
    while len(batch) < BATCH and size < BATCH_BYTES:
        it = next(blocks, None)
        if it is None:
            return batch, False
        batch.append(it)
        size += 0 if isinstance(it, Finding) else sum(map(len, it.lines))
    return batch, True


def matches_of(batch: list[Block | Finding]) -> list[Block]:
    return [it for it in batch if not isinstance(it, Finding)]


def done(outcomes: Iterator[VerifiedMatch], batch: list[Block | Finding]) -> Iterator[Found]:
    yield from outcomes
    yield from (it for it in batch if isinstance(it, Finding))  # it comes last


# === Kept data ===


def read_receipts(args: argparse.Namespace, refused: list[Finding]) -> list[Receipt]:
    found = list[Receipt]()
    if not args.receipt:
        return found
    where = args.keys or f"{args.url.rstrip('/')}/.well-known/jwks.json"
    try:
        with open_url(where) if where.startswith(("http:", "https:")) else open(where, "rb") as file:
            keys = verify.parse(file.read(ANSWER_MAX))
    except UNREADABLE as error:
        refused.append(unreadable(where, f"the public keys cannot be read: {error}", "UNREADABLE"))
        return found
    for path in args.receipt:
        try:
            with open(path, encoding="ascii") as text:
                found.append(verify.read_receipt(text.read(ANSWER_MAX), keys, path))
        except UNREADABLE as error:
            refused.append(unreadable(path, f"this receipt proves nothing: {error}", "RECEIPT_INVALID"))
    return found


def unreadable(source: str, reason: str, code: Code) -> Finding:
    return Finding(code, reason, source=source)
