// Streams over one WebSocket, with a service that is killed in between.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { Code, Croupier, Refusal } from "@croupier/client";
import { Service } from "./support/service.js";

// Node.js has no WebSocket before 20.10, and asks for a flag before 22.
const [major] = process.versions.node.split(".").map(Number);
if (globalThis.WebSocket) {
  tests();
} else if (major >= 20) {
  test("with this runtime's WebSocket", () => {
    const flag = "--experimental-websocket";
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    execFileSync(process.execPath, [flag, import.meta.filename], { stdio: "inherit", env });
  });
} else {
  test.skip("this runtime has no WebSocket");
}

function tests() {
  let service, platform, opened;
  before(async () => {
    service = await Service.start();
    opened = 0;
    class Counted extends WebSocket {
      constructor(...options) {
        super(...options);
        opened += 1;
      }
    }
    platform = service.connect({ socket: Counted });
  });
  after(() => service?.stop());

  async function match(players) {
    const created = await platform.matches.create({ game: "mountebank", seats: 2, players });
    return platform.match(created.name);
  }

  async function draw(handle) {
    const { waitingFor } = await handle.get();
    const seat = platform.match(handle.name, { seat: waitingFor[0] });
    const { actions } = await seat.legalActions();
    return seat.submit(actions[0].action);
  }

  test("streams share a socket, and go on after the service was killed", { timeout: 60_000 }, async () => {
    const handles = [await match(["ann", "bob"]), await match(["cleo", "dora"])];
    const before = opened;
    let lost = 0;
    const onConnection = (connected) => (lost += connected ? 0 : 1);
    const watches = handles.map((it) => it.watch({ onConnection })[Symbol.asyncIterator]());
    for (const watch of watches) assert.equal((await watch.next()).value.position, 1);
    assert.equal(opened - before, 1, "one socket");
    await draw(handles[0]);
    assert.equal((await watches[0].next()).value.position, 2);
    await service.killAndRestart();
    for (const handle of handles) await draw(handle);
    assert.equal((await watches[0].next()).value.position, 3);
    assert.equal((await watches[1].next()).value.position, 2);
    assert.ok(lost >= 2, "they noticed");
    for (const watch of watches) await watch.return();
  });

  test("a reader that is slow gets every entry, and delays no other", { timeout: 60_000 }, async () => {
    const handle = await match(["ann", "bob"]);
    for (let n = 0; n < 40; n += 1) await draw(handle);
    const slow = handle.watch()[Symbol.asyncIterator]();
    await slow.next();
    let last = 0;
    for await (const { position } of handle.watch()) {
      assert.equal(position, last + 1);
      last = position;
      if (last === 41) break;
    }
    for (let position = 2; position <= 41; position += 1) {
      assert.equal((await slow.next()).value.position, position);
    }
    await slow.return();
  });

  test("actions are streamed, more of them than may be sent ahead", { timeout: 60_000 }, async () => {
    const handle = await match(["ann", "bob"]);
    let answered;
    let next = new Promise((resolve) => (answered = resolve));
    async function* requests() {
      for (let n = 0; n < 30; n += 1) {
        const { waitingFor } = await handle.get();
        const seat = waitingFor[0];
        const { actions } = await platform.match(handle.name, { seat }).legalActions();
        const action = { name: handle.name, seat, action: actions[0].action, requestId: `${n}` };
        yield { actions: [action] };
        await next;
      }
    }
    let index = 0n;
    for await (const { outcomes } of platform.rpc.matches.play(requests())) {
      for (const outcome of outcomes) {
        assert.equal(outcome.index, index++);
        assert.equal(outcome.outcome.case, "entry");
      }
      const wake = answered;
      next = new Promise((resolve) => (answered = resolve));
      wake();
    }
    assert.equal(index, 30n);
  });

  test("where no socket opens, streams go over fetch", { timeout: 60_000 }, async () => {
    const own = globalThis.WebSocket;
    try {
      for (const refuses of [true, false]) {
        let tried = 0;
        globalThis.WebSocket = class extends EventTarget {
          constructor() {
            super();
            tried += 1;
            if (refuses) setTimeout(() => this.dispatchEvent(new Event("error")));
          }
          close() {}
        };
        // Another address of the same service, for which nothing is remembered.
        const url = refuses ? service.url : service.url.replace("127.0.0.1", "localhost");
        const auto = Croupier.connect(url, { credentials: service.key, socket: "auto" });
        const handle = auto.match((await match(["ann", "bob"])).name);
        for (let n = 0; n < 2; n += 1) {
          const watch = handle.watch()[Symbol.asyncIterator]();
          assert.equal((await watch.next()).value.position, 1);
          await watch.return();
        }
        assert.equal(tried, 1, "it is remembered");
      }
    } finally {
      globalThis.WebSocket = own;
    }
  });

  test("a call that is given up while its socket opens closes it once it is open", { timeout: 60_000 }, async () => {
    const handle = await match(["ann", "bob"]);
    const states = [];
    class Told extends WebSocket {
      close() {
        states.push(this.readyState);
        super.close();
      }
    }
    const told = service.connect({ socket: Told }).match(handle.name);
    const abort = new AbortController();
    const watching = told.watch({ signal: abort.signal })[Symbol.asyncIterator]().next();
    setImmediate(() => abort.abort(new Error("enough")));
    await assert.rejects(watching, /enough/);
    const until = Date.now() + 20_000;
    while (states.length === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(states.slice(0, 1), [WebSocket.OPEN]);
  });

  test("refusals, signals and credentials are as over fetch", { timeout: 60_000 }, async () => {
    const nowhere = platform.match("00000000-0000-4000-8000-000000000000");
    const refused = async (watch) => {
      try {
        for await (const _ of watch) assert.fail("nothing to see");
      } catch (error) {
        return error;
      }
    };
    const refusal = await refused(nowhere.watch());
    assert.ok(refusal instanceof Refusal);
    assert.equal(refusal.reason, "MATCH_NOT_FOUND");

    const handle = await match(["ann", "bob"]);
    const abort = new AbortController();
    const watch = handle.watch({ signal: abort.signal })[Symbol.asyncIterator]();
    await watch.next();
    const pending = watch.next();
    abort.abort(new Error("enough"));
    await assert.rejects(pending, /enough/);

    const wrong = service.connect({ credentials: "croupier_a_b_c", socket: true });
    const unknown = await refused(wrong.match(handle.name).watch());
    assert.equal(unknown.code, Code.Unauthenticated);
  });
}
