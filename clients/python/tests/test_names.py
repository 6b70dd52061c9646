"""docs/sdks.md tells what each client calls what: this client has each of those names, and no other."""

import importlib
import pathlib
import re
import unittest
from types import ModuleType

import grpc

import croupier
from croupier import v1
from croupier.aio.calls import REPEATABLE

PAGE = (pathlib.Path(__file__).parents[3] / "docs/sdks.md").read_text()


def named() -> list[str]:
    """The names of the tables in the column of this client."""
    names: list[str] = []
    column = -1
    for line in PAGE.splitlines():
        cells = [it.strip() for it in line.split("|")]
        if cells[1:2] == ["to"]:
            column = cells.index("Python")
        elif not line:
            column = -1
        elif column > 0:
            names += re.findall(r"(?<=`)[\w.]+(?=`)", cells[column])
    return names


def handles(client: ModuleType) -> dict[str, object]:
    """What a name begins with."""
    connected = client.Croupier("http://127.0.0.1:1")
    match = connected.match("m", seat=0)
    return {
        "croupier": connected,
        "list": connected.games.list(),
        "match": match,
        "live": client.Live(match, v1.Game(), v1.Table()),
        "player": connected.player("ann"),
        "subscription": connected.streams.subscription("feed"),
        "refusal": croupier.Refusal(grpc.StatusCode.UNKNOWN, ""),
    }


class Names(unittest.TestCase):
    def clients(self) -> list[dict[str, object]]:
        return [handles(importlib.import_module(it)) for it in ("croupier.aio", "croupier.blocking")]

    def test_the_client_has_every_name_of_the_page(self) -> None:
        names = named()
        self.assertGreater(len(names), 100)
        for known in self.clients():
            for name in names:
                first, *rest = name.split(".")
                if not rest:
                    owner: object = croupier
                elif first in known:
                    owner = known[first]
                else:
                    owner = importlib.import_module(f"croupier.{first}")
                for part in rest or [first]:
                    self.assertTrue(hasattr(owner, part), name)
                    owner = getattr(owner, part)

    def test_the_page_has_every_operation_of_the_client(self) -> None:
        told = set(named())
        for known in self.clients():
            client = known["croupier"]
            for collection in ("games", "matches", "history", "seeks", "streams"):
                known[f"croupier.{collection}"] = getattr(client, collection)
            own = {
                f"{name}.{member}"
                for name, handle in known.items()
                for member in set(dir(handle)) - set(dir(Exception))
                if not member.startswith("_")
            }
            self.assertEqual(sorted(own - told), [])

    def test_the_calls_that_are_repeated_without_a_request_id_are_those_of_the_page(self) -> None:
        text = PAGE.partition("or is one of ")[2].partition(". One attempt")[0]
        self.assertEqual(re.findall(r"\w+(?=`)", text), sorted(REPEATABLE))
