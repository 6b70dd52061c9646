// The room in which a match waits: invitations, chairs, bots, who is here, and the next match.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { MatchState } from "@croupier/client/v1";
import { Harness } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let harness, games;
before(async () => {
  harness = await Harness.start();
  games = await harness.platform.games.list().all();
});
after(() => harness?.stop());

/** A page of the host, who has the first seat of a new match. */
async function host(seats, options) {
  const game = games.find((it) => it.seatsMin <= seats && it.seatsMax >= seats);
  const visit = await harness.signIn(options);
  const player = await visit.page.evaluate(() => sessionStorage.getItem("croupier.player"));
  const match = await harness.platform.matches.create({ game: game.name, seats, players: [player], displayNames: ["Ann"] });
  await visit.page.goto(`${harness.url}/#/matches/${match.name.replace("matches/", "")}`);
  const link = await visit.page.locator("app-room input.link").inputValue();
  return { visit, game, player, match: match.name, link };
}

/** A page of somebody who opened a link. */
async function opened(link, options) {
  const visit = await harness.open(options);
  visit.secret = new URLSearchParams(new URL(link).hash.slice(1)).get("invitation");
  await visit.page.goto(link);
  return visit;
}

async function sitDown({ page }, name) {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Take a seat" }).click();
}

function chair({ page }, number) {
  return page.locator(`app-room .chairs li:nth-child(${number})`);
}

/** Runs with all pages, each of which must have no fault. */
function using(visits, run) {
  return visits.reduceRight((then, visit) => () => visit.use(then), run)();
}

async function check(visit, options = {}) {
  const { page } = visit;
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  const found = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(found.map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.target)}`), [], JSON.stringify(options));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= page.viewportSize().width, `it is ${width} pixels wide`);
}

test("a guest opens a link, says a name and sits down, and the match starts with the last chair", async () => {
  const { visit: ann, match, game, link } = await host(3);
  const bea = await opened(link);
  const cid = await opened(link, PHONE);
  await using([ann, bea, cid], async () => {
    await bea.page.getByText("Ann invites you").waitFor();
    await bea.page.getByRole("heading", { name: game.title }).waitFor();
    assert.ok(!bea.page.url().includes("invitation"), "the secret leaves the address");
    await sitDown(bea, "Bea");
    for (const visit of [ann, bea]) {
      await chair(visit, 2).getByText("Bea").waitFor();
      await chair(visit, 2).getByText("Here", { exact: true }).waitFor();
      await chair(visit, 1).getByText("Here", { exact: true }).waitFor();
    }
    assert.equal((await harness.platform.match(match).get()).state, MatchState.OPEN, "it waits for the third");
    await sitDown(cid, "Cid");
    for (const { page } of [ann, bea, cid]) await page.locator("croupier-table [part=table]").waitFor();
    // At the table, too, it is said who is there, and who goes away.
    await ann.page.getByText("Bea is here").waitFor();
    await bea.page.goto("about:blank");
    await ann.page.getByText("Bea is away").waitFor();
    await ann.page.getByText("Cid is here").waitFor();
    // Whoever comes too late is told so.
    const late = await harness.open();
    late.mayBeRefused = true;
    await late.use(async ({ page }) => {
      await page.goto(link);
      await page.getByRole("heading", { name: "All chairs are taken" }).waitFor();
    });
  });
});

test("a guest who closed the page comes back to the chair by the same link", async () => {
  const { visit: ann, link } = await host(3);
  const bea = await opened(link);
  await using([ann, bea], async () => {
    await sitDown(bea, "Bea");
    await chair(bea, 2).getByText("You").waitFor();
    const again = await bea.context.newPage();
    await again.goto(link);
    assert.equal(await again.getByLabel("Your name").inputValue(), "Bea", "the name is kept");
    await again.getByRole("button", { name: "Take a seat" }).click();
    await again.locator("app-room .chairs li:nth-child(2)").getByText("You").waitFor();
    assert.equal(await chair(ann, 3).getAttribute("data-state"), "invited", "it takes no second chair");
  });
});

test("a link that was replaced lets nobody in, and the new one is copied", async () => {
  const { visit: ann, match, link } = await host(2);
  await ann.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ann.use(async ({ page }) => {
    await page.getByRole("button", { name: "New link" }).click();
    await page.waitForFunction((old) => document.querySelector("app-room input.link")?.value !== old, link);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.locator("app-room input.link").inputValue());
    assert.ok((await page.locator("app-room svg path").getAttribute("d")).length > 1000, "there is a code to scan");
    const old = await opened(link);
    old.mayBeRefused = true;
    await old.use(({ page }) => page.getByText("not valid any more").waitFor());
  });
  assert.equal((await harness.platform.match(match).get()).seats[1].player, "");
});

test("chairs are freed and given to bots, one by one or all at once, and the match starts", async () => {
  const { visit: ann, match, link } = await host(4);
  const bea = await opened(link);
  bea.mayBeRefused = true;
  await using([ann, bea], async () => {
    await sitDown(bea, "Bea");
    await ann.page.getByRole("button", { name: "Free the chair: Bea" }).click();
    await chair(ann, 2).getByText("Waiting for a guest").waitFor();
    await ann.page.getByRole("button", { name: "Give it to a bot: chair 2" }).click();
    await chair(ann, 2).getByText("Bot", { exact: true }).waitFor();
    await ann.page.getByRole("button", { name: "Start now" }).click();
    await ann.page.locator("croupier-table [part=table]").waitFor();
  });
  const { seats } = await harness.platform.match(match).get();
  assert.deepEqual(seats.map((it) => it.bot !== ""), [false, true, true, true]);
});

test("another match is an offer: it starts when the others accept, and not before", async () => {
  const { visit: ann, match, link } = await host(2);
  const bea = await opened(link);
  const handle = harness.platform.match(match);
  await using([ann, bea], async () => {
    await sitDown(bea, "Bea");
    for (const { page } of [ann, bea]) await page.locator("croupier-table [part=table]").waitFor();
    await handle.at(0).resign();
    await bea.page.getByRole("button", { name: "Offer another match" }).click();
    await ann.page.getByText("Bea offers another match.").waitFor();
    await ann.page.getByRole("button", { name: "Decline" }).click();
    await bea.page.getByText("No other match for Ann.").waitFor();
    assert.equal((await handle.get()).next, "", "nothing starts without consent");
    await ann.page.getByRole("button", { name: "Accept" }).click();
    await ann.page.waitForFunction((old) => !location.hash.includes(old), match);
    await ann.page.locator("croupier-table [part=table]").waitFor();
    await bea.page.getByRole("button", { name: "Go to the next match" }).click();
    await bea.page.locator("croupier-table [part=table]").waitFor();
    const { next } = await handle.get();
    const kept = await bea.page.evaluate(() => JSON.parse(sessionStorage.getItem("croupier.session")));
    assert.deepEqual([kept.match, kept.seat], [next, 1]);
    await bea.page.getByText("Ann is here").waitFor();
  });
});

test("the room and the invitation are for everybody, on every screen and in both languages", async () => {
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, PHONE]) {
    const { visit: ann, link } = await host(3, options);
    const bea = await opened(link, options);
    await using([ann, bea], async () => {
      await check(ann, options);
      await bea.page.getByLabel("Your name").waitFor();
      await check(bea, options);
      // By keyboard alone.
      await bea.page.getByLabel("Your name").focus();
      await bea.page.keyboard.type("Bea");
      await bea.page.keyboard.press("Enter");
      await chair(bea, 2).getByText("You").waitFor();
      await check(bea, options);
    });
  }
  const { visit: ann, link } = await host(2, { locale: "de-DE" });
  const bea = await opened(link, { locale: "de-DE" });
  await using([ann, bea], async () => {
    await ann.page.getByRole("heading", { name: "Mit einem Link einladen" }).waitFor();
    await bea.page.getByText("lädt dich ein").waitFor();
  });
});
