"""The package as it is installed, its page, and its command."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from tests.service import Service

HERE = pathlib.Path(__file__).parents[1]


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service()
        cls.addClassCleanup(cls.service.close)

    def run_python(self, *arguments: str, said: str = "") -> str:
        environment = os.environ | {
            "CROUPIER_ADDRESS": self.service.url,
            "CROUPIER_KEY": self.service.key,
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=HERE,
            env=environment,
            input=said,
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_code_of_the_page_runs(self) -> None:
        blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 5)
        told = [self.run_python("-c", block) for block in blocks]
        self.assertRegex(told[0], r"(won|wins|win)\b")
        self.assertIn("games/mountebank", told[1])
        self.assertRegex(told[2], r"matches/.*/entries/1 ")
        self.assertIn("'proven': 1", told[3])
        self.assertEqual(told[4], "0 ey\n")

    def test_the_command(self) -> None:
        self.assertIn("games/mountebank: Mountebank, ", self.run_python("-m", "croupier", "games"))
        # Whatever is asked, the first action is one of those that are allowed.
        command = ["-m", "croupier", "play", "mountebank", "--bot", "random"]
        told = self.run_python(*command, said="table\nnonsense\n" + "1\n" * 300)
        name = told.splitlines()[0]
        self.assertRegex(name, "^matches/")
        self.assertIn("a number acts", told)
        self.assertIn(name, self.run_python("-m", "croupier", "matches", "--player", "you"))
        watched = self.run_python("-m", "croupier", "watch", name)
        self.assertRegex(watched, r"(?m)^1\. .")
        german = self.run_python("-m", "croupier", "--language", "de", "watch", name)
        self.assertNotEqual(watched, german)
        verified = self.run_python("-m", "croupier", "verify", name, "--url", self.service.url)
        self.assertRegex(verified, r"^1 match, .*: all proven\.\n")

    def test_the_wheel_has_all_it_needs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
            self.run_python(*build, "--disable-pip-version-check", "--wheel-dir", folder, ".")
            (wheel,) = pathlib.Path(folder).glob("croupier-*.whl")
            # Nothing but the wheel and what it depends on: no folder of the repository.
            program = f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
            program += "import croupier, croupier.v1, croupier.blocking, croupier.webhooks\n"
            program += "assert '.whl' in croupier.__file__, croupier.__file__\n"
            program += "print(croupier.Croupier.__doc__[:8], len(dir(croupier.v1)) > 200)"
            self.assertEqual(self.run_python("-I", "-c", program), "A client True\n")
            listed = self.run_python("-m", "zipfile", "--list", str(wheel))
            for path in ("py.typed", "v1/matches_pb2.pyi", "aio/match.py", "blocking/match.py"):
                self.assertIn(f"croupier/{path} ", listed)
            self.assertNotIn("tests/", listed)
