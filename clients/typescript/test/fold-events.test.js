// What the fold does with each event that hides something, on a layout of no game. Matches of the
// games seldom have some of it, such as a card that was shown and is then lost sight of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { emptyTable, fold } from "@croupier/client";
import { Arrangement, EntrySchema, LayoutSchema, Sight } from "@croupier/client/v1";

const layout = create(LayoutSchema, {
  places: [
    { name: "deck", sight: Sight.NOBODY },
    { name: "pile", sight: Sight.ALL, arrangement: Arrangement.PILE },
    { name: "hand/0", seat: 0, sight: Sight.SEAT, seenBy: 0, purses: [{ coin: "gold" }] },
    { name: "hand/1", seat: 1, sight: Sight.SEAT, seenBy: 1, purses: [{ coin: "gold" }] },
    { name: "screen/0", seat: 0, sight: Sight.SEAT, seenBy: 0, countHidden: true },
    { name: "screen/1", seat: 1, sight: Sight.SEAT, seenBy: 1, countHidden: true },
    { name: "screen/2", seat: 2, sight: Sight.SEAT, seenBy: 2, countHidden: true },
  ],
  pieces: [
    { name: "a", back: "red", start: "deck", layer: 0 },
    { name: "b", back: "red", start: "deck", layer: 1 },
    { name: "c", back: "blue", start: "deck", layer: 1 },
  ],
  backs: [{ name: "red" }, { name: "blue" }],
  coins: [{ name: "gold" }],
});
const match = { name: "matches/m", seats: [0, 1] };

/** What lies where for a viewer after these events, as short texts. */
function after(viewer, ...events) {
  const empty = emptyTable({ layout }, match, viewer);
  const kinds = events.map((event) => {
    const [[name, value]] = Object.entries(event);
    return { kind: { case: name, value } };
  });
  const table = fold(layout, empty, create(EntrySchema, { position: 1, events: kinds }));
  const text = ({ place, pieces, unseen, purses, countHidden, top }) => {
    const held = [
      ...pieces,
      ...unseen.map(({ back, count }) => `${count} ${back}`),
      ...purses.map(({ coin, amount }) => `${amount} ${coin}`),
      ...(countHidden ? ["any"] : []),
      ...(top === "" ? [] : [`top ${top}`]),
    ];
    return [place, held.join(", ")];
  };
  return Object.fromEntries(table.places.map(text));
}

const spectatorScreens = { "screen/0": "any", "screen/1": "any" };

test("a table begins with every piece at its start, as far as the viewer sees it", () => {
  assert.deepEqual(after("house"), { deck: "a, b, c" });
  assert.deepEqual(after("spectator"), { deck: "2 red, 1 blue", ...spectatorScreens });
  assert.deepEqual(after("seats/1"), { deck: "2 red, 1 blue", "screen/0": "any" });
});

test("a piece that was shown is remembered until an unseen one leaves its place", () => {
  const shown = { shown: { piece: "b", at: "deck", seats: [0] } };
  const ann = { "screen/1": "any" };
  assert.deepEqual(after("seats/0", shown), { deck: "b, 1 red, 1 blue", ...ann });
  const twice = after("seats/0", shown, shown);
  assert.deepEqual(twice, { deck: "b, 1 red, 1 blue", ...ann });
  const drawn = { moved: { back: "blue", from: "deck", to: "hand/1" } };
  const lost = { deck: "2 red", "hand/1": "1 blue", ...ann };
  assert.deepEqual(after("seats/0", shown, drawn), lost);
  const taken = { moved: { piece: "b", from: "deck", to: "hand/0" } };
  const known = { deck: "1 red, 1 blue", "hand/0": "b", ...ann };
  assert.deepEqual(after("seats/0", shown, taken), known);
  const hidden = { shown: { back: "red", at: "deck", seats: [1] } };
  assert.deepEqual(after("seats/0", hidden), { deck: "2 red, 1 blue", ...ann });
});

test("behind a screen, pieces are neither seen nor counted", () => {
  const away = { moved: { back: "red", from: "deck", to: "screen/1" } };
  const gone = { deck: "1 red, 1 blue", "screen/1": "any" };
  assert.deepEqual(after("seats/0", away), gone);
  const shown = { shown: { piece: "a", at: "screen/1", everyone: true } };
  assert.deepEqual(after("seats/0", away, shown), { ...gone, "screen/1": "a, any" });
  const uncounted = { moved: { from: "screen/1", to: "screen/0" } };
  assert.deepEqual(after("spectator", away, shown, uncounted), {
    deck: "1 red, 1 blue",
    ...spectatorScreens,
  });
});

test("gathered pieces turn over with the place that they come to", () => {
  const seen = { moved: { piece: "a", from: "deck", to: "pile" } };
  const back = { gathered: { from: "pile", to: "deck" } };
  assert.deepEqual(after("spectator", seen, back), { deck: "2 red, 1 blue", ...spectatorScreens });
  const unseen = { gathered: { from: "deck", to: "hand/1" } };
  const held = { "hand/1": "2 red, 1 blue", ...spectatorScreens };
  assert.deepEqual(after("spectator", unseen), held);
  assert.deepEqual(after("house", unseen), { "hand/1": "a, b, c" });
  assert.deepEqual(after("house", { gathered: { from: "deck", to: "deck" } }), { deck: "a, b, c" });
});

test("the top of a pile is the one piece of the lowest layer", () => {
  const laid = ["b", "c", "a"].map((piece) => ({ moved: { piece, from: "deck", to: "pile" } }));
  assert.equal(after("house", laid[0]).pile, "b, top b");
  assert.equal(after("house", laid[0], laid[1]).pile, "b, c");
  assert.equal(after("house", ...laid).pile, "a, b, c, top a");
});

test("coins are counted where the viewer sees the purse", () => {
  const paid = { paid: { coin: "gold", from: "hand/0", to: "hand/1", amount: 3 } };
  const untold = { paid: { coin: "gold", from: "hand/0", to: "hand/1" } };
  const elsewhere = { paid: { coin: "gold", from: "deck", to: "hand/1", amount: 2 } };
  assert.equal(after("seats/1", paid)["hand/1"], "3 gold");
  assert.equal(after("seats/1", paid)["hand/0"], undefined);
  assert.equal(after("seats/1", untold)["hand/1"], undefined);
  assert.equal(after("house", paid, elsewhere)["hand/1"], "5 gold");
  assert.equal(after("house", paid)["hand/0"], "-3 gold");
});

test("seats resign in order, come back, and leave what they declared", () => {
  const table = emptyTable({ layout }, match, "spectator");
  const events = [
    { case: "resigned", value: 1 },
    { case: "resigned", value: 0 },
    { case: "stood", value: { seat: 0, decision: "pass", on: true } },
    { case: "stood", value: { seat: 1, decision: "pass", on: true } },
    { case: "stood", value: { seat: 1, decision: "hold", on: true } },
    { case: "stood", value: { seat: 1, decision: "pass", on: false } },
    { case: "replaced", value: { seat: 0 } },
  ].map((kind) => ({ kind }));
  const folded = fold(layout, table, create(EntrySchema, { position: 1, events }));
  assert.deepEqual(folded.resigned, [1]);
  const standing = folded.standing.map(({ seat, decision }) => [seat, decision]);
  assert.deepEqual(standing, [[1, "hold"]]);
  assert.deepEqual([table.resigned, table.standing], [[], []], "the table before is as it was");
});
