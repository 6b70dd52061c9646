// Whole matches of every game by the official client of the Model Context Protocol, which knows no game.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { chance } from "./support/play.js";
import { Service, program } from "./support/service.js";

const GAMES = ["among-thieves", "grifters", "mountebank", "rigs", "you-dirty-rat"];

let service;
before(async () => (service = await Service.start()));
after(() => service?.stop());

test("every game over HTTP", { timeout: 300_000 }, async () => {
  const headers = { authorization: `Bearer ${service.key}` };
  const url = new URL("/mcp", service.url);
  await playWholeMatches(GAMES, new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
});

test("some games over stdio", { timeout: 300_000 }, async () => {
  const env = { CROUPIER_KEY: service.key, CROUPIER_LANGUAGE: "en" };
  const args = ["mcp", "--address", service.url];
  await playWholeMatches(["grifters", "mountebank"], new StdioClientTransport({ command: program, args, env }));
});

async function playWholeMatches(games, transport) {
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.ok(tools.length > 0 && tools.length <= 7, `${tools.length} tools`);
  const played = games.map((game, n) => playWhole(client, game, chance(n + 1)));
  for (const match of await Promise.all(played)) {
    const review = await call(client, "review", { match });
    assert.match(review, /# Result[^]*# Verification/);
  }
  await client.close();
}

/** Plays a whole match: waits, and chooses any number of the list. */
async function playWhole(client, game, random) {
  let shown = await call(client, "start", { game, bots: "random" });
  for (;;) {
    const [match, state, list] = ["match", "state", "list"].map((name) => field(shown, name));
    if (state === "ended") return match;
    if (state === "your turn") {
      const number = 1 + Math.floor(random() * Number(field(shown, "actions")));
      shown = await call(client, "act", { match, list, number });
    } else {
      shown = await call(client, "wait", { match });
    }
  }
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  const { text } = result.content[0];
  // Another seat acted in between. The error shows the list that there is now.
  assert.ok(!result.isError || text.startsWith("error: LIST_CHANGED"), text);
  return text;
}

/** The value of a line of the head; empty if there is none. */
function field(text, name) {
  const [head] = text.split("\n#");
  return head.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
}
