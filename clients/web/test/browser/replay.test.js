// What replays draw is what the API says, and pages hold nothing that their viewer may not know.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MatchState } from "@croupier/client/v1";
import { chance } from "../../../typescript/test/support/play.js";
import { Clicker } from "./clicker.js";
import { differences, readDrawn } from "./drawn.js";
import { Harness } from "./harness.js";

let harness, games;
before(async () => {
  harness = await Harness.start();
  games = await harness.platform.games.list().all();
});
after(() => harness?.stop());

test("a replay draws what the API says, at 50 random positions of all games and viewers", async (t) => {
  const random = chance(7);
  for (const { name, seatsMin } of games) {
    const created = await harness.platform.matches.create({ game: name, seats: seatsMin, bots: Array(seatsMin).fill("random") });
    const { position: last } = await ended(created.name);
    const { layout } = await harness.platform.games.get(name);
    for (const viewer of ["seats/0", "house"]) {
      const visit = await harness.signIn();
      await visit.use(async ({ page }) => {
        for (let n = 0; n < 5; n += 1) {
          const position = 1 + Math.floor(random() * last);
          const id = created.name.replace("matches/", "");
          await page.goto(`${harness.url}/#/matches/${id}/replay?${new URLSearchParams({ viewer, position })}`);
          const replay = page.locator("croupier-replay");
          await replay.locator(`[part=table][data-position="${position}"]`).waitFor();
          const view = await harness.platform.match(created.name, { viewer }).view({ position });
          const drawn = await replay.evaluate(readDrawn);
          assert.deepEqual(differences(layout, view, drawn), [], `${name} at ${position} as ${viewer}`);
        }
      });
    }
    t.diagnostic(`${name}: 10 of ${last} positions`);
  }
});

/** Waits until bots have played a match to its end. */
async function ended(match) {
  for await (const _ of harness.platform.match(match, { viewer: "spectator" }).watch());
  const found = await harness.platform.match(match).get();
  assert.equal(found.state, MatchState.ENDED);
  return found;
}

test("a seat's page is never told what is hidden from the seat", async () => {
  for (const { name, seatsMin } of games) {
    const bots = ["", ...Array(seatsMin - 1).fill("random")];
    const { name: match } = await harness.platform.matches.create({ game: name, seats: seatsMin, players: ["ann"], bots });
    const visit = await harness.sit(match, 0, { keepReceived: true });
    await visit.use(async ({ page }) => {
      visit.mayBeRefused = true;
      const clicker = new Clicker(visit, 3);
      const drawn = [];
      // What the seat has ever seen.
      const known = new Set();
      for (let n = 0; n < 6; n += 1) {
        if (!(await clicker.step())) break;
        drawn.push(...(await page.locator("croupier-table").evaluate(namesIn)));
      }
      const { position } = await harness.platform.match(match).get();
      const { layout } = await harness.platform.games.get(name);
      for (let at = 1; at <= position; at += 1) {
        const view = await harness.platform.match(match, { seat: 0 }).view({ position: at });
        view.places.forEach((it) => [...it.pieces, it.top].forEach((piece) => known.add(piece)));
      }
      for await (const entry of harness.platform.match(match, { seat: 0 }).entries()) {
        for (const { kind } of entry.events) if (kind.value?.piece) known.add(kind.value.piece);
      }
      const secrets = layout.pieces.map((it) => it.name).filter((it) => !known.has(it));
      assert.ok(secrets.length > 0, `${name} keeps something hidden`);
      const received = await page.evaluate(() => window.received);
      assert.ok(received.length > 3);
      for (const secret of secrets) {
        assert.ok(!drawn.includes(secret), `${secret} of ${name} is in the page`);
        // As the contract writes it: its length, and its letters.
        const written = `${String.fromCharCode(secret.length)}${secret}`;
        const isCatalogue = ({ method }) => ["GetGame", "ListGames"].includes(method);
        const call = received.find((it) => !isCatalogue(it) && it.bytes.includes(written));
        assert.equal(call?.method, undefined, `${secret} of ${name} was told`);
      }
      const isTold = [...known].some((it) => received.some(({ bytes }) => bytes.includes(`${String.fromCharCode(it.length)}${it}`)));
      assert.ok(isTold, "what was told is found where it was told");
    });
  }
});

/** Runs in the page: every piece that an attribute names. */
function namesIn(element) {
  return [...element.shadowRoot.querySelectorAll("[data-piece], [data-target]")].map(
    (it) => it.dataset.piece ?? it.dataset.target.replace(/^\w+:/, ""),
  );
}

test("tokens stay out of addresses, of the browser's history and of what outlives the tab", async () => {
  const { name: game, seatsMin: seats } = games[0];
  const bots = ["", ...Array(seats - 1).fill("random")];
  const { name: match } = await harness.platform.matches.create({ game, seats, players: ["ann"], bots });
  for (const arrive of [() => harness.sit(match, 0), () => harness.signIn()]) {
    const visit = await arrive();
    await visit.use(async ({ page, context, secret }) => {
      await page.locator("croupier-table, app-start .game").first().waitFor();
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie, location.href, document.referrer]));
      const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem("croupier.session")).token);
      assert.ok(kept.length > 20);
      const devtools = await context.newCDPSession(page);
      const { entries } = await devtools.send("Page.getNavigationHistory");
      const history = JSON.stringify(entries.map(({ url, title }) => [url, title]));
      for (const it of [kept, secret]) {
        assert.ok(!stored.includes(it), `a secret stayed in ${stored}`);
        assert.ok(!history.includes(it), `a secret stayed in ${history}`);
      }
    });
  }
});

test("after a match, its player sees at each decision what a bot would have done", async () => {
  const { name: match } = await harness.platform.matches.create({ game: "mountebank", seats: 2, players: ["ann"], bots: ["", "random"] });
  const visit = await harness.sit(match, 0);
  await visit.use(async ({ page }) => {
    visit.mayBeRefused = true;
    const clicker = new Clicker(visit, 5);
    for (let n = 0; n < 8; n += 1) if (!(await clicker.step())) break;
    const handle = harness.platform.match(match, { seat: 0 });
    if ((await handle.get()).state !== MatchState.ENDED) await handle.resign();
    await page.getByRole("button", { name: "Replay" }).click();
    const replay = page.locator("croupier-replay");
    await replay.locator("[data-review]").click();
    await replay.locator("[part=review]").getByText(/^(What cost most:|No decision cost much\.)$/).waitFor();
    const decisions = [];
    const entries = [];
    for await (const entry of handle.entries()) entries.push(entry);
    for (const { seat, action, position } of entries) {
      const isAsked = entries[position - 2]?.prompts.some((it) => it.seat === 0);
      if (seat === 0 && action && isAsked) decisions.push(position - 1);
    }
    assert.ok(decisions.length > 2, `${decisions.length} decisions`);
    assert.equal(visit.count("SuggestActions"), decisions.length, "one call for each");
    for (const position of decisions) {
      await replay.locator(`[data-position="${position}"] .entry`).click();
      await replay.locator(`[part=table][data-position="${position}"]`).waitFor();
      assert.equal(await replay.locator("[part=judged] [data-taken]").count(), 1, `at ${position}`);
    }
  });
});
