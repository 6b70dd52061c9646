"""What a client keeps of a service's transparency log, and what it says when that contradicts
itself."""

import base64
import json
import re
import subprocess
import time
import unittest
from collections.abc import Callable
from typing import Any

from croupier import aio, look, notes, v1
from croupier.blocking import Croupier, Keeper
from croupier.keeping import Complaint, KeptMatch
from croupier.outcome import Problem
from tests.service import BINARY, REPOSITORY, Service, ServiceTestCase

VECTORS = json.loads((REPOSITORY / "tests" / "vectors" / "looks.json").read_bytes())
NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"


class Vectors(unittest.TestCase):
    def test_what_a_log_tells_is_judged_as_the_service_itself_judges_it(self) -> None:
        for it in VECTORS["looks"]:
            with self.subTest(it["name"]):
                asked = dict(it["look"])
                if about := asked.pop("match"):
                    about["end"] = about["end"] and tuple(about["end"])
                    asked["match"] = look.AboutMatch(**about)
                told = look.Look(**asked)
                needed = it["needed"] and tuple(it["needed"])
                self.assertEqual(look.needed_consistency(told), needed)
                if it["expected"] is None:
                    with self.assertRaises(Problem):
                        look.compare(told)
                    continue
                expected = {"evidence": [], "checkpoint": None, "index": None, "time": None}
                looked = vars(look.compare(told))
                codes = [found.code for found in looked.pop("findings")]
                looked["evidence"] = list(looked["evidence"])
                self.assertEqual(looked | {"codes": codes}, expected | it["expected"])
        self.assertGreater(len(VECTORS["looks"]), 30)

    def test_the_log_that_follows_is_found_by_the_statements_of_both(self) -> None:
        for it in VECTORS["successions"]:
            key = notes.VerifierKey.parse(it["log_key"])
            found = [[of.next, of.last.size] for of in notes.follow(key, it["statements"])]
            self.assertEqual(found, it["expected"], it["name"])

    def test_proofs_with_which_others_are_tested_hold_or_do_not(self) -> None:
        vectors = json.loads((REPOSITORY / "tests" / "vectors" / "rfc6962.json").read_bytes())

        def tree(size: int, root: str) -> notes.Checkpoint:
            return notes.Checkpoint("", size, base64.b64decode(root))

        for it in vectors["inclusion"]:
            with self.subTest(it["name"]):
                now, leaf = tree(it["size"], it["root"]), base64.b64decode(it["leaf"])
                proof = notes.parse_hashes(it["proof"])
                holds = proof is not None and notes.is_included(it["index"], now, leaf, proof)
                self.assertEqual(holds, it["holds"])
        for it in vectors["consistency"]:
            with self.subTest(it["name"]):
                old, now = tree(it["old_size"], it["old_root"]), tree(it["size"], it["root"])
                proof = notes.parse_hashes(it["proof"])
                holds = proof is not None and notes.is_continued(old, now, proof)
                self.assertEqual(holds, it["holds"])
        self.assertGreater(len(vectors["inclusion"]) + len(vectors["consistency"]), 150)

    def test_the_example_of_the_specification_is_verified(self) -> None:
        key = notes.VerifierKey.parse(KEY)
        notes.Note.parse(NOTE).verify(key)
        with self.assertRaises(Problem):
            notes.Note.parse(NOTE.replace("message", "massage")).verify(key)
        with self.assertRaises(Problem):
            notes.VerifierKey.parse(KEY.replace("foo", "bar"))


class Kept(ServiceTestCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        begin = [BINARY, "transparency", "begin", "play.example/log", "--data", cls.service.data]
        subprocess.run(list(map(str, begin)), check=True, stdout=subprocess.DEVNULL)
        cls.client = cls.connect(cls.service)
        until(lambda: cls.client.page("/log/checkpoint"))

    @classmethod
    def connect(cls, service: Service) -> Croupier:
        client = Croupier(service.url, credentials=service.key)
        cls.addClassCleanup(client.close)
        return client

    def create(self, *players: str) -> v1.Match:
        return self.client.matches.create("mountebank", 2, players)

    def test_proofs_are_kept_and_a_tampered_one_is_refused(self) -> None:
        store = Store()
        keeper = Keeper(self.client, store=store)
        opened, shared = self.create("ann"), self.create("ann")
        self.assertEqual(keeper.await_opening(opened, 60), [])
        kept = keeper.match(opened.name)
        self.assertTrue(kept.came_first)
        self.assertRegex(kept.opened_proof, r"^c2sp\.org/tlog-proof@v1\nextra AQ[E-H]")
        self.assertEqual(keeper.look(opened), [], "it is not dealt yet")
        match = self.client.match(opened.name, seat=0)
        self.client.match(opened.name).join("bob")
        end = match.resign()
        until(lambda: self.client.page(proof("closed", opened)))
        over = match.get()
        self.assertEqual(over.position, end.position)
        self.assertEqual(keeper.look(over), [])
        after = keeper.match(opened.name)
        self.assertEqual(after.opened_proof, kept.opened_proof, "the one from before is kept")
        self.assertRegex(after.closed_proof, r"\nextra AQ[I-L]")
        self.assertEqual(after.receipt.count("."), 2)
        # Another keeper of the same store goes on with what this one kept.
        again = Keeper(self.client, store=store)
        self.assertEqual((again.match(opened.name), again.look(over)), (after, []))
        self.assertTrue(again.log().checkpoint.startswith("play.example/log\n"))

        def moved(page: str) -> str:
            return re.sub(r"\nindex (\d+)", lambda it: f"\nindex {int(it[1]) + 1}", page)

        complaints = Keeper(Tampered(self.client, moved)).await_opening(shared, 60)
        self.assertEqual(codes(complaints), ["LOG_PROOF_INVALID"])
        self.assertTrue(complaints[0].evidence[0].startswith("c2sp.org/tlog-proof@v1\n"))
        # The proof of another match holds, and is of no use.
        keeper = Keeper(Tampered(self.client, lambda _: kept.opened_proof), store=store)
        self.assertEqual(codes(keeper.await_opening(shared, 60)), ["LOG_DIFFERS"])
        self.assertEqual(keeper.match(shared.name), KeptMatch())
        # So is a key that is not the log's.
        other = KEY.replace("example.com/foo", "play.example/log")
        with self.assertRaises(Problem):
            Keeper(self.client, log_key=other).await_opening(shared, 60)

    async def test_it_keeps_with_asyncio(self) -> None:
        dealt = self.create("ann", "bob")
        async with aio.Croupier(self.service.url, credentials=self.service.key) as client:
            store = Later()
            keeper = aio.Keeper(client, store=store)
            self.assertEqual(await keeper.await_opening(dealt, 60), [])
            self.assertEqual(await keeper.look(dealt), [])
            kept = await keeper.match(dealt.name)
            self.assertTrue(kept.came_first and kept.receipt)
            self.assertEqual(sorted(store.texts), ["log", dealt.name])

    def test_two_histories_are_shown_by_the_statements_that_one_key_signed(self) -> None:
        dealt, opened = self.create("ann", "bob"), self.create("ann")
        until(lambda: self.client.page(proof("opened", opened)))
        # Whoever has the database lets a copy of it go on otherwise.
        self.service.stop()
        fork = Service(copied=self.service.data)
        self.addCleanup(fork.close)
        self.service.start()
        store = Store()
        one, other = (Keeper(self.connect(it), store=store) for it in (self.service, fork))
        self.assertEqual(other.look(dealt), [], "until now it is one history")
        ends = list[v1.Match]()
        for seat, service in enumerate((self.service, fork)):
            client = self.connect(service)
            client.match(dealt.name, seat=seat).resign()
            until(lambda: client.page(proof("closed", dealt)))
            ends.append(client.match(dealt.name).get())
        self.assertEqual(ends[0].position, ends[1].position)
        self.assertEqual(one.look(ends[0]), [])
        kept = one.match(dealt.name), one.log()
        complaints = other.look(ends[1])
        self.assertEqual(codes(complaints)[:2], ["RECEIPTS_CONTRADICT", "LOG_CONTRADICTS"])
        for it, statement in zip(complaints, (kept[0].receipt, kept[1].checkpoint)):
            self.assertEqual((len(it.evidence), it.evidence[0]), (2, statement))
            self.assertNotEqual(it.evidence[1], statement)
        self.assertEqual((one.match(dealt.name), one.log()), kept, "what was kept stays")
        self.assertEqual(codes(other.await_opening(opened, 60)), ["LOG_CONTRADICTS"])
        self.assertFalse(other.match(opened.name).came_first)


class Store:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        return self.texts.get(name)

    def put(self, name: str, text: str) -> None:
        self.texts[name] = text


class Later:
    """A store that has to be waited for."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    async def get(self, name: str) -> str | None:
        return self.texts.get(name)

    async def put(self, name: str, text: str) -> None:
        self.texts[name] = text


class Tampered:
    """A client to which proofs are told otherwise."""

    def __init__(self, client: Croupier, change: Callable[[str], str]) -> None:
        self._client = client
        self._change = change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def page(self, path: str) -> str | None:
        page = self._client.page(path)
        return self._change(page) if page and path.startswith("/log/proof/") else page


def proof(kind: str, match: v1.Match) -> str:
    return f"/log/proof/{kind}/{match.name.removeprefix('matches/')}"


def until(told: Callable[[], object]) -> None:
    while not told():
        time.sleep(0.05)


def codes(complaints: list[Complaint]) -> list[str]:
    return [it.finding.code for it in complaints]
