// The verifier, on the vectors that the service's own code makes, and on records that were changed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readReceipt, verify, Wrong } from "@croupier/client/verify";
import { hash, keyedHash, deriveKey } from "../dist/verify/blake3.js";
import { hex, unbase64, unhex } from "../dist/verify/bytes.js";
import { words } from "../dist/verify/chacha8.js";
import {
  chanceKey,
  choose,
  creationDigest,
  digestKey,
  entryDigest,
  matchId,
  micros,
} from "../dist/verify/digests.js";
import { isSigned } from "../dist/verify/ed25519.js";
import { linesOf, mutate, textOf } from "./support/archives.js";

const folder = new URL("../../../tests/vectors/", import.meta.url);
const text = (file) => readFileSync(new URL(file, folder), "utf8");
const vectors = (file) => JSON.parse(text(file));

test("BLAKE3 by its authors' own vectors", () => {
  // The input of the vectors counts its bytes from 0 to 250, again and again; first 32 bytes each.
  const input = (length) => Uint8Array.from({ length }, (_, n) => n % 251);
  const key = new TextEncoder().encode("whats the Elvish word for friend");
  const context = "BLAKE3 2019-12-27 16:29:52 test vectors context";
  for (const [length, expected] of Object.entries({
    0: "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
    1: "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
    1024: "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
    1025: "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
    2048: "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a",
    2049: "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030",
    3072: "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2",
    102400: "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
  })) {
    assert.equal(hex(hash(input(Number(length)))), expected, `${length} bytes`);
  }
  assert.equal(
    hex(keyedHash(key, input(0))),
    "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26",
  );
  assert.equal(
    hex(deriveKey(context, input(0))),
    "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d",
  );
});

test("commitments, keys, streams and choices", () => {
  const { commitments, streams } = vectors("chance.json");
  for (const it of commitments) assert.equal(hex(hash(unhex(it.seed, 32))), it.seed_commitment);
  for (const it of streams) {
    const given = it.contributions.map(({ seat, contribution }) => {
      return { seat, bytes: unhex(contribution, contribution.length / 2) };
    });
    const key = chanceKey(matchId(it.match), unhex(it.seed, 32), given);
    assert.equal(hex(key), it.key);
    const stream = words(key, it.stream);
    assert.deepEqual(
      it.words.map(() => stream.next().value),
      it.words,
    );
    let used = 0;
    const counted = { next: () => ({ value: it.words[used++], done: false }) };
    for (const [bound, value] of it.choices) assert.equal(choose(counted, bound), value);
    assert.equal(used, it.words_used);
  }
  assert.ok(streams.some((it) => it.contributions.length > 1 && it.stream >= 2 ** 32));
});

test("digests of matches and entries", () => {
  const { creations, entries } = vectors("digests.json");
  for (const it of creations) assert.equal(hex(creationDigest(it.match)), it.digest);
  assert.deepEqual(new Set(creations.map((it) => "follows" in it.match)), new Set([false, true]));
  for (const { match, seed, before, entry } of entries) {
    const key = digestKey(matchId(match), unhex(seed, 32));
    const digest = entryDigest(key, unhex(before, 32), {
      position: entry.position,
      time: micros(entry.create_time),
      seat: entry.seat,
      requestId: entry.request_id,
      body: unbase64(entry.body),
    });
    assert.equal(hex(digest), entry.digest);
  }
});

test("whole records", () => {
  for (const [file, isVerified, isOfEarlierRules, isShared] of [
    ["record.jsonl", true, false, true],
    ["record-service-only.jsonl", true, false, false],
    ["record-earlier.jsonl", false, true, false],
  ]) {
    const report = verify(text(file));
    assert.deepEqual(report.failures, [], file);
    assert.equal(report.isVerified, isVerified, file);
    const [match] = report.matches;
    assert.deepEqual([match.isOfEarlierRules, match.isShared], [isOfEarlierRules, isShared], file);
    assert.equal(match.choices > 0, !isOfEarlierRules, file);
    assert.equal(match.isUnderWay, linesOf(text(file))[1].match.seed === undefined, file);
    const lines = text(file).split("\n").slice(0, -1);
    assert.deepEqual(
      verify(lines),
      report,
      "lines without line feeds, as the service streams them",
    );
  }
});

test("no random change of a record is missed", () => {
  for (const file of ["record.jsonl", "record-service-only.jsonl"]) {
    const original = text(file);
    assert.equal(textOf(linesOf(original)), original, "it is put together as it was");
    assert.deepEqual(mutate(original, 1500, 1, verify), []);
  }
});

test("several matches: the wrong ones are named, and the others verified", () => {
  const name = (digit) => `matches/01928f3c-5a7e-7d10-8b2f-0c4d6e8f1a3${digit}`;
  const right = linesOf(text("record.jsonl"));
  const wrong = structuredClone(right).slice(1);
  wrong[3].entry.verb = "fold";
  const report = verify(textOf([...right, ...wrong, ...right]));
  assert.deepEqual(report.failures, [
    {
      match: name("b"),
      line: right.length + 4,
      position: 3,
      reason: "its seat or verb differs from its body",
    },
  ]);
  assert.equal(report.isVerified, false);
  assert.deepEqual(
    report.matches.map((it) => it.isVerified),
    [true, false, true],
  );
});

test("what is no archive is refused with a reason", () => {
  const right = text("record.jsonl");
  const header = right.slice(0, right.indexOf("\n") + 1);
  const withVersion = textOf([{ croupier: { version: 2 } }, ...linesOf(right).slice(1)]);
  assert.match(verify(withVersion).failures[0].reason, /version 2/);
  const contents = [
    "",
    "\n",
    "\0".repeat(1000),
    "[]",
    header.slice(0, -1),
    right.slice(0, -1),
    header,
  ];
  for (const value of [null, true, 1.5, -1, 10 ** 30, "", [], {}, [[]]]) {
    for (const [at, kind] of [
      [1, "match"],
      [2, "entry"],
      [-1, "end"],
    ]) {
      const names = Object.keys(linesOf(right).at(at)[kind]);
      for (const field of names.filter((it) => !["players", "request_digest"].includes(it))) {
        const lines = linesOf(right);
        lines.at(at)[kind][field] = value;
        if (JSON.stringify(lines) !== JSON.stringify(linesOf(right))) contents.push(textOf(lines));
      }
    }
  }
  for (const content of contents) {
    const { isVerified, failures } = verify(content);
    if (content === header)
      assert.equal(isVerified, false, "an archive of no match verifies nothing");
    else assert.ok(!isVerified && failures[0]?.reason, content.slice(-300));
  }
  const doubled = textOf(linesOf(right)).replace('"platform":', '"platform":"other","platform":');
  const bare = doubled.split("\n")[1].slice(0, -28);
  const check = hex(hash(new TextEncoder().encode(`${bare}}`))).slice(0, 16);
  const lines = doubled.split("\n");
  lines[1] = `${bare},"check":"${check}"}`;
  assert.match(verify(lines.join("\n")).failures[0].reason, /there twice/);
});

test("what was kept from before and during the match must be in its record", () => {
  const record = text("record.jsonl");
  const [match] = verify(record).matches;
  const right = {
    match: match.match,
    seedCommitment: match.seedCommitment,
    contributions: match.contributions,
  };
  assert.ok(verify(record, right).isVerified);
  const other = { seat: 0, bytes: Uint8Array.of(7) };
  assert.match(verify(record, { seedCommitment: "00".repeat(32) }).failures[0].reason, /you kept/);
  assert.match(verify(record, { contributions: [other] }).failures[0].reason, /you kept/);
  assert.match(verify(record, { match: "matches/other" }).failures[0].reason, /no record/);
});

test("receipts", () => {
  const { jws, keys } = vectors("receipt.json");
  const receipt = readReceipt(jws, keys);
  const record = text("record.jsonl");
  assert.ok(verify(record, { receipts: [receipt] }).isVerified);
  const [wrong] = verify(text("record-service-only.jsonl"), { receipts: [receipt] }).failures;
  assert.match(wrong.reason, /receipt|no record/);
  const short = linesOf(record);
  short.splice(-2, 1);
  short.at(-1).end.entries -= 1;
  assert.match(verify(textOf(short), { receipts: [receipt] }).failures[0].reason, /cut short/);
  const another = { ...receipt, digest: "00".repeat(32) };
  assert.match(verify(record, { receipts: [another] }).failures[0].reason, /receipt/);
  for (let at = 0; at < jws.length; at += 7) {
    const changed = jws.slice(0, at) + (jws[at] === "A" ? "B" : "A") + jws.slice(at + 1);
    assert.throws(() => readReceipt(changed, keys), Wrong, `character ${at}`);
  }
  assert.throws(() => readReceipt(jws, { keys: [] }), Wrong);
});

test("Ed25519 by the vectors of RFC 8032", () => {
  const bytes = (text) => unhex(text, text.length / 2);
  for (const [key, message, signature] of [
    [
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
  ]) {
    assert.ok(isSigned(bytes(key), bytes(message), bytes(signature)));
    assert.ok(!isSigned(bytes(key), bytes(`${message}00`), bytes(signature)));
  }
});
