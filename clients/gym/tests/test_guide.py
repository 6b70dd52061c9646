"""The guide does what it says: its blocks are one program."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

import croupier_gym

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "research.md"


def blocks(text: str) -> list[str]:
    """The indented blocks of Python."""
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    lines = ["\n".join(line[4:] for line in it.splitlines()).strip("\n") for it in found]
    return [it for it in lines if not it.startswith("pip ")]


class Guide(unittest.TestCase):
    def test_its_blocks_run(self) -> None:
        text = GUIDE.read_text()
        program = blocks(text)
        self.assertGreaterEqual(len(program), 6)
        before, names = os.getcwd(), {"__name__": "guide"}
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            with contextlib.redirect_stdout(io.StringIO()) as told:
                exec("\n".join(program), names)
            os.chdir(before)
        self.assertIn("hand/0", str([it.values for it in names["match"].planes]))
        self.assertIn("Draft area", told.getvalue())

    def test_it_names_every_plane_and_error(self) -> None:
        text = GUIDE.read_text()
        for plane in croupier_gym.Match("rigs").planes:
            self.assertIn(f"`{plane.name}`", text)
        for name in vars(croupier_gym.errors):
            if name[0].isupper():
                self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main()
