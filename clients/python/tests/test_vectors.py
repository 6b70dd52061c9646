"""The verifier on the test vectors that the service's own code makes."""

import base64
import itertools
import json
import pathlib
import tempfile
import unittest

from croupier import chacha8, stored, verify

from . import archives, mutations
from .test_verify import run

FOLDER = pathlib.Path(__file__).parents[3] / "tests" / "vectors"


def vectors(file):
    return json.loads((FOLDER / file).read_bytes())


class Vectors(unittest.TestCase):
    def test_commitments(self):
        for it in vectors("chance.json")["commitments"]:
            self.assertEqual(verify.blake3(bytes.fromhex(it["seed"])).hexdigest(), it["seed_commitment"])

    def test_keys_streams_and_choices(self):
        streams = vectors("chance.json")["streams"]
        for it in streams:
            given = [(by["seat"], bytes.fromhex(by["contribution"])) for by in it["contributions"]]
            key = verify.chance_key(verify.match_id(it["match"]), bytes.fromhex(it["seed"]), given)
            self.assertEqual(key.hex(), it["key"])
            words = list(itertools.islice(chacha8.words(key, it["stream"], 0), len(it["words"])))
            self.assertEqual(words, it["words"])
            used = Counting(words)
            self.assertEqual([[bound, verify.choose(used, bound)] for bound, _ in it["choices"]], it["choices"])
            self.assertEqual(used.count, it["words_used"])
        self.assertTrue(any(len(it["contributions"]) > 1 and it["stream"] >> 32 for it in streams))

    def test_digests_of_matches(self):
        creations = vectors("digests.json")["creations"]
        for it in creations:
            self.assertEqual(verify.creation_digest(it["match"]).hex(), it["digest"])
        self.assertEqual({"follows" in it["match"] for it in creations}, {False, True})

    def test_digests_of_entries(self):
        for it in vectors("digests.json")["entries"]:
            entry, key = it["entry"], verify.digest_key(verify.match_id(it["match"]), bytes.fromhex(it["seed"]))
            position, time, seat = entry["position"], verify.micros(entry["create_time"]), entry.get("seat")
            before, body = bytes.fromhex(it["before"]), base64.b64decode(entry["body"])
            digest = verify.entry_digest(key, before, position, time, seat, entry.get("request_id"), body)
            self.assertEqual(digest.hex(), entry["digest"])

    def test_records(self):
        for file, expected, entropy in (
            ("record.jsonl", (0, "PROVEN", {}), "shared_unordered"),
            ("record-service-only.jsonl", (0, "PROVEN", {}), "service_only"),
            ("record-players.jsonl", (0, "PROVEN", {}), "shared_unordered"),
            ("record-earlier.jsonl", (3, "NOT_PROVEN", {"NO_PROOFS": 1}), "service_only"),
        ):
            code, out = run("--json", FOLDER / file)
            result = json.loads(out)
            self.assertEqual((code, result["answer"], result["unproven_counts"]), expected, file)
            self.assertEqual((result["wrong"], result[entropy]), ([], 1), file)
            self.assertEqual(result["choices"] > 0, code == 0, file)
            players = [result[f"players_{it}"] for it in ("proven", "erased", "not_covered")]
            self.assertEqual(players, [2, 1, 0] if file == "record-players.jsonl" else [0, 0, 0], file)

    def test_the_example_of_players_is_that_record(self):
        page = (FOLDER.parents[1] / "docs" / "verify.md").read_text()
        lines = archives.lines_of((FOLDER / "record-players.jsonl").read_bytes())
        bodies = [base64.b64decode(lines[position + 1]["entry"]["body"]) for position in (1, 7)]
        commitments = [stored.decode(body).players for body in bodies]
        self.assertEqual([[*it] for it in commitments], [[0, 1], [1]])
        for body, players in zip(bodies, commitments):
            self.assertTrue(body.endswith(b"".join([*players.values()][-1:])))
            self.assertTrue(all(it.hex() in page for it in players.values()))

    def test_the_worked_example_is_that_record(self):
        page = (FOLDER.parents[1] / "docs" / "verify.md").read_text()
        lines = archives.lines_of((FOLDER / "record.jsonl").read_bytes())
        head, entry = lines[1]["match"], lines[2]["entry"]
        match = verify.Match(head)
        match.entry(entry)
        entry_key = verify.blake3((1).to_bytes(8, "little"), key=match.digests).hexdigest()
        words = itertools.islice(chacha8.words(match.key, 0, 4), 4)
        for name, value in (
            ("name", head["name"]),
            ("seed", head["seed"]),
            ("seed_commitment", head["seed_commitment"]),
            ("create_time", head["create_time"]),
            ("digest 0", verify.creation_digest(head).hex()),
            ("match key", match.digests.hex()),
            ("entry key", entry_key),
            ("digest", entry["digest"]),
            ("key", match.key.hex()),
            ("stream 0", " ".join(f"{word:08x}" for word in words)),
        ):
            self.assertRegex(page, rf"    {name} +{value}", name)

    def test_no_random_change_of_a_record_is_missed(self):
        counted, missed = mutations.run((FOLDER / "record.jsonl").read_bytes(), 2000, 1)
        self.assertEqual(missed, [])
        self.assertEqual(counted.keys(), mutations.MUTATIONS.keys())

    def test_receipts(self):
        for name in ("receipt.json", "receipt-of-a-term.json"):
            with self.subTest(name):
                self.check_receipt(vectors(name))

    def check_receipt(self, it):
        with tempfile.TemporaryDirectory() as folder:
            receipt, answer, keys = (pathlib.Path(folder) / name for name in ("receipt", "answer.json", "jwks.json"))
            receipt.write_text(it["jws"])
            answer.write_text(json.dumps({"receipt": {"jws": it["jws"]}}))
            keys.write_text(json.dumps(it["keys"]))
            for given in (receipt, answer):
                code, out = run("--receipt", given, "--keys", keys, FOLDER / "record.jsonl")
                self.assertEqual(code, 0, out)
                code, out = run("--json", "--receipt", given, "--keys", keys, FOLDER / "record-service-only.jsonl")
                (wrong,) = json.loads(out)["wrong"]
                self.assertEqual((code, wrong["code"], wrong["receipt"]), (1, "RECEIPT_DIFFERS", str(given)))
                self.assertTrue(wrong["position"], wrong)


class Counting:
    """Counts the words that are taken."""

    def __init__(self, words):
        self.words, self.count = iter(words), 0

    def __next__(self):
        self.count += 1
        return next(self.words)


if __name__ == "__main__":
    unittest.main()
