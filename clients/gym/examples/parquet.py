"""Writes the decisions of a file of records as Parquet: `python parquet.py matches.jsonl out.parquet`.

It takes `pyarrow`, which the package does not need.
"""

import sys

import croupier_gym
import pyarrow
import pyarrow.parquet


def table(match: croupier_gym.MatchDecisions) -> pyarrow.Table:
    width = match.observation.shape[1]
    flat = pyarrow.array(match.observation.reshape(-1))
    return pyarrow.table(
        {
            "match": pyarrow.array([match.match] * len(match)).dictionary_encode(),
            "game": pyarrow.array([match.game] * len(match)).dictionary_encode(),
            "version": pyarrow.array([match.version] * len(match)).dictionary_encode(),
            "position": match.position,
            "seat": match.seat,
            "observation": pyarrow.FixedSizeListArray.from_arrays(flat, width),
            "legal_count": match.legal_count,
            "choice": match.choice,
            "verb": pyarrow.array(match.verb).dictionary_encode(),
            "action": pyarrow.array(match.action, pyarrow.binary()),
            "elapsed_ms": match.elapsed_ms,
            "clock_ms": match.clock_ms,
            "reward": match.reward,
            "score": match.score,
        }
    )


def main(records: str, out: str) -> None:
    """A file of Parquet has rows of one width, so all matches are of one game and number of seats."""
    writer, rows = None, 0
    for match in croupier_gym.decisions(records):
        part = table(match)
        writer = writer or pyarrow.parquet.ParquetWriter(out, part.schema)
        writer.write_table(part)
        rows += len(match)
    if writer:
        writer.close()
    print(f"{rows} decisions")


if __name__ == "__main__":
    main(*sys.argv[1:])
