// Receives webhooks: verifies each message, drops what came twice, and keeps the result of each match.
//
//   export WEBHOOK_SECRET=whsec_$(openssl rand -base64 32)
//   PORT=8080 node examples/webhook-receiver/receiver.js
//   node examples/webhook-receiver/subscribe.js https://play.example/hooks/croupier
//
// The second line runs behind what terminates TLS for play.example. On one machine, start the service
// with --allow-private-webhooks and subscribe http://127.0.0.1:8080/hooks/croupier.
//
// GET /results lists what came of the matches. docs/webhooks.md says how messages are sent.

import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? fail("set WEBHOOK_SECRET"));

// The messages of a match come in order, so its last position says which entries are new. Keep it
// in your database, and change it in the transaction in which you do what an entry leads to.
const positions = new Map();
const results = new Map();

const server = createServer(async (request, response) => {
  const route = `${request.method} ${request.url}`;
  if (route === "GET /results") return answer(response, 200, Object.fromEntries(results));
  if (route !== "POST /hooks/croupier") return answer(response, 404, { error: "there is nothing here" });

  const body = await read(request);
  if (body === undefined) return answer(response, 413, { error: "the message is too large" });
  let message;
  try {
    message = webhook.verify(body, request.headers);
  } catch {
    return answer(response, 401, { error: "the signature does not match" });
  }
  // Answer soon. What takes long is better queued here and done afterwards.
  if (message.type === "entries") message.data.entries.forEach(take);
  answer(response, 204);
});

function take({ entry, game }) {
  const match = entry.name.split("/").slice(0, 2).join("/");
  if (entry.position <= (positions.get(match) ?? 0)) {
    console.log(`${match} ${entry.position}: again`);
    return;
  }
  positions.set(match, entry.position);
  const ended = entry.events.map((event) => event.ended).find(Boolean);
  if (ended) results.set(match, { game, winners: ended.winners, position: entry.position });
  console.log(`${match} ${entry.position}: ${entry.verb}${ended ? `, won by ${ended.winners.join(" and ")}` : ""}`);
}

// The body as it arrived, since the signature is over its bytes.
async function read(request, bytesMax = 8 << 20) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function answer(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body && JSON.stringify(body));
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

server.listen(process.env.PORT ?? 8080, "127.0.0.1", () => {
  console.log(`receiving on http://127.0.0.1:${server.address().port}/hooks/croupier`);
});
process.once("SIGTERM", () => server.close());
