// Whole matches, played in a browser by clicking what glows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MatchState } from "@croupier/client/v1";
import { Clicker } from "./clicker.js";
import { Harness } from "./harness.js";

let harness, games;
before(async () => {
  harness = await Harness.start();
  games = await harness.platform.games.list().all();
});
after(() => harness?.stop());

test("whole matches of all games against bots, by clicking what glows", { concurrency: true }, async (t) => {
  const play = (game) => t.test(game.title, async (t) => t.diagnostic(await playWhole(game)));
  await Promise.all(games.map(play));
});

test("two people at one match, through a reload and a service that is killed", async () => {
  const { name, seatsMin } = games.find((it) => it.seatsMin === 2);
  const { name: match } = await harness.platform.matches.create({ game: name, seats: seatsMin, players: ["ann", "bob"] });
  const visits = [await harness.sit(match, 0), await harness.sit(match, 1)];
  const clickers = visits.map((visit, n) => new Clicker(visit, n + 5));
  const both = (run) => visits[0].use(() => visits[1].use(run));
  await both(async () => {
    const handle = harness.platform.match(match);
    // Whoever is asked clicks, until so much was recorded.
    const playUntil = async (isEnough) => {
      for (;;) {
        const { waitingFor, position, state } = await handle.get();
        if (state === MatchState.ENDED || isEnough(position)) return position;
        const seat = waitingFor[0];
        await clickers[seat].step();
        await visits[seat].answered();
      }
    };
    const early = await playUntil((position) => position >= 5);
    await visits[0].page.reload();
    clickers[0].lookAgain();
    const later = await playUntil((position) => position >= early + 4);
    for (const it of visits) it.isServiceAway = true;
    await harness.service.kill();
    for (const { page } of visits) await page.getByText("Connection lost").waitFor();
    await harness.service.restart();
    for (const { page } of visits) await page.getByText("Connection lost").waitFor({ state: "detached" });
    for (const it of visits) it.isServiceAway = false;
    const last = await playUntil(() => false);
    assert.ok(last > later, "the match went on");
    const { winners } = await handle.get();
    for (const [seat, { page }] of visits.entries()) {
      const told = await page.locator("croupier-table [part=result]").innerText();
      assert.match(told, winners.includes(seat) ? /^You (won|share)/ : /^You lost/, `seat ${seat} is told how it ended`);
    }
    const acted = [];
    for await (const entry of handle.entries()) if (entry.seat !== undefined) acted.push(entry);
    const clicked = await Promise.all(visits.map((it) => it.countDone("SubmitAction")));
    assert.equal(acted.length, clicked[0] + clicked[1], "what was clicked was recorded once");
  });
});

test("the tab says whose turn it is", async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page }) => {
    visit.mayBeRefused = true;
    const game = page.locator(`.game[data-game=${games.find((it) => it.seatsMin === 2).name.replace("games/", "")}]`);
    await game.locator("button.primary").click();
    const icon = () => page.locator("link[rel=icon]").getAttribute("href");
    await page.waitForFunction(() => document.title.startsWith("It is your turn · "));
    const asked = await icon();
    await page.evaluate(() => (location.hash = "#/"));
    await page.waitForFunction(() => !document.title.startsWith("It is your turn"));
    assert.notEqual(await icon(), asked, "the icon has a dot while it is the player's turn");
  });
});

test("what is clicked without a connection is said to be sent later, and sent once", async () => {
  const create = { game: "games/mountebank", seats: 2, players: ["ann", "bob"] };
  const { name: match } = await harness.platform.matches.create(create);
  const [seat] = (await harness.platform.match(match).get()).waitingFor;
  const visit = await harness.sit(match, seat);
  await visit.use(async ({ page }) => {
    const before = (await harness.platform.match(match).get()).position;
    visit.isServiceAway = true;
    await page.locator("croupier-table [part=dock] [data-legal]").first().waitFor();
    await visit.context.setOffline(true);
    await page.getByText("Connection lost").waitFor();
    await page.locator("croupier-table [part=dock] button[data-legal]").first().click();
    await page.getByText("It is sent when the connection is back").waitFor();
    await visit.context.setOffline(false);
    await page.locator("croupier-table [data-sending]").waitFor({ state: "detached" });
    await visit.answered();
    const { position } = await harness.platform.match(match).get();
    assert.equal(position, before + 1, "it was recorded once");
  });
});

test("a page that was away shows all that happened, and draws it once", async () => {
  const create = { game: "games/mountebank", seats: 2, players: ["ann", "bob"] };
  const { name: match } = await harness.platform.matches.create(create);
  const visit = await harness.sit(match, 0, { reducedMotion: "no-preference" });
  await visit.use(async ({ page }) => {
    const table = page.locator("croupier-table");
    await table.locator("[part=table]").waitFor();
    visit.isServiceAway = true;
    await visit.context.setOffline(true);
    await page.getByText("Connection lost").waitFor();
    const handle = harness.platform.match(match);
    for (let nth = 0; nth < 30; nth += 1) {
      const [seat] = (await handle.get()).waitingFor;
      const me = harness.platform.match(match, { seat });
      const { actions } = await me.legalActions();
      await me.submit(actions[nth % actions.length].action);
    }
    const { position } = await handle.get();
    await table.evaluate((it) => {
      window.positions = new Set();
      new MutationObserver(() => window.positions.add(it.shadowRoot.querySelector("[part=table]").dataset.position)).observe(
        it.shadowRoot,
        { subtree: true, attributes: true, attributeFilter: ["data-position"] },
      );
    });
    await visit.context.setOffline(false);
    await table.locator(`[part=table][data-position="${position}"]`).waitFor();
    visit.isServiceAway = false;
    const told = [];
    for await (const { text, position } of harness.platform.match(match, { seat: 0 }).entries()) if (text && position > 1) told.push(`${position}`);
    const shown = await table.locator(".entries li[data-position]").evaluateAll((all) => all.map((it) => it.dataset.position));
    assert.deepEqual(shown.filter((it) => it > 1), told);
    const drawn = await page.evaluate(() => window.positions.size);
    assert.ok(drawn <= 12, `${drawn} tables were drawn on the way`);
  });
});

test("a table that moved on offers no action of the entry before", async () => {
  const create = { game: "games/mountebank", seats: 2, players: ["ann", "bob"], options: { talk: "on" } };
  const { name: match } = await harness.platform.matches.create(create);
  const [asked] = (await harness.platform.match(match).get()).waitingFor;
  const { token } = await harness.platform.match(match, { seat: 1 - asked }).createToken();
  const other = harness.service.connect({ credentials: token }).match(match);
  const visit = await harness.open({ keepReceived: true });
  // Where traffic is dear, the service alone lists actions.
  await visit.page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await visit.sit(match, asked);
  await visit.use(async ({ page }) => {
    const offered = page.locator("croupier-table [data-legal]");
    await offered.first().waitFor();
    // What is legal is answered at once, and arrives when the test lets it.
    const held = [];
    await page.route("**/ListLegalActions", async (route) => {
      const response = await route.fetch();
      held.push(() => route.fulfill({ response }));
    });
    const until = async (isSo) => {
      while (!isSo()) await page.evaluate(() => new Promise(requestAnimationFrame));
    };
    await other.say("Take your time.");
    await until(() => held.length === 1);
    const { position } = await other.say("I must go.");
    await page.waitForFunction(() => window.received.some(({ bytes }) => bytes.includes("I must go.")));
    await held[0]();
    await until(() => held.length === 2);
    assert.equal(await page.locator("croupier-table [part=table]").getAttribute("data-position"), `${position}`);
    assert.equal(await offered.count(), 0);
    await held[1]();
    await offered.first().waitFor();
  });
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
