"""The examples in Python, as processes of their own against the real service."""

import re
import urllib.error
import urllib.request

from tests.programs import ProgramTestCase
from tests.service import free_port


class Examples(ProgramTestCase):
    def test_a_tournament_that_is_killed_and_run_again(self) -> None:
        words = ["tournament.py", "spring", "--game", "mountebank", "--rounds", "2"]
        words += ["bot:random", "bot:heuristic", "robbie", "--at-once", "3"]
        bots = [self.start("bot.py", "robbie", "--cursor", str(self.folder / "cursor"))]
        first = self.start(*words)
        assert first.stdout
        seen = first.stdout.readline()
        first.kill()
        bots[0].kill()
        bots.append(self.start("bot.py", "robbie", "--cursor", str(self.folder / "cursor")))
        told = self.finish(self.start(*words))
        self.assertIn(seen, told)
        again = self.finish(self.start(*words))
        self.assertEqual(told.partition("\n\n")[2], again.partition("\n\n")[2])
        created = list(self.client.matches.list(tags={"tournament": "spring"}))
        self.assertEqual(len(created), 12)
        self.assertIn("spring, 12 matches\n1. ", told)
        total = sum(float(it) for it in re.findall(r"(?m)^\d\. .*: ([\d.]+)$", told))
        self.assertEqual(total, 12.0)
        self.assertIsNone(bots[1].poll())
        # What the bot did is what it chose: each of its actions was its own, once.
        acted = [
            entry
            for match in created
            for entry in self.client.match(match.name).entries()
            if entry.HasField("seat") and match.seats[entry.seat].player == "robbie"
        ]
        self.assertGreater(len(acted), 40)

    def test_a_receiver_of_webhooks(self) -> None:
        port = free_port()
        url = f"http://127.0.0.1:{port}/croupier"
        receiver = self.start("webhook_receiver.py", "feed", "--url", url, "--port", str(port))
        assert receiver.stdout
        self.assertRegex(receiver.stdout.readline(), "^WEBHOOK_SECRET=whsec_")
        self.assertIn("listening", receiver.stdout.readline())
        match = self.client.matches.create("mountebank", 2, bots=["random", "random"])
        length = sum(1 for _ in self.client.match(match.name).watch())
        told: list[str] = []
        while len(told) < length:
            line = receiver.stdout.readline()
            if line.startswith(match.name):
                told.append(line.split()[0])
        self.assertEqual(told, [f"{match.name}/entries/{n}" for n in range(1, length + 1)])
        for body, headers in ((b"{}", {}), (b"{}", {"webhook-id": "x", "webhook-signature": "v1,x"})):
            forged = urllib.request.Request(url, body, {"webhook-timestamp": "1", **headers})
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(forged, timeout=10)
            self.assertEqual(refused.exception.code, 400)
            refused.exception.close()
