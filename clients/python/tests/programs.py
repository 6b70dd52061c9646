"""The examples as processes of their own, against the real service."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from croupier.blocking import Croupier
from tests.service import Service

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"


class ProgramTestCase(unittest.TestCase):
    """Tests that share a service, and run programs."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service("--allow-private-webhooks")
        cls.addClassCleanup(cls.service.close)
        cls.client = Croupier(cls.service.url, credentials=cls.service.key, language="en")
        cls.addClassCleanup(cls.client.close)

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, name: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        own = {"CROUPIER_ADDRESS": self.service.url, "CROUPIER_KEY": self.service.key}
        own["PYTHONPATH"] = str(pathlib.Path(__file__).parents[1])
        started = subprocess.Popen(
            [sys.executable, "-u", str(EXAMPLES / name), *arguments],
            env=os.environ | own | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        assert started.stdout
        self.addCleanup(started.stdout.close)
        return started

    def finish(self, process: subprocess.Popen[str]) -> str:
        told, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, told)
        return told
