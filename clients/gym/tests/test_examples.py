"""The examples do what they say."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import croupier_gym as gym

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))


class Examples(unittest.TestCase):
    def test_a_policy_that_learned_beats_random_play(self) -> None:
        import learn

        policy = learn.Policy()
        before = learn.rate(policy, 600, 99)
        self.assertAlmostEqual(before, 0.5, delta=0.08)
        learn.train(policy, 20, 1)
        self.assertGreater(learn.rate(policy, 600, 99), 0.75)

    def test_learning_is_deterministic(self) -> None:
        import learn

        weights = []
        for _ in range(2):
            policy = learn.Policy()
            learn.train(policy, 2, 1)
            weights.append(policy.weights)
        np.testing.assert_array_equal(*weights)

    def test_decisions_become_parquet(self) -> None:
        try:
            import parquet
            import pyarrow.parquet
        except ImportError:
            self.skipTest("pyarrow is not installed")
        with tempfile.TemporaryDirectory() as folder:
            records, out = Path(folder) / "matches.jsonl", Path(folder) / "out.parquet"
            with records.open("w") as file:
                for seed in range(3):
                    match = gym.Match("mountebank", seed=seed)
                    while match.legal_count:
                        match.step(0)
                    file.write(match.record(header=seed == 0))
            with contextlib.redirect_stdout(io.StringIO()) as told:
                parquet.main(str(records), str(out))
            written = pyarrow.parquet.read_table(out)
            self.assertEqual(told.getvalue(), f"{written.num_rows} decisions\n")
            first = next(gym.decisions(records))
            row = written["observation"][0].as_py()
            np.testing.assert_array_equal(row, first.observation[0])


if __name__ == "__main__":
    unittest.main()
