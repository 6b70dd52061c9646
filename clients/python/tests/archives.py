"""Archives for tests: written line by line, taken apart, and put together again with right checks."""

import base64
import json
import struct

from blake3 import blake3

from croupier import chacha8, verify

MATCH = "matches/01920000-0000-7000-8000-000000000001"


def text_of(lines):
    """The bytes of lines, with their checks."""
    written, check = [], ""
    for line in lines:
        bare = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
        check = "" if "croupier" in line or "match" in line else check
        check = blake3(check.encode() + bare).hexdigest()[:16]
        written.append(bare[:-1] + b',"check":"' + check.encode() + b'"}\n')
    return b"".join(written)


def lines_of(text):
    """The lines without their checks."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [{kind: held for kind, held in line.items() if kind != "check"} for line in lines]


def verified(text, receipts=()):
    """What is wrong or not proven with an archive, and its matches."""
    report = verify.verify(text, verify.Kept(receipts=receipts))
    return [it.told() for it in report.wrong or report.unproven], report.matches


# === A match of no game ===


def varint(value):
    coded = b""
    while value > 127:
        coded, value = coded + bytes((value & 127 | 128,)), value >> 7
    return coded + bytes((value,))


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def contributed(seat, contribution):
    return field(18, (field(1, seat) if seat else b"") + field(2, contribution) + field(3, 1))


def body(seat, verb, events=(), rules=0, choices=()):
    packed = b"".join(varint(number) for choice in choices for number in choice)
    return b"".join(
        [field(1, it) for it in (seat,) if it is not None]
        + [field(2, verb.encode())]
        + [field(4, event) for event in events]
        + [field(6, rules)] * bool(rules)
        + [field(7, packed)] * bool(packed)
    )


def seal(lines):
    """Gives a match's lines the digests and the commitment that follow from its seed."""
    head = next(line["match"] for line in lines if "match" in line)
    seed = bytes.fromhex(head["seed"])
    head["seed_commitment"] = blake3(seed).hexdigest()
    key, digest = verify.digest_key(verify.match_id(head["name"]), seed), verify.creation_digest(head)
    for line in lines:
        if entry := line.get("entry"):
            stored, time = base64.b64decode(entry["body"]), verify.micros(entry["create_time"])
            position, seat, request_id = entry["position"], entry.get("seat"), entry.get("request_id")
            digest = verify.entry_digest(key, digest, position, time, seat, request_id, stored)
            entry["digest"] = digest.hex()
    return lines


def match_lines(bounds, contributions=(), seed=bytes(range(32)), name=MATCH, follows=None, rules=1):
    """A match whose entries make choices below these bounds."""
    assert rules or not contributions, "a match without rules has no proofs"
    key = verify.chance_key(verify.match_id(name), seed, contributions)
    head = {"name": name, "platform": "acme", "game": "rigs", "seats": 2, "players": [], "options": {"a": "b", "é": "ü"}}
    head |= {"request_digest": "00", "seed_commitment": blake3(seed).hexdigest(), "seed": seed.hex(), "reveal_wait_s": 0}
    head |= {"follows": follows} if follows else {}
    lines, made = [{"croupier": {"version": 1}}, {"match": head | {"create_time": "2026-11-01T10:00:00Z"}}], 0
    for position, below in enumerate(bounds, 1):
        words = chacha8.words(key, made, len(below))
        choices = [(bound, verify.choose(words, bound)) for bound in below]
        made += len(choices)
        seat, verb = (None, "open") if position == 1 else (position % 2, "play")
        events = [contributed(*it) for it in contributions] if position == 1 else [field(10, position % 2)]
        events += [field(15, 1)] * (position == len(bounds))
        entry = {"position": position} | ({} if seat is None else {"seat": seat}) | {"verb": verb}
        entry |= {} if seat is None else {"request_id": f"r{position}"}
        stored = base64.b64encode(body(seat, verb, events, rules, choices if rules else ())).decode()
        entry |= {"create_time": f"2026-11-01T10:00:00.{position:05}1Z", "body": stored}
        lines.append({"entry": entry})
    lines.append({"end": {"name": name, "entries": len(bounds)}})
    return seal(lines) if rules else lines
