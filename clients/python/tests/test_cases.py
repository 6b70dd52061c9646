"""The verifier on the cases that every verifier decides alike."""

import base64
import json
import pathlib
import unittest
from dataclasses import asdict

from blake3 import blake3

from croupier import outcome, verify

TABLE = json.loads((pathlib.Path(__file__).parents[3] / "tests" / "vectors" / "cases.json").read_bytes())


class Cases(unittest.TestCase):
    def test_every_case_is_decided_as_expected(self):
        self.assertGreater(len(TABLE["cases"]), 200)
        for case in TABLE["cases"]:
            with self.subTest(case["name"]):
                expected = case.get("without_rules", case["expected"])
                report, found = decided(case)
                self.assertEqual({"answer": report["answer"], "found": found}, expected)

    def test_the_sources_of_chance_of_proven_matches(self):
        of_matches = 0
        for case in TABLE["cases"]:
            if expected := case.get("entropy"):
                report = verify.verify(content(case), kept(case, [])[0])
                self.assertEqual([it.entropy for it in report.matches], expected, case["name"])
                of_matches += len(expected)
        self.assertGreater(of_matches, 20)

    def test_the_players_of_proven_matches(self):
        proven = 0
        for case in TABLE["cases"]:
            if expected := case.get("players"):
                report = verify.verify(content(case), kept(case, [])[0])
                self.assertEqual([asdict(it.players) for it in report.matches], expected, case["name"])
                proven += sum(it.players.proven for it in report.matches)
        self.assertGreater(proven, 10)

    def test_each_reason_has_a_sentence_and_each_wrong_line_its_number(self):
        for case in TABLE["cases"]:
            report, _ = decided(case)
            for it in report["wrong"] + report["unproven"]:
                self.assertTrue(it["reason"], case["name"])
                of_line = it["code"].startswith(("LINE_", "CHECK_", "BODY_", "DIGEST_", "MATCH_", "END_", "SEED_"))
                self.assertTrue("line" in it or not of_line, case["name"])

    def test_it_knows_the_versions_of_the_rules_of_this_release(self):
        self.assertEqual(verify.RULES, TABLE["rules"])


def decided(case):
    """The result of a case, and the findings as the table has them."""
    refused = []
    given, tally = kept(case, refused)[0], outcome.Tally()
    if "lines" in case:
        blocks = verify.split(verify.lines_of(content(case)))
        found = (it if isinstance(it, outcome.Finding) else verify.verify_block(given, it) for it in blocks)
        for _ in tally.add_all(found, given, case["name"]):
            pass
        tally.close(given.receipts)
    else:
        tally.compare(given.receipts)
    tally.note(refused)
    report = tally.told()
    listed = report["wrong"] if report["answer"] == "WRONG" else report["unproven"]
    return report, [{key: it[key] for key in ("match", "position", "code") if key in it} for it in listed]


def kept(case, refused):
    given, receipts = case.get("kept", {}), []
    for nth, jws in enumerate(given.get("receipts", [])):
        try:
            receipts.append(verify.read_receipt(jws, TABLE["keys"], str(nth)))
        except outcome.Problem as problem:
            refused.append(outcome.Finding(problem.code, str(problem)))
    contributions = {int(seat): bytes.fromhex(it) for seat, it in given.get("contributions", {}).items()}
    may_be_unfinished, commitment = given.get("may_be_unfinished", False), given.get("commitment")
    return verify.Kept(given.get("match"), may_be_unfinished, commitment, contributions, receipts), receipts


def content(case):
    """The bytes of a case's file."""
    written, check = [], b""
    for nth in case["lines"]:
        line = TABLE["lines"][nth]
        if isinstance(line, dict) and "fill" in line:
            line = line["before"] + line["fill"] * line["times"] + line["after"]
        if isinstance(line, str):
            bare = line.encode()
            check = b"" if bare.startswith((b'{"croupier":', b'{"match":')) else check
            check = blake3(check + bare).hexdigest()[:16].encode()
            written.append(bare[:-1] + b',"check":"' + check + b'"}\n')
            continue
        raw = base64.b64decode(line["raw_base64"]) if "raw_base64" in line else line["raw"].encode()
        written.append(raw)
        _, found, stated = raw.rstrip().rpartition(b'"check":"')
        if found and stated.endswith(b'"}'):
            check = stated[:-2]
    return b"".join(written)


if __name__ == "__main__":
    unittest.main()
