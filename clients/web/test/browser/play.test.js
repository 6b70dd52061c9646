// Whole matches, played in a browser by clicking what glows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Clicker } from "./clicker.js";
import { Harness } from "./harness.js";

let harness, games;
before(async () => {
  harness = await Harness.start();
  games = await harness.platform.games.list();
});
after(() => harness?.stop());

test("whole matches of all games against bots, by clicking what glows", async (t) => {
  for (const game of games) {
    await t.test(game.title, async (t) => t.diagnostic(await playWhole(game)));
  }
});

/** Starts a match from the start page, and plays it to its end. */
async function playWhole(game) {
  const visit = await harness.signIn();
  return visit.use(async ({ page }) => {
    visit.mayBeRefused = true;
    const card = page.locator(`app-start [data-game="${game.name.replace("games/", "")}"]`);
    await card.locator("[name=level]").selectOption("random");
    await card.locator("button.primary").click();
    await page.waitForURL(/#\/matches\//);
    const match = harness.platform.match(page.url().split("/").at(-1));
    const clicker = new Clicker(visit, 1);
    await clicker.play();
    const { seats, position } = await match.get();
    const own = seats.find((it) => it.player !== "").seat;
    const recorded = [];
    for await (const entry of match.entries()) if (entry.seat === own) recorded.push(entry);
    assert.equal(recorded.length, await visit.countDone("SubmitAction"), "what was clicked was recorded once");
    return `${clicker.clicks} clicks, ${recorded.length} actions, ${position} entries`;
  });
}
