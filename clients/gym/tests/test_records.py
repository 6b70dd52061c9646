"""Records of matches, and the decisions in them."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import croupier_gym as gym

CLIENT = Path(__file__).resolve().parents[2] / "python"
GAMES = [name for name, *_ in gym.games()]


def played(game: str, seats: int, seed: int) -> tuple[gym.Match, list[tuple]]:
    """A random match, and what each of its decisions looked like."""
    match = gym.Match(game, seats, seed)
    random = np.random.default_rng(seed)
    live = []
    while match.legal_count:
        count, seat = match.legal_count, match.asked
        index = int(random.integers(count))
        acted = match.may_wait and index == 0
        if not acted:
            live.append((seat, count, index, match.observe(), match.features()))
        match.step(index)
    return match, live


class Records(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def test_decisions_are_what_the_seats_saw(self) -> None:
        for game in GAMES:
            match, live = played(game, 3, 6)
            if len(live) > 3_000:
                # Random matches of R.I.G.S. are long.
                match, live = played(game, 2, 6)
            path = self.write("one.jsonl", match.record())
            (read,) = gym.decisions(path, features=True)
            self.assertEqual((read.game, read.version), (game, match.version))
            self.assertEqual(len(read), len(live))
            self.assertEqual(read.seat.tolist(), [it[0] for it in live])
            self.assertEqual(read.legal_count.tolist(), [it[1] for it in live])
            self.assertEqual(read.choice.tolist(), [it[2] for it in live])
            np.testing.assert_array_equal(read.observation, np.stack([it[3] for it in live]))
            np.testing.assert_array_equal(read.features, np.concatenate([it[4] for it in live]))
            won = match.rewards("win")
            np.testing.assert_allclose(read.reward, won[read.seat])
            np.testing.assert_array_equal(read.score, np.array(match.scores)[read.seat])
            self.assertTrue((read.clock_ms == -1).all())

    def test_a_file_holds_many_matches(self) -> None:
        texts = [played("mountebank", 2, it)[0].record(header=it == 0) for it in range(5)]
        read = list(gym.decisions(self.write("many.jsonl", "".join(texts))))
        self.assertEqual(len({it.match for it in read}), 5)

    def test_erased_players_are_absent(self) -> None:
        match, live = played("mountebank", 2, 8)
        path = self.write("erased.jsonl", erased(match.record(["ann", "bob"])))
        (read,) = gym.decisions(path)
        self.assertEqual(set(read.seat.tolist()), {0})
        self.assertEqual(len(read), sum(it[0] == 0 for it in live))

    def test_an_altered_record_is_refused(self) -> None:
        record = played("mountebank", 2, 9)[0].record()
        path = self.write("altered.jsonl", record.replace('"verb":"draw"', '"verb":"take"', 1))
        with self.assertRaisesRegex(gym.BadRecord, "line .*check is wrong"):
            list(gym.decisions(path))
        with self.assertRaisesRegex(gym.BadRecord, "line 1"):
            list(gym.decisions(self.write("none.jsonl", "{}\n")))
        with self.assertRaises(FileNotFoundError):
            list(gym.decisions(self.folder / "missing.jsonl"))

    def test_the_independent_verifier_proves_records(self) -> None:
        python = os.environ.get("CROUPIER_PYTHON")
        if not python:
            self.skipTest("CROUPIER_PYTHON names a Python with what clients/python needs")
        parts = []
        for game in GAMES:
            match, _ = played(game, 3 if game != "rigs" else 2, 10)
            parts.append(match.record(["ann", "bob", "cay"][: match.seats], header=not parts))
        path = self.write("all.jsonl", "".join(parts))
        run = subprocess.run(
            [python, "-m", "croupier.verify", path], cwd=CLIENT, capture_output=True, text=True
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("5 matches", run.stdout)


def erased(record: str) -> str:
    """The record after the player of seat 1 was erased."""
    import json

    from blake3 import blake3

    lines, last = [], ""
    for line in record.splitlines():
        bare = json.loads(line)
        del bare["check"]
        if "match" in bare:
            player = bare["match"]["players"][1]
            del player["speech_key"]
            player.update(player="erased-b", erased=True)
        text = json.dumps(bare, separators=(",", ":"), ensure_ascii=False)
        before = "" if {"croupier", "match"} & bare.keys() else last
        last = blake3((before + text).encode()).hexdigest()[:16]
        lines.append(f'{text[:-1]},"check":"{last}"}}\n')
    return "".join(lines)


if __name__ == "__main__":
    unittest.main()
