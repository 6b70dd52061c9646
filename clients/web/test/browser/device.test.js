// Matches on the player's own device, with the network off.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Clicker } from "./clicker.js";
import { Harness } from "./harness.js";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const hasRules = readdirSync(dist).some((it) => /^rules-\w{8}\.wasm$/.test(it));
const skip = !hasRules && "`make rules` makes the rules";

let harness;
let folder;
before(async () => {
  harness = await Harness.start();
  folder = mkdtempSync(path.join(tmpdir(), "croupier-device-"));
});
after(async () => {
  await harness?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A clicker at a table of this device, whose actions are counted by their entries. */
async function clicker({ page }, seed) {
  let acted = 0;
  await page.exposeFunction("countAction", () => (acted += 1));
  await page.addInitScript(() =>
    document.addEventListener("croupier-entry", ({ detail }) => detail.entry.seat === 0 && window.countAction()),
  );
  const visit = { page, isServiceAway: true, count: () => acted };
  return { clicker: new Clicker(visit, seed), acted: () => acted };
}

/** Waits until the worker keeps everything that is needed without the service. */
async function kept(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const isKept = async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      const files = all.flat().map(({ url }) => new URL(url).pathname);
      return files.some((it) => it.endsWith(".wasm")) && files.some((it) => it.startsWith("/worker-"));
    };
    while (!navigator.serviceWorker.controller || !(await isKept())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

for (const [game, level, seed] of [["mountebank", "heuristic", 3], ["grifters", "random", 5]]) {
  test(`${game} is played to its end with the network off`, { skip }, async (t) => {
    const visit = await harness.open();
    await visit.use(async ({ page, context }) => {
      const { clicker: player, acted } = await clicker(visit, seed);
      // From the sign-in page, as somebody without an account.
      await page.goto(harness.url);
      await page.locator("app-sign-in").getByRole("link", { name: "Play now" }).click();
      await page.locator("app-device-games .game").first().waitFor();
      await kept(page);
      visit.isServiceAway = true;
      await context.setOffline(true);
      await page.goto("about:blank");
      await page.goto(`${harness.url}/#/device`);
      const card = page.locator(`app-device-games .game[data-game=${game}]`);
      await card.locator("select[name=level]").selectOption(level);
      await card.locator("form button.primary").click();
      await page.locator("croupier-table [part=table]").waitFor();
      assert.equal(await page.locator("croupier-table .chip.warning").count(), 0, "nothing is said of a lost connection");

      // Half way, the page is loaded again.
      await player.play(() => acted() >= 8);
      const half = acted();
      await page.reload();
      await page.goto(`${harness.url}/#/device`);
      await page.locator("app-device-games .matches a").click();
      await page.locator("croupier-table [part=table]").waitFor();
      player.lookAgain();
      await player.play();
      t.diagnostic(`${half} actions, a reload, ${acted() - half} more`);
      await page.locator("croupier-table [part=result]").waitFor();

      // The record, checked here and by the program.
      await page.getByRole("button", { name: "Check this match on this device" }).click();
      await page.locator("croupier-check").getByText(/every deal and every rule/).waitFor();
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save the record" }).click();
      const file = path.join(folder, `${game}.jsonl`);
      await (await saving).saveAs(file);
      const report = JSON.parse(execFileSync(process.env.CROUPIER_BIN, ["verify", "--json", file]));
      assert.equal(report.answer, "PROVEN", JSON.stringify(report));
      assert.ok(report.entries > acted());

      // Once it has ended, everyone's cards may be seen.
      await page.locator("croupier-table").getByRole("link", { name: "Replay" }).click();
      await page.locator("croupier-replay [part=table]").waitFor();
      await page.goto(`${harness.url}/#/device`);
      await page.getByRole("heading", { name: "Played here" }).waitFor();
      assert.deepEqual(
        visit.calls.filter(({ method }) => /^[A-Z]\w+$/.test(method)).map(({ method }) => method),
        [],
        "the service was asked nothing",
      );
    });
  });
}

test("who is away from the service is offered what is here", { skip }, async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page, context }) => {
    await kept(page);
    visit.isServiceAway = true;
    await context.setOffline(true);
    await page.goto(`${harness.url}/docs/`);
    await page.getByRole("link", { name: "Play on this device" }).click();
    await page.locator("app-device-games .game").first().waitFor();
    await page.goto(`${harness.url}/#/`);
    await page.getByRole("link", { name: "Play on this device, without the service" }).first().click();
    await page.locator("app-device-games .game").first().waitFor();
  });
});

test("a match of this device is given to the service", { skip }, async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page }) => {
    const { clicker: player } = await clicker(visit, 8);
    await page.goto(`${harness.url}/#/device`);
    await page.reload();
    const card = page.locator("app-device-games .game[data-game=mountebank]");
    await card.locator("select[name=level]").selectOption("random");
    await card.locator("form button.primary").click();
    await page.locator("croupier-table [part=table]").waitFor();
    await player.play();
    await page.locator("croupier-table [part=result]").waitFor();
    await page.getByRole("button", { name: "Give this match to the service" }).click();
    await page.locator("app-giving").getByText("The service has this match.").waitFor();
    // The browser knows it after a reload.
    await page.reload();
    await page.getByRole("link", { name: "Look at it there" }).click();
    await page.locator("app-match croupier-table [part=result]").waitFor();
    const name = `matches/${new URL(page.url()).hash.split("/").pop()}`;
    const { fromDevice, casual, seats } = await harness.platform.match(name).get();
    assert.deepEqual([fromDevice, casual, Boolean(seats[1].bot)], [true, true, true]);
    const you = await page.locator("button.you .name").textContent();
    assert.equal(seats[0].player, you);
  });
});
