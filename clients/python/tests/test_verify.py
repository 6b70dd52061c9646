"""The verifier on archives that the tests write themselves."""

import base64
import contextlib
import http.server
import io
import json
import os
import pathlib
import random
import tempfile
import threading
import unittest

from croupier import chacha8, command, ed25519, verify

from . import archives, mutations

CONTRIBUTIONS = [(0, b"x" * 32), (1, b"y")]
BOUNDS = [[52] * 30, [6], [], [3_000_000_000] * 50, [1, 1, 2]]


def tiny(**given):
    return archives.match_lines(BOUNDS, **({"contributions": CONTRIBUTIONS} | given))


def run(*arguments):
    """The exit code of the command and what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        code = command.main([str(it) for it in arguments])
    return code, out.getvalue()


class TheVerifier(unittest.TestCase):
    def reason(self, lines, receipts=None):
        wrong, _ = archives.verified(archives.text_of(lines), receipts)
        self.assertEqual(len(wrong), 1, wrong)
        return wrong[0]["reason"]

    def test_a_right_record_is_right(self):
        follows = {"previous": archives.MATCH, "number": 3, "wins": [1, 0], "best_of": 5}
        for given in ({}, {"contributions": []}, {"follows": follows}, {"follows": follows | {"best_of": None}}):
            wrong, matches = archives.verified(archives.text_of(tiny(**given)))
            self.assertEqual(wrong, [])
            self.assertEqual([(it["entries"], it["choices"], it["verified"]) for it in matches], [(5, 84, 1)])

    def test_entries_of_earlier_releases_have_no_choices(self):
        wrong, matches = archives.verified(archives.text_of(tiny(rules=0, contributions=[])))
        self.assertEqual((wrong, matches[0]["earlier_rules"], matches[0]["verified"]), ([], 1, 0))

    def test_no_random_change_is_missed(self):
        counted, missed = mutations.run(archives.text_of(tiny()), 4000, random.randrange(1 << 32))
        self.assertEqual(missed, [])
        self.assertEqual(counted.keys(), mutations.MUTATIONS.keys())

    def test_a_contribution_is_at_the_start_in_order_and_of_the_right_length(self):
        for contributions in ([(1, b"y"), (0, b"x")], [(0, b"x"), (0, b"y")], [(2, b"x")], [(0, b"")], [(0, b"x" * 33)]):
            lines = archives.match_lines([[2]])
            entry = lines[2]["entry"]
            events = [archives.contributed(*it) for it in contributions]
            entry["body"] = base64.b64encode(archives.body(None, "open", events, 1)).decode()
            self.assertIn("contribution", self.reason(archives.seal(lines)))
        for position, events in ((1, [archives.field(10, 1), archives.contributed(0, b"x")]), (2, [archives.contributed(0, b"x")])):
            lines = archives.match_lines([[], []])
            seat, verb = (None, "open") if position == 1 else (0, "play")
            lines[position + 1]["entry"]["body"] = base64.b64encode(archives.body(seat, verb, events, 1)).decode()
            self.assertIn("contributions", self.reason(archives.seal(lines)))

    def test_only_the_canonical_encoding_is_accepted(self):
        right = archives.body(None, "open", [archives.field(10, 1)], 1, [(2, 1)])
        parts = [archives.field(2, b"open"), archives.field(4, archives.field(10, 1)), archives.field(6, 1)]
        for stored in (
            right + archives.field(8, 1),
            right + archives.field(6, 1),
            b"".join([parts[1], parts[0], parts[2]]),
            b"".join(parts) + archives.field(7, b""),
            b"".join(parts[:2]) + b"\x30\x81\x00",
            b"".join(parts[:2]) + b"\x30\x00",
            b"".join(parts[:1]) + archives.field(4, b""),
            b"".join(parts[:1]) + archives.field(4, archives.field(10, 1) * 2),
            b"".join(parts) + archives.field(7, b"\x02"),
            b"".join(parts) + archives.field(7, b"\x00\x00"),
            b"".join(parts) + archives.field(7, b"\x02\x02"),
            right[:-1],
            b"\x0d\x00\x00\x00\x00" + right,
        ):
            lines = archives.match_lines([[2]])
            lines[2]["entry"]["body"] = base64.b64encode(stored).decode()
            self.assertTrue(self.reason(archives.seal(lines)), stored)

    def test_an_ended_match_must_have_its_seed(self):
        lines = tiny()
        del lines[1]["match"]["seed"]
        self.assertIn("its seed is not in the record", self.reason(lines))

    def test_a_later_version_is_named(self):
        text = archives.text_of([{"croupier": {"version": 2}}] + tiny()[1:])
        self.assertIn("version 2", archives.verified(text)[0][0]["reason"])

    def test_archives_of_several_matches_name_the_wrong_ones(self):
        names = [archives.MATCH[:-1] + digit for digit in "123"]
        lines = [tiny(name=name)[1:] for name in names]
        lines[1][2]["entry"]["verb"] = "fold"
        wrong, matches = archives.verified(archives.text_of(tiny()[:1] + sum(lines, [])))
        self.assertEqual([(it["match"], it["line"], it["position"]) for it in wrong], [(names[1], 11, 2)])
        self.assertEqual([it["match"] for it in matches], names)


class TheCommand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_it_counts_and_prints_json(self):
        path = self.file("right.jsonl", archives.text_of(tiny()))
        code, out = run("--json", path)
        expected = {"matches": 1, "entries": 5, "choices": 84, "verified": 1, "under_way": 0, "shared": 1}
        expected |= {"earlier_rules": 0, "without_seed": 0, "without_digest": 0, "wrong": []}
        self.assertEqual((code, json.loads(out)), (0, expected))

    def test_many_matches_are_shared_among_processes(self):
        names = [f"{archives.MATCH[:-3]}{n:03x}" for n in range(command.BATCH + 10)]
        lines = [archives.match_lines([[6]], name=name)[1:] for name in names]
        lines[-1][1]["entry"]["verb"] = "fold"
        path = self.file("many.jsonl", archives.text_of(tiny()[:1] + sum(lines, [])))
        code, out = run("--json", "--jobs", 2, path)
        result = json.loads(out)
        self.assertEqual((code, result["matches"], result["verified"]), (1, len(names), len(names) - 1))
        self.assertEqual([it["match"] for it in result["wrong"]], names[-1:])

    def test_whatever_it_is_given_is_answered_with_a_sentence(self):
        right = archives.text_of(tiny())
        header = right[: right.index(b"\n") + 1]
        deep = b'{"match":' + b"[" * 100_000 + b',"check":"0123456789abcdef"}\n'
        contents = [b"", b"\n", b"\0" * 1000, os.urandom(5000), header[:-1], right[:-1], b"[]", header + deep]
        for value in (None, True, 1.5, -1, 10**30, "", "\ud800", [], {}, [[]]):
            for kind, field in (("match", None), ("entry", None), ("end", None), ("croupier", None)):
                contents.append(self.with_value(kind, field, value))
            for kind in ("match", "entry", "end"):
                held = next(line[kind] for line in tiny() if kind in line)
                contents += [self.with_value(kind, field, value) for field in held if field not in ("players", "request_digest")]
        for n, content in enumerate(contents):
            if content == right:
                continue
            code, out = run("--json", "--jobs", 1, self.file("bad.jsonl", content))
            wrong = json.loads(out)["wrong"]
            self.assertTrue(code == 1 and wrong and wrong[0]["reason"], content[-300:])
        code, out = run("--json", self.folder, self.folder / "none")
        self.assertEqual((code, len(json.loads(out)["wrong"])), (1, 2))

    def with_value(self, kind, field, value):
        lines = tiny()
        line = next(line for line in lines if kind in line)
        if field is None:
            line[kind] = value
        else:
            line[kind][field] = value
        return text_with_surrogates(lines)

    def test_what_was_kept_from_before_the_match_must_be_in_its_record(self):
        path = self.file("right.jsonl", archives.text_of(tiny()))
        kept = "--commitment", tiny()[1]["match"]["seed_commitment"], "--contribution", "1=" + b"y".hex()
        self.assertEqual(run(*kept, path)[0], 0)
        for wrong in (("--commitment", "00" * 32), ("--contribution", "0=" + b"y".hex()), ("--contribution", "7")):
            code, out = run("--json", *wrong, path)
            self.assertEqual((code, len(json.loads(out)["wrong"])), (1, 1), wrong)

    def test_a_receipt_shows_what_was_changed_or_cut_short(self):
        receipt, keys = signed_receipt(tiny(), 4)
        receipt, keys = self.file("receipt", receipt), self.file("jwks.json", keys)
        code, out = run("--json", "--receipt", receipt, "--keys", keys, self.file("right.jsonl", archives.text_of(tiny())))
        self.assertEqual((code, json.loads(out)["wrong"]), (0, []))
        changed, short = tiny(seed=bytes(32)), tiny()
        del short[5:7]
        short[-1]["end"]["entries"] = 3
        another = tiny(name=archives.MATCH[:-1] + "2")
        for lines, reason, position in (
            (changed, "it is not the entry of the receipt", 4),
            (short, "it was cut short", 4),
            (another, "there is no record of the match", 4),
        ):
            path = self.file("wrong.jsonl", archives.text_of(lines))
            code, out = run("--json", "--receipt", receipt, "--keys", keys, path)
            (wrong,) = json.loads(out)["wrong"]
            self.assertEqual((code, wrong["position"]), (1, position))
            self.assertIn(reason, wrong["reason"])

    def test_a_receipt_that_is_not_signed_by_the_service_proves_nothing(self):
        right = self.file("right.jsonl", archives.text_of(tiny()))
        receipt, keys = signed_receipt(tiny(), 4)
        _, other = signed_receipt(tiny(), 4, secret=2)
        head, payload, signature = receipt.split(b".")
        for given, by in (
            (receipt, other),
            (receipt[:-6] + b"AAAAAA", keys),
            (b".".join((head, payload[:-1], signature)), keys),
            (b"..", keys),
            (b"", keys),
            (b"\xff", keys),
            (receipt, b"[]"),
            (receipt, b'{"keys":[7]}'),
            (receipt, b"{"),
        ):
            paths = "--receipt", self.file("receipt", given), "--keys", self.file("jwks.json", by)
            code, out = run("--json", *paths, right)
            self.assertEqual((code, len(json.loads(out)["wrong"])), (1, 1), (given, by))


class TheService(unittest.TestCase):
    """A service in this process, which answers `ReadRecord` over REST."""

    def ask(self, match, answers, token="secret"):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_right = (self.path, self.headers["Authorization"]) == (f"/v1/{match}/record", "Bearer secret")
                self.send_response(200 if is_right else 401)
                self.end_headers()
                for answer in answers if is_right else [{"message": "who are you?"}]:
                    self.wfile.write(json.dumps(answer).encode() + b"\n")

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            code, out = run("--json", "--url", address, "--token", token, match)
            server.shutdown()
        return code, json.loads(out)

    def test_a_record_over_the_api_is_an_archive_in_parts(self):
        lines = archives.text_of(tiny()).decode().splitlines()
        answers = [{"lines": lines[:3]}, {"lines": []}, {"lines": lines[3:]}]
        code, result = self.ask(archives.MATCH, answers)
        self.assertEqual((code, result["verified"], result["wrong"]), (0, 1, []))

    def test_what_is_not_the_record_is_wrong(self):
        lines = archives.text_of(tiny()).decode().splitlines()
        for match, answers, reason in (
            (archives.MATCH, [{"lines": lines[:4]}, {"error": {"message": "it broke"}}], "it broke"),
            (archives.MATCH, [{"lines": lines[:4]}], "it was cut off"),
            (archives.MATCH, [{"lines": lines[:1]}], "another record"),
            (archives.MATCH, [{"lines": [7]}], "not a line"),
            (archives.MATCH, [7], "the service answered 7"),
            (archives.MATCH, [], "it is empty"),
            (archives.MATCH[:-1] + "2", [{"lines": lines}], "another record"),
            (archives.MATCH[:-1], [], "is not the name of a match"),
        ):
            code, result = self.ask(match, answers)
            self.assertEqual(code, 1)
            self.assertIn(reason, str(result["wrong"]), answers)
        code, result = self.ask(archives.MATCH, [{"lines": lines}], token="other")
        self.assertEqual(code, 1)
        self.assertIn("401", result["wrong"][0]["reason"])


def text_with_surrogates(lines):
    """JSON may escape half of a character, which no text has."""
    try:
        return archives.text_of(lines)
    except UnicodeEncodeError:
        text = json.dumps(lines).replace("\\ud800", "half")
        return archives.text_of(json.loads(text)).replace(b'"half"', b'"\\ud800"')


def signed_receipt(lines, position, secret=1):
    """A receipt for an entry, and the keys that verify it."""
    entry = next(line["entry"] for line in lines if line.get("entry", {}).get("position") == position)
    stated = {"iat": 0, "match": lines[1]["match"]["name"], "position": position}
    stated |= {"digest": entry["digest"], "create_time": entry["create_time"]}
    header = {"typ": "croupier-receipt+jwt", "alg": "EdDSA", "kid": "1"}
    coded = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    message = b".".join(coded(json.dumps(it).encode()) for it in (header, stated))
    public, signature = sign(secret, message)
    key = {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "1", "x": coded(public).decode()}
    return message + b"." + coded(signature), json.dumps({"keys": [key]}).encode()


def sign(secret, message):
    """An Ed25519 signature by a small secret number; enough to be verified, not to be safe."""
    encode = lambda point: (point[1] | point[0] % 2 << 255).to_bytes(32, "little")
    public, nonce = encode(ed25519.multiply(ed25519.BASE, secret)), 12345
    point = encode(ed25519.multiply(ed25519.BASE, nonce))
    h = int.from_bytes(ed25519.hashlib.sha512(point + public + message).digest(), "little")
    return public, point + ((nonce + h * secret) % ed25519.ORDER).to_bytes(32, "little")


class Primitives(unittest.TestCase):
    def test_chacha8_is_the_published_one(self):
        """The first of the vectors in `draft-strombergson-chacha-test-vectors`."""
        words = chacha8.words(bytes(32), 0, 1)
        stream = b"".join(next(words).to_bytes(4, "little") for _ in range(16))
        self.assertEqual(stream[:16].hex(), "3e00ef2f895f40d67f5bb8e81f09a5a1")

    def test_blocks_are_the_same_side_by_side(self):
        key, stream, first = tuple(range(8)), (1 << 40) + 5, (1 << 32) - 1
        one_by_one = [it for n in range(3) for it in chacha8.block_words(key, stream, first + n, 1)]
        self.assertEqual(chacha8.block_words(key, stream, first, 3), one_by_one)

    def test_ed25519_is_that_of_rfc_8032(self):
        """Section 7.1, TEST 2."""
        key = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        signature = bytes.fromhex(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )
        self.assertTrue(ed25519.is_signed(key, b"\x72", signature))
        self.assertFalse(ed25519.is_signed(key, b"\x73", signature))
        for at in range(64):
            wrong = bytes(byte ^ (n == at) for n, byte in enumerate(signature))
            self.assertFalse(ed25519.is_signed(key, b"\x72", wrong), at)


if __name__ == "__main__":
    unittest.main()
