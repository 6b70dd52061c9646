// Retries, credentials, languages, deadlines and refusals, against answers that the tests make.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, Croupier, Refusal } from "@croupier/client";
import {
  AcknowledgeEntriesRequestSchema,
  AcknowledgeEntriesResponseSchema,
  BatchCreateMatchesRequestSchema,
  BatchCreateMatchesResponseSchema,
  ConsumeSubscriptionResponseSchema,
  EntrySchema,
  GetGameResponseSchema,
  GetMatchResponseSchema,
  GetViewResponseSchema,
  MatchSchema,
  ReadRecordResponseSchema,
  StreamEntriesRequestSchema,
  StreamEntriesResponseSchema,
  SubmitActionRequestSchema,
  SubmitActionResponseSchema,
  WatchEntriesRequestSchema,
  WatchEntriesResponseSchema,
} from "@croupier/client/v1";
import { fromBinary } from "@bufbuild/protobuf";
import { ErrorInfoSchema, RetryInfoSchema } from "../dist/gen/google/rpc/error_details_pb.js";

const match = create(MatchSchema, { name: "matches/m" });
const right = () => answer(GetMatchResponseSchema, { match });

function answer(schema, init) {
  const headers = { "content-type": "application/proto" };
  return new Response(toBinary(schema, create(schema, init)), { headers });
}

function refused(code, reason, { facts = {}, domain = "croupier", retryMs } = {}) {
  const detail = (schema, init) => {
    const value = Buffer.from(toBinary(schema, create(schema, init))).toString("base64");
    return { type: schema.typeName, value };
  };
  const details = [detail(ErrorInfoSchema, { reason, domain, metadata: facts })];
  if (retryMs !== undefined) {
    details.push(detail(RetryInfoSchema, { retryDelay: { seconds: 0n, nanos: retryMs * 1e6 } }));
  }
  const body = JSON.stringify({ code, message: "no", details });
  return new Response(body, { status: 503, headers: { "content-type": "application/json" } });
}

function unreachable() {
  throw new TypeError("fetch failed");
}

/** A client whose calls get these answers, one after another, and the requests that it sent. */
function client(answers, options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, headers: new Headers(init.headers), body: init.body });
    const next = answers[Math.min(requests.length, answers.length) - 1];
    return next(init);
  };
  return { croupier: Croupier.connect("http://croupier.test/", { fetch, ...options }), requests };
}

test("a call is retried while the service is away", async () => {
  const away = () => refused("unavailable", "SHUTTING_DOWN", { retryMs: 1 });
  const { croupier, requests } = client([unreachable, away, right]);
  assert.equal((await croupier.match("m").get()).name, "matches/m");
  assert.equal(requests.length, 3);
  assert.equal(requests[0].url, "http://croupier.test/croupier.v1.MatchService/GetMatch");
});

test("an action is sent again with the same request id", async () => {
  const unknown = () => refused("unavailable", "OUTCOME_UNKNOWN", { retryMs: 1 });
  const done = () => answer(SubmitActionResponseSchema, { entry: { position: 7 } });
  const { croupier, requests } = client([unknown, unreachable, done]);
  const action = {
    game: { case: "table", value: { kind: { case: "say", value: { text: "Hm" } } } },
  };
  const entry = await croupier.match("m", { seat: 1 }).submit(action, { expectedPrompt: 3 });
  assert.equal(entry.position, 7);
  const sent = requests.map(({ body }) => fromBinary(SubmitActionRequestSchema, body));
  assert.equal(new Set(sent.map((it) => it.requestId)).size, 1);
  assert.match(sent[0].requestId, /^[0-9a-f]{32}$/);
  assert.deepEqual([sent[0].name, sent[0].seat, sent[0].expectedPrompt], ["matches/m", 1, 3]);
});

test("without a request id, only what had no effect is repeated", async () => {
  const { croupier, requests } = client([() => refused("unavailable", "OUTCOME_UNKNOWN"), right]);
  const call = () => croupier.rpc.matches.submitAction({ name: "matches/m" });
  await assert.rejects(call, {
    reason: "OUTCOME_UNKNOWN",
    outcomeUnknown: true,
    isRetryable: true,
  });
  assert.equal(requests.length, 1);
  const overloaded = () => refused("resource_exhausted", "OVERLOADED", { retryMs: 5 });
  const done = () => answer(SubmitActionResponseSchema, { entry: { position: 1 } });
  const other = client([overloaded, done]);
  await other.croupier.rpc.matches.submitAction({ name: "matches/m" });
  assert.equal(other.requests.length, 2);
});

test("a batch of matches is repeated with the same request ids", async () => {
  const done = () => answer(BatchCreateMatchesResponseSchema, { matches: [match, match] });
  const { croupier, requests } = client([() => refused("unavailable", "OUTCOME_UNKNOWN"), done]);
  const round = [{ game: "mountebank", requestId: "first" }, { game: "games/rigs" }];
  assert.equal((await croupier.matches.batchCreate(round)).length, 2);
  const [first, again] = requests.map(
    ({ body }) => fromBinary(BatchCreateMatchesRequestSchema, new Uint8Array(body)).requests,
  );
  assert.deepEqual(
    first.map((it) => it.game),
    ["games/mountebank", "games/rigs"],
  );
  assert.equal(first[0].requestId, "first");
  assert.equal(first[1].requestId.length, 32);
  assert.deepEqual(again, first);
  const other = client([() => refused("unavailable", "OUTCOME_UNKNOWN"), done]);
  const batch = other.croupier.rpc.matches.batchCreateMatches({ requests: round });
  await assert.rejects(batch, { reason: "OUTCOME_UNKNOWN" });
});

test("retries are given up after a time, and end with the signal", async () => {
  const { croupier, requests } = client([unreachable], { retryForMs: 3_000 });
  await assert.rejects(croupier.match("m").get(), { code: Code.Unavailable, reason: "" });
  assert.ok(requests.length > 1 && requests.length < 10, `${requests.length} attempts`);
  const patient = client([unreachable]);
  const signal = AbortSignal.timeout(300);
  const begun = Date.now();
  await assert.rejects(patient.croupier.match("m").get({ signal }));
  assert.ok(Date.now() - begun < 30_000, "retries go on for a minute");
});

test("refusals say who refuses, why, which field, and when to return", async () => {
  const byRules = () =>
    refused("failed_precondition", "NOT_IN_HAND", {
      domain: "games/mountebank",
      facts: { card: "ace" },
    });
  const { croupier, requests } = client([byRules]);
  const refusal = await croupier
    .match("m")
    .get()
    .catch((error) => error);
  assert.ok(refusal instanceof Refusal && refusal instanceof Error);
  assert.deepEqual(
    [
      refusal.code,
      refusal.reason,
      refusal.domain,
      refusal.facts,
      refusal.isByRules,
      refusal.isRetryable,
    ],
    [Code.FailedPrecondition, "NOT_IN_HAND", "games/mountebank", { card: "ace" }, true, false],
  );
  assert.equal(requests.length, 1);
  const invalid = client([
    () => refused("invalid_argument", "INVALID_REQUEST", { facts: { field: "page_size" } }),
  ]);
  await assert.rejects(invalid.croupier.match("m").get(), {
    field: "page_size",
    outcomeUnknown: false,
  });
  const later = client([() => refused("resource_exhausted", "OVERLOADED", { retryMs: 250 })], {
    retryForMs: 0,
  });
  await assert.rejects(later.croupier.match("m").get(), { retryAfterMs: 250, isRetryable: true });
});

test("a request that cannot be encoded is refused at once", async () => {
  const { croupier, requests } = client([right]);
  const invalid = { code: Code.InvalidArgument };
  await assert.rejects(croupier.rpc.matches.getView({ name: "matches/m", position: "x" }), invalid);
  await assert.rejects(async () => {
    for await (const _ of croupier.match("m").watch({ after: "x" }));
  }, invalid);
  assert.equal(requests.length, 0);
});

test("credentials are asked for again once they are refused, and once only", async () => {
  let asked = 0;
  const credentials = async () => `token-${(asked += 1)}`;
  const expired = () => refused("unauthenticated", "TOKEN_EXPIRED");
  const { croupier, requests } = client([expired, right, right], { credentials });
  await croupier.match("m").get();
  await croupier.match("m").get();
  const sent = requests.map(({ headers }) => headers.get("authorization"));
  assert.deepEqual(sent, ["Bearer token-1", "Bearer token-2", "Bearer token-2"]);
  const hopeless = client([expired], { credentials });
  await assert.rejects(hopeless.croupier.match("m").get(), { reason: "TOKEN_EXPIRED" });
  assert.equal(hopeless.requests.length, 2);
  const constant = client([expired], { credentials: "key" });
  await assert.rejects(constant.croupier.match("m").get(), { reason: "TOKEN_EXPIRED" });
  assert.equal(constant.requests.length, 1);
  const failing = client([right], { credentials: () => Promise.reject(new Error("signed out")) });
  const refusal = await failing.croupier
    .match("m")
    .get()
    .catch((error) => error);
  assert.deepEqual([refusal.code, refusal.cause.message], [Code.Unauthenticated, "signed out"]);
});

test("the language goes with every call", async () => {
  const { croupier, requests } = client([right], { language: "de" });
  await croupier.match("m").get();
  assert.equal(requests[0].headers.get("accept-language"), "de");
});

test("what is no service of Croupier is told apart from one that is away", async () => {
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const missing = () => new Response("<html>", { status: 404 });
  for (const answer of [page, missing]) {
    const { croupier, requests } = client([answer]);
    await assert.rejects(croupier.match("m").get(), {
      code: Code.Unimplemented,
      isRetryable: false,
    });
    assert.equal(requests.length, 1);
  }
  const proxy = () => new Response("Bad Gateway", { status: 502 });
  const { croupier } = client([proxy, right]);
  assert.equal((await croupier.match("m").get()).name, "matches/m");
});

test("an attempt has a deadline", async () => {
  const never = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const { croupier } = client([never, right], { requestTimeoutMs: 100 });
  assert.equal((await croupier.match("m").get()).name, "matches/m");
});

/** A stream that sends entries at these positions, and then ends, breaks off, or stays silent. */
function streaming(positions, end) {
  const messages = positions.map((position) => {
    const entries = [create(EntrySchema, { position })];
    return { entries, position };
  });
  return sending(WatchEntriesResponseSchema, messages, end);
}

/** A stream that sends these messages, and then ends, breaks off, or stays silent. */
function sending(schema, messages, end) {
  const frames = messages.map((it) => frame(0, toBinary(schema, create(schema, it))));
  return ({ signal }) => {
    const body = new ReadableStream({
      start(controller) {
        for (const it of frames) controller.enqueue(it);
        if (end === "silence") {
          signal.addEventListener("abort", () => controller.error(signal.reason));
          return;
        }
        if (end !== "break") controller.enqueue(frame(2, Buffer.from(JSON.stringify(end))));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "application/connect+proto" } });
  };
}

function frame(flags, data) {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(data.length, 1);
  return Buffer.concat([head, data]);
}

test("a stream that ends, breaks off or falls silent is resumed, each entry once", async () => {
  const down = { error: { code: "unavailable", message: "stopping" } };
  const answers = [
    streaming([1, 2], "break"),
    unreachable,
    streaming([3], down),
    streaming([4], "silence"),
    streaming([5], {}),
  ];
  const { croupier, requests } = client(answers);
  const connections = [];
  const options = { silenceMaxMs: 200, onConnection: (it) => connections.push(it) };
  const positions = [];
  for await (const { position } of croupier.match("m").watch(options)) positions.push(position);
  assert.deepEqual(positions, [1, 2, 3, 4, 5]);
  assert.equal(requests.length, 5);
  assert.deepEqual(connections, [true, false, true, false, true]);
});

const digest = (n) => new Uint8Array(32).fill(n);

/** The requests to watch, as they were sent. */
function watched(requests) {
  const ofWatches = requests.filter((it) => it.url.endsWith("/WatchEntries"));
  return ofWatches.map(({ body }) => fromBinary(WatchEntriesRequestSchema, body.subarray(5)));
}

/** Messages of entries with digests, and one that says that the entries after 2 are void. */
const entries = (position, n) => ({
  entries: [create(EntrySchema, { position, digest: digest(n) })],
  position,
  digest: digest(n),
});
const notice = { position: 2, digest: digest(2), wentBack: { term: 9 } };

test("a watch resumes by the digest of its last entry, and tells that the record went back", async () => {
  const messages = [entries(2, 2), entries(3, 3)];
  const answers = [
    sending(WatchEntriesResponseSchema, messages, "break"),
    sending(WatchEntriesResponseSchema, [notice, entries(3, 13)], "break"),
    sending(WatchEntriesResponseSchema, [], {}),
  ];
  const { croupier, requests } = client(answers);
  const received = [];
  const onWentBack = ({ position }) => received.push(`back to ${position}`);
  const options = { after: 1, afterDigest: digest(1), onWentBack };
  for await (const entry of croupier.match("m").watch(options))
    received.push(`${entry.position} ${entry.digest[0]}`);
  assert.deepEqual(received, ["2 2", "3 3", "back to 2", "3 13"]);
  const premises = watched(requests).map((it) => [it.afterPosition, it.afterDigest[0]]);
  assert.deepEqual(premises, [
    [1, 1],
    [3, 3],
    [3, 13],
  ]);
});

test("a watch without a listener throws that the record went back", async () => {
  const { croupier } = client([sending(WatchEntriesResponseSchema, [notice], {})]);
  await assert.rejects(
    async () => {
      for await (const _ of croupier.match("m").watch({ after: 3, afterDigest: digest(3) }));
    },
    { reason: "RECORD_WENT_BACK", facts: { position: "2" } },
  );
});

test("a live table is read again after the record went back, and goes on", async () => {
  const layout = {};
  const game = { name: "games/g", layout };
  const running = () => answer(GetMatchResponseSchema, { match: { game: "games/g", state: 2 } });
  const view = (position, n) => () =>
    answer(GetViewResponseSchema, {
      table: { match: "matches/m", viewer: "spectator", position, digest: digest(n) },
    });
  const ahead = () => refused("out_of_range", "POSITION_AHEAD", { facts: { position: "4" } });
  const { croupier, requests } = client([
    running,
    () => answer(GetGameResponseSchema, { game }),
    view(3, 3),
    sending(WatchEntriesResponseSchema, [notice, entries(3, 13)], "silence"),
    view(5, 15),
    ahead,
    view(4, 24),
    sending(WatchEntriesResponseSchema, [entries(5, 25)], {}),
  ]);
  const live = await croupier.match("m", { viewer: "spectator" }).live();
  const shown = [];
  live.onWentBack((table) => shown.push(table.position));
  const changes = [];
  for await (const { entry, before } of live)
    changes.push([before.position, entry.position, entry.digest[0]]);
  assert.deepEqual(shown, [5, 4]);
  assert.deepEqual(changes, [[4, 5, 25]]);
  assert.deepEqual([live.position, live.table.digest[0]], [5, 25]);
  const premises = watched(requests).map((it) => [it.afterPosition, it.afterDigest[0]]);
  assert.deepEqual(premises, [
    [3, 3],
    [5, 15],
    [4, 24],
  ]);
});

test("a record that breaks off is read again from its start", async () => {
  const part = sending(ReadRecordResponseSchema, [{ lines: ["a"] }, { lines: ["b"] }], "break");
  const whole = sending(ReadRecordResponseSchema, [{ lines: ["a"] }, { lines: ["b", "c"] }], {});
  const { croupier, requests } = client([part, unreachable, whole]);
  assert.deepEqual(await croupier.match("m").record(), ["a", "b", "c"]);
  assert.equal(requests.length, 3);
});

test("a stream that is refused for good throws, and a loop that is left ends the call", async () => {
  const gone = { error: { code: "not_found", message: "there is no such match" } };
  const { croupier, requests } = client([streaming([1], gone)]);
  await assert.rejects(
    async () => {
      for await (const _ of croupier.match("m").watch());
    },
    { code: Code.NotFound },
  );
  assert.equal(requests.length, 1);
  let isAborted = false;
  const endless = client([
    (init) => {
      init.signal.addEventListener("abort", () => (isAborted = true));
      return streaming([1, 2], "silence")(init);
    },
  ]);
  for await (const _ of endless.croupier.match("m").watch()) break;
  assert.ok(isAborted);
});

test("a consumer that is ended while it acknowledges throws the signal's reason", async () => {
  const abort = new AbortController();
  const heartbeat = sending(ConsumeSubscriptionResponseSchema, [{ cursor: "c" }], "silence");
  const acknowledging = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      abort.abort(new Error("enough"));
    });
  const { croupier, requests } = client([heartbeat, acknowledging]);
  const subscription = croupier.streams.subscription("ledger");
  await assert.rejects(async () => {
    for await (const _ of subscription.consume({ signal: abort.signal }));
  }, /enough/);
  assert.match(requests.at(-1).url, /AcknowledgeEntries$/);
});

test("a consumer is told what is void, and goes on when what it processed is lost", async () => {
  const messages = [
    { entries: [{ viewer: "spectator" }], cursor: "lost" },
    { cursor: "notice", wentBack: { term: 9, matches: [{ match: "matches/m", position: 2 }] } },
    { entries: [{ viewer: "spectator" }], cursor: "true" },
  ];
  const gone = () => refused("data_loss", "RECORD_WENT_BACK");
  const acknowledged = () => answer(AcknowledgeEntriesResponseSchema, {});
  const { croupier, requests } = client([
    sending(ConsumeSubscriptionResponseSchema, messages, "silence"),
    gone,
    acknowledged,
    acknowledged,
  ]);
  const told = [];
  for await (const it of croupier.streams.subscription("ledger").consume()) {
    told.push([it.entries.length, it.wentBack?.matches[0].position]);
    if (told.length === 3) break;
  }
  assert.deepEqual(told, [
    [1, undefined],
    [0, 2],
    [1, undefined],
  ]);
  const cursors = requests.slice(1).map(({ body }) => fromBinary(AcknowledgeEntriesRequestSchema, body).cursor);
  assert.deepEqual(cursors, ["lost", "notice"]);
});

test("a stream of many matches returns the notice and resumes after it", async () => {
  const notice = { cursor: "notice", wentBack: { term: 9 } };
  const { croupier, requests } = client([
    sending(StreamEntriesResponseSchema, [notice], "break"),
    sending(StreamEntriesResponseSchema, [{ cursor: "later" }], "silence"),
  ]);
  const told = [];
  for await (const { cursor, wentBack } of croupier.streams.entries({ cursor: "before" })) {
    told.push([cursor, wentBack?.term]);
    if (told.length === 2) break;
  }
  assert.deepEqual(told, [
    ["notice", 9],
    ["later", undefined],
  ]);
  const sent = requests.map(({ body }) => fromBinary(StreamEntriesRequestSchema, body.subarray(5)));
  assert.deepEqual(
    sent.map((it) => it.cursor),
    ["before", "notice"],
  );
});

test("a call and a stream may ask for another language than the client", async () => {
  const match = (init) => init && right();
  const { croupier, requests } = client([match, match, sending(WatchEntriesResponseSchema, [{ position: 1 }], "silence")], {
    language: "de",
  });
  await croupier.match("m").get();
  await croupier.match("m").get({ language: "en" });
  const abort = new AbortController();
  const watching = croupier.match("m").watch({ language: "en", signal: abort.signal });
  const next = watching.next();
  while (requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort(new Error("enough"));
  await assert.rejects(next, /enough/);
  assert.deepEqual(
    requests.map(({ headers }) => headers.get("accept-language")),
    ["de", "en", "en"],
  );
});
