"""The command `python -m croupier.verify`: reads records from files or from a service, and reports
errors."""

import argparse
import functools
import http.client
import itertools
import json
import multiprocessing
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import IO, Any

from croupier import verify
from croupier.verify import Chunk, Wrong, field, require

Result = tuple[str, verify.Match | None, Wrong | None]
Receipts = dict[str, list[tuple[str, Any]]]

BATCH = 512  # matches that are read at a time and shared among processes
LINE_MAX = 1 << 26
TIMEOUT_S = 60
COUNTS = ["matches", "entries", "choices", "verified", "under_way", "shared"]
COUNTS += ["earlier_rules", "without_seed", "without_digest"]
UNREADABLE = (OSError, http.client.HTTPException, *verify.BAD)


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0 if all is right, 1 if something is wrong, 2 for a wrong call."""
    args = options().parse_args(arguments)
    wrong: list[Wrong] = []
    found: dict[str, set[str]] = {}
    total = dict.fromkeys(COUNTS, 0)
    receipts = read_receipts(args, wrong)
    work = functools.partial(verify.verify, receipts)
    for source, match, reason in results(work, chunks(args, wrong), args.jobs):
        if reason:
            wrong.append({"source": source} | reason)
        if not match:
            continue
        found.setdefault(source, set()).add(match.name)
        if not reason:
            wrong += broken_promises(args, source, match)
        counts = match.counts() | ({"verified": 0, "earlier_rules": 0} if reason else {})
        for name, count in counts.items():
            total[name] += count
    wrong += not_found(args, receipts, found, {it["source"] for it in wrong})
    told(args, total, wrong)
    return 1 if wrong else 0


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("croupier.verify", description="Verify records of matches: all but the rules.")
    parser.add_argument("what", nargs="+", help="files of `croupier export`, - for standard input; with --url, matches/ID")
    parser.add_argument("--url", help="read the matches from the service at this address")
    parser.add_argument("--token", default=os.environ.get("CROUPIER_KEY"), help="a token or API key; CROUPIER_KEY")
    parser.add_argument("--receipt", action="append", default=[], help="a file with a receipt; may be repeated")
    parser.add_argument("--keys", help="the service's public keys: a file, or an address ending in /.well-known/jwks.json")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment of the match that you were told before it began")
    parser.add_argument("--contribution", metavar="SEAT=HEX", action="append", default=[], help="yours; may be repeated")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes work side by side")
    return parser


def told(args: argparse.Namespace, total: dict[str, int], wrong: list[Wrong]) -> None:
    if args.json:
        print(json.dumps(total | {"wrong": [{key: it[key] for key in it if it[key] is not None} for it in wrong]}))
        return
    for it in wrong:
        place = f"{it['source']}:{it['line']}" if it["line"] else it["source"]
        position = [f"position {it['position']}"] if it["position"] else []
        print(": ".join(["wrong", place, *filter(None, [it["match"]]), *position, it["reason"]]))
    print(total["matches"], "match" if total["matches"] == 1 else "matches", end=", ")
    print("{entries} entries, {choices} choices: {verified} verified, ".format(**total), end="")
    print("{earlier_rules} of earlier releases, {without_seed} without their seed, ".format(**total), end="")
    print(f"{len(wrong)} wrong")


# === Sources of records ===


def chunks(args: argparse.Namespace, wrong: list[Wrong]) -> Iterator[Chunk]:
    """The lines of each match, with their numbers; first the lines before any match."""
    for what in args.what:
        number, chunk = 0, list[tuple[int, bytes]]()
        try:
            lines = answered(args, what) if args.url else read(what)
            for number, line in enumerate(lines, 1):
                if line.startswith(b'{"match":'):
                    yield what, chunk
                    chunk = []
                chunk.append((number, line))
                if number == 1 and not line.startswith((b'{"croupier":{"version":1}', b'{"croupier":{"version":1,')):
                    break
            require(number, "it is empty")
        except UNREADABLE as error:
            wrong.append(problem(what, f"it cannot be read: {error}"))
        yield what, chunk


def read(path: str) -> Iterator[bytes]:
    if path == "-":
        yield from iter(lambda: sys.stdin.buffer.readline(LINE_MAX), b"")
    else:
        with open(path, "rb") as file:
            yield from iter(lambda: file.readline(LINE_MAX), b"")


def answered(args: argparse.Namespace, name: str) -> Iterator[bytes]:
    require(verify.NAME.fullmatch(name), f"{name!a} is not the name of a match")
    with open_url(f"{args.url.rstrip('/')}/v1/{name}/record", args.token) as answer:
        for line in iter(lambda: answer.readline(LINE_MAX), b""):
            message = verify.parse(line)
            require(type(message) is dict and "error" not in message, f"the service answered {message}")
            for it in field(message, "lines", list):
                require(type(it) is str, "the service answered what is not a line")
                yield it.encode() + b"\n"


def open_url(url: str, token: str | None = None) -> IO[bytes]:
    request = urllib.request.Request(url, headers={"Accept": "application/x-ndjson, application/json"})
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        answer: IO[bytes] = urllib.request.urlopen(request, timeout=TIMEOUT_S)
        return answer
    except urllib.error.HTTPError as error:
        raise OSError(f"{url} answered {error.code}: {error.read(500).decode(errors='replace')}") from None


def results(work: Callable[[Chunk], Result], chunks: Iterator[Chunk], jobs: int) -> Iterator[Result]:
    batch = list(itertools.islice(chunks, BATCH))
    if jobs <= 1 or len(batch) < BATCH:
        yield from map(work, itertools.chain(batch, chunks))
        return
    with multiprocessing.Pool(jobs) as pool:
        while batch:
            under_way = pool.map_async(work, batch, 16)
            batch = list(itertools.islice(chunks, BATCH))
            yield from under_way.get()


def problem(source: str | None, reason: str, match: str = "", position: int | None = None) -> Wrong:
    return {"source": source, "match": match, "line": None, "position": position, "reason": reason}


# === Kept data ===


def read_receipts(args: argparse.Namespace, wrong: list[Wrong]) -> Receipts:
    """The receipts by match, each with its file."""
    found: Receipts = {}
    if not args.receipt:
        return found
    try:
        where = args.keys or f"{(args.url or '').rstrip('/')}/.well-known/jwks.json"
        require(args.keys or args.url, "a receipt is of no use without the service's public keys: give --keys")
        with open_url(where) if where.startswith(("http:", "https:")) else open(where, "rb") as file:
            keys = verify.parse(file.read())
    except UNREADABLE as error:
        wrong.append(problem(args.keys, f"the public keys cannot be read: {error}"))
        return found
    for path in args.receipt:
        try:
            with open(path, encoding="ascii") as file:
                stated = verify.read_receipt(file.read(), keys)
            found.setdefault(stated["match"], []).append((path, stated))
        except UNREADABLE as error:
            wrong.append(problem(path, f"this receipt proves nothing: {error}"))
    return found


def broken_promises(args: argparse.Namespace, source: str, match: verify.Match) -> Iterator[Wrong]:
    """Data kept from before the match that is not in its record."""
    if args.commitment and args.commitment.lower() != match.commitment:
        yield problem(source, f"its commitment is {match.commitment}, not the one that was kept", match.name)
    recorded = {f"{seat}={contribution.hex()}" for seat, contribution in match.contributions}
    for given in args.contribution:
        if given.lower() not in recorded:
            yield problem(source, f"the contribution {given} is not in its record", match.name, 1)


def not_found(
    args: argparse.Namespace, receipts: Receipts, found: dict[str, set[str]], failed: set[str]
) -> Iterator[Wrong]:
    """Matches that were requested or have a receipt, but have no record."""
    everywhere = set().union(*found.values())
    for match in receipts.keys() - everywhere:
        path, stated = receipts[match][0]
        yield problem(path, "there is no record of the match of this receipt", match, stated["position"])
    for what in args.what if args.url else ():
        if what not in failed and found.get(what) != {what}:
            yield problem(what, "the service answered with another record", what)
