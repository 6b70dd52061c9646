// The verifier on the cases that every verifier decides alike.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readReceipt, verify, verifyReceipts, Wrong } from "@croupier/client/verify";
import { hex, utf8 } from "../dist/verify/bytes.js";
import { RULES } from "../dist/verify/match.js";
import { cases, content, keys, rules } from "./support/cases.js";

test("every case is decided as expected", () => {
  assert.ok(cases.length > 200);
  for (const it of cases) {
    const expected = it.without_rules ?? it.expected;
    assert.deepEqual(decided(it, content(it)), expected, it.name);
  }
});

test("a record as a text or as lines is decided like its bytes", () => {
  for (const it of cases) {
    const bytes = content(it);
    if (bytes === undefined) continue;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    if (hex(utf8(text)) !== hex(bytes)) continue;
    const expected = it.without_rules ?? it.expected;
    assert.deepEqual(decided(it, text), expected, it.name);
    if (text.endsWith("\n")) {
      assert.deepEqual(decided(it, text.slice(0, -1).split("\n")), expected, it.name);
    }
  }
});

test("the sources of chance of proven matches", () => {
  let matches = 0;
  for (const it of cases.filter((it) => it.entropy)) {
    const report = verify(content(it), kept(it).kept);
    assert.deepEqual(
      report.matches.map((match) => match.entropy),
      it.entropy,
      it.name,
    );
    matches += it.entropy.length;
  }
  assert.ok(matches > 20);
});

test("the players of proven matches", () => {
  let proven = 0;
  for (const it of cases.filter((it) => it.players)) {
    const { matches } = verify(content(it), kept(it).kept);
    const counted = matches.map(({ players }) => ({
      proven: players.proven,
      erased: players.erased,
      not_covered: players.notCovered,
    }));
    assert.deepEqual(counted, it.players, it.name);
    for (const { players } of matches) proven += players.proven;
  }
  assert.ok(proven > 10);
});

test("the versions of the rules are those of this release", () => {
  assert.deepEqual({ ...RULES }, rules);
});

/** The answer and the findings, as the table of cases has them. */
function decided(it, record) {
  const { kept: known, refused } = kept(it);
  const { answer, wrong, unproven } =
    record === undefined ? verifyReceipts(known.receipts) : verify(record, known);
  const all = [...wrong, ...refused];
  const listed = all.length > 0 ? all : unproven;
  const found = listed.map(({ match, position, code, reason }) => {
    assert.ok(reason, it.name);
    return position === undefined ? { match, code } : { match, position, code };
  });
  return { answer: refused.length > 0 ? "WRONG" : answer, found };
}

function kept(it) {
  const { match, may_be_unfinished: mayBeUnfinished, commitment, ...more } = it.kept ?? {};
  const contributions = Object.entries(more.contributions ?? {}).map(([seat, text]) => {
    return { seat: Number(seat), bytes: Uint8Array.from(Buffer.from(text, "hex")) };
  });
  const receipts = [];
  const refused = [];
  for (const jws of more.receipts ?? []) {
    try {
      receipts.push(readReceipt(jws, keys));
    } catch (error) {
      assert.ok(error instanceof Wrong);
      refused.push({ code: error.code, reason: error.message, match: "" });
    }
  }
  const seedCommitment = commitment;
  return { kept: { match, mayBeUnfinished, seedCommitment, contributions, receipts }, refused };
}
