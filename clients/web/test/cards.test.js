import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "./fixtures.js";
import { load } from "./load.js";

const { faceOf, inkOn, wrap } = await load("table/cards.ts");
const { Names } = await load("table/names.ts");

const names = new Names(layout);
const face = (piece) => faceOf(names.pieces.get(piece), names);

test("the corner shows the number that tells cards apart, and not another one", () => {
  assert.equal(face("duke").corner, "7");
  assert.equal(face("lark").corner, "9");
});

test("a rank without a number stands in the corner by its title", () => {
  assert.equal(face("ace").corner, "Ace");
});

test("values with symbols are drawn as often as the card has them, in its colours", () => {
  assert.deepEqual(face("duke").pips.map((it) => it.symbol), ["☾", "☀"]);
  assert.deepEqual(face("duke").colors, ["#5b6b8c", "#d9a400"]);
});

test("a facet that is named after a value counts it", () => {
  assert.deepEqual(face("hill-1").amounts.map((it) => [it.value.name, it.number]), [["energy", 2]]);
});

test("letters are readable on any colour", () => {
  assert.equal(inkOn("#f4e9c9"), "#120f0b");
  assert.equal(inkOn("#2a2622"), "#ffffff");
});

test("long titles break into lines, and a cut one says so", () => {
  assert.deepEqual(wrap("Break into the Mint", 12, 2), ["Break into", "the Mint"]);
  assert.match(wrap("one two three four five six", 7, 2)[1], /…$/);
});
