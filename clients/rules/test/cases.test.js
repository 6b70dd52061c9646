// The rules on the cases that every verifier decides alike, and on altered records, which the program
// `croupier` decides too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { Verifier, verifyRecord } from "@croupier/rules";
import { cases, checked, content, keys } from "../../typescript/test/support/cases.js";

const isMade = existsSync(new URL("../dist/rules.wasm", import.meta.url));
const skip = !isMade && "`make rules` makes rules.wasm";
const program = process.env.CROUPIER_BIN;

describe("the rules", { skip }, () => {
  let verifier, folder;
  before(async () => {
    verifier = await Verifier.load();
    folder = mkdtempSync(path.join(tmpdir(), "croupier-rules-"));
  });
  after(() => {
    verifier.close();
    rmSync(folder, { recursive: true });
  });

  test("every case is decided as expected, in whatever pieces", async () => {
    assert.ok(cases.length > 200);
    for (const it of cases) {
      const bytes = content(it);
      if (!bytes) {
        assert.deepEqual(found(await verifier.verifyReceipts(kept(it))), it.expected, it.name);
        continue;
      }
      const report = await verifier.verifyRecord(bytes, kept(it));
      assert.deepEqual(found(report), it.expected, it.name);
      assert.equal(report.checks_rules, true);
      const sources = { SHARED: 0, SHARED_ORDER_NOT_PROVEN: 0, SERVICE_ONLY: 0 };
      for (const source of it.entropy ?? []) sources[source] += 1;
      const { shared, shared_unordered, service_only } = report;
      if (it.entropy) assert.deepEqual({ SHARED: shared, SHARED_ORDER_NOT_PROVEN: shared_unordered, SERVICE_ONLY: service_only }, sources, it.name);
      if (bytes.length > 100_000) continue;
      assert.deepEqual(await verifier.verifyRecord(new Response(inPieces(bytes, 97)), kept(it)), report, it.name);
    }
  });

  test("altered records get the answers of the program", { skip: !program && "CROUPIER_BIN names no program" }, async (t) => {
    const codes = new Map();
    for (const name of ["record.jsonl", "record-players.jsonl"]) {
      for (const alter of [altered, forged, played]) {
        const record = vector(name);
        for (let at = 0; at < record.length; at += 127) {
          const bytes = alter(record, at);
          const report = await verifier.verifyRecord(bytes, { source: path.join(folder, "record.jsonl") });
          assert.deepEqual(report, native(bytes), `${name}, ${alter.name} at ${at}`);
          for (const { code } of report.wrong) codes.set(code, (codes.get(code) ?? 0) + 1);
        }
      }
    }
    t.diagnostic([...codes].map((it) => it.join(" ")).join(", "));
    // Each layer was reached: the lines, what digests guard, and the rules.
    for (const code of ["CHECK_WRONG", "DIGEST_WRONG", "RULES_BROKEN"]) assert.ok(codes.get(code) > 10, code);
  });

  test("progress counts the bytes and the entries of whole matches", async () => {
    const [, ...lines] = vector("record.jsonl").toString().split(/(?<=\n)/);
    const record = Buffer.concat([vector("record.jsonl"), ...Array(299).fill(Buffer.from(lines.join("")))]);
    const told = [];
    const report = await verifyRecord(new Blob([record]), {}, { onProgress: (it) => told.push(it) });
    assert.equal(report.answer, "PROVEN");
    assert.equal(report.entries, 3900);
    assert.ok(told.length > 2);
    assert.deepEqual(told.at(-1), { entries: 3900, bytes: record.length });
    assert.ok(told[0].entries > 0 && told[0].entries < 3900);
  });

  test("what was kept is refused if it is not what it should be", async () => {
    const record = vector("record.jsonl");
    for (const [kept, says] of [
      [{ seedCommitment: "00" }, /64 hexadecimal digits/],
      [{ receipts: ["x"] }, /keys/],
      [{ receipts: ["x"], keys: { keys: [] } }, /no Ed25519 key/],
    ]) {
      await assert.rejects(verifier.verifyRecord(record, kept), (error) => error instanceof TypeError && says.test(error.message));
    }
    // It goes on.
    assert.equal((await verifier.verifyRecord(record)).answer, "PROVEN");
  });

  test("a record that cannot be read, or that nobody waits for, is an error", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("a bad line")) });
    await assert.rejects(verifier.verifyRecord(broken), /a bad line/);
    await assert.rejects(verifier.verifyRecord(new Response("", { status: 404 })), /404/);
    const signal = AbortSignal.abort();
    await assert.rejects(verifier.verifyRecord(vector("record.jsonl"), {}, { signal }), { name: "AbortError" });
    await assert.rejects(Verifier.load({ wasm: "data:application/wasm,nothing" }));
  });

  /** The object that `croupier verify --json` prints. */
  function native(bytes) {
    const file = path.join(folder, "record.jsonl");
    writeFileSync(file, bytes);
    try {
      return JSON.parse(execFileSync(program, ["verify", "--json", file], { stdio: ["ignore", "pipe", "pipe"] }));
    } catch ({ status, stdout, stderr }) {
      assert.ok([1, 3].includes(status), String(stderr));
      return JSON.parse(stdout);
    }
  }
});

/** The record with another byte. */
function altered(record, at) {
  const bytes = Uint8Array.from(record);
  bytes[at] ^= 1;
  return bytes;
}

/** The same, with checks as if it had always been so: what they guard is reached. */
function forged(record, at) {
  return checked(bareLines(altered(record, at)));
}

/**
 * The record without its seed, as of a match that runs, with another bit in the body of an entry: nothing
 * guards it but the rules.
 */
function played(record, at) {
  const bare = bareLines(record).map((line) => line.replace(/"seed":"\w*",/, ""));
  const entries = bare.flatMap((line, nth) => (line.startsWith('{"entry":') ? [nth] : []));
  const nth = entries[at % entries.length];
  const altered = (_, text) => {
    const body = Buffer.from(text, "base64");
    body[at % body.length] ^= 1 << (at % 8);
    return `"body":"${body.toString("base64")}"`;
  };
  return checked(bare.map((line, n) => (n === nth ? line.replace(/"body":"([^"]*)"/, altered) : line)));
}

function bareLines(bytes) {
  const lines = Buffer.from(bytes).toString("latin1").split("\n").slice(0, -1);
  return lines.map((line) => Buffer.from(`${line.slice(0, -28)}}`, "latin1").toString());
}

/** The answer and the findings, as the table of cases has them. */
function found({ answer, wrong, unproven }) {
  const list = answer === "WRONG" ? wrong : unproven;
  return {
    answer,
    found: list.map(({ match, position, code, reason }) => {
      assert.ok(reason);
      return position === undefined ? { match, code } : { match, position, code };
    }),
  };
}

function kept(it) {
  const { match, may_be_unfinished: mayBeUnfinished, commitment: seedCommitment, receipts, ...more } = it.kept ?? {};
  const contributions = Object.entries(more.contributions ?? {}).map(([seat, text]) => {
    return { seat: Number(seat), bytes: Buffer.from(text, "hex") };
  });
  return { match, mayBeUnfinished, seedCommitment, contributions, receipts, keys };
}

function inPieces(bytes, length) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += length)));
      if (at >= bytes.length) controller.close();
    },
  });
}

function vector(name) {
  return readFileSync(new URL(`../../../tests/vectors/${name}`, import.meta.url));
}
