import assert from "node:assert/strict";
import { toJson } from "@bufbuild/protobuf";
import { ActionSchema } from "@croupier/client/v1";
import { test } from "node:test";
import { action, layout, table } from "./fixtures.js";
import { load } from "./load.js";

const { controlsOf, piecesOf, withValue } = await load("table/form.ts");
const { Names } = await load("table/names.ts");

const context = { names: new Names(layout), table, own: 0 };
const json = (it) => toJson(ActionSchema, it);
const shapes = (controls) => controls.map((it) => [it.name, it.kind]);

test("a form has a control for each field, with the example as its start", () => {
  const pay = action({ amongThieves: { pay: { to: 1, millions: 3, turn: 2 } } });
  const controls = controlsOf(pay, context);
  assert.deepEqual(shapes(controls), [["to", "seat"], ["millions", "number"]]);
  assert.deepEqual(controls.map((it) => it.value), [1, 3]);
});

test("the turn that an action is meant for is not asked for, but kept", () => {
  const pay = action({ amongThieves: { pay: { to: 1, millions: 2, turn: 7 } } });
  assert.ok(!controlsOf(pay, context).some((it) => it.name === "turn"));
  assert.equal(json(withValue(pay, ["millions"], 5)).amongThieves.pay.turn, 7);
});

test("seats are asked for as such, wherever they are and whatever their field is called", () => {
  const play = action({ rigs: { play: { card: "ace", loss: { victim: 2 } } } });
  const [, aim] = controlsOf(play, context);
  assert.deepEqual(shapes(aim.controls[0].controls), [["victim", "seat"], ["units", "group"], ["cards", "pieces"]]);
  const grant = action({ rigs: { grant: { plot: "hill-1", order: [2, 1] } } });
  assert.deepEqual(shapes(controlsOf(grant, context)), [["plot", "piece"], ["order", "seats"]]);
});

test("a changed control makes another action, and leaves the example as it was", () => {
  const pay = action({ amongThieves: { pay: { to: 1, millions: 3, turn: 2 } } });
  const changed = withValue(pay, ["millions"], 5);
  assert.deepEqual(json(changed), { amongThieves: { pay: { to: 1, millions: 5, turn: 2 } } });
  assert.equal(json(pay).amongThieves.pay.millions, 3);
});

test("messages in messages are groups, and are made when a control in them changes", () => {
  const offer = action({ rigs: { offer: { to: 1 } } });
  const [, give] = controlsOf(offer, context);
  assert.equal(give.kind, "group");
  assert.deepEqual(shapes(give.controls), [["units", "group"], ["credits", "number"], ["plots", "pieces"], ["rigs", "number"]]);
  assert.deepEqual(json(withValue(offer, ["give", "units", "energy"], 2)), { rigs: { offer: { to: 1, give: { units: { energy: 2 } } } } });
});

test("a coin has its title, whatever its field is called", () => {
  const offer = action({ amongThieves: { offer: { to: 1, give: 1, turn: 2 } } });
  const [, give, take] = controlsOf(offer, context);
  assert.deepEqual([give.of.title, take.of.title], ["ISK", "ISK"]);
});

test("what the layout names has its title, and pieces are those of that back", () => {
  const offer = action({ rigs: { offer: { to: 1 } } });
  const [, give] = controlsOf(offer, context);
  const [units, credits, plots] = give.controls;
  assert.equal(units.controls[0].of.symbol, "⚡");
  assert.equal(credits.of.title, "Credits");
  assert.equal(plots.of.title, "Plot");
  assert.deepEqual(plots.options, ["hill-1"]);
});

test("pieces are ticked as a list", () => {
  const power = action({ rigs: { power: {} } });
  assert.deepEqual(json(withValue(power, ["plots"], ["hill-1"])), { rigs: { power: { plots: ["hill-1"] } } });
});

test("an enum offers its values, and one of several variants can be chosen", () => {
  const play = action({ rigs: { play: { card: "ace", resource: "RESOURCE_ENERGY" } } });
  const [card, aim] = controlsOf(play, context);
  assert.deepEqual(card.options, ["ace", "duke"]);
  assert.equal(aim.kind, "variant");
  assert.equal(aim.value, "resource");
  assert.equal(aim.controls[0].options[0].title, "Energy");
  assert.deepEqual(json(withValue(play, ["aim"], "stake")), { rigs: { play: { card: "ace", stake: {} } } });
});

test("the pieces that an action may name are those of the acting seat", () => {
  assert.deepEqual(piecesOf(action({ rigs: { power: {} } }), context), ["hill-1"]);
  assert.deepEqual(piecesOf(action({ rigs: { discard: {} } }), context), ["ace", "duke"]);
});
