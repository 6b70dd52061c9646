// What the pages keep of a transparency log, and what they say when the service contradicts itself.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { program } from "../../../typescript/test/support/service.js";
import { Harness } from "./harness.js";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const hasRules = readdirSync(dist).some((it) => /^rules-\w{8}\.wasm$/.test(it));

let harness;
before(async () => {
  harness = await Harness.start();
  const { data, url } = harness.service;
  execFileSync(program, ["transparency", "begin", "play.example/log", "--data", data], { stdio: "pipe" });
  for (;;) {
    if ((await fetch(`${url}/log/checkpoint`)).ok) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});
after(() => harness?.stop());

const start = (page) => page.locator("app-start .game[data-game=mountebank] form button.primary").click();
const keptOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("croupier.kept") ?? "[]"));

test("a match that is started here is in the log before this browser contributes", { skip: !hasRules && "`make rules` makes the rules" }, async () => {
  const visit = await harness.signIn();
  // A proof that is not there yet is answered with 404.
  visit.mayBeRefused = true;
  await visit.use(async ({ page }) => {
    const asked = [];
    page.on("response", (it) => {
      const { pathname } = new URL(it.url());
      if (it.ok() && /\/log\/proof\/opened|ContributeEntropy/.test(pathname)) asked.push(pathname.split("/")[pathname.includes("/log/") ? 3 : 2]);
    });
    await start(page);
    await page.locator("croupier-table [part=table]").waitFor();
    assert.deepEqual(asked.slice(0, 2), ["opened", "ContributeEntropy"]);
    const name = `matches/${/matches\/([^?]+)/.exec(page.url())[1]}`;
    await harness.platform.match(name, { seat: 0 }).resign();
    await page.locator("app-verification").waitFor();
    // The end follows within seconds.
    await page.waitForFunction(() => JSON.parse(localStorage.getItem("croupier.kept"))[0].closing);
    const [kept] = await keptOf(page);
    assert.equal(kept.opening.cameFirst, true);
    assert.equal(kept.complaints, undefined);
    const [log] = await page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("croupier.logs"))));
    assert.match(log.checkpoint, /^play\.example\/log\n/);
    await page.getByRole("button", { name: "Check this match on this device" }).click();
    await page.locator("croupier-check").getByText(/every deal and every rule/).waitFor();
    const shown = (await page.locator("croupier-check .shown li").allInnerTexts()).join("\n");
    assert.match(shown, /the order is proven: the transparency log had the commitment/);
    assert.match(shown, /The transparency log has the opening and the end of the match/);

    // Whoever did not keep the proof from before is not told that the order is proven.
    await page.evaluate(() => {
      const [{ opening, ...kept }, ...more] = JSON.parse(localStorage.getItem("croupier.kept"));
      localStorage.setItem("croupier.kept", JSON.stringify([{ ...kept, opening: { ...opening, cameFirst: false } }, ...more]));
    });
    await page.getByRole("button", { name: "Check this match on this device" }).click();
    await page.locator("croupier-check .left").getByText(/fixed its seed before it knew/).waitFor();
    assert.doesNotMatch((await page.locator("croupier-check .shown li").allInnerTexts()).join("\n"), /order is proven|neither side/);
  });
});

test("a proof of another match is complained of, and can be saved", { skip: !hasRules && "`make rules` makes the rules" }, async () => {
  const { name } = await harness.platform.matches.create({ game: "mountebank", seats: 2, players: ["ann", "bob"] });
  const other = await harness.platform.matches.create({ game: "mountebank", seats: 2, players: ["ann", "bob"] });
  const of = (match) => `/log/proof/opened/${match.replace("matches/", "")}`;
  let proof;
  for (;;) {
    const answer = await fetch(`${harness.url}${of(other.name)}`);
    if (answer.ok && (await fetch(`${harness.url}${of(name)}`)).ok) {
      proof = await answer.text();
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { token } = await harness.platform.match(name, { seat: 0 }).createToken();
  const visit = await harness.open({ acceptDownloads: true });
  await visit.use(async ({ page }) => {
    await page.route(`**${of(name)}`, (route) => route.fulfill({ contentType: "text/plain", body: proof }));
    await page.goto(`${harness.url}/#${new URLSearchParams({ seat: 0, match: name, token })}`);
    const notice = page.locator("app-complaints [role=alert]");
    await notice.getByText("LOG_DIFFERS").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), notice.getByRole("button").click()]);
    assert.match(readFileSync(await saved.path(), "utf8"), /^c2sp\.org\/tlog-proof@v1\n/);
  });
});
