// Webhooks: an endpoint that is administered, and the messages that it verifies.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { mock, test } from "node:test";
import { Forged, readMessage } from "@croupier/client/webhooks";
import { Service } from "./support/service.js";

const samples = JSON.parse(
  readFileSync(new URL("../../../tests/vectors/webhooks.json", import.meta.url), "utf8"),
);

test("every secret verifies, and no other", (t) => {
  for (const { headers, body, secrets } of samples) {
    mock.timers.enable({ apis: ["Date"], now: Number(headers["webhook-timestamp"]) * 1000 });
    t.after(() => mock.timers.reset());
    const titled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const secret of secrets) {
      const given = [headers, titled, new Headers(headers)];
      for (const it of given) {
        assert.equal(readMessage(secret, it, body).data?.subscription, "subscriptions/feed");
      }
      const bytes = new TextEncoder().encode(body);
      assert.ok(readMessage(secret, headers, bytes).timestamp);
      assert.throws(() => readMessage(secret, headers, body.replace("feed", "food")), Forged);
      assert.throws(() => readMessage(secret, headers, Uint8Array.of(255)), Forged);
      assert.throws(() => readMessage(secret, {}, body), Forged);
    }
    const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDLZk=";
    assert.throws(() => readMessage(other, headers, body), Forged);
    mock.timers.reset();
  }
});

/** An endpoint, and what its secret verified. */
async function endpoint(secret) {
  const received = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(readMessage(secret, request.headers, Buffer.concat(chunks)).type);
    response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { received, server, url: `http://127.0.0.1:${server.address().port}/` };
}

test("a subscription is sent to an endpoint, tested, moved and sent again", { timeout: 120_000 }, async (t) => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const rotated = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDLZk=";
  const [first, second] = [await endpoint(secret), await endpoint(rotated)];
  const service = await Service.start("--allow-private-webhooks");
  t.after(async () => {
    await service.stop();
    first.server.close();
    second.server.close();
  });
  const feed = service.connect().streams.subscription("feed");
  const { subscription } = await feed.create({ live: true, push: { url: first.url, secret } });
  const tested = await feed.testWebhook();
  assert.deepEqual([tested.status, first.received], [204, ["test"]]);
  assert.equal((await feed.rotateSecret({ secret: rotated })).secret, "", "it was given");
  assert.equal((await feed.moveWebhook(second.url)).push?.url, second.url);
  await service.connect().matches.create({ game: "mountebank", seats: 2, players: ["ann", "bob"] });
  const until = async (isDone) => {
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const sent = (count) => second.received.filter((it) => it === "entries").length >= count;
  await until(() => sent(1));
  // An attempt is listed soon after it was made.
  const listed = async () => (await feed.deliveries().all()).filter((it) => it.entries > 0);
  await until(async () => (await listed()).length > 0);
  const [delivery] = await listed();
  assert.deepEqual([delivery.status, delivery.firstPosition], [204, 1]);
  await feed.redeliver(subscription.cursor);
  await until(() => sent(2));
  await feed.delete();
});
