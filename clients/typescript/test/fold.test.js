// The local fold equals the service's view, for every viewer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { equals } from "@bufbuild/protobuf";
import { Code, emptyTable, fold, FoldError, seconds } from "@croupier/client";
import { EventSchema, MatchState, Motion, TableSchema } from "@croupier/client/v1";
import { Service } from "./support/service.js";
import { chance, oneOf } from "./support/play.js";

let service, croupier;
before(async () => {
  service = await Service.start();
  croupier = service.connect();
});
after(() => service?.stop());

/** Node's `fetch` asks for texts, which are not folded. */
function withoutTexts(table) {
  table.text = "";
  for (const place of table.places) for (const purse of place.purses) purse.text = "";
  for (const prompt of table.prompts) prompt.text = "";
  for (const part of table.scoreParts) part.title = "";
  for (const offer of table.offers) for (const item of [...offer.give, ...offer.take]) item.text = "";
  return table;
}

async function all(items) {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The kinds of events in what was compared. */
const kinds = new Set();

/**
 * Compares the tables of viewers at every position of a match; returns how many. Spectators' and
 * the house's are compared at each, those of seats too, or of one seat at each, in turn.
 */
async function compare(match, { inTurn } = {}) {
  const { layout } = await croupier.games.get(match.game);
  const seats = match.seats.map((_, seat) => `seats/${seat}`);
  let compared = 0;
  for (const viewer of ["spectator", "house", ...seats]) {
    const seen = croupier.match(match.name, { viewer });
    let table = emptyTable({ layout }, match, viewer);
    const entries = await all(seen.entries());
    for (const { events } of entries) for (const { kind } of events) kinds.add(kind.case);
    const seat = seats.indexOf(viewer);
    const tables = entries
      .map((entry) => (table = fold(layout, table, entry)))
      .filter((_, index) => !inTurn || seat < 0 || index % seats.length === seat);
    for (let from = 0; from < tables.length; from += 32) {
      await Promise.all(
        tables.slice(from, from + 32).map(async (folded) => {
          const view = withoutTexts(await seen.view({ position: folded.position }));
          if (!equals(TableSchema, withoutTexts(folded), view)) {
            assert.deepEqual(folded, view, `${match.game}, ${viewer}, at ${folded.position}`);
            assert.fail(`${match.game}, ${viewer}, at ${folded.position}: unequal messages`);
          }
          compared += 1;
        }),
      );
    }
  }
  return compared;
}

async function ended(match) {
  for await (const _ of croupier.match(match.name, { viewer: "spectator" }).watch());
  return croupier.match(match.name).get();
}

test("matches of all games between bots", { timeout: 300_000 }, async (t) => {
  for await (const game of croupier.games.list()) {
    for (const [seats, level] of [
      [game.seatsMin, "random"],
      [game.seatsMax, "heuristic"],
    ]) {
      const bots = Array.from({ length: seats }, () => level);
      const match = await ended(await croupier.matches.create({ game: game.name, seats, bots }));
      const compared = await compare(match, { inTurn: true });
      assert.equal(compared, match.position * 3);
      t.diagnostic(`${game.title} with ${seats} seats: ${compared} tables`);
    }
  }
});

/** A match in which the time of a seat ran out. */
async function timedOut() {
  const players = ["ann", "bob"];
  const timeControl = { perDecision: seconds(1) };
  const created = { game: "mountebank", seats: 2, players, timeControl };
  const match = croupier.match((await croupier.matches.create(created)).name, { seat: 0 });
  for await (const { events } of match.watch()) {
    if (events.some(({ kind }) => kind.case === "timedOut")) break;
  }
  await match.end();
  return match.get();
}

test(
  "talk, standing answers, votes, resigning, substitutes and what is taken back",
  { timeout: 300_000 },
  async (t) => {
    const random = chance(2);
    for await (const game of croupier.games.list()) {
      const talk = game.options.some(({ name }) => name === "talk") ? { talk: "on" } : {};
      const seats = Math.min(game.seatsMax, 3);
      const players = ["ann", "bob", "cleo"].slice(0, seats);
      const contributions = players.map((_, seat) => new Uint8Array(32).fill(seat));
      const created = { game: game.name, seats, players, options: talk, contributions };
      const { name } = await croupier.matches.create(created);
      const { layout } = await croupier.games.get(game.name);
      const handles = players.map((_, seat) => croupier.match(name, { seat }));
      const attempt = async (what, call) => {
        try {
          await call();
        } catch (error) {
          if (error.code !== Code.FailedPrecondition)
            throw new Error(`${what}: ${error}`, { cause: error });
        }
      };
      for (let turn = 0; turn < 60; turn += 1) {
        const { waitingFor, state, paused } = await croupier.match(name).get();
        if (state === MatchState.ENDED) break;
        if (paused) {
          // Every seat had voted for it in turn.
          await croupier.match(name).resume();
          continue;
        }
        const seat = waitingFor[0];
        const me = handles[seat];
        const { actions } = await me.legalActions();
        await me.submit(oneOf(actions, random).action);
        if (turn % 3 === 0) await attempt("take back", () => me.takeBack());
        const other = (seat + 1) % seats;
        if (turn % 7 === 1) await attempt("say", () => me.say("Deal?", { to: [other] }));
        if (turn % 7 === 2) await attempt("vote", () => me.vote(Motion.PAUSE));
        if (turn % 7 === 3)
          await attempt("withdraw", () => me.vote(Motion.PAUSE, { withdraw: true }));
        if (turn === 4) await attempt("pause", () => croupier.match(name).pause());
        if (turn === 4) await attempt("resume", () => croupier.match(name).resume());
        if (turn === 8) {
          for (const { name: decision } of layout.decisions) {
            await attempt("stand", () => me.stand(decision));
          }
        }
        if (turn === 20 && seats > 2) {
          await attempt("resign", () => handles[2].resign());
          await croupier.match(name, { seat: 2 }).replaceSeat({ player: "dora" });
        }
      }
      await croupier
        .match(name)
        .end()
        .catch(() => {});
      const match = await croupier.match(name).get();
      t.diagnostic(`${game.title}: ${await compare(match)} tables`);
    }
    await compare(await timedOut());
    // Time added changes no table, and is given only after the service was away.
    const every = EventSchema.oneofs[0].fields.map((field) => field.localName);
    const missing = every.filter((kind) => !kinds.has(kind) && kind !== "timeAdded");
    assert.deepEqual(missing, [], "every kind of event was compared");
  },
);

test(
  "an entry that does not follow, or that is unknown, is refused",
  { timeout: 300_000 },
  async () => {
    const game = await croupier.games.get("mountebank");
    const created = { game: "mountebank", seats: 2, bots: ["random", "random"] };
    const match = await ended(await croupier.matches.create(created));
    const [first, second] = await all(croupier.match(match.name, { viewer: "house" }).entries());
    const empty = emptyTable(game, match, "house");
    assert.throws(() => fold(game.layout, empty, second), FoldError);
    const after = fold(game.layout, empty, first);
    assert.equal(empty.position, 0, "the table before is as it was");
    const unknown = {
      ...second,
      events: [{ $typeName: "croupier.v1.Event", kind: { case: undefined } }],
    };
    assert.throws(() => fold(game.layout, after, unknown), FoldError);
    const moved = {
      case: "moved",
      value: { piece: "no-such-piece", back: "", from: "deck", to: "deck" },
    };
    assert.throws(
      () => fold(game.layout, after, { ...second, events: [{ kind: moved }] }),
      FoldError,
    );
    assert.throws(() => emptyTable({ layout: undefined }, match, "house"), FoldError);
  },
);
