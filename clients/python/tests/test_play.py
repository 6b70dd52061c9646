"""Whole matches of every game by the client alone, while the service is killed again and again."""

import asyncio
import random

from croupier import v1
from croupier.aio import Croupier, MatchHandle
from croupier.errors import Refusal
from tests.service import ServiceTestCase

MOVED_ON = {"POSITION_MOVED", "NOT_ASKED", "MATCH_ENDED", "RESIGNED"}

KILLS = 6


async def play(match: MatchHandle, chance: random.Random) -> list[v1.Entry]:
    """Plays a seat by random legal actions to the end, and returns the entries that it led to."""
    own = []
    async with await match.live() as live:
        while not live.ended:
            prompt = live.prompt
            if prompt and (not prompt.optional or chance.random() < 0.1):
                legal = await match.legal_actions()
                if legal.position == live.position and legal.actions:
                    action = chance.choice(legal.actions).action
                    try:
                        entry = await match.submit(action, expected_position=legal.position)
                        own.append(entry)
                        await live.reach(entry.position)
                        continue
                    except Refusal as refusal:
                        if refusal.reason not in MOVED_ON:
                            raise
            await anext(live)
        # What is kept here is what the service says, whatever happened in between.
        table = await match.view()
        for prompt in table.prompts:
            prompt.ClearField("deadline")
        assert table == live.table, "the live table differs from the service's"
    return own


class Play(ServiceTestCase):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.client = Croupier(self.service.url, credentials=self.service.key)
        self.addAsyncCleanup(self.client.close)

    async def test_every_game_through_kills(self) -> None:
        games = [game.name async for game in self.client.games.list()]
        matches = [self.match(game, n) for n, game in enumerate(games)]
        playing = asyncio.gather(*matches)
        kills = 0
        while not playing.done():
            # On a machine that is busy, a service that is killed at once gets nothing done.
            await asyncio.wait([playing], timeout=1.0 if kills < KILLS else None)
            if not playing.done():
                self.service.kill()
                await asyncio.sleep(0.05 * (kills % 4))
                await asyncio.to_thread(self.service.start)
                kills += 1
        disconnections = sum(playing.result())
        self.assertGreaterEqual(kills, 3)
        self.assertGreaterEqual(disconnections, 5)

    async def match(self, game: str, number: int) -> int:
        """Plays a match, checks its record, and returns how often the watcher lost the service."""
        created = await self.client.matches.create(game, 3, ["ann", "bob", "cid"])
        match = self.client.match(created.name)
        lost: list[bool] = []
        told = []

        async def watch() -> None:
            stream = match.watch()
            stream.on_connection(lambda connected: lost.append(not connected))
            async for entry in stream:
                told.append(entry)

        watching = asyncio.create_task(watch())
        players = [play(match.at(n), random.Random(f"{number} {n}")) for n in range(3)]
        own = await asyncio.gather(*players)
        await watching
        ended = await match.get()
        self.assertEqual([it.position for it in told], [*range(1, ended.position + 1)], game)
        # Each action was recorded once: what the seats were answered is what is there.
        answered = sorted(entry.position for entries in own for entry in entries)
        recorded = [entry.position for entry in told if entry.HasField("seat")]
        self.assertEqual(answered, recorded, game)
        counts = await match.verify()
        self.assertEqual((counts["entries"], counts["proven"]), (ended.position, 1))
        return sum(lost)
