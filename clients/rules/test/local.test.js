// Matches on this device, by the client of a service: no service is there.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Croupier } from "@croupier/client";
import { Local, Remote, verifyRecord } from "@croupier/rules";

const isMade = existsSync(new URL("../dist/rules.wasm", import.meta.url));
const skip = !isMade && "`make rules` makes rules.wasm";

describe("matches on this device", { skip }, () => {
  let local;
  let croupier;
  before(async () => {
    local = await Local.load();
    croupier = Croupier.connect(local.url, { fetch: local.fetch, language: "de" });
  });
  after(() => local.close());

  /** Plays the person's seat by what is listed, until the match has ended or has so many entries. */
  async function play(name, until = Infinity) {
    const match = croupier.match(name);
    let nth = 0;
    const act = async () => {
      const { actions, position } = await match.legalActions();
      if (actions.length === 0) return;
      // Whoever trades without an aim does so for ever.
      if (nth > 7 * 80) return void (await match.resign());
      const chosen = actions[(nth += 7) % actions.length];
      assert.notEqual(chosen.label, "");
      const entry = await match.submit(chosen.action).catch(async (error) => {
        // A bot may have acted since.
        if ((await match.get()).position === position) throw error;
      });
      if (!entry) return act();
      assert.notEqual(entry.text, "");
    };
    await act();
    for await (const { position, prompts } of match.watch()) {
      if (position >= until) return;
      const now = await match.get();
      if (position === now.position && prompts.some((it) => it.seat === 0)) await act();
    }
  }

  test("every game is played against bots, and proven", async () => {
    const games = await croupier.games.list().all();
    assert.equal(games.length, 5);
    for (const { name: game, seatsMin } of games) {
      // A search takes its time for each decision.
      const bot = game === "games/mountebank" ? "search" : "heuristic";
      const bots = Array.from({ length: seatsMin - 1 }, (_, seat) => ({ bot, displayName: `Bot ${seat + 2}` }));
      const name = await local.deal({ game, seats: [{ displayName: "Ann" }, ...bots] });
      await play(name);
      const ended = await croupier.match(name).get();
      assert.ok(ended.casual && ended.seed !== "");
      const record = await local.record(name);
      const report = await verifyRecord(new TextEncoder().encode(record), { match: name });
      assert.equal(report.answer, "PROVEN", JSON.stringify(report));
      assert.equal(report.entries, ended.position);
      const lines = await croupier.match(name).record();
      assert.equal(lines.map((line) => `${line}\n`).join(""), record);
    }
  });

  test("a match goes on from its record, and an altered record does not", async () => {
    const name = await local.deal({ game: "mountebank", seats: [{ displayName: "Ann" }, { bot: "heuristic", displayName: "Bot 2" }] });
    await play(name, 10);
    const record = await local.record(name);
    const other = await Local.load();
    try {
      assert.equal(await other.takeUp(record), name);
      const again = Croupier.connect(other.url, { fetch: other.fetch });
      const { game, seats } = await again.match(name).get();
      assert.deepEqual([game, seats.length], ["games/mountebank", 2]);
      await assert.rejects(other.takeUp(record.replace("Ann", "Eve")), /check is wrong/);
    } finally {
      other.close();
    }
  });

  test("the rules refuse with a reason, facts and words", async () => {
    const name = await local.deal({ game: "mountebank", seats: [{ displayName: "Ann" }, { bot: "random", displayName: "Bot 2" }] });
    const match = croupier.match(name);
    await assert.rejects(local.deal({ game: "chess", seats: [] }), /there is no game "chess"/);
    await assert.rejects(match.view({ position: 999 }), (error) => error.is("POSITION_AHEAD") && Number(error.facts.position) >= 1);
    await assert.rejects(match.say("Hello"), (error) => error.is("TALK_OFF"));
    await assert.rejects(match.seenBy("house").view(), (error) => error.is("MATCH_NOT_ENDED"));
    await assert.rejects(croupier.match(`matches/${crypto.randomUUID()}`).get(), (error) => error.is("MATCH_NOT_FOUND"));
    const { suggestions } = await match.suggestActions();
    const asked = (await match.view()).prompts.some((it) => it.seat === 0);
    assert.equal(suggestions.length > 0, asked);
  });

  test("a client of a service is made in the same way", () => {
    const remote = new Remote("https://play.example");
    assert.equal(Croupier.connect(remote.url, { fetch: remote.fetch }).url, remote.url);
  });
});
