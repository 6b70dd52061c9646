"""The local fold equals the service's view, for every viewer, in every game."""

import asyncio
import difflib
from unittest import mock

from croupier import v1
from croupier.aio import Croupier, Live, MatchHandle
from croupier.errors import Refusal
from croupier.folding import FoldError, empty_table, fold
from tests.service import ServiceTestCase

# The tables of a viewer that are compared in a match: all of a short one.
COMPARED_MAX = 60


class Fold(ServiceTestCase):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.client = Croupier(self.service.url, credentials=self.service.key)
        self.addAsyncCleanup(self.client.close)

    async def test_matches_of_bots_of_every_game(self) -> None:
        positions = 0
        games = [game async for game in self.client.games.list()]
        self.assertGreaterEqual(len(games), 5)
        for game in games:
            for seats, level in ((game.seats_min, "heuristic"), (game.seats_max, "random")):
                bots = [level] * seats
                match = await self.client.matches.create(game.name, seats, bots=bots)
                async for _ in self.client.match(match.name).watch():
                    pass
                with self.subTest(game=game.name, seats=seats):
                    positions += await self.compare(match.name)
        self.assertGreater(positions, 1000)

    async def test_what_any_game_allows(self) -> None:
        """Talk, standing answers, votes, pauses, what is taken back, resigned, and replaced."""
        for game in [game.name async for game in self.client.games.list()]:
            await self.busy_match(game)

    async def test_entries_of_a_later_release(self) -> None:
        match = await self.client.matches.create("mountebank", 2, bots=["random"] * 2)
        handle = self.client.match(match.name)
        entry = await anext(aiter(handle.watch()))
        game = await self.client.games.get("mountebank")
        before = empty_table(game, match, "spectator")
        # Of a kind of event whose number no release has used.
        unknown = v1.Event.FromString(b"\xfa\x3f\x00")
        moved = v1.Event(moved=v1.Moved(piece="joker", to=game.layout.places[0].name))
        for event in (unknown, moved):
            entry.events.append(event)
            with self.assertRaises(FoldError):
                fold(game.layout, before, entry)
            entry.events.pop()
        fold(game.layout, before, entry)
        live = Live(handle.seen_by("spectator"), game, before)
        with mock.patch("croupier.aio.match.fold", side_effect=FoldError("of a later release")):
            change = await anext(aiter(live))
        self.assertEqual(change.table, await live.match.view(position=1))
        live.close()

    async def busy_match(self, game: str) -> None:
        players = ["ann", "bob", "cid"]
        match = await self.client.matches.create(game, 3, players, options={"talk": "on"})
        handle = self.client.match(match.name)
        decisions = (await self.client.games.get(game)).layout.decisions
        seen = set[str]()
        for seat in (0, 1):
            await handle.at(seat).say("Deal?", to=[2])
            for decision in decisions:
                try:
                    await handle.at(seat).stand(decision.name)
                except Refusal as refusal:
                    if refusal.reason == "NOTHING_CHANGES":  # It stands from the beginning on.
                        await handle.at(seat).stand(decision.name, on=False)
                    else:
                        self.assertEqual(refusal.reason, "NO_STANDING_ANSWER")
        await handle.at(0).vote(v1.MOTION_PAUSE)
        seat = (await handle.get()).waiting_for[0]
        legal = await handle.at(seat).legal_actions()
        await handle.pause()
        with self.assertRaises(Refusal) as refused:
            await handle.at(seat).submit(legal.actions[0].action)
        self.assertEqual(refused.exception.reason, "MATCH_PAUSED")
        await handle.resume()
        for n in range(30):
            acted = await self.act_once(handle)
            if acted is not None and n % 3 == 0:
                try:
                    await handle.at(acted).take_back()
                except Refusal as refusal:
                    self.assertTrue(refusal.reason.startswith("TAKE_BACK"), refusal.reason)
        if (await handle.get()).state == v1.MATCH_STATE_RUNNING:
            await handle.at(2).resign()
            await self.act_once(handle)
            await handle.at(2).replace_seat("dan")
            await self.act_once(handle)
        if (await handle.get()).state == v1.MATCH_STATE_RUNNING:
            await handle.end()
        async for entry in handle.entries():
            seen |= {str(event.WhichOneof("kind")) for event in entry.events}
        with self.subTest(game=game):
            wanted = {"said", "voted", "paused", "resumed", "resigned", "replaced", "abandoned"}
            self.assertLessEqual(wanted, seen)
            await self.compare(match.name)

    async def act_once(self, handle: MatchHandle) -> int | None:
        """Lets a seat act that may."""
        for seat in (await handle.get()).waiting_for or (0, 1, 2):
            actions = (await handle.at(seat).legal_actions()).actions
            if actions:
                await handle.at(seat).submit(actions[len(actions) // 2].action)
                return seat
        return None

    async def compare(self, name: str) -> int:
        """Folds the entries of each viewer, and compares tables. How many there were."""
        match = await self.client.match(name).get()
        self.assertEqual(match.state, v1.MATCH_STATE_ENDED)
        game = await self.client.games.get(match.game)
        viewers = [f"seats/{n}" for n in range(len(match.seats))] + ["spectator", "house"]
        compared = 0
        for viewer in viewers:
            handle = self.client.match(name, viewer=viewer)
            entries = [entry async for entry in handle.entries()]
            self.assertEqual([entry.position for entry in entries], [*range(1, match.position + 1)])
            every = 1 + match.position // COMPARED_MAX
            at = [*range(1, match.position, every), match.position]
            told = dict[int, v1.Table]()
            # A platform that asks for all of them at once is refused.
            for positions in batched(at, 32):
                views = await asyncio.gather(*(handle.view(it) for it in positions))
                told.update(zip(positions, views))
            table = empty_table(game, match, viewer)
            for entry in entries:
                table = fold(game.layout, table, entry)
                expected = told.get(entry.position)
                if expected is None:
                    continue
                if table != expected:
                    self.fail(f"{viewer} at {entry.position}:\n{differences(table, expected)}")
                compared += 1
        return compared


def batched(all: list[int], most: int) -> list[list[int]]:
    return [all[at : at + most] for at in range(0, len(all), most)]


def differences(folded: v1.Table, expected: v1.Table) -> str:
    ours, theirs = str(folded).splitlines(), str(expected).splitlines()
    return "\n".join(difflib.unified_diff(ours, theirs, "folded", "expected", lineterm=""))
