// Every page: for everybody, on every screen, in every language; and embedded in others' pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { load } from "../load.js";
import { Clicker } from "./clicker.js";
import { Harness } from "./harness.js";
import { Host } from "./host.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const { appTexts } = await load("app/texts.ts");
const { languageName, languages } = await load("texts/texts.ts");

let harness, host, games, running, ended;
before(async () => {
  host = await Host.start();
  harness = await Harness.start("--frame-origin", host.allowed);
  games = await harness.platform.games.list().all();
  // A match that waits for ann in each game, and one of each that bots play to its end.
  const create = ({ name, seatsMin: seats }, players, first) => {
    const bots = [first, ...Array(seats - 1).fill("random")];
    return harness.platform.matches.create({ game: name, seats, players, bots });
  };
  running = await Promise.all(games.map((game) => create(game, ["ann"], "")));
  ended = await create(games.find((it) => it.seatsMin === 2), [], "random");
  for await (const _ of harness.platform.match(ended.name, { viewer: "spectator" }).watch());
  await harness.platform.matches.create({ game: games[0].name, seats: games[0].seatsMin, players: ["ann"], lobby: true });
});
after(async () => {
  await harness?.stop();
  await host?.stop();
});

/** The addresses of all pages. */
function addresses() {
  const id = ({ name }) => name.replace("matches/", "");
  return [
    "/#/", "/#/open", "/#/matches", "/#/history", "/#/standings", "/#/players/ann", "/#/nowhere",
    ...running.map((it) => `/#/matches/${id(it)}`),
    `/#/matches/${id(ended)}`,
    `/#/matches/${id(ended)}/replay?position=9`,
    ...["matches", "search", "projections", "subscriptions", "platform", "acts", "live"].map((tab) => `/#/operators/${tab}`),
    `/#/operators/entries/${id(ended)}`,
    "/check/", "/docs/", "/docs/integrate-typescript.html", "/docs/games/rigs.html", "/docs/reference.html",
  ];
}

/** Goes to a page, and waits until it is there. */
async function show(page, address) {
  await page.goto(`${harness.url}${address}`);
  await page.waitForFunction(() => {
    const isLoading = (root) =>
      [...root.querySelectorAll("*")].some((it) => it.matches(".loading") || (it.shadowRoot && isLoading(it.shadowRoot)));
    return document.readyState === "complete" && document.querySelector("main h1, main h2, h1, h2, croupier-table") && !isLoading(document);
  });
}

test("no page has what people with disabilities stumble over, in light and dark", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const visit = await harness.signIn({ colorScheme });
    await visit.use(async ({ page }) => {
      const found = [];
      for (const address of addresses()) {
        await show(page, address);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
        for (const { id, impact, nodes } of violations) {
          if (impact !== "serious" && impact !== "critical") continue;
          found.push(`${address}: ${id}: ${nodes.map((it) => `${it.target} ${it.any[0]?.message ?? ""}`).slice(0, 3).join("; ")}`);
        }
      }
      assert.deepEqual(found, [], colorScheme);
      t.diagnostic(`${addresses().length} pages, ${colorScheme}`);
    });
  }
});

test("signed out, a page says how to get in", async () => {
  const visit = await harness.open();
  await visit.use(async ({ page }) => {
    await show(page, "/");
    await page.getByText("croupier sign-in").waitFor();
    visit.mayBeRefused = true;
    await page.goto(`${harness.url}/#sign-in=WRONG`);
    await page.getByRole("alert").waitFor();
  });
});

test("every page fits a screen of 390 pixels, and tables can be played on it", async () => {
  const visit = await harness.signIn({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await visit.use(async ({ page }) => {
    for (const address of addresses()) {
      await show(page, address);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${address} is ${width} pixels wide`);
    }
  });
  for (const { name } of running) {
    const seat = await harness.sit(name, 0, { viewport: { width: 390, height: 780 }, hasTouch: true });
    await seat.use(async ({ page }) => {
      seat.mayBeRefused = true;
      const clicker = new Clicker(seat, 11);
      await clicker.play(() => seat.count("SubmitAction") >= 2);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${name} is ${width} pixels wide`);
    });
  }
});

test("pages are light or dark, as the system is or as was chosen", async () => {
  const brightness = (page) =>
    page.evaluate(() => {
      const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/[\d.]+/g).map(Number);
      return (r + g + b) / 3;
    });
  for (const [colorScheme, other, isBright] of [["light", "dark", true], ["dark", "light", false]]) {
    const visit = await harness.signIn({ colorScheme });
    await visit.use(async ({ page }) => {
      assert.equal((await brightness(page)) > 128, isBright);
      await page.locator("header .you").click();
      await page.locator(`dialog.settings input[value=${other}]`).check();
      assert.equal((await brightness(page)) > 128, !isBright);
      await page.reload();
      await page.locator("app-start .game").first().waitFor();
      assert.equal((await brightness(page)) > 128, !isBright, "the choice is kept");
    });
  }
});

for (const language of languages.filter((it) => it !== "en")) {
  // A reader of any region reads the language.
  const locale = `${language}-CH`;

  test(`tables and pages speak ${language} to those who read it`, async () => {
    const reader = harness.service.connect({ language });
    for (const { name } of running) {
      const visit = await harness.sit(name, 0, { locale });
      await visit.use(async ({ page }) => {
        const dock = page.locator("croupier-table [part=dock]");
        await dock.locator("[part=prompt] p").first().waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        const prompts = async () => {
          const view = await reader.match(name, { seat: 0 }).view();
          const mine = view.prompts.filter((it) => it.seat === 0 && it.text !== "").map((it) => it.text);
          const drawn = await dock.locator("[part=prompt]").innerText();
          return mine.length > 0 && mine.every((it) => drawn.includes(it));
        };
        // Bots may be acting meanwhile.
        const until = Date.now() + 20_000;
        while (!(await prompts())) assert.ok(Date.now() < until, `${name} is asked in ${language}`);
      });
    }
    const visit = await harness.signIn({ locale });
    await visit.use(async ({ page }) => {
      await page.getByRole("link", { name: appTexts(language)("app-nav-matches") }).waitFor();
      await page.locator("header .you").click();
      const choice = page.locator("dialog.settings select[name=language]");
      assert.deepEqual(await choice.locator("option").allInnerTexts(), languages.map(languageName));
      await choice.selectOption("en");
      await page.getByRole("link", { name: "My matches", includeHidden: true }).waitFor();
    });
  });
}

test("a match is played by keyboard only, and the focus is seen", async () => {
  const game = games.find((it) => it.seatsMin === 2);
  const { name } = await harness.platform.matches.create({ game: game.name, seats: 2, players: ["ann"], bots: ["", "random"] });
  const visit = await harness.sit(name, 0);
  await visit.use(async ({ page }) => {
    visit.mayBeRefused = true;
    for (let turn = 0; turn < 3; turn += 1) {
      const before = await visit.countDone("SubmitAction");
      for (let tries = 0; (await visit.countDone("SubmitAction")) === before; tries += 1) {
        assert.ok(tries < 12, "nothing is done by keys");
        await ready(page);
        const isFound = await tabTo(page);
        assert.ok(isFound, "nothing that can be done is reached by Tab");
        await page.keyboard.press("Enter");
        await visit.answered();
      }
    }
  });
});

/** Waits until something can be done at the table. */
async function ready(page) {
  await page.waitForFunction(() => {
    const root = document.querySelector("croupier-table")?.shadowRoot;
    return root?.querySelector("[part=dock][aria-busy=false]") && root.querySelector("[data-legal]:not(:disabled)");
  });
}

/** Goes on by Tab until the focus is on something that does something new; checks that it is seen. */
async function tabTo(page) {
  for (let n = 0; n < 120; n += 1) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const root = document.querySelector("croupier-table").shadowRoot;
      const it = root.activeElement;
      if (!it) return undefined;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
      const isDone = it.matches("[part~=action]");
      const isLeft = root.querySelector("[part=dock] .primary") && !isDone;
      return {
        isSeen: (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) || boxShadow !== "none",
        isLegal: isDone || (!isLeft && it.matches("[part~=legal]:not([aria-pressed=true])")),
        name: it.getAttribute("aria-label") ?? it.innerText,
      };
    });
    if (focus && !focus.isLegal) continue;
    if (focus) {
      assert.ok(focus.isSeen, `the focus on ${focus.name} is not seen`);
      assert.ok(focus.name.trim(), "what has the focus has a name");
      return true;
    }
  }
  return false;
}

test("nothing moves for those who want no motion", async () => {
  const animations = async (reducedMotion) => {
    const { name } = await harness.platform.matches.create({ ...startOf(games.find((it) => it.seatsMin === 2)) });
    const visit = await harness.open({ reducedMotion });
    return visit.use(async ({ page }) => {
      await page.addInitScript(() => {
        window.animated = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...given) {
          window.animated += 1;
          return animate.apply(this, given);
        };
        for (const type of ["transitionrun", "animationstart"]) {
          document.addEventListener(type, () => (window.animated += 1), { capture: true });
        }
      });
      const { token } = await harness.platform.match(name, { seat: 0 }).createToken();
      await page.goto(`${harness.url}/#${new URLSearchParams({ seat: 0, match: name, token })}`);
      const clicker = new Clicker(visit, 2);
      await clicker.play(() => visit.count("SubmitAction") >= 3);
      return page.evaluate(() => window.animated);
    });
  };
  assert.equal(await animations("reduce"), 0);
  assert.ok((await animations("no-preference")) > 0, "for others, it moves");
});

function startOf({ name, seatsMin: seats }) {
  return { game: name, seats, players: ["ann"], bots: ["", ...Array(seats - 1).fill("random")] };
}

test("a page of another origin embeds a table and a replay by two lines", async () => {
  for (const [element, match, part] of [["croupier-table", running[0], "dock"], ["croupier-replay", ended, "controls"]]) {
    const seating = element === "croupier-table" ? { seat: 0 } : {};
    const { token } = await harness.platform.match(match.name, seating).createToken();
    const page = host.show(`
      <script type="module" src="${harness.url}/croupier.js"></script>
      <${element} match="${match.name}" token="${token}" service="${harness.url}"></${element}>`);
    const visit = await harness.open();
    visit.origins.add(host.allowed);
    await visit.use(async (it) => {
      await it.page.goto(page);
      await it.page.locator(`${element} [part=${part}]`).waitFor();
      if (element === "croupier-table") await new Clicker(it, 4).play(() => it.count("SubmitAction") >= 1);
    });
  }
});

test("only pages of the origins that may do so show the service in a frame", async () => {
  const frame = host.show(`<iframe src="${harness.url}/" width="800" height="600"></iframe>`);
  const allowed = await harness.open();
  allowed.origins.add(host.allowed);
  await allowed.use(async ({ page }) => {
    await page.goto(frame);
    await page.frameLocator("iframe").getByText("croupier sign-in").waitFor();
  });
  // The same page, by another name of its origin.
  const other = await harness.open();
  await other.page.goto(frame.replace("127.0.0.1", "localhost"));
  await other.page.waitForFunction(() => document.readyState === "complete");
  assert.equal(await other.page.frameLocator("iframe").getByText("croupier sign-in").count(), 0);
  assert.ok(other.faults.some((it) => /frame-ancestors/.test(it)), `${other.faults}`);
  await other.context.close();
});
