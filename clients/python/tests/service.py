"""A service of one's own: the real binary with a database of its own, which can be killed."""

import asyncio
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("CROUPIER_BIN") or REPOSITORY / "target" / "debug" / "croupier")


def free_port() -> int:
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        port: int = it.getsockname()[1]
        return port


class Service:
    """Starts at once. `kill` and `start` are what a crash and a restart are to clients."""

    def __init__(self, *options: str, copied: pathlib.Path | None = None) -> None:
        """`copied` is a data folder with which it starts."""
        if not BINARY.exists():
            raise RuntimeError(f"{BINARY} is missing: build it, or name another in CROUPIER_BIN")
        # As root, the service becomes another user, who cannot look into folders of mode 700.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="croupier-python-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        if copied:
            subprocess.run(["cp", "-a", copied, self.data], check=True)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.options = options
        self.log = open(self.folder / "log", "wb")
        self.process: subprocess.Popen[bytes] | None = None
        self.key = ""
        self.start()

    def start(self) -> None:
        command = [BINARY, "serve", "--data", self.data, "--listen", f"127.0.0.1:{self.port}", "--bot-think-ms", "20"]
        self.process = subprocess.Popen(
            [*map(str, command), *self.options], stdout=self.log, stderr=self.log
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                # The key is written last, at the first start.
                self.key = (self.data / "local.key").read_text().strip()
                urllib.request.urlopen(f"{self.url}/v1/games", timeout=5).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError((self.folder / "log").read_text())

    def kill(self) -> None:
        """Ends it like a crash."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Ends it in order."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def close(self) -> None:
        """Ends it for good."""
        self.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class ServiceTestCase(unittest.IsolatedAsyncioTestCase):
    """Tests that share a service."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service()
        cls.addClassCleanup(cls.service.close)

    async def asyncSetUp(self) -> None:
        # A loop in debug mode, as unittest makes it, takes three times as long.
        asyncio.get_running_loop().set_debug(False)
