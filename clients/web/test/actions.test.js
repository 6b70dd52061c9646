import assert from "node:assert/strict";
import { test } from "node:test";
import { layout, legal } from "./fixtures.js";
import { load } from "./load.js";

const { choicesOf, effectOf, keyOf, narrow, once, openVerbs, reasonsOf } = await load("table/actions.ts");
const { Names } = await load("table/names.ts");

const names = new Names(layout);

const cons = [
  legal("con", "Run a con of Moons with the Ace", { mountebank: { con: { cards: ["ace"], primary: "SUIT_MOONS" } } }, { pieces: ["ace"], values: ["moons"] }),
  legal("con", "Run a con of Moons with both", { mountebank: { con: { cards: ["ace", "duke"], primary: "SUIT_MOONS" } } }, { pieces: ["ace", "duke"], values: ["moons"] }),
  legal("con", "Run a con of Suns with the Duke", { mountebank: { con: { cards: ["duke"], primary: "SUIT_SUNS" } } }, { pieces: ["duke"], values: ["suns"] }),
  legal("take", "Take the Lark", { mountebank: { take: { card: "lark" } } }, { pieces: ["lark"] }),
  legal("draw", "Draw a card", { mountebank: { draw: {} } }),
];

test("an action is done by clicking the pieces that it names", () => {
  const choices = choicesOf(cons, names);
  assert.deepEqual(choices.map((it) => it.targets), [
    ["piece:ace"],
    ["piece:ace", "piece:duke"],
    ["piece:duke"],
    ["piece:lark"],
    [],
  ]);
});

test("a value that an action names hints at the common places of that value", () => {
  const [con] = choicesOf(cons, names);
  assert.deepEqual(con.hints, ["place:crown/moons"]);
});

test("pieces that are clicked one after the other narrow the actions down", () => {
  const choices = choicesOf(cons, names);
  const first = narrow(choices, []);
  assert.deepEqual([...first.next].sort(), ["piece:ace", "piece:duke", "piece:lark"]);
  assert.deepEqual(first.exact.map((it) => it.legal.verb), ["draw"]);

  const second = narrow(choices, ["piece:ace"]);
  assert.deepEqual(second.exact.map((it) => it.legal.label), ["Run a con of Moons with the Ace"]);
  assert.ok(second.next.has("piece:duke"));
  assert.ok(!second.next.has("piece:lark"));

  const third = narrow(choices, ["piece:duke", "piece:ace"]);
  assert.deepEqual(third.choices.map((it) => it.legal.label), ["Run a con of Moons with both"]);
  assert.equal(third.choices.length, third.exact.length);
});

test("a place stands for the piece, the seat and the value that it belongs to", () => {
  const to = { spot: { plot: "hill-1", resource: "RESOURCE_ENERGY" } };
  const about = { pieces: ["hill-1"], places: ["warehouse/0", "spots/hill-1/energy"], seats: [0], values: ["energy"] };
  const [move] = choicesOf([legal("move", "Move", { rigs: { move: { from: { warehouse: 0 }, to } } }, about)], names);
  assert.deepEqual(move.targets, ["place:warehouse/0", "place:spots/hill-1/energy"]);
  assert.deepEqual(move.hints, []);
});

test("a seat that an action names is a target, whatever its label is", () => {
  const actions = [
    legal("pay", "Pay Bob 1M", { amongThieves: { pay: { to: 1, millions: 1, turn: 2 } } }, { seats: [1] }),
    legal("pay", "2M", { amongThieves: { pay: { to: 2, millions: 2, turn: 2 } } }, { seats: [2] }),
  ];
  assert.deepEqual(choicesOf(actions, names).map((it) => it.targets), [["seat:1"], ["seat:2"]]);
});

test("seats keep their order", () => {
  const about = { pieces: ["hill-1"], seats: [2, 1] };
  const [grant] = choicesOf([legal("grant", "Take the hill", { rigs: { grant: { plot: "hill-1", order: [2, 1] } } }, about)], names);
  assert.deepEqual(grant.targets, ["piece:hill-1", "seat:2", "seat:1"]);
});

test("seats of a list are targets of their own, the acting one too", () => {
  const actions = [
    legal("assemble", "Assemble a team: you and Bob", { amongThieves: { assemble: { seats: [0, 1] } } }, { seats: [0, 1] }),
    legal("assemble", "Assemble a team: Bob and Cleo", { amongThieves: { assemble: { seats: [1, 2] } } }, { seats: [1, 2] }),
  ];
  const choices = choicesOf(actions, names);
  assert.deepEqual(choices[0].targets, ["seat:0", "seat:1"]);
  assert.deepEqual([...narrow(choices, ["seat:0"]).next], ["seat:1"]);
});

test("open-ended kinds are listed once", () => {
  const actions = [
    legal("offer", "Offer Bob 1", { amongThieves: { offer: { to: 1, give: 1, turn: 2 } } }, { openEnded: true }),
    legal("offer", "Ask Bob for 1", { amongThieves: { offer: { to: 1, take: 1, turn: 2 } } }, { openEnded: true }),
  ];
  assert.deepEqual(openVerbs(choicesOf(actions, names)), ["offer"]);
});

test("copies of a card are targets of their own, and have one button", () => {
  const actions = [
    legal("perform-caper", "Play the Thug", { grifters: { performCaper: { card: "thug/1" } } }, { pieces: ["thug/1"] }),
    legal("perform-caper", "Play the Thug", { grifters: { performCaper: { card: "thug/2" } } }, { pieces: ["thug/2"] }),
  ];
  const choices = choicesOf(actions, names);
  assert.deepEqual([...narrow(choices, []).next], ["piece:thug/1", "piece:thug/2"]);
  assert.deepEqual(once(choices), [choices[0]]);
  assert.notEqual(keyOf(actions[0]), keyOf(actions[1]));
});

test("a reason is told once, with the kinds that it is about", () => {
  const full = { text: "A hand holds at most 7 cards", message: "full" };
  const obstacles = [{ verb: "draw", ...full }, { verb: "pass", text: "", message: "you must play!" }, { verb: "take", ...full }];
  const titled = { verbs: new Map([["draw", { title: "Draw" }], ["take", { title: "Take" }]]) };
  assert.deepEqual(reasonsOf(obstacles, titled), ["Draw · Take: A hand holds at most 7 cards.", "pass: you must play!"]);
  assert.deepEqual(reasonsOf([{ verb: "", ...full }], titled), ["A hand holds at most 7 cards."]);
});

test("what is certain about an action is told in short", () => {
  const effects = ["Winnings: +11 tokens", "Moons: −3 tokens", "Suns: +2 tokens"].map((text) => ({ text }));
  assert.equal(effectOf({ effects }), "Winnings: +11 tokens; Moons: −3 tokens");
  assert.equal(effectOf({ effects: [] }), "");
});
