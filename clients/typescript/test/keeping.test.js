// What a client keeps of a service's transparency log, and what it says when that contradicts itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Keeper } from "@croupier/client/keeping";
import { isSigned } from "../dist/verify/ed25519.js";
import { look, neededConsistency } from "../dist/verify/look.js";
import {
  follow,
  isContinued,
  isIncluded,
  parseHashes,
  verifierKey,
} from "../dist/verify/notes.js";
import { sha256, sha512 } from "../dist/verify/sha2.js";
import { hex, utf8, Wrong } from "../dist/verify/bytes.js";
import { program, Service } from "./support/service.js";

const file = fileURLToPath(new URL("../../../tests/vectors/looks.json", import.meta.url));
const vectors = JSON.parse(readFileSync(file, "utf8"));
const codes = (complaints) => complaints.map((it) => it.finding.code);

test("what a log tells is judged as the service's own code judges it", () => {
  for (const it of vectors.looks) {
    const asked = lookOf(it.look);
    assert.deepEqual(neededConsistency(asked) ?? null, it.needed, it.name);
    if (!it.expected) {
      assert.throws(() => look(asked), Wrong, it.name);
      continue;
    }
    const { findings, ...looked } = look(asked);
    const told = { evidence: [], checkpoint: undefined, index: undefined, time: undefined };
    const { codes, ...expected } = { ...told, ...it.expected };
    assert.deepEqual(looked, expected, it.name);
    assert.deepEqual(findings.map((it) => it.code), codes, it.name);
  }
  assert.ok(vectors.looks.length > 30);
});

test("the log that follows another is found by the statements of both", () => {
  for (const it of vectors.successions) {
    const followed = follow(verifierKey(it.log_key), it.statements);
    assert.deepEqual(followed.map(({ next, last }) => [next, last.size]), it.expected, it.name);
  }
});

test("hashes and signatures are those of the standards", () => {
  assert.equal(
    hex(sha256(utf8("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
  assert.match(hex(sha512(utf8("abc"))), /^ddaf35a193617abacc417349ae204131/);
  // The example of C2SP's signed-note.
  const vkey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
  const { key } = verifierKey(vkey);
  const line =
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONn" +
    "cAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=";
  const signature = Uint8Array.from(Buffer.from(line, "base64")).subarray(4);
  assert.ok(isSigned(key, utf8("This is an example message.\n"), signature));
  assert.ok(!isSigned(key, utf8("This is an example massage.\n"), signature));
  assert.throws(() => verifierKey(vkey.replace("foo", "bar")), Wrong);
});

// Of the tests of other implementations: see docs/verify.md.
test("proofs with which others are tested hold or do not", () => {
  const folder = new URL("../../../tests/vectors/", import.meta.url);
  const { inclusion, consistency } = JSON.parse(readFileSync(new URL("rfc6962.json", folder), "utf8"));
  const tree = (size, root) => ({ origin: "", size, root });
  for (const it of inclusion) {
    const [leaf] = parseHashes([it.leaf]);
    const proof = parseHashes(it.proof);
    const holds = proof && isIncluded(it.index, tree(it.size, it.root), leaf, proof);
    assert.equal(holds ?? false, it.holds, it.name);
  }
  for (const it of consistency) {
    const [old, now] = [tree(it.old_size, it.old_root), tree(it.size, it.root)];
    const proof = parseHashes(it.proof);
    assert.equal(proof ? isContinued(old, now, proof) : false, it.holds, it.name);
  }
  assert.ok(inclusion.length + consistency.length > 150);
});

function lookOf({ log_key, told, checkpoint, consistency, match }) {
  const of = match && {
    name: match.name,
    createTime: match.create_time,
    seats: match.seats,
    seedCommitment: match.seed_commitment,
    end: match.end,
  };
  const given = { logKey: log_key, told, checkpoint, consistency, match: of };
  const present = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present);
}

let service, platform;
before(async () => {
  service = await Service.start();
  platform = service.connect();
  const log = ["transparency", "begin", "play.example/log", "--data", service.data];
  execFileSync(program, log, { stdio: "pipe" });
  await until(() => platform.page("/log/checkpoint"));
});
after(() => service?.stop());

async function until(told) {
  for (;;) {
    const it = await told();
    if (it) return it;
    await sleep(50);
  }
}

const game = { game: "mountebank", seats: 2 };
const proofOf = (kind, { name }) => `/log/proof/${kind}/${name.replace("matches/", "")}`;

test("proofs are kept, and a tampered one is refused", { timeout: 300_000 }, async () => {
  const stored = new Map();
  const store = {
    get: (name) => stored.get(name) ?? null,
    put: async (name, text) => stored.set(name, text),
  };
  const keeper = new Keeper(platform, { store });
  const open = await platform.matches.create({ ...game, players: ["ann"] });
  const shared = await platform.matches.create({ ...game, players: ["ann"] });
  assert.deepEqual(await keeper.awaitOpening(open, 60_000), []);
  const kept = await keeper.match(open.name);
  assert.equal(kept.cameFirst, true);
  assert.match(kept.openedProof, /^c2sp\.org\/tlog-proof@v1\nextra AQ[E-H]/);
  assert.deepEqual(await keeper.look(open), [], "it is not dealt yet");
  await platform.match(open.name).join({ player: "bob" });
  const end = await platform.match(open.name, { seat: 0 }).resign();
  await until(() => platform.page(proofOf("closed", open)));
  const over = await platform.match(open.name).get();
  assert.equal(over.position, end.position);
  assert.deepEqual(await keeper.look(over), []);
  const after = await keeper.match(open.name);
  assert.equal(after.openedProof, kept.openedProof, "the one from before is kept");
  assert.match(after.closedProof, /\nextra AQ[I-L]/);
  assert.equal(after.receipt.split(".").length, 3);
  // Another keeper of the same store goes on with what this one kept.
  const again = new Keeper(platform, { store });
  assert.deepEqual(await again.match(open.name), after);
  assert.deepEqual(await again.look(over), []);
  assert.match((await again.log()).checkpoint, /^play\.example\/log\n/);

  const tampered = (change) =>
    service.connect({
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        return String(url).includes("/log/proof/") && answer.ok
          ? new Response(change(await answer.text()))
          : answer;
      },
    });
  const moved = tampered((proof) => proof.replace(/\nindex (\d+)/, "\nindex 1$1"));
  const complaints = await new Keeper(moved).awaitOpening(shared, 60_000);
  assert.deepEqual(codes(complaints), ["LOG_PROOF_INVALID"]);
  assert.match(complaints[0].evidence[0], /^c2sp\.org\/tlog-proof@v1\n/);
  // The proof of another match holds, and is of no use.
  const other = tampered(() => kept.openedProof);
  const keeps = new Keeper(other, { store });
  assert.deepEqual(codes(await keeps.awaitOpening(shared, 60_000)), ["LOG_DIFFERS"]);
  const none = { receipt: "", openedProof: "", closedProof: "", cameFirst: false };
  assert.deepEqual(await keeps.match(shared.name), none);
  // So is a key that is not the log's.
  const logKey = "play.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
  await assert.rejects(new Keeper(platform, { logKey }).awaitOpening(shared, 60_000), Wrong);
});

test("two histories are shown by the statements that one key signed", { timeout: 300_000 }, async () => {
  const dealt = await platform.matches.create({ ...game, players: ["ann", "bob"] });
  const open = await platform.matches.create({ ...game, players: ["ann"] });
  await until(() => platform.page(proofOf("opened", open)));
  // Whoever has the database lets a copy of it go on otherwise.
  await service.halt();
  const folder = mkdtempSync(path.join(tmpdir(), "croupier-typescript-"));
  chmodSync(folder, 0o755);
  execFileSync("cp", ["-a", "--no-target-directory", service.data, `${folder}/data`]);
  const fork = new Service(folder, []);
  try {
    await Promise.all([service.restart(), fork.restart()]);
    const stored = new Map();
    const store = {
      get: (name) => stored.get(name),
      put: (name, text) => void stored.set(name, text),
    };
    const [one, other] = [service, fork].map((it) => new Keeper(it.connect(), { store }));
    assert.deepEqual(await other.look(dealt), [], "until now it is one history");
    const ends = [];
    for (const [seat, of] of [service, fork].entries()) {
      await of.connect().match(dealt.name, { seat }).resign();
      await until(() => of.connect().page(proofOf("closed", dealt)));
      ends.push(await of.connect().match(dealt.name).get());
    }
    assert.equal(ends[0].position, ends[1].position);
    assert.deepEqual(await one.look(ends[0]), []);
    const kept = [await one.match(dealt.name), await one.log()];
    const complaints = await other.look(ends[1]);
    const found = new Map(complaints.map((it) => [it.finding.code, it.evidence]));
    assert.deepEqual([...found.keys()], ["RECEIPTS_CONTRADICT", "LOG_CONTRADICTS"]);
    assert.equal(found.get("RECEIPTS_CONTRADICT")[0], kept[0].receipt);
    assert.equal(found.get("LOG_CONTRADICTS")[0], kept[1].checkpoint);
    for (const evidence of found.values()) {
      assert.equal(evidence.length, 2);
      assert.notEqual(evidence[0], evidence[1]);
    }
    assert.deepEqual([await one.match(dealt.name), await one.log()], kept, "what was kept stays");
    assert.deepEqual(codes(await other.awaitOpening(open, 60_000)), ["LOG_CONTRADICTS"]);
    assert.equal((await other.match(open.name)).cameFirst, false);
  } finally {
    await fork.stop();
  }
});
