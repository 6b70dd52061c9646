// The verifier, on the vectors that the service's own code makes, and on records that were changed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readReceipt, verify, verifyMatch, Wrong } from "@croupier/client/verify";
import { hash, keyedHash, deriveKey } from "../dist/verify/blake3.js";
import { hex, unbase64, unhex, utf8 } from "../dist/verify/bytes.js";
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
  for (const [file, answer, entropy, codes] of [
    ["record.jsonl", "PROVEN", "SHARED_ORDER_NOT_PROVEN", []],
    ["record-service-only.jsonl", "PROVEN", "SERVICE_ONLY", []],
    ["record-players.jsonl", "PROVEN", "SHARED_ORDER_NOT_PROVEN", []],
    ["record-earlier.jsonl", "NOT_PROVEN", "SERVICE_ONLY", ["NO_PROOFS"]],
  ]) {
    const report = verify(text(file));
    assert.deepEqual(report.wrong, [], file);
    assert.deepEqual(
      report.unproven.map((it) => it.code),
      codes,
      file,
    );
    assert.equal(report.answer, answer, file);
    const [match] = report.matches;
    assert.deepEqual([match.answer, match.entropy, match.hasEnded], [answer, entropy, true], file);
    assert.equal(match.choices > 0, answer === "PROVEN", file);
    const lines = text(file).split("\n").slice(0, -1);
    assert.deepEqual(
      verify(lines),
      report,
      "lines without line feeds, as the service streams them",
    );
  }
});

test("a record of a service is of one match and has an end", async () => {
  const whole = linesOf(text("record.jsonl"));
  const [, head] = whole;
  const cut = structuredClone([...whole.slice(0, -2), whole.at(-1)]);
  cut.at(-1).end.entries -= 1;
  const withSeed = textOf(cut);
  cut[1].match.secret_seed = cut[1].match.seed;
  delete cut[1].match.seed;
  const answered = (record, kept) => {
    const match = { name: head.match.name, record: async () => record.split("\n").slice(0, -1) };
    return verifyMatch(match, kept);
  };
  for (const [record, code] of [
    [textOf([...whole, ...whole.slice(1)]), "OTHER_MATCH"],
    [textOf([whole[0]]), "OTHER_MATCH"],
    [textOf(cut), "INCOMPLETE"],
    [withSeed, "END_MISSING"],
  ]) {
    const { answer, wrong } = await answered(record);
    assert.deepEqual([answer, ...wrong.map((it) => it.code)], ["WRONG", code]);
  }
  const { answer, unproven } = await answered(textOf(cut), { mayBeUnfinished: true });
  assert.deepEqual([answer, ...unproven.map((it) => it.code)], ["NOT_PROVEN", "UNFINISHED"]);
});

test("a stranger cannot fill memory or time", () => {
  const header = textOf([{ croupier: { version: 1 } }]);
  const most = 2 ** 20 - 100;
  const sealed = (bare) => `${bare.slice(0, -1)},"check":"${hex(hash(utf8(bare))).slice(0, 16)}"}\n`;
  for (const filling of [
    "[".repeat(most),
    '{"a":'.repeat(most / 5),
    `"${'\\"'.repeat(most / 2)}`,
    `[${"1,".repeat(most / 2)}`,
    "1".repeat(most),
  ]) {
    const [found] = verify(header + sealed(`{"match":${filling}}`)).wrong;
    assert.deepEqual([found.code, found.line], ["LINE_INVALID", 2]);
    assert.ok(found.reason.length <= 1001);
  }
  const [found] = verify(`${header}{"match":${"x".repeat(3 * 2 ** 20)}`).wrong;
  assert.equal(found.code, "LINE_TOO_LONG");
});

test("of a match that is too large the rest is not read, and the next one is verified", () => {
  const [header, match, ...lines] = linesOf(text("record.jsonl"));
  const body = Buffer.from([0x12, 4, ...Buffer.from("wait")]).toString("base64");
  const more = "x".repeat(2 ** 20 - 1000);
  const { seed: _, ...head } = match.match;
  const entries = Array.from({ length: 66 }, (_, n) => {
    return { entry: { position: n + 1, verb: "wait", create_time: head.create_time, body, more } };
  });
  const end = { end: { name: head.name, entries: 66 } };
  const report = verify(textOf([header, { match: head }, ...entries, end, match, ...lines]));
  const found = report.unproven.map(({ code, line, position }) => ({ code, line, position }));
  assert.deepEqual(found, [{ code: "TOO_LARGE", line: 67, position: 65 }]);
  assert.deepEqual(
    report.matches.map((it) => it.answer),
    ["NOT_PROVEN", "PROVEN"],
  );
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
  const { answer, matches, ...report } = verify(textOf([...right, ...wrong, ...right]));
  const reason = "its seat or verb differs from its body";
  assert.deepEqual(report.wrong, [
    { code: "BODY_DIFFERS", reason, match: name("b"), line: right.length + 4, position: 3 },
  ]);
  assert.equal(answer, "WRONG");
  assert.deepEqual(
    matches.map((it) => it.answer),
    ["PROVEN", "WRONG", "PROVEN"],
  );
});

test("what is no archive is refused with a reason", () => {
  const right = text("record.jsonl");
  const header = right.slice(0, right.indexOf("\n") + 1);
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
    const { answer, wrong } = verify(content);
    if (content === header) assert.equal(answer, "NOT_PROVEN", "a file of no match");
    else assert.ok(answer === "WRONG" && wrong[0]?.reason, content.slice(-300));
  }
});

test("what was kept from before and during the match must be in its record", () => {
  const record = text("record.jsonl");
  const [match] = verify(record).matches;
  const right = {
    match: match.match,
    seedCommitment: match.seedCommitment,
    contributions: match.contributions,
  };
  assert.equal(verify(record, right).answer, "PROVEN");
  const other = { seat: 0, bytes: new Uint8Array(16) };
  for (const [kept, code] of [
    [{ seedCommitment: "00".repeat(32) }, "COMMITMENT_DIFFERS"],
    [{ contributions: [other] }, "CONTRIBUTION_DIFFERS"],
    [{ match: "matches/other" }, "OTHER_MATCH"],
  ]) {
    assert.deepEqual(
      verify(record, kept).wrong.map((it) => it.code),
      [code],
    );
  }
});

test("receipts", () => {
  for (const name of ["receipt.json", "receipt-of-a-term.json"]) checkReceipt(vectors(name));
});

function checkReceipt({ jws, keys }) {
  const receipt = readReceipt(jws, keys);
  const record = text("record.jsonl");
  const report = verify(record, { receipts: [receipt] });
  assert.deepEqual([report.answer, report.matches[0].isAnchored], ["PROVEN", true]);
  assert.equal(verify(record).matches[0].isAnchored, false);
  const codes = (record, it) => verify(record, { receipts: [it] }).wrong.map((it) => it.code);
  assert.deepEqual(codes(text("record-service-only.jsonl"), receipt), ["RECEIPT_DIFFERS"]);
  const elsewhere = { ...receipt, match: `${receipt.match.slice(0, -1)}0` };
  assert.deepEqual(codes(record, elsewhere), ["RECEIPT_OF_OTHER_MATCH"]);
  const later = { ...receipt, position: receipt.position + 1 };
  assert.deepEqual(codes(record, later), ["RECEIPT_BEYOND_END"]);
  const another = { ...receipt, digest: "00".repeat(32) };
  assert.deepEqual(codes(record, another), ["RECEIPT_DIFFERS"]);
  for (let at = 0; at < jws.length; at += 7) {
    const changed = jws.slice(0, at) + (jws[at] === "A" ? "B" : "A") + jws.slice(at + 1);
    assert.throws(() => readReceipt(changed, keys), Wrong, `character ${at}`);
  }
  assert.throws(() => readReceipt(jws, { keys: [] }), Wrong);
}

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
