import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./load.js";

const { hasRules, loadChecker } = await load("check/check.ts");
const record = readFileSync(new URL("../../../tests/vectors/record.jsonl", import.meta.url));
const { jws, keys } = JSON.parse(readFileSync(new URL("../../../tests/vectors/receipt.json", import.meta.url)));
const match = "matches/01928f3c-5a7e-7d10-8b2f-0c4d6e8f1a3b";
const seedCommitment = "2003bcde5d13438ce770766d19f2e717d0b1b75127d056e9a5ea1b0b4335c60b";

async function checked(kept, bytes = record) {
  const checker = await loadChecker();
  return checker.check(new Blob([bytes]), kept && { match, ...kept }, kept !== undefined, () => {});
}

test("Pages without the rules check the deal, and say that it is no more", async () => {
  assert.equal(hasRules, false);
  const { answer, byRules, matches, entries, sharedUnordered, anchored } = await checked({ seedCommitment, receipts: [jws], keys });
  assert.deepEqual(
    { answer, byRules, matches, entries, sharedUnordered, anchored },
    { answer: "PROVEN", byRules: false, matches: 1, entries: 13, sharedUnordered: 1, anchored: 1 },
  );
});

test("What was kept contradicts another record", async () => {
  const codes = async (kept) => (await checked(kept)).findings.map(({ code }) => code);
  assert.deepEqual(await codes({ seedCommitment: "00".repeat(32) }), ["COMMITMENT_DIFFERS"]);
  assert.deepEqual(await codes({ contributions: [{ seat: 0, hex: "00".repeat(32) }] }), ["CONTRIBUTION_DIFFERS"]);
  assert.deepEqual(await codes({ contributions: [{ seat: 0, hex: "c0".repeat(32) }] }), []);
  assert.deepEqual(await codes({ receipts: [`${jws}x`], keys }), ["RECEIPT_INVALID"]);
  assert.deepEqual(await codes({ match: "matches/00000000-0000-4000-8000-000000000000" }), ["OTHER_MATCH"]);
});

test("A file that is no record is wrong", async () => {
  const { answer, findings } = await checked(undefined, "hello\n");
  assert.equal(answer, "WRONG");
  assert.deepEqual(findings.map(({ code }) => code), ["NOT_A_RECORD"]);
});
