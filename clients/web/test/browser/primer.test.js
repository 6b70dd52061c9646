// How to play, the start page's choices, and the keys of a table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Harness } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let harness, games;
before(async () => {
  harness = await Harness.start();
  games = await harness.platform.games.list().all();
});
after(() => harness?.stop());

/** A match in which a seat is asked, and its page. */
async function atTable(game, options) {
  const { name, seatsMin: seats } = game;
  const players = Array.from({ length: seats }, (_, seat) => `player-${seat}`);
  const { name: match } = await harness.platform.matches.create({ game: name, seats, players });
  const [seat] = (await harness.platform.match(match).get()).waitingFor;
  const visit = await harness.sit(match, seat, options);
  await visit.page.locator("croupier-table [part=dock] .own-prompt").first().waitFor();
  await visit.page.locator("croupier-table [data-legal]").first().waitFor();
  return { visit, match };
}

async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((it) => `${it.target} ${it.any[0]?.message ?? ""}`).join("; ")}`);
}

const mountebank = () => games.find(({ name }) => name === "games/mountebank");
const position = async (match) => (await harness.platform.match(match).get()).position;

test("a hint is given against bots only, and what it suggests can be played", async () => {
  const create = { game: "games/mountebank", seats: 2, players: ["ann"], bots: ["", "heuristic"] };
  const { name: match } = await harness.platform.matches.create(create);
  const visit = await harness.sit(match, 0);
  await visit.use(async ({ page }) => {
    const dock = page.locator("croupier-table [part=dock]");
    await dock.locator("[data-hint]").click();
    const suggestions = dock.locator("[part=suggestions]");
    await suggestions.waitFor();
    assert.ok((await suggestions.locator("li").count()) >= 1);
    assert.deepEqual(await violations(page), []);
    const before = await position(match);
    await suggestions.locator("[data-suggested]").first().click();
    await suggestions.waitFor({ state: "detached" });
    await visit.answered();
    assert.ok((await position(match)) > before, "it was played");
  });
  const { visit: against } = await atTable(mountebank());
  await against.use(async ({ page }) => {
    assert.equal(await page.locator("croupier-table [data-hint]").count(), 0, "people play here");
  });
});

test("how to play opens over the table, at what the seat is asked, and gives the focus back", async () => {
  for (const game of games) {
    const { visit } = await atTable(game);
    await visit.use(async ({ page }) => {
      const how = page.locator("croupier-table [data-how]");
      await how.click();
      const drawer = page.locator("croupier-primer dialog[open]");
      await drawer.waitFor();
      const asked = drawer.locator("section.asked");
      assert.ok((await asked.count()) >= 1, `${game.name}: the prompt is explained`);
      assert.ok(await asked.first().isVisible());
      await asked.first().locator("h3").waitFor();
      const isInView = await asked.first().evaluate((it) => it.getBoundingClientRect().top < innerHeight / 2);
      assert.ok(isInView, `${game.name}: it is opened there`);
      assert.ok((await drawer.locator(".shown svg").count()) >= 4, "with pictures");
      await asked.first().locator("summary").click();
      await asked.first().locator(".exact").getByText(/\d\.\d/).first().waitFor();
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      const focus = await page.evaluate(() => document.querySelector("croupier-table").shadowRoot.activeElement?.dataset.how);
      assert.equal(focus, "", "the button that opened it has the focus");
    });
  }
});

test("how to play is in the reader's language, on a phone and in the dark too, and accessible", async () => {
  const looks = [
    { locale: "de", viewport: { width: 390, height: 844 }, colorScheme: "light" },
    { locale: "de", viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  ];
  for (const look of looks) {
    const { visit } = await atTable(mountebank(), look);
    await visit.use(async ({ page }) => {
      await page.locator("croupier-table [data-how]").click();
      const drawer = page.locator("croupier-primer dialog[open]");
      await drawer.getByRole("heading", { name: "So wird Mountebank gespielt" }).waitFor();
      await drawer.getByText("Danach wirst du gerade gefragt").waitFor();
      for (const it of await drawer.locator("details").all()) await it.evaluate((one) => (one.open = true));
      const width = await drawer.evaluate((it) => it.scrollWidth - it.clientWidth);
      assert.equal(width, 0, "nothing is cut off");
      assert.deepEqual(await violations(page), []);
    });
  }
});

test("the start page shows each game by its pieces, and begins with what was last chosen", async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page }) => {
    const cards = page.locator("app-start .game");
    assert.equal(await cards.count(), games.length);
    for (const { name, duration, difficulty } of games) {
      const card = page.locator(`app-start [data-game="${name.replace("games/", "")}"]`);
      assert.equal(await card.locator("croupier-cover .card svg").count(), 3, name);
      const told = await card.locator(".seats").innerText();
      assert.ok(duration && told.includes(duration) && told.includes(difficulty), told);
    }
    await page.locator("[data-game=grifters] [data-how]").click();
    await page.locator("croupier-primer dialog[open]").getByRole("heading", { name: "How to play Grifters" }).waitFor();
    await page.keyboard.press("Escape");
    const card = page.locator("[data-game=among-thieves]");
    await card.locator("[name=seats]").selectOption("4");
    await card.locator("[name=level]").selectOption("random");
    await card.locator("button.primary").click();
    await page.waitForURL(/#\/matches\//);
    await page.evaluate(() => (location.hash = "#/"));
    const again = page.locator("app-start [data-again]");
    assert.match(await again.innerText(), /Among Thieves/);
    assert.match(await page.locator("app-start .again").innerText(), /4 players, easy bots/);
    assert.equal(await card.locator("[name=seats]").inputValue(), "4");
    await again.click();
    await page.waitForURL(/#\/matches\//);
    const { game, seats } = await harness.platform.match(page.url().split("/").at(-1)).get();
    assert.deepEqual([game, seats.length, seats[1].bot], ["games/among-thieves", 4, "random"]);
  });
});

test("a deck that may be drawn from glows, and what cannot be chosen says so", async () => {
  const { visit, match } = await atTable(mountebank());
  await visit.use(async ({ page }) => {
    const table = page.locator("croupier-table");
    const before = await position(match);
    await table.locator('[data-place="discard"]').click();
    await table.locator("[part=idle]").getByText("Discard pile").waitFor();
    await table.locator("[part=idle] [data-why]").click();
    await page.locator("croupier-primer dialog[open] section.asked").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await position(match), before);
    assert.equal(await table.locator("[part=dock] [data-verb=draw]").count(), 1, "it has a button as well");
    await table.locator('[data-place="deck"][data-legal]').click();
    await page.waitForFunction((before) => {
      const root = document.querySelector("croupier-table").shadowRoot;
      return Number(root.querySelector("[part=table]").dataset.position) > before;
    }, before);
    assert.equal(await position(match), before + 1);
  });
});

/** A match of Mountebank in which a seat is asked that holds seven cards, and this seat. */
async function withFullHand() {
  const { name } = await harness.platform.matches.create({ game: "games/mountebank", seats: 2, players: ["ann", "ben"] });
  for (;;) {
    const [seat] = (await harness.platform.match(name).get()).waitingFor;
    const handle = harness.platform.match(name, { seat });
    const draw = (await handle.legalActions()).actions.find(({ verb }) => verb === "draw");
    if (!draw) return { name, seat };
    await handle.submit(draw.action);
  }
}

test("a full hand is the reason why nothing is drawn, and a con says what it wins", async () => {
  const { name, seat } = await withFullHand();
  const visit = await harness.sit(name, seat);
  await visit.use(async ({ page }) => {
    const table = page.locator("croupier-table");
    const reason = table.locator("[part=dock] [part=reason]");
    await reason.first().waitFor();
    assert.equal(await reason.count(), 1, "one reason for drawing and taking");
    assert.match(await reason.innerText(), /A hand holds at most 7 cards\.$/);
    // It is marked as disabled for readers of screens, and can be clicked all the same.
    await table.locator('[data-place="draft"] [data-piece]').first().click({ force: true });
    await table.locator("[part=idle]").getByText("A hand holds at most 7 cards.").waitFor();
    await page.keyboard.press("Escape");
    await table.locator(`[data-place="hand/${seat}"] [data-piece][data-legal]`).first().click();
    await table.locator("[part=dock] [data-verb=con] [part=effect]").first().waitFor();
    assert.match(await table.locator("[part=effect]").first().innerText(), /\+\d+ token/);
    assert.deepEqual(await violations(page), []);
  });
});

test("numbers choose actions, a second Enter chooses nothing, and ? lists the keys", async () => {
  const { visit, match } = await atTable(mountebank());
  await visit.use(async ({ page }) => {
    const table = page.locator("croupier-table");
    const moved = (before) =>
      page.waitForFunction((before) => {
        const root = document.querySelector("croupier-table").shadowRoot;
        const felt = root.querySelector("[part=table]");
        return Number(felt.dataset.position) > before && root.querySelector("[part=dock][aria-busy=false] [data-legal]");
      }, before);
    const before = await position(match);
    const draw = table.locator("[part=dock] [data-verb=draw]");
    await draw.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await moved(before);
    await page.keyboard.press("Enter");
    await page.keyboard.press(" ");
    await visit.answered();
    assert.equal(await position(match), before + 1, "one Enter, one action");
    const part = await page.evaluate(() => document.querySelector("croupier-table").shadowRoot.activeElement?.getAttribute("part"));
    assert.equal(part, "dock", "the focus is where the actions are");
    await page.keyboard.press("?");
    const keys = table.locator("dialog.keys[open]");
    await keys.getByText("Choose the action with that number").waitFor();
    assert.deepEqual(await violations(page), []);
    await keys.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await visit.answered();
    assert.equal(await position(match), before + 1, "the keys are off");
    await page.keyboard.press("?");
    await keys.getByRole("checkbox").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    const target = await page.evaluate(() => document.querySelector("croupier-table").shadowRoot.activeElement?.dataset.target);
    assert.ok(target, "c goes to what glows");
    await page.keyboard.press("1");
    await visit.answered();
    assert.equal(await position(match), before + 2, "the first action is done");
  });
});
