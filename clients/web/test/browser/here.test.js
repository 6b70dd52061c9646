// Lists of legal actions by the rules on the player's device, while the service's are on their way.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Harness } from "./harness.js";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const hasRules = readdirSync(dist).some((it) => /^rules-\w{8}\.wasm$/.test(it));
const skip = !hasRules && "`make rules` makes the rules";

let harness;
before(async () => (harness = await Harness.start()));
after(() => harness?.stop());

/** A page of the seat that is asked, with the rules loaded, and the other seat's client. */
async function seated(run) {
  const create = { game: "games/mountebank", seats: 2, players: ["ann", "bob"], options: { talk: "on" } };
  const { name: match } = await harness.platform.matches.create(create);
  const [asked] = (await harness.platform.match(match).get()).waitingFor;
  const { token } = await harness.platform.match(match, { seat: 1 - asked }).createToken();
  const other = harness.service.connect({ credentials: token }).match(match);
  const visit = await harness.sit(match, asked);
  await visit.use(async () => {
    const { page } = visit;
    await page.locator("croupier-table [data-legal]").first().waitFor();
    await page.waitForFunction(() => document.querySelector("croupier-table").rules !== undefined);
    await run({ visit, page, match, other });
  });
}

/** Holds answers of the service about legal actions, until the test lets them go, changed or not. */
async function held(page) {
  const answers = [];
  await page.route("**/ListLegalActions", async (route) => {
    const response = await route.fetch();
    answers.push((body) => route.fulfill({ response, ...(body && { body }) }));
  });
  const next = async () => {
    while (answers.length === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
    return answers.shift();
  };
  return { next };
}

test("what is legal is shown before the service says it, and can be done", { skip }, async () => {
  await seated(async ({ visit, page, match, other }) => {
    const { next } = await held(page);
    const { position } = await other.say("Take your time.");
    await page.waitForFunction((at) => {
      const root = document.querySelector("croupier-table").shadowRoot;
      return root.querySelector("[part=table]").dataset.position === `${at}` && root.querySelector("[data-legal]");
    }, position);
    const letGo = await next();
    const offered = await page.locator("croupier-table [data-legal]").count();
    await letGo();
    await visit.answered();
    assert.equal(await page.locator("croupier-table [data-legal]").count(), offered, "the service says the same");
    await page.locator("croupier-table [part=dock] button[data-legal]").first().click();
    await visit.answered();
    assert.equal((await harness.platform.match(match).get()).position, position + 1);
  });
});

test("where the service lists something else, it decides, and the console is told", { skip }, async () => {
  await seated(async ({ visit, page, other }) => {
    const { next } = await held(page);
    const offered = page.locator("croupier-table [data-legal]");
    await other.say("Take your time.");
    const letGo = await next();
    await offered.first().waitFor();
    // An empty list at the same position: field 1.
    const { position } = await other.say("There is no hurry.");
    await letGo();
    const another = await next();
    await offered.first().waitFor();
    await another(Buffer.from([8, position]));
    await offered.first().waitFor({ state: "detached" });
    assert.ok(visit.faults.some((it) => it.includes(`at ${position}, the service lists other actions`)), visit.faults.join());
    visit.faults.length = 0;
    // From then on this device lists nothing.
    await other.say("Well?");
    const last = await next();
    assert.equal(await offered.count(), 0);
    await last();
    await offered.first().waitFor();
  });
});
