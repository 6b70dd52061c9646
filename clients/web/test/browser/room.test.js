// Room: what a player needs is in the window, on every screen, and by mouse, touch and keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Clicker } from "./clicker.js";
import { Harness } from "./harness.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** The last two are small: a window of 1280 x 800 at 200 %, and a phone. */
const SIZES = [[1920, 1080], [1440, 900], [1280, 800], [1024, 768], [640, 400], [390, 844]];

let harness, games;
before(async () => {
  harness = await Harness.start();
  games = await harness.platform.games.list().all();
});
after(() => harness?.stop());

/** A match against bots, in which Ann has the first seat. */
async function start(game, seats, level = "heuristic", more = {}) {
  const bots = ["", ...Array(seats - 1).fill(level)];
  return (await harness.platform.matches.create({ game, seats, players: ["ann"], bots, ...more })).name;
}

/** Waits until the seat of a page can do something. */
async function asked({ page }) {
  await page.waitForFunction(() => {
    const root = document.querySelector("croupier-table")?.shadowRoot;
    return root?.querySelector("[part=dock][aria-busy=false]") && root.querySelector("[data-legal]:not(:disabled)");
  });
}

/**
 * Runs in the page: what can be chosen, and is neither in the window nor behind one step that is: a seat to
 * open, a list, the scrolled part of the actions. On a small screen the table itself may be scrolled, but the
 * actions and the hand are in the window.
 */
function outOfReach(isSmall) {
  const root = document.querySelector("croupier-table").shadowRoot;
  const isAt = (it, x, y) => it.contains(root.elementFromPoint(x, y));
  const isInWindow = (it) => {
    const { left, top, width, height } = it.getBoundingClientRect();
    const spots = [[0.5, 0.5], [0.1, 0.5], [0.05, 0.1], [0.9, 0.5], [0.5, 0.1], [0.02, 0.5]];
    return spots.some(([dx, dy]) => isAt(it, left + width * dx, top + height * dy));
  };
  const dock = root.querySelector("[part=dock]");
  const stepOf = (it) => {
    if (!it.checkVisibility()) return it.closest(".seat")?.querySelector(".fold") ?? it.closest("details")?.querySelector("summary");
    return dock.contains(it) ? dock.querySelector("[part=prompt]") : undefined;
  };
  const controls = [...root.querySelectorAll(".felt [part~=legal][data-target], [part=dock] [data-legal], [part=dock] [data-submit]")];
  const isThere = (it) => {
    const step = stepOf(it);
    if (isInWindow(it) || (step && isInWindow(step))) return true;
    const isFixed = dock.contains(it) || it.closest(".hands");
    if (!isSmall || isFixed) return false;
    (step ?? it).scrollIntoView({ block: "nearest" });
    const isReached = isInWindow(step ?? it);
    window.scrollTo(0, 0);
    return isReached;
  };
  window.scrollTo(0, 0);
  return controls.filter((it) => !isThere(it)).map((it) => it.dataset.target ?? it.innerText);
}

test("on every screen, all that can be chosen is in the window or one step away", { concurrency: true }, async (t) => {
  const look = async (game) => {
    const seats = Math.min(4, game.seatsMax);
    const match = await start(game.name, seats);
    const visit = await harness.sit(match, 0, { viewport: { width: 1440, height: 900 } });
    await visit.use(async ({ page }) => {
      visit.mayBeRefused = true;
      await new Clicker(visit, 3).play(() => visit.count("SubmitAction") >= 5);
      await visit.answered();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.reload();
        await asked(visit);
        const bar = await page.locator("croupier-table [part=header]").boundingBox();
        assert.ok(bar.height <= 48, `the bar is ${bar.height} pixels high`);
        assert.equal(await page.locator("croupier-app > header").isVisible(), false, "it is the only one");
        const out = await page.evaluate(outOfReach, width < 900);
        assert.deepEqual(out, [], `${game.title} in ${width} x ${height}`);
        if (width < 1440) continue;
        const own = await page.locator("croupier-table [part=own]").boundingBox();
        assert.ok(own.y + own.height <= height, `${game.title}: the own places end at ${own.y + own.height} of ${height}`);
      }
    });
  };
  await Promise.all(games.map((game) => t.test(game.title, () => look(game))));
});

test("whole matches of all games on a phone, by touch alone", { concurrency: true }, async (t) => {
  const play = async (game, t) => {
    const match = await start(game.name, game.seatsMin, "random");
    const visit = await harness.sit(match, 0, PHONE);
    await visit.use(async ({ page }) => {
      visit.mayBeRefused = true;
      const clicker = new Clicker(visit, 7, { touch: true });
      let looks = 0;
      await clicker.play(({ clicks }) => (looks = clicks) < 0);
      await page.locator("croupier-table [part=result]").waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, "nothing is wider than the screen");
      t.diagnostic(`${looks} taps, ${await visit.countDone("SubmitAction")} actions`);
    });
  };
  await Promise.all(games.map((game) => t.test(game.title, (t) => play(game, t))));
});

test("on a phone the hand is at the bottom, the actions above it, and a tap shows a card before it is played", async () => {
  const match = await start("games/grifters", 2);
  const visit = await harness.sit(match, 0, PHONE);
  await visit.use(async ({ page }) => {
    await asked(visit);
    const box = (selector) => page.locator(`croupier-table ${selector}`).boundingBox();
    const [dock, hand] = [await box("[part=dock]"), await box(".hands")];
    assert.ok(dock.y + dock.height <= hand.y + 1, "the actions end where the hand begins");
    assert.ok(hand.y + hand.height <= 844, "the hand is in the window");
    const card = page.locator("croupier-table .hands .card[data-legal]").first();
    const before = visit.count("SubmitAction");
    await card.tap({ position: { x: 12, y: 30 } });
    await page.locator("croupier-table [part=preview]").waitFor();
    assert.equal(visit.count("SubmitAction"), before, "it is not played yet");
    const shown = await box("[part=preview]");
    assert.ok(shown.y + shown.height <= (await box("[part=dock]")).y, "it covers no action");
    await page.locator("croupier-table [part=dock] [data-legal]").first().tap();
    await visit.answered();
    assert.equal(visit.count("SubmitAction"), before + 1);
  });
});

test("a set of pieces is chosen on the pieces, from what was chosen before, and confirmed", async () => {
  const match = await laidOut();
  const visit = await harness.sit(match, 0, { viewport: { width: 1440, height: 900 } });
  await visit.use(async ({ page }) => {
    await asked(visit);
    const tile = page.locator("croupier-table .own .tile[data-legal]").first();
    const title = tile.locator(".tile-title");
    assert.equal(await tile.locator(".mark").count(), 1, "all that can be powered is");
    await title.click();
    const form = page.locator("croupier-table [part=form][data-verb=power]");
    await form.waitFor();
    assert.equal(await form.locator("input[type=checkbox]").count(), 0, "there are no boxes to check");
    const chosen = () => title.getAttribute("aria-pressed");
    assert.equal(await chosen(), null, "it is taken out");
    await title.click();
    assert.equal(await chosen(), "true", "it is put back");
    await title.click();
    await form.locator("[data-submit]").click();
    await form.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelector("croupier-table").shadowRoot.querySelectorAll(".own .tile .mark").length === 0);
  });
});

/** A match in which seat 0 has a plot that is powered and need not be, played by the API: not every deal leads there. */
async function laidOut() {
  for (let tries = 0; tries < 12; tries += 1) {
    const handle = harness.platform.match(await start("games/rigs", 2, "random"), { seat: 0 });
    if (await isLaidOut(handle)) return handle.name;
  }
  throw new Error("no plot could be powered");
}

async function isLaidOut(handle) {
  // A RIGS that harvests needs power, unless it harvests Energy.
  const isLaying = ({ places }) => places[0]?.startsWith("warehouse/") && places[1]?.endsWith("/supply");
  // The house answers for those who do not ask to be asked.
  await handle.stand("produce", false);
  let laid;
  for (let n = 0; n < 100; n += 1) {
    const { actions } = await handle.legalActions();
    const named = (verb) => actions.filter((it) => it.verb === verb);
    // What makes nothing in this round, or needs no power, is not powered.
    if (named("power").length > 0) {
      const mark = `powered/${laid?.split("/")[1]}`;
      return (await handle.view()).marks.some((it) => it.mark === mark && it.value > 0);
    }
    const lay = laid ? undefined : named("move").find(isLaying);
    laid ??= lay?.places[1];
    const others = actions.filter((it) => !["offer", "unready", "borrow", "accept"].includes(it.verb));
    const next = lay ?? named("ready")[0] ?? named("pass")[0] ?? others[0];
    if (next) await handle.submit(next.action).catch(() => {});
    else await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

test("by keyboard, the first action is two presses of Tab away, and the keys work at once", async () => {
  const match = await start("games/mountebank", 2, "random");
  const visit = await harness.sit(match, 0);
  await visit.use(async ({ page }) => {
    await asked(visit);
    const focus = () => page.evaluate(() => {
      const it = document.querySelector("croupier-table").shadowRoot.activeElement;
      return it?.matches("[part=dock] button:not([data-hint])") === true;
    });
    await page.keyboard.press("?");
    await page.locator("croupier-table dialog.keys[open]").waitFor();
    await page.keyboard.press("Escape");
    let presses = 0;
    while (!(await focus()) && presses < 3) {
      await page.keyboard.press("Tab");
      presses += 1;
    }
    assert.ok(presses <= 2, `it took ${presses}`);
  });
});

test("after the end, the focus is on how to go on", async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page }) => {
    await page.locator("app-start .again .primary").click();
    await asked(visit);
    await page.evaluate(() => window.scrollTo(0, 900));
    await page.locator("croupier-table [part=header] [part=menu] summary").click();
    await page.locator("croupier-table [data-verb=resign]").click();
    await page.locator("croupier-table [data-confirm]").click();
    const result = page.locator("croupier-table [part=result]");
    await result.waitFor();
    assert.match(await result.innerText(), /^You lost/);
    const { y, height } = await result.boundingBox();
    assert.ok(y >= 0 && y + height <= 900, "it is in the window");
    await page.waitForFunction(() => document.activeElement?.matches(".after .primary"));
    assert.equal(await page.locator(".after").getByRole("link", { name: "Review" }).count(), 1);
  });
});

/** Runs in the page before its scripts: counts sounds instead of making them. */
function countSounds() {
  window.tones = 0;
  const param = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  window.AudioContext = class {
    currentTime = 0;
    state = "running";
    createGain = () => ({ gain: param, connect: (to) => to });
    createOscillator = () => ({ frequency: {}, connect: (to) => to, start: () => (window.tones += 1), stop() {} });
  };
}

test("sounds are heard once the page was used, unless they are off, as on a phone", async () => {
  const heard = async (options, set) => {
    const match = await start("games/mountebank", 2, "random");
    const visit = await harness.open(options);
    await visit.page.addInitScript(countSounds);
    await visit.sit(match, 0);
    return visit.use(async ({ page }) => {
      visit.mayBeRefused = true;
      await asked(visit);
      await set(page);
      await page.evaluate(() => (window.tones = 0));
      const clicker = new Clicker(visit, 3, { touch: options.hasTouch });
      await clicker.play(() => visit.count("SubmitAction") >= 3);
      return page.evaluate(() => window.tones);
    });
  };
  const desktop = { viewport: { width: 1280, height: 900 } };
  const switchSounds = async (page) => {
    await page.locator("croupier-table [part=header] [part=menu] summary").click();
    await page.locator("croupier-table [data-sounds]").click();
    await page.keyboard.press("Escape");
  };
  assert.ok((await heard(desktop, async () => {})) > 0);
  assert.equal(await heard(desktop, switchSounds), 0, "they were switched off");
  assert.equal(await heard(PHONE, async () => {}), 0, "they are off where there is no mouse");
  const unused = (page) => page.evaluate(() => Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false } }));
  assert.equal(await heard(desktop, unused), 0, "nothing is heard before the reader has used the page");
});

test("the story is told by turns, with pictures, and its latest line is on the table", async () => {
  const match = await start("games/mountebank", 2, "random");
  const visit = await harness.sit(match, 0, PHONE);
  await visit.use(async ({ page }) => {
    visit.mayBeRefused = true;
    await new Clicker(visit, 3).play(() => visit.count("SubmitAction") >= 3);
    await asked(visit);
    const table = page.locator("croupier-table");
    const latest = table.locator("[part=latest]");
    await page.evaluate(() => window.scrollTo(0, 300));
    assert.ok((await latest.boundingBox()).y >= 0, "it stays in the window");
    assert.equal(await latest.innerText(), await table.locator("[part=log] li .told").last().innerText());
    assert.ok((await table.locator("[part=log] h3").count()) >= 2);
    assert.equal(await table.locator("[part=log] details[open]").count(), 0, "the set-up is folded");
    const mini = table.locator("[part=log] [part=mini]").last();
    await mini.focus();
    await mini.click();
    assert.ok((await table.locator("[part=preview]").innerText()).length > 0);
  });
});

test("what was done is taken back beside it, as long as it can be", async () => {
  const create = { game: "games/rigs", seats: 2, players: ["ann", "bob"] };
  const { name } = await harness.platform.matches.create(create);
  const [seat] = (await harness.platform.match(name).get()).waitingFor;
  const handle = harness.platform.match(name).at(seat);
  const act = async (verb) => handle.submit((await handle.legalActions({ verb })).actions[0].action);
  for (const screen of [{ viewport: { width: 1280, height: 900 } }, PHONE]) {
    const visit = await harness.sit(name, seat, screen);
    await visit.use(async ({ page }) => {
      await asked(visit);
      const button = page.locator("croupier-table .last-move > [data-verb=undo]");
      const isOn = (on) => page.waitForFunction((on) => {
        const it = document.querySelector("croupier-table").shadowRoot.querySelector(".last-move > [data-verb=undo]");
        return it && it.disabled !== on;
      }, on);
      await act("borrow");
      await isOn(true);
      const [line, it] = [await page.locator("croupier-table [part=latest]").boundingBox(), await button.boundingBox()];
      assert.ok(it.x >= line.x + line.width && it.y < line.y + line.height, "it stands beside the last move");
      await button.click();
      await isOn(false);
      assert.equal((await handle.entries().all()).at(-1).verb, "undo");
      assert.equal(await page.locator("croupier-table [part=menu] [data-verb=undo]").count(), 0);
      await act("survey");
      await page.locator("croupier-table [part=latest]").getByText("survey").waitFor();
      await asked(visit);
      await isOn(false);
    });
  }
});

test("a call that is not answered is said to be under way, and then to be sent later", async () => {
  const create = { game: "games/mountebank", seats: 2, players: ["ann", "bob"] };
  const { name } = await harness.platform.matches.create(create);
  const [seat] = (await harness.platform.match(name).get()).waitingFor;
  const visit = await harness.sit(name, seat);
  await visit.use(async ({ page }) => {
    await asked(visit);
    let letGo;
    const held = new Promise((done) => (letGo = done));
    await page.route("**/SubmitAction", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator("croupier-table [part=dock] button[data-legal]").first().click();
    await page.locator("croupier-table [data-sending]").getByText("Sending").waitFor();
    await page.getByText("It is sent when the connection is back").waitFor();
    letGo();
    await page.locator("croupier-table [data-sending]").waitFor({ state: "detached" });
  });
});
