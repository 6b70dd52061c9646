// Links that unfurl, as the pages give them to people.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Harness } from "./harness.js";

const harnesses = {};
before(async () => {
  harnesses.shown = await Harness.start("--show-matches-of", "local");
  harnesses.hidden = await Harness.start();
});
after(() => Promise.all(Object.values(harnesses).map((it) => it.stop())));

/** The page of a new match, for who administers the platform. */
async function matchPage(harness) {
  const bots = { game: "games/mountebank", seats: 2, players: ["ann", "bob"], displayNames: ["Ann", "Bob"] };
  const { name } = await harness.platform.matches.create(bots);
  const visit = await harness.signIn({ permissions: ["clipboard-read", "clipboard-write"] });
  await visit.page.goto(`${harness.url}/#/${name}`);
  await visit.page.getByText("About this match").click();
  return { visit, id: name.replace("matches/", "") };
}

test("a link to watch a match is offered and copied where its platform shows its matches", async () => {
  const harness = harnesses.shown;
  const { visit, id } = await matchPage(harness);
  await visit.use(async ({ page }) => {
    const link = page.locator("app-watch-link");
    await link.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied.").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, `${harness.url}/m/${id}`);
    assert.equal(await link.getByRole("textbox").inputValue(), copied);
    const stranger = await harness.open();
    await stranger.use(async ({ page }) => {
      await page.goto(copied);
      await page.getByRole("heading", { name: "Mountebank: Ann, Bob" }).waitFor();
      assert.ok(await page.locator("img").evaluate((it) => it.decode().then(() => it.naturalWidth)) === 1200);
    });
  });
});

test("no link to watch is offered where it would show nothing", async () => {
  const { visit, id } = await matchPage(harnesses.hidden);
  await visit.use(async ({ page }) => {
    await page.getByText(id, { exact: true }).waitFor();
    await visit.answered();
    assert.equal(visit.count(id), 1, "the page of the link was asked for");
    assert.equal(await page.locator("app-watch-link input").count(), 0);
  });
});
