// What spans many matches: lists, search, streams, subscriptions, players, seeks and the lobby.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MatchState, Outcome, SeekState } from "@croupier/client/v1";
import { Service } from "./support/service.js";

let service, platform;
before(async () => {
  service = await Service.start();
  platform = service.connect();
});
after(() => service?.stop());

async function all(items) {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A match between a player and a bot, played to its end by what the client is told to do. */
async function played(player, tags = {}) {
  const bots = ["", "random"];
  const { name } = await platform.matches.create({
    game: "mountebank",
    seats: 2,
    players: [player],
    bots,
    tags,
  });
  const me = platform.match(name, { seat: 0 });
  for await (const { prompts } of me.watch()) {
    if (!prompts.some((prompt) => prompt.seat === 0 && !prompt.optional)) continue;
    const { actions } = await me.legalActions();
    await me.submit(actions[0].action).catch((refusal) => {
      if (refusal.reason !== "NOT_ASKED" && refusal.reason !== "MATCH_ENDED") throw refusal;
    });
  }
  return platform.match(name).get();
}

test("lists, search and standings page by themselves", { timeout: 300_000 }, async () => {
  const matches = [];
  for (let n = 0; n < 3; n += 1) matches.push(await played("ann", { cup: "spring" }));
  const last = matches.at(-1);
  const consistencyToken = `${last.name}/entries/${last.position}`;
  const listed = await all(platform.matches.list({ player: "ann", pageSize: 1, consistencyToken }));
  assert.deepEqual(
    listed.map((it) => it.name),
    matches.map((it) => it.name).reverse(),
  );
  const won = await all(
    platform.matches.list({ player: "ann", outcome: Outcome.WON, consistencyToken }),
  );
  assert.equal(
    won.length,
    matches.filter((it) => it.winners.length === 1 && it.winners[0] === 0).length,
  );
  assert.equal((await all(platform.matches.list({ tags: ["cup=spring"] }))).length, 3);
  const [standing] = await all(platform.history.standings("mountebank", { consistencyToken }));
  assert.equal(standing.player, "ann");
  const entries = await all(platform.history.search("mountebank", { player: "ann", pageSize: 5 }));
  assert.ok(entries.length > 5 && entries.every((entry) => entry.seat === 0));
  const player = await platform.player("ann").get({ consistencyToken });
  assert.equal(player.standings[0].played, 3);
  const { position } = last;
  const seen = platform.match(last.name);
  const diff = await seen.diff(1, position);
  assert.deepEqual([diff.fromPosition, diff.toPosition], [1, position]);
  assert.equal((await seen.diff(position, 1)).reopened, true);
  assert.equal((await platform.history.projection("matches")).name, "projections/matches");
  const tagged = await seen.tag({ cup: "summer" }, ["none"]);
  assert.deepEqual(tagged.tags, { cup: "summer" });
  const named = await seen.update({ displayName: "The final" });
  assert.deepEqual([named.displayName, named.tags], ["The final", { cup: "summer" }]);
  const { displayName, tags } = await seen.update({ displayName: "", tags: { cup: "autumn" } });
  assert.deepEqual([displayName, tags], ["", { cup: "autumn" }]);
  assert.deepEqual((await seen.seenBy("spectator").get()).tags, {}, "as a spectator gets it");
  const replayed = await all(seen.replay({ after: 2, until: position - 1, speed: 0 }));
  assert.deepEqual([replayed[0].position, replayed.at(-1).position], [3, position - 1]);
  assert.equal((await seen.entry(2)).position, 2);
  assert.equal((await all(seen.entries({ after: position - 2 }))).length, 2);
});

test(
  "a platform's stream resumes after its cursor, across kills",
  { timeout: 300_000 },
  async () => {
    const received = [];
    const connections = [];
    const abort = new AbortController();
    const { signal } = abort;
    const onConnection = (connected) => connections.push(connected);
    const stream = platform.streams.entries({ live: true, signal, onConnection });
    const reading = (async () => {
      for await (const { entries } of stream)
        received.push(...entries.map(({ entry }) => entry.name));
    })();
    reading.catch(() => {});
    while (connections.length === 0) await pause(20);
    const expected = [];
    for (let n = 0; n < 3; n += 1) {
      const { name, position } = await played(`streamed ${n}`);
      for (let at = 1; at <= position; at += 1) expected.push(`${name}/entries/${at}`);
      if (n < 2) await service.killAndRestart();
    }
    while (received.length < expected.length) await pause(50);
    abort.abort(new Error("enough"));
    await assert.rejects(reading, /enough/);
    assert.deepEqual([...received].sort(), [...expected].sort());
    assert.ok(connections.filter((it) => !it).length >= 2, "it was lost and resumed");
  },
);

test(
  "a subscription is consumed, acknowledged, and goes on after a kill",
  { timeout: 300_000 },
  async () => {
    const subscription = platform.streams.subscription("ledger");
    await subscription.create({ live: true, filter: { games: ["games/mountebank"] } });
    const listed = await all(platform.streams.subscriptions());
    assert.deepEqual(
      listed.map((it) => it.name),
      ["subscriptions/ledger"],
    );
    const { name, position } = await played("subscriber");
    const expected = Array.from({ length: position }, (_, n) => `${name}/entries/${n + 1}`);

    // A consumer that fails in the middle of a message has not acknowledged it.
    await assert.rejects(async () => {
      for await (const _ of subscription.consume({ consumer: "one" })) throw new Error("failed");
    }, /failed/);

    await service.killAndRestart();
    const received = new Set();
    for await (const { entries } of subscription.consume({ consumer: "one" })) {
      for (const { entry } of entries) received.add(entry.name);
      if (received.size >= expected.length) break;
    }
    assert.deepEqual([...received], expected);

    // The last message was left by `break`, so it comes again; what was before it does not.
    const again = [];
    const abort = new AbortController();
    const silence = () => abort.abort(new Error("silence"));
    let soon = setTimeout(silence, 60_000);
    await assert.rejects(async () => {
      for await (const { entries } of subscription.consume({
        consumer: "one",
        signal: abort.signal,
        heartbeatS: 1,
      })) {
        again.push(...entries.map(({ entry }) => entry.name));
        if (again.at(-1) !== expected.at(-1)) continue;
        clearTimeout(soon);
        soon = setTimeout(silence, 3_000);
      }
    }, /silence/);
    clearTimeout(soon);
    assert.ok(again.length > 0 && again.length <= expected.length);
    assert.equal(again.at(-1), expected.at(-1));
    const third = await subscription.consume({
      consumer: "one",
      signal: AbortSignal.timeout(2_500),
      heartbeatS: 1,
    });
    await assert.rejects(
      async () => {
        for await (const _ of third) assert.fail("everything was acknowledged");
      },
      { name: "TimeoutError" },
    );
    await subscription.delete();
    await assert.rejects(subscription.get(), { reason: "SUBSCRIPTION_NOT_FOUND" });
  },
);

test(
  "a player's token: seeks, the lobby, and a watch over all matches",
  { timeout: 300_000 },
  async () => {
    const tokens = await Promise.all(
      ["cleo", "dora"].map((name) => platform.player(name).createToken()),
    );
    const [cleo, dora] = tokens.map(({ token }) => service.connect({ credentials: token }));
    const notices = [];
    const abort = new AbortController();
    const watching = (async () => {
      for await (const message of cleo.player("cleo").watch({ signal: abort.signal })) {
        notices.push(...message.notices.map((notice) => notice.kind.case));
      }
    })();
    watching.catch(() => {});

    const seek = await cleo.seeks.create({ game: "mountebank", seats: [2] });
    assert.equal(seek.state, SeekState.OPEN);
    assert.equal((await all(cleo.seeks.list())).length, 1);
    await dora.seeks.create({ game: "mountebank", seats: [2] });
    let seated = await cleo.seeks.get(seek.name);
    while (seated.state !== SeekState.SEATED) {
      await pause(50);
      seated = await cleo.seeks.get(seek.name);
    }
    const match = cleo.match(seated.match);
    const { state, seats } = await match.get();
    assert.equal(state, MatchState.RUNNING);
    const { seat } = seats.find(({ player }) => player === "cleo");
    assert.equal((await match.view()).viewer, `seats/${seat}`);
    while (!notices.includes("matchStarted")) await pause(50);

    const { name } = await platform.matches.create({ game: "mountebank", seats: 2, lobby: true });
    assert.deepEqual(
      (await all(cleo.matches.listOpen())).map((it) => it.name),
      [name],
    );
    assert.equal((await cleo.match(name).join({ displayName: "Cleo" })).seat, 0);
    const again = await cleo.match(name).join();
    assert.equal(again.seat, 0, "a player takes at most one seat");
    await cleo.match(name).contribute(new Uint8Array(32).fill(1));
    await cleo.match(name).leave();
    await platform.match(name).delete();
    await assert.rejects(platform.match(name).get(), { reason: "MATCH_NOT_FOUND" });

    const cancelled = await cleo.seeks.create({ game: "rigs", seats: [2] });
    await cleo.seeks.delete(cancelled.name);
    assert.equal((await cleo.seeks.get(cancelled.name)).state, SeekState.DELETED);

    await platform.player("cleo").revokeTokens();
    await assert.rejects(watching, { reason: "CREDENTIALS_REVOKED" });
    assert.equal(await platform.player("nobody").erase(), false);
  },
);

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
