// Tells the service to send the entries of all matches, from now on, to an endpoint:
//
//   CROUPIER_KEY=croupier_… WEBHOOK_SECRET=whsec_… node examples/webhook-receiver/subscribe.js URL
//
// Running it again changes nothing. It sends a message to try the endpoint out.

import { Croupier, Refusal } from "@croupier/client";

const [url] = process.argv.slice(2);
const { CROUPIER_ADDRESS = "http://127.0.0.1:7710", CROUPIER_KEY, WEBHOOK_SECRET } = process.env;
if (!url || !CROUPIER_KEY || !WEBHOOK_SECRET) {
  console.error("usage: CROUPIER_KEY=… WEBHOOK_SECRET=… subscribe.js URL");
  process.exit(2);
}

const croupier = Croupier.connect(CROUPIER_ADDRESS, { credentials: CROUPIER_KEY });
const feed = croupier.streams.subscription("feed");
try {
  await feed.create({ live: true, push: { url, secret: WEBHOOK_SECRET } });
  const delivery = await feed.testWebhook();
  console.log(`${feed.name} is sent to ${url}, which answers ${delivery.status || delivery.error}`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`${error.reason}: ${error.message}`);
  process.exitCode = 1;
}
