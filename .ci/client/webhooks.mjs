// Verifies messages that the service sent, by the reference library of Standard Webhooks.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const messages = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { secrets, headers, body } of messages) {
  Date.now = () => Number(headers["webhook-timestamp"]) * 1000;
  for (const secret of secrets) {
    const { data } = new Webhook(secret).verify(body, headers);
    if (data.subscription !== "subscriptions/feed") throw new Error("another message");
    let isRefused = false;
    try {
      new Webhook(secret).verify(`${body} `, headers);
    } catch {
      isRefused = true;
    }
    if (!isRefused) throw new Error("an altered message was verified");
  }
}
