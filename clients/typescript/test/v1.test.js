// What the generated schemas keep of the contract's options.
import assert from "node:assert/strict";
import { test } from "node:test";
import { getOption } from "@bufbuild/protobuf";
import { ActionSchema, holds, marked } from "@croupier/client/v1";

/** Every field of a message and of those in it. */
function fieldsOf(message, seen = new Set()) {
  if (!message || seen.has(message)) return [];
  seen.add(message);
  return message.fields.flatMap((it) => [it, ...fieldsOf(it.message, seen)]);
}

const fields = fieldsOf(ActionSchema);

test("fields of actions say what they hold", () => {
  const named = (name) => fields.find((it) => `${it.parent.typeName}.${it.name}` === name);
  const held = (name) => getOption(named(name), holds);
  assert.equal(held("croupier.games.among_thieves.v1.Pay.to"), "seat");
  assert.equal(held("croupier.games.among_thieves.v1.Pay.turn"), "turns-begun");
  assert.equal(held("croupier.games.rigs.v1.Bundle.plots"), "plot");
  assert.equal(held("croupier.games.rigs.v1.Show.cards"), "");
});

test("options that other languages and REST need are left out", () => {
  const unknown = fields.flatMap((it) => it.proto.options?.$unknown ?? []);
  assert.deepEqual([...new Set(unknown.map(({ no }) => no))], [holds.number, marked.number]);
});
