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

CONTRIBUTIONS = [(0, b"x" * 32), (1, b"y" * 16)]
BOUNDS = [[52] * 30, [6], [], [3_000_000_000] * 50, [1, 1, 2]]


def tiny(**given):
    return archives.match_lines(BOUNDS, **({"contributions": CONTRIBUTIONS} | given))


def run(*arguments):
    """The exit code of the command and what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        code = command.main([str(it) for it in arguments])
    return code, out.getvalue()


class TheVerifier(unittest.TestCase):
    def code(self, lines):
        found, _ = archives.verified(archives.text_of(lines))
        self.assertEqual(len(found), 1, found)
        return found[0]["code"]

    def test_a_right_record_is_right(self):
        follows = {"previous": archives.MATCH, "number": 3, "wins": [1, 0], "best_of": 5}
        for given in ({}, {"contributions": []}, {"follows": follows}, {"follows": follows | {"best_of": None}}):
            _, matches = archives.verified(archives.text_of(tiny(**given)))
            self.assertEqual([(it.answer, it.entries, it.choices) for it in matches], [("PROVEN", 5, 84)])

    def test_a_record_without_proofs_is_not_proven(self):
        lines = tiny(rules=0, contributions=[])
        self.assertEqual(self.code(lines), "NO_PROOFS")
        with self.assertRaises(verify.NotProven) as raised:
            verify.verify_record(archives.text_of(lines))
        self.assertIn("[NO_PROOFS]", str(raised.exception))

    def test_what_it_is_told_is_a_file_a_text_or_lines(self):
        content = archives.text_of(tiny())
        text = content.decode()
        for record in (content, text, text.splitlines(), iter(text.splitlines()), [text[:-1]]):
            self.assertEqual(verify.verify(record, verify.Kept(match=archives.MATCH)).answer, "PROVEN")
        self.assertEqual(verify.verify_record(content)["proven"], 1)

    def test_a_record_of_a_service_is_of_one_match_and_has_an_end(self):
        head, *lines = tiny()
        other = tiny(name=archives.MATCH[:-1] + "2")[1:]
        cut = archives.match_lines(BOUNDS)
        cut[1]["match"]["secret_seed"] = cut[1]["match"].pop("seed")
        del cut[-2]
        cut[-1]["end"]["entries"] -= 1
        for record, code in (
            ([head, *lines, *other], "OTHER_MATCH"),
            ([head, *lines, *lines], "OTHER_MATCH"),
            ([head], "OTHER_MATCH"),
            (cut, "INCOMPLETE"),
        ):
            with self.assertRaises(verify.Altered) as raised:
                verify.verify_record(archives.text_of(record), verify.Kept(match=archives.MATCH))
            self.assertEqual([it.code for it in raised.exception.report.wrong], [code])
        with self.assertRaises(verify.NotProven) as raised:
            verify.verify_record(archives.text_of(cut), verify.Kept(match=archives.MATCH, may_be_unfinished=True))
        self.assertEqual([it.code for it in raised.exception.report.unproven], ["UNFINISHED"])

    def test_no_random_change_is_missed(self):
        counted, missed = mutations.run(archives.text_of(tiny()), 4000, random.randrange(1 << 32))
        self.assertEqual(missed, [])
        self.assertEqual(counted.keys(), mutations.MUTATIONS.keys())

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
            self.assertRegex(self.code(archives.seal(lines)), "^(BODY|CHOICE)_INVALID$", stored)

    def test_archives_of_several_matches_name_the_wrong_ones(self):
        names = [archives.MATCH[:-1] + digit for digit in "123"]
        lines = [tiny(name=name)[1:] for name in names]
        lines[1][2]["entry"]["verb"] = "fold"
        wrong, matches = archives.verified(archives.text_of(tiny()[:1] + sum(lines, [])))
        self.assertEqual([(it["match"], it["line"], it["position"]) for it in wrong], [(names[1], 11, 2)])
        self.assertEqual([it.match for it in matches], names)
        self.assertEqual([it.answer for it in matches], ["PROVEN", "WRONG", "PROVEN"])

    def test_a_stranger_cannot_fill_memory_or_time(self):
        """Each of these is one line, or one match, as large as is read at all."""
        header = archives.text_of(tiny()[:1])
        most = verify.LINE_MAX - 100
        for filling in ("[" * most, '{"a":' * (most // 5), '"' + '\\"' * (most // 2), "[" + "1," * (most // 2), "1" * most):
            (found,) = verify.verify(header + sealed('{"match":' + filling + "}")).wrong
            self.assertEqual((found.code, found.line), ("LINE_INVALID", 2))
            self.assertLessEqual(len(found.reason), 1_001)
        (found,) = verify.verify(header + b'{"match":' + b"x" * (3 * verify.LINE_MAX)).wrong
        self.assertEqual(found.code, "LINE_TOO_LONG")

    def test_of_a_match_that_is_too_large_the_rest_is_not_read_and_the_next_one_is_verified(self):
        header, match, *lines = tiny()
        head = {name: held for name, held in match["match"].items() if name != "seed"}
        stored = base64.b64encode(archives.body(None, "wait")).decode()
        entry = {"verb": "wait", "create_time": head["create_time"], "body": stored, "more": "x" * (verify.LINE_MAX - 1000)}
        entries = [{"entry": {"position": position} | entry} for position in range(1, 67)]
        end = {"end": {"name": head["name"], "entries": 66}}
        content = archives.text_of([header, {"match": head}, *entries, end, match, *lines])
        report = verify.verify(content)
        self.assertEqual([(it.code, it.line, it.position) for it in report.unproven], [("TOO_LARGE", 67, 65)])
        self.assertEqual([it.answer for it in report.matches], ["NOT_PROVEN", "PROVEN"])
        kept = [sum(map(len, it.lines)) for it in verify.split(verify.lines_of(content))]
        self.assertLessEqual(max(kept), verify.MATCH_MAX)


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
        expected = {"answer": "PROVEN", "checks_rules": False, "matches": 1, "entries": 5, "choices": 84}
        expected |= {"proven": 1, "not_proven": 0, "wrong_matches": 0, "anchored": 0, "receipts": []}
        expected |= {"shared": 1, "shared_unordered": 0, "service_only": 0}
        expected |= {"players_proven": 0, "players_erased": 0, "players_not_covered": 0}
        expected |= {"wrong": [], "unproven": [], "unproven_counts": {}}
        self.assertEqual((code, json.loads(out)), (0, expected))
        code, out = run(path)
        self.assertEqual(code, 0)
        self.assertRegex(out, "^1 match, 5 entries, 84 random choices: all proven.\n")

    def test_its_exit_code_tells_the_answer(self):
        right, wrong = tiny(), tiny()
        wrong[3]["entry"]["verb"] = "fold"
        for lines, expected, words in (
            (right, 0, "all proven"),
            (wrong, 1, r"WRONG: .* \[BODY_DIFFERS\]\n"),
            (tiny(rules=0, contributions=[]), 3, r"not proven: .* \[NO_PROOFS\]\n"),
            (right[:1], 3, r"\[NO_MATCH\]"),
        ):
            code, out = run(self.file("some.jsonl", archives.text_of(lines)))
            self.assertEqual(code, expected, out)
            self.assertRegex(out, words)

    def test_many_matches_are_shared_among_processes(self):
        names = [f"{archives.MATCH[:-3]}{n:03x}" for n in range(command.BATCH + 10)]
        lines = [archives.match_lines([[6]], name=name)[1:] for name in names]
        lines[-1][1]["entry"]["verb"] = "fold"
        path = self.file("many.jsonl", archives.text_of(tiny()[:1] + sum(lines, [])))
        code, out = run("--json", "--jobs", 2, path)
        result = json.loads(out)
        self.assertEqual((code, result["matches"], result["proven"]), (1, len(names), len(names) - 1))
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
        contribution = (b"y" * 16).hex()
        kept = "--commitment", tiny()[1]["match"]["seed_commitment"].upper(), "--contribution", f"1={contribution}"
        self.assertEqual(run(*kept, path)[0], 0)
        for wrong, expected in (
            (("--commitment", "00" * 32), "COMMITMENT_DIFFERS"),
            (("--contribution", f"0={contribution}"), "CONTRIBUTION_DIFFERS"),
            (("--contribution", f"7={contribution}"), "CONTRIBUTION_DIFFERS"),
        ):
            code, out = run("--json", *wrong, path)
            self.assertEqual((code, [it["code"] for it in json.loads(out)["wrong"]]), (1, [expected]))
        for call in (("--contribution", "7"), ("--commitment", "00"), (*kept, path)):
            with self.assertRaises(SystemExit) as raised:
                run(*call, path)
            self.assertEqual(raised.exception.code, 2, call)

    def test_a_receipt_shows_what_was_changed_or_cut_short(self):
        receipt, keys = signed_receipt(tiny(), 4)
        receipt, keys = self.file("receipt", receipt), self.file("jwks.json", keys)
        code, out = run("--json", "--receipt", receipt, "--keys", keys, self.file("right.jsonl", archives.text_of(tiny())))
        self.assertEqual((code, json.loads(out)["wrong"]), (0, []))
        changed, short = tiny(seed=bytes(32)), tiny()
        del short[5:7]
        short[-1]["end"]["entries"] = 3
        another = tiny(name=archives.MATCH[:-1] + "2")
        short[-2]["entry"] = archives.match_lines(BOUNDS[:3], CONTRIBUTIONS)[4]["entry"]
        for lines, expected, position in (
            (changed, "RECEIPT_DIFFERS", 4),
            (short, "RECEIPT_BEYOND_END", 4),
            (another, "RECEIPT_OF_OTHER_MATCH", 4),
        ):
            path = self.file("wrong.jsonl", archives.text_of(lines))
            code, out = run("--json", "--receipt", receipt, "--keys", keys, path)
            (wrong,) = json.loads(out)["wrong"]
            self.assertEqual((code, wrong["position"], wrong["code"]), (1, position, expected))

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
        self.assertEqual((code, result["proven"], result["wrong"]), (0, 1, []))

    def test_what_is_not_the_record_is_wrong(self):
        lines = archives.text_of(tiny()).decode().splitlines()
        for match, answers, reason in (
            (archives.MATCH, [{"lines": lines[:4]}, {"error": {"message": "it broke"}}], "it broke"),
            (archives.MATCH, [{"lines": lines[:4]}], "was cut off"),
            (archives.MATCH, [{"lines": lines[:1]}], "tells no match"),
            (archives.MATCH, [{"lines": [7]}], "not a line"),
            (archives.MATCH, [7], "the service answered 7"),
            (archives.MATCH, [], "the file is empty"),
            (archives.MATCH[:-1] + "2", [{"lines": lines}], "OTHER_MATCH"),
        ):
            code, result = self.ask(match, answers)
            self.assertEqual(code, 1)
            self.assertIn(reason, str(result["wrong"]), answers)
        code, result = self.ask(archives.MATCH, [{"lines": lines}], token="other")
        self.assertEqual(code, 1)
        self.assertIn("401", result["wrong"][0]["reason"])


def sealed(bare):
    """A line of a match with this content, with its check."""
    return f'{bare[:-1]},"check":"{verify.blake3(bare.encode()).hexdigest()[:16]}"}}\n'.encode()


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

    def encode(point):
        x, y, z, _ = point
        inverse = pow(z, -1, ed25519.P)
        x, y = x * inverse % ed25519.P, y * inverse % ed25519.P
        return (y | x % 2 << 255).to_bytes(32, "little")

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
