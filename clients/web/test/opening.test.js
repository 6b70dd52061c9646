import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.js";

const { readForm } = await load("lobby/opening.ts");

function form(fields) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test("A form becomes a match with its player, its bots and its open seats", () => {
  const given = form({
    who: "lobby",
    seats: "4",
    "seat-0": "search",
    "seat-1": "me",
    "seat-2": "",
    "seat-3": "random",
    "option-talk": "on",
    time: "daily",
  });
  assert.deepEqual(readForm(given, "ann"), {
    who: "lobby",
    seats: 4,
    options: { talk: "on" },
    players: ["", "ann", "", ""],
    bots: ["search", "", "", "random"],
    preset: "daily",
  });
});

test("Nobody sits on two seats: the second stays open", () => {
  const { players, bots } = readForm(form({ seats: "3", "seat-0": "me", "seat-1": "me", "seat-2": "" }), "ann");
  assert.deepEqual(players, ["ann", "", ""]);
  assert.deepEqual(bots, ["", "", ""]);
});
