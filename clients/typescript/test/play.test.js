// Whole matches of all games by the package alone, with the service killed in between.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { equals, toJson } from "@bufbuild/protobuf";
import { emptyTable, fold } from "@croupier/client";
import { EntrySchema, MatchState, TableSchema } from "@croupier/client/v1";
import { fetchKeys, readReceipt, verifyMatch } from "@croupier/client/verify";
import { chance, oneOf } from "./support/play.js";
import { Service } from "./support/service.js";

let service, platform, keys;
before(async () => {
  service = await Service.start();
  platform = service.connect({ language: "en" });
  keys = await fetchKeys(service.url);
});
after(() => service?.stop());

test(
  "whole matches of all games, with the service killed in between",
  { timeout: 300_000 },
  async (t) => {
    const games = await platform.games.list().all();
    let isOver = false;
    const matches = games.map((game, n) => playWhole(game, chance(n + 1)));
    const playing = Promise.all(matches).finally(() => (isOver = true));
    playing.catch(() => {});
    let kills = 0;
    while (!isOver && kills < 4) {
      await sleep(1_000);
      await service.killAndRestart();
      kills += 1;
    }
    for (const result of await playing) t.diagnostic(result);
    assert.ok(kills >= 2, "the service was killed while matches were played");
    t.diagnostic(`${kills} kills`);
  },
);

/** Plays a match by random legal actions, one client a seat, while others watch. */
async function playWhole(game, random) {
  const seats = Math.max(game.seatsMin, Math.min(3, game.seatsMax));
  const players = Array.from({ length: seats }, (_, seat) => `player ${seat}`);
  const created = await platform.matches.create({ game: game.name, seats, players });
  const handles = [];
  for (let seat = 0; seat < seats; seat += 1) {
    const mint = async () => (await platform.match(created.name, { seat }).createToken()).token;
    handles.push(service.connect({ credentials: mint, language: "en" }).match(created.name));
  }
  const lost = [];
  const onConnection = (connected) => connected || lost.push(1);
  const spectator = platform.match(created.name, { viewer: "spectator" });
  const watchers = [spectator, ...handles].map(async (handle) => {
    const received = [];
    for await (const entry of handle.watch({ onConnection })) received.push(entry);
    return received;
  });
  const live = await handles[0].live();
  const followed = (async () => {
    for await (const { entry, before, table } of live) {
      assert.equal(before.position + 1, entry.position);
      assert.equal(table.position, entry.position);
    }
  })();

  let submitted = 0;
  const positions = new Set();
  for (;;) {
    const { state, waitingFor } = await platform.match(created.name).get();
    if (state === MatchState.ENDED) break;
    const me = handles[oneOf(waitingFor, random)];
    const { actions, position } = await me.legalActions();
    // Now and then the same request is sent twice at once.
    const requestId = `request-${submitted}`;
    const chosen = oneOf(actions, random);
    const twice = random() < 0.1 ? 2 : 1;
    const submit = () => me.submit(chosen.action, { requestId, expectedPosition: position });
    const entries = await Promise.all(Array.from({ length: twice }, submit));
    for (const entry of entries) assert.equal(entry.position, entries[0].position);
    submitted += 1;
    positions.add(entries[0].position);
    assert.equal(entries[0].verb, chosen.verb);
  }
  await followed;

  const received = await Promise.all(watchers);
  const match = await platform.match(created.name).get();
  const acted = received[0].filter((entry) => entry.seat !== undefined);
  assert.equal(positions.size, submitted, "each action has an entry of its own");
  assert.equal(acted.length, submitted, "nothing was recorded that was not submitted");
  for (const [n, entries] of received.entries()) {
    const expected = Array.from({ length: match.position }, (_, at) => at + 1);
    assert.deepEqual(
      entries.map((entry) => entry.position),
      expected,
      "each entry once, in order",
    );
    const viewer = n === 0 ? "spectator" : `seats/${n - 1}`;
    const listed = [];
    for await (const entry of platform.match(match.name, { viewer }).entries()) listed.push(entry);
    for (const [at, entry] of entries.entries()) {
      assert.ok(
        equals(EntrySchema, entry, listed[at]),
        `${viewer} was told the entry at ${at + 1}`,
      );
    }
  }
  assert.equal(live.position, match.position);
  const layout = (await platform.games.get(game.name)).layout;
  let table = emptyTable({ layout }, match, "seats/0");
  for (const entry of received[1]) table = fold(layout, table, entry);
  const asJson = (it) => toJson(TableSchema, it);
  assert.deepEqual(asJson(live.table).places, asJson(table).places);

  const { jws } = await spectator.receipt(match.position);
  const receipts = [readReceipt(jws, keys)];
  const { seedCommitment } = created;
  const report = await verifyMatch(spectator, { seedCommitment, receipts });
  assert.deepEqual([report.answer, ...report.wrong, ...report.unproven], ["PROVEN"]);
  assert.equal(report.matches[0].entries, match.position);
  assert.ok(report.matches[0].isAnchored);
  return `${game.title}: ${submitted} actions, ${match.position} entries, ${lost.length} connections lost`;
}

test(
  "a live match tells of a lost connection and of its return",
  { timeout: 300_000 },
  async () => {
    const { name } = await platform.matches.create({
      game: "mountebank",
      seats: 2,
      players: ["ann", "bob"],
    });
    const seen = [];
    const live = await platform.match(name, { seat: 0 }).live();
    const isBack = new Promise((resolve) => {
      live.onConnection((connected, refusal) => {
        seen.push(connected);
        assert.equal(connected, live.connected);
        if (!connected) assert.ok(refusal.isRetryable);
        else resolve();
      });
    });
    await service.killAndRestart();
    await isBack;
    assert.deepEqual(seen.slice(-2), [false, true]);
    const { seat = 0 } = { seat: live.table.prompts[0].seat };
    const me = platform.match(name, { seat });
    const { actions } = await me.legalActions();
    const entry = await me.submit(actions[0].action);
    for await (const change of live) {
      assert.equal(change.entry.position, entry.position);
      break;
    }
    live.close();
    for await (const _ of live) assert.fail("a closed match has no more changes");
  },
);

test(
  "an open match is followed from its deal on, by a token that names no viewer",
  { timeout: 300_000 },
  async () => {
    const { name } = await platform.matches.create({
      game: "mountebank",
      seats: 2,
      players: ["ann"],
    });
    const { token } = await platform.match(name, { seat: 0 }).createToken();
    const live = await service.connect({ credentials: token }).match(name).live();
    assert.equal(live.position, 0);
    await platform.match(name).join({ player: "bob" });
    for await (const { before, table } of live) {
      assert.equal(table.viewer, "seats/0");
      assert.equal(before.viewer, "seats/0");
      assert.equal(table.position, 1);
      break;
    }
    live.close();
  },
);
