import assert from "node:assert/strict";
import { test } from "node:test";
import { layout, table } from "./fixtures.js";
import { load } from "./load.js";

const { arrange, seatsAround } = await load("table/arrange.ts");

const named = (rows) => rows.map((row) => row.places.map((it) => it.name));

test("common places lie side by side by their order, and what is out of the game is not drawn", () => {
  const { common } = arrange(layout, table, { used: new Set() }, 0);
  assert.deepEqual(named(common), [["deck"], ["crown/moons", "crown/suns"]]);
});

test("a row keeps its place once something lay there", () => {
  const { common } = arrange(layout, table, { used: new Set(["draft"]) }, 0);
  assert.deepEqual(named(common)[0], ["deck", "draft"]);
});

test("a match has the places of its own seats only, and notes are drawn with whom they are about", () => {
  const { seats } = arrange(layout, table, { used: new Set() }, 0);
  assert.equal(seats.length, 3);
  assert.deepEqual(named(seats[0]), [["warehouse/0"], ["hand/0"], ["plots/0"]]);
  assert.deepEqual(named(seats[1]), [["warehouse/1"], ["hand/1"], ["notes/0/1"]]);
});

test("others sit around the table in the order of play after the own seat", () => {
  assert.deepEqual(seatsAround(4, 2), [3, 0, 1]);
  assert.deepEqual(seatsAround(3, undefined), [0, 1, 2]);
});
