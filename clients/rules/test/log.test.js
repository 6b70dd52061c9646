// The rules on a transparency log that this file makes by itself.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Verifier } from "@croupier/rules";

const isMade = existsSync(new URL("../dist/rules.wasm", import.meta.url));
const skip = !isMade && "`make rules` makes rules.wasm";
const name = "log.example/a";
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const leafHash = (leaf) => sha256(Buffer.from([0]), leaf);
const nodeHash = (left, right) => sha256(Buffer.from([1]), left, right);

const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
const keyId = (kind) => sha256(Buffer.from(`${name}\n`), Buffer.from([kind]), raw).subarray(0, 4);
const logKey = `${name}+${keyId(1).toString("hex")}+${Buffer.concat([Buffer.from([1]), raw]).toString("base64")}`;

/** A checkpoint of a tree, signed. */
function checkpoint(leaves) {
  const text = `${name}\n${leaves.length}\n${root(leaves).toString("base64")}\n`;
  const signature = Buffer.concat([keyId(1), sign(null, Buffer.from(text), privateKey)]).toString("base64");
  return `${text}\n— ${name} ${signature}\n`;
}

/** The hash of a tree, by the definition of RFC 6962. */
function root(leaves) {
  if (leaves.length === 1) return leafHash(leaves[0]);
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return nodeHash(root(leaves.slice(0, half)), root(leaves.slice(half)));
}

/** A leaf that says that a match of two seats was opened. */
const opened = (nth) => Buffer.concat([Buffer.from([1, 1]), Buffer.alloc(32, nth), Buffer.alloc(8, 1), Buffer.alloc(64, 2), Buffer.from([2]), Buffer.alloc(64)]);

/** The proof that a tree has its first leaf: the hashes of what is right of it. */
function proof(leaves) {
  const hashes = [];
  for (let size = leaves.length; size > 1; ) {
    const half = 2 ** Math.ceil(Math.log2(size) - 1);
    hashes.unshift(root(leaves.slice(half, size)).toString("base64"));
    size = half;
  }
  return ["c2sp.org/tlog-proof@v1", `extra ${leaves[0].toString("base64")}`, "index 0", ...hashes, "", checkpoint(leaves)].join("\n");
}

describe("a log", { skip }, () => {
  let verifier;
  before(async () => {
    verifier = await Verifier.load();
  });
  after(() => verifier.close());

  const [one, two, three] = [1, 2, 3].map(opened);

  test("a proof is verified, and its checkpoint is kept", async () => {
    const leaves = [one, two];
    const looked = await verifier.look({ logKey, told: proof(leaves) });
    assert.deepEqual(looked, { answer: "PROVEN", findings: [], checkpoint: checkpoint(leaves), size: 2, index: 0 });
    const consistency = `${leafHash(three).toString("base64")}\n`;
    const next = await verifier.look({ logKey, told: proof([one, two, three]), checkpoint: checkpoint(leaves), consistency });
    assert.deepEqual([next.answer, next.size], ["PROVEN", 3]);
  });

  test("another history is shown by both checkpoints", async () => {
    const [mine, theirs] = [checkpoint([one, two]), checkpoint([one, three])];
    const looked = await verifier.look({ logKey, told: theirs, checkpoint: mine });
    assert.equal(looked.answer, "WRONG");
    assert.deepEqual(looked.findings.map(({ code }) => code), ["LOG_CONTRADICTS"]);
    assert.deepEqual([looked.evidence, looked.checkpoint], [[mine, theirs], mine]);
    const unproven = await verifier.look({ logKey, told: checkpoint([one, two, three]), checkpoint: mine });
    assert.deepEqual([unproven.answer, unproven.checkpoint], ["NOT_PROVEN", mine]);
  });

  test("a proof that does not hold, and one of another match, are wrong", async () => {
    const told = proof([one, two]);
    const altered = told.replace(`extra ${one.toString("base64")}`, `extra ${three.toString("base64")}`);
    const match = { name: "matches/01928f3c-5a7e-7d10-8b2f-0c4d6e8f1a3b" };
    for (const [look, code] of [
      [{ told: altered }, "LOG_PROOF_INVALID"],
      [{ told, match }, "LOG_DIFFERS"],
    ]) {
      const { answer, findings } = await verifier.look({ logKey, ...look });
      assert.deepEqual([answer, ...findings.map((it) => it.code)], ["WRONG", code]);
    }
    await assert.rejects(verifier.look({ logKey: "none", told }), TypeError);
  });

  test("a check takes a moment", async (t) => {
    const leaves = Array.from({ length: 256 }, (_, nth) => opened(nth));
    const told = proof(leaves);
    const began = performance.now();
    for (let nth = 0; nth < 100; nth++) await verifier.look({ logKey, told });
    t.diagnostic(`${((performance.now() - began) / 100).toFixed(2)} ms a check, ${told.length} bytes a proof`);
  });
});
