import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { Service } from "../../clients/typescript/test/support/service.js";
import { Program } from "./program.js";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
let service;
let receiver;
let address;

before(async () => {
  service = await Service.start("--allow-private-webhooks");
  receiver = new Program("webhook-receiver/receiver.js", [], { WEBHOOK_SECRET: secret, PORT: "0" });
  [, address] = await receiver.line(/receiving on (http:\S+)/);
});
after(async () => {
  await receiver?.stop();
  await service?.stop();
});

test("it keeps the result of each match, and takes each entry once", async () => {
  const env = { CROUPIER_ADDRESS: service.url, CROUPIER_KEY: service.key, WEBHOOK_SECRET: secret };
  for (let n = 0; n < 2; n += 1) {
    const subscribe = new Program("webhook-receiver/subscribe.js", [address], env);
    assert.equal(await subscribe.code, 0, subscribe.lines.join("\n"));
    assert.match(subscribe.lines[0], /is sent to \S+, which answers 204$/);
  }

  const croupier = service.connect();
  const { cursor } = await croupier.streams.subscription("feed").get();
  const { name } = await croupier.matches.create({ game: "mountebank", seats: 2, bots: ["random", "random"] });
  await receiver.line(new RegExp(`^${name} \\d+: .* won by`));
  const { winners, position, game } = await croupier.match(name).get();
  const results = await (await fetch(new URL("/results", address))).json();
  assert.deepEqual(results, { [name]: { game, winners, position } });

  // Sent again from the very beginning, no entry has its effect again.
  await croupier.streams.subscription("feed").redeliver(cursor);
  await receiver.line(new RegExp(`^${name} ${position}: again`));
  const taken = receiver.lines.filter((line) => line.startsWith(`${name} `) && !line.endsWith(": again"));
  assert.equal(taken.length, position);
  assert.equal(new Set(taken).size, position);
});

test("it takes only what the service signed, as it was signed, and lately", async () => {
  const webhook = new Webhook(secret);
  const body = JSON.stringify({ type: "test", data: {} });
  const send = (sent, { id = "msg_1", at = new Date(), by = webhook } = {}) =>
    fetch(address, {
      method: "POST",
      body: sent,
      headers: {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": by.sign(id, at, body),
      },
    });
  assert.equal((await send(body)).status, 204);
  assert.equal((await send(`${body} `)).status, 401);
  assert.equal((await send(body, { at: new Date(Date.now() - 600_000) })).status, 401);
  assert.equal((await send(body, { by: new Webhook(Buffer.alloc(32, 8).toString("base64")) })).status, 401);
  assert.equal((await fetch(address, { method: "POST", body })).status, 401);
  assert.equal((await send("x".repeat(9 << 20))).status, 413);
});
