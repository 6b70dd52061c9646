// docs/sdks.md tells what each client calls what: this client has each of those names, and no other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as client from "@croupier/client";
import * as keeping from "@croupier/client/keeping";
import * as verify from "@croupier/client/verify";
import * as webhooks from "@croupier/client/webhooks";
import { REPEATABLE } from "../dist/transport.js";

const page = readFileSync(new URL("../../../docs/sdks.md", import.meta.url), "utf8");
// What a name begins with, and what that is. `npm run api` keeps the list of members true.
const HANDLES = {
  croupier: "Croupier",
  list: "Pages",
  match: "MatchHandle",
  live: "Live",
  player: "PlayerHandle",
  subscription: "SubscriptionHandle",
  refusal: "Refusal",
};
const members = new Map();
const api = readFileSync(new URL("../api.md", import.meta.url), "utf8");
for (const [, name, body] of api.matchAll(/^class (\w+).*\{\n((?: .*\n)*)\}$/gm)) {
  const found = body.matchAll(/^ {2}(?:static |readonly |get )*(\w+)(?:\(|<|\?|: (\w+))/gm);
  members.set(name, new Map([...found].map(([, member, type]) => [member, type])));
}

/** The names of the tables in the column of this client. */
function named() {
  const names = [];
  let column = -1;
  for (const line of page.split("\n")) {
    const cells = line.split("|").map((it) => it.trim());
    if (cells[1] === "to") column = cells.indexOf("TypeScript");
    else if (line === "") column = -1;
    else if (column > 0) names.push(...(cells[column].match(/(?<=`)[\w.]+(?=`)/g) ?? []));
  }
  return names;
}

/** The class and the member that a name stands for, or neither for a function of the package. */
function found(name) {
  const parts = name.split(".");
  const member = parts.pop();
  const [first, collection] = parts;
  if (first === undefined) return client[member] && {};
  const modules = { keeping, verify, webhooks };
  if (first in modules) return modules[first][member] && {};
  const root = HANDLES[first] ?? first;
  const owner = collection === undefined ? root : members.get(root)?.get(collection);
  const isOfError = owner === "Refusal" && member === "message";
  return isOfError || members.get(owner)?.has(member) ? { owner, member } : undefined;
}

test("the client has every name of the page", () => {
  const names = named();
  assert.ok(names.length > 100, `${names.length} names`);
  assert.deepEqual(
    names.filter((it) => !found(it)),
    [],
  );
});

test("the page has every operation of the client", () => {
  const told = new Set(named().map((it) => `${found(it)?.owner}.${found(it)?.member}`));
  const owners = [...Object.values(HANDLES), "Games", "Matches", "History", "Seeks", "Streams"];
  const own = owners.flatMap((owner) => [...members.get(owner).keys()].map((it) => `${owner}.${it}`));
  const silent = /\.(constructor|from|of|return)$/;
  assert.deepEqual(
    own.filter((it) => !told.has(it) && !silent.test(it)),
    [],
  );
});

test("the calls that are repeated without a request id are those of the page", () => {
  const [, text] = page.match(/or is one of (`[^.]*)\. One attempt/);
  assert.deepEqual(text.match(/\w+(?=`)/g), [...REPEATABLE].sort());
});
