"""Whole matches of every game by the official client of the Model Context Protocol, which knows no game."""

import asyncio
import random
import re
import typing

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.service import BINARY, ServiceTestCase

GAMES = ["among-thieves", "grifters", "mountebank", "rigs", "you-dirty-rat"]


def field(text: str, name: str) -> str:
    """The value of a line of the head; empty if there is none."""
    head = text.split("\n#")[0]
    found = re.search(rf"^{name}: (.*)$", head, re.MULTILINE)
    return found[1] if found else ""


async def call(client: Client, tool: str, **arguments: typing.Any) -> str:
    result = await client.call_tool(tool, arguments)
    text: str = result.content[0].text
    # Another seat acted in between. The error shows the list that there is now.
    if result.is_error and not text.startswith("error: LIST_CHANGED"):
        raise AssertionError(text)
    return text


async def play(client: Client, game: str, chance: random.Random) -> str:
    """Plays a whole match: waits, and chooses any number of the list."""
    shown = await call(client, "start", game=game, bots="random")
    while True:
        match, state = field(shown, "match"), field(shown, "state")
        if state == "ended":
            return match
        if state == "your turn":
            number = chance.randint(1, int(field(shown, "actions")))
            shown = await call(client, "act", match=match, list=field(shown, "list"), number=number)
        else:
            shown = await call(client, "wait", match=match)


async def play_whole(client: Client, games: list[str]) -> None:
    tools = await client.list_tools()
    assert 0 < len(tools.tools) <= 7
    played = (play(client, game, random.Random(n)) for n, game in enumerate(games))
    for match in await asyncio.gather(*played):
        review = await call(client, "review", match=match)
        assert "# Result" in review and "# Verification" in review, review


class ModelContextProtocol(ServiceTestCase):
    async def test_every_game_over_http(self) -> None:
        headers = {"authorization": f"Bearer {self.service.key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{self.service.url}/mcp", http_client=http)
            async with Client(transport) as client:
                await play_whole(client, GAMES)

    async def test_some_games_over_stdio(self) -> None:
        server = StdioServerParameters(
            command=str(BINARY),
            args=["mcp", "--address", self.service.url],
            env={"CROUPIER_KEY": self.service.key, "CROUPIER_LANGUAGE": "en"},
        )
        async with Client(server) as client:
            await play_whole(client, ["grifters", "mountebank"])
