"""Changes an archive at random; each change must be refused at its place.

    python -m tests.mutations --count 100000 ../../tests/vectors/record.jsonl
"""

import argparse
import base64
import collections
import copy
import json
import random
import sys
import time

from croupier import stored, verify

from . import archives


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("archive")
    args = parser.parse_args()
    with open(args.archive, "rb") as file:
        text = file.read()
    start = time.monotonic()
    counted, missed = run(text, args.count, args.seed)
    seconds = time.monotonic() - start
    for it in missed[:10]:
        print(f"not refused, or at another place: {it}")
    print(json.dumps({"mutations": sum(counted.values()), "missed": len(missed), "seconds": round(seconds, 1)} | counted))
    return 1 if missed else 0


def run(text, count, seed):
    """How many mutations of each kind were tried on an archive of one match, and those that were not refused at
    their place."""
    chance, counted, missed = random.Random(seed), collections.Counter(), []
    lines = archives.lines_of(text)
    assert not archives.verified(text)[0], "the archive is not right as it is"
    assert archives.text_of(lines) == text, "the archive is not written as archives are"
    kinds = list(MUTATIONS)
    while sum(counted.values()) < count:
        kind = chance.choice(kinds)
        mutated = MUTATIONS[kind](chance, lines, text)
        if mutated is None or mutated[0] == text:
            continue
        changed, line = mutated
        counted[kind] += 1
        wrong = archives.verified(changed)[0]
        # The header and the `match` line come before the entries, and nothing after `end` has a position.
        position = line - 2 if 2 < line <= len(lines) else None
        if not wrong or (wrong[0].get("line"), wrong[0].get("position")) != (line, position) or not wrong[0]["reason"]:
            missed.append((kind, line, wrong))
    return counted, missed


# === Mutations of bytes, which the checks of lines detect ===


def a_byte(chance, lines, text):
    at = chance.randrange(len(text))
    changed = text[:at] + bytes((chance.randrange(256),)) + text[at + 1 :]
    return changed, text.count(b"\n", 0, at) + 1


def a_bit(chance, lines, text):
    at = chance.randrange(len(text))
    return text[:at] + bytes((text[at] ^ 1 << chance.randrange(8),)) + text[at + 1 :], text.count(b"\n", 0, at) + 1


def cut_off(chance, lines, text):
    """Where the header ends, what is left is an archive of no match."""
    at = chance.randrange(text.index(b"\n") + 2, len(text))
    return text[:at], text.count(b"\n", 0, at) + 1


def bytes_lost(chance, lines, text):
    at = chance.randrange(len(text) - 1)
    end = min(at + chance.randrange(1, 40), len(text))
    return text[:at] + text[end:], first_difference(text, text[:at] + text[end:])


def first_difference(text, changed):
    at = next((n for n, (one, other) in enumerate(zip(text, changed)) if one != other), min(len(text), len(changed)))
    return text.count(b"\n", 0, at) + 1


# === Mutations of lines, with checks as if nothing had happened ===


def a_line_lost(chance, lines, text):
    at = chance.randrange(len(lines))
    return archives.text_of(lines[:at] + lines[at + 1 :]), at + 1


def a_line_doubled(chance, lines, text):
    at = chance.randrange(1, len(lines))
    return archives.text_of(lines[: at + 1] + lines[at:]), at + 2


def two_lines_swapped(chance, lines, text):
    one, other = sorted(chance.sample(range(len(lines)), 2))
    changed = list(lines)
    changed[one], changed[other] = changed[other], changed[one]
    return archives.text_of(changed), one + 1


def entries_cut_off(chance, lines, text):
    """The last entries are dropped, but `end` still counts them."""
    first = next(n for n, line in enumerate(lines) if "entry" in line)
    last = len(lines) - 1
    kept = chance.randrange(first, last)
    return archives.text_of(lines[:kept] + lines[last:]), kept + 1


# === Mutations of fields, with checks as if nothing had happened: what digests cover ===


def changed_number(chance, value):
    return value + chance.choice((-1, 1, 7))


def changed_text(chance, value):
    at = chance.randrange(len(value) + 1)
    return value[:at] + chance.choice("abz019") + value[at + chance.randrange(2) :]


def changed_hex(chance, value):
    at = chance.randrange(len(value))
    return value[:at] + chance.choice("0123456789abcdef") + value[at + 1 :]


def a_field_of_the_match(chance, lines, text):
    """The first digest shows what cannot be seen in the line itself."""
    changed = copy.deepcopy(lines)
    at, head = next((n, line["match"]) for n, line in enumerate(changed) if "match" in line)
    name = chance.choice(("name", "platform", "game", "options", "seed", "seed_commitment", "reveal_wait_s", "create_time"))
    if name == "options":
        head["options"][changed_text(chance, "")] = "x"
    elif name == "reveal_wait_s":
        head[name] = (head[name] or 0) + chance.choice((1, 7))
    elif name == "name":
        head[name] = "matches/" + changed_hex(chance, head[name][8:]) if chance.randrange(2) else lines[at]["match"]["name"]
        if head[name][8:].count("-") != 4 or [len(it) for it in head[name][8:].split("-")] != [8, 4, 4, 4, 12]:
            return None
    elif name == "create_time":
        head[name] = another_time(chance, head[name])
    elif name in ("seed", "seed_commitment"):
        head[name] = changed_hex(chance, head[name])
    else:
        head[name] = changed_text(chance, head[name])
    return archives.text_of(changed), at + (1 if name in ("seed", "seed_commitment") else 2)


def another_time(chance, time):
    """A microsecond, a second, or some minutes away."""
    moved = verify.EPOCH + verify.timedelta(microseconds=verify.micros(time) + chance.choice((-1, 1, 10**6, -(10**9))))
    text = moved.strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{moved.microsecond:06}".rstrip("0") if moved.microsecond else "") + "Z"


def another_seed(chance, lines, text):
    """With its own commitment, as of a service that has found a better seed."""
    changed = copy.deepcopy(lines)
    at, head = next((n, line["match"]) for n, line in enumerate(changed) if "match" in line)
    seed = chance.randbytes(32)
    head |= {"seed": seed.hex(), "seed_commitment": verify.blake3(seed).hexdigest()}
    return archives.text_of(changed), at + 2


def a_field_of_an_entry(chance, lines, text):
    changed = copy.deepcopy(lines)
    at = chance.choice([n for n, line in enumerate(changed) if "entry" in line])
    entry = changed[at]["entry"]
    name = chance.choice(("position", "seat", "verb", "request_id", "create_time", "digest", "no digest"))
    if name == "position":
        entry[name] = changed_number(chance, entry[name])
    elif name == "seat":
        entry[name] = changed_number(chance, entry.get(name, 0))
    elif name == "create_time":
        entry[name] = another_time(chance, entry[name])
    elif name == "digest":
        entry[name] = changed_hex(chance, entry[name])
    elif name == "no digest":
        del entry["digest"]
    else:
        entry[name] = changed_text(chance, entry.get(name, ""))
    return archives.text_of(changed), at + 1


def a_body(chance, lines, text):
    changed = copy.deepcopy(lines)
    at = chance.choice([n for n, line in enumerate(changed) if "entry" in line])
    body = bytearray(base64.b64decode(changed[at]["entry"]["body"]))
    where = chance.randrange(len(body))
    if chance.randrange(2):
        body[where] ^= 1 << chance.randrange(8)
    else:
        del body[where]
    changed[at]["entry"]["body"] = base64.b64encode(body).decode()
    return archives.text_of(changed), at + 1


# === Mutations by one who knows the seed and computes every digest again: what choices cover ===


def forged_choice(chance, lines, text):
    changed = copy.deepcopy(lines)
    found = [n for n, line in enumerate(changed) if "entry" in line and choices_of(line["entry"])]
    at = chance.choice(found)
    choices = choices_of(changed[at]["entry"])
    nth = chance.randrange(len(choices))
    bound, value = choices[nth]
    if bound == 1:
        return None
    choices[nth] = (bound, chance.choice([it for it in (value - 1, value + 1, 0, bound - 1) if 0 <= it < bound and it != value]))
    with_choices(changed[at]["entry"], choices)
    return archives.text_of(archives.seal(changed)), at + 1


def forged_seed(chance, lines, text):
    changed = copy.deepcopy(lines)
    head = next(line["match"] for line in changed if "match" in line)
    head["seed"] = chance.randbytes(32).hex()
    return archives.text_of(archives.seal(changed)), first_with_choices(changed) + 1


def forged_contribution(chance, lines, text):
    """Another contribution, or none, of a seat that gave one."""
    changed = copy.deepcopy(lines)
    at, entry = next((n, line["entry"]) for n, line in enumerate(changed) if "entry" in line)
    parts = list(stored.fields(base64.b64decode(entry["body"])))
    given = [n for n, (number, value) in enumerate(parts) if number == 4 and next(stored.fields(value))[0] == 18]
    if not given:
        return None
    nth = chance.choice(given)
    seat = dict(stored.fields(next(stored.fields(parts[nth][1]))[1])).get(1, 0)
    if chance.randrange(4):
        parts[nth] = (4, archives.contributed(seat, chance.randbytes(chance.randrange(16, 33))))
    else:
        del parts[nth]
    store(entry, parts)
    return archives.text_of(archives.seal(changed)), first_with_choices(changed) + 1


def choices_of(entry):
    return stored.decode(base64.b64decode(entry["body"])).choices


def first_with_choices(lines):
    """Forged chance shows where more than one outcome was possible."""
    of = lambda line: choices_of(line["entry"]) if "entry" in line else []
    return next(n for n, line in enumerate(lines) if any(bound > 1 for bound, _ in of(line)))


def with_choices(entry, choices):
    packed = b"".join(archives.varint(number) for choice in choices for number in choice)
    parts = list(stored.fields(base64.b64decode(entry["body"])))
    store(entry, [(number, packed if number == 7 else value) for number, value in parts])


def store(entry, parts):
    entry["body"] = base64.b64encode(b"".join(archives.field(number, value) for number, value in parts)).decode()


MUTATIONS = {
    it.__name__: it
    for it in (
        *(a_byte, a_bit, cut_off, bytes_lost, a_line_lost, a_line_doubled, two_lines_swapped, entries_cut_off),
        *(a_field_of_the_match, another_seed, a_field_of_an_entry, a_body),
        *(forged_choice, forged_seed, forged_contribution),
    )
}

if __name__ == "__main__":
    sys.exit(main())
