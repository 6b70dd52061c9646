// Measures what people notice: `node measure.js [--json]`, with CROUPIER_BIN as for the tests.
//
//   first table      from the opening of a guest's link to the first table drawn, nothing cached
//   frames           per second while the most pieces of a deal fly, and the longest frame
//   clicks           from a click to what it paints, and the longest task, over 1,000 entries of R.I.G.S. with four seats
//   memory           the page's heap after a collection, while those entries arrive
//   bundles          of the pages and of the components for embedding, as they are sent

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Clicker } from "./test/browser/clicker.js";
import { Harness } from "./test/browser/harness.js";

const dist = fileURLToPath(new URL("dist", import.meta.url));

/** The crowded table whose clicks are measured, and how much of it. */
const CROWDED = { game: "games/rigs", seats: 4, entries: 1_000 };

/** Browsers tell of no event that was painted sooner. */
const QUICK_MS = 16;

const harness = await Harness.start();
try {
  const figures = { ...(await measureTables()), ...(await measureClicks()), bundles: measureBundles() };
  if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
  else print(figures);
} finally {
  await harness.stop();
}

async function measureTables() {
  const firstTableMs = {};
  let frames;
  for (const { name, seatsMax: seats } of await harness.platform.games.list().all()) {
    const bots = ["", ...Array(seats - 1).fill("random")];
    const match = await harness.platform.matches.create({ game: name, seats, players: ["ann"], bots });
    const visit = await harness.sit(match.name, 0);
    await visit.page.locator("croupier-table [part=table]").waitFor();
    firstTableMs[name.replace("games/", "")] = await firstDrawn(match.name);
    const flown = await fly(match.name);
    if (flown.pieces > (frames?.pieces ?? 0)) frames = flown;
    await visit.context.close();
  }
  return { firstTableMs, frames };
}

/** How long a browser that was never here takes from a link to a table, in milliseconds. */
async function firstDrawn(match) {
  const { token } = await harness.platform.match(match, { seat: 0 }).createToken();
  const visit = await harness.open();
  await visit.page.addInitScript(() => {
    const look = () => {
      const table = document.querySelector("croupier-table")?.shadowRoot?.querySelector("[part=table]");
      // A frame later it is on the screen.
      if (table) requestAnimationFrame(() => (window.drawnAt = performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
  await visit.page.goto(`${harness.url}/#${new URLSearchParams({ seat: 0, match, token })}`);
  const drawnAt = await visit.page.waitForFunction(() => window.drawnAt);
  const ms = Math.round(await drawnAt.jsonValue());
  await visit.context.close();
  return ms;
}

/** Steps from before the deal to after it, and counts pieces and frames. */
async function fly(match) {
  const { token } = await harness.platform.match(match, { seat: 0 }).createToken();
  const visit = await harness.open({ reducedMotion: "no-preference" });
  const { page } = visit;
  const id = match.replace("matches/", "");
  await page.goto(`${harness.url}/#${new URLSearchParams({ seat: 0, match, token })}`);
  await page.locator("croupier-table").evaluate((table, name) => {
    const replay = document.createElement("croupier-replay");
    Object.assign(replay, { client: table.client, match: name, position: 0 });
    table.replaceWith(replay);
  }, `matches/${id}`);
  await page.locator('croupier-replay [data-position="0"]').first().waitFor();
  const flown = await page.locator("croupier-replay").evaluate(async (replay) => {
    const animate = Element.prototype.animate;
    let pieces = 0;
    Element.prototype.animate = function (...given) {
      if (!this.matches(".purse, .coin")) pieces += 1;
      return animate.apply(this, given);
    };
    const times = [];
    replay.shadowRoot.querySelector("[data-control=forward]").click();
    let until = performance.now() + 1_000;
    for (;;) {
      const now = await new Promise(requestAnimationFrame);
      const runs = document.getAnimations().length + replay.shadowRoot.getAnimations().length;
      if (runs > 0) times.push(now);
      else if (times.length > 0 || now > until) break;
    }
    const gaps = times.slice(1).map((it, n) => it - times[n]);
    const total = times.at(-1) - times[0];
    return { pieces, perSecond: Math.round((gaps.length * 1_000) / total), longestMs: Math.round(Math.max(...gaps)) };
  });
  await visit.context.close();
  return flown;
}

/** Plays matches in one page, one after the other, as somebody who goes on from match to match. */
async function measureClicks() {
  const { game, seats, entries } = CROWDED;
  const visit = await harness.open({ viewport: { width: 1_440, height: 900 }, reducedMotion: "no-preference" });
  const { page } = visit;
  await page.addInitScript(keepDurations, QUICK_MS);
  const devtools = await visit.context.newCDPSession(page);
  const heapMb = [];
  let [played, clicked] = [0, 0];
  for (let seed = 1; played < entries; seed += 1) {
    const bots = ["", ...Array(seats - 1).fill("random")];
    const { name: match } = await harness.platform.matches.create({ game, seats, players: ["ann"], bots });
    await visit.sit(match, 0);
    await page.locator("croupier-table [part=result]").waitFor({ state: "detached" });
    await page.locator("croupier-table [part=table]").waitFor();
    await page.waitForTimeout(1_000);
    await page.evaluate(() => (window.durations.isOpen = true));
    const before = played;
    const note = async (position) => {
      played = before + position;
      if (played < heapMb.length * 250) return;
      await devtools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await devtools.send("Runtime.getHeapUsage");
      heapMb.push(Number((usedSize / 2 ** 20).toFixed(1)));
    };
    const clicker = new Clicker(visit, seed);
    while (await clicker.step()) {
      await note(Number(await page.locator("croupier-table [part=table]").getAttribute("data-position")));
      // Looking for what to click next would delay what this click paints.
      await page.waitForTimeout(250);
    }
    await page.evaluate(() => (window.durations.isOpen = false));
    clicked += clicker.clicks;
  }
  const { clicks, openings, tasks } = await page.evaluate(() => window.durations);
  await visit.context.close();
  // What is painted sooner than browsers tell took this long at most.
  const quick = Array(Math.max(0, clicked - clicks.length)).fill(QUICK_MS);
  const sorted = [...quick, ...clicks].sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
  return {
    clicks: { count: clicked, p50Ms: at(0.5), p95Ms: at(0.95), longestMs: at(1) },
    tasks: { over50Ms: tasks.length, longestMs: Math.max(0, ...tasks), whileOpeningMs: Math.max(0, ...openings) },
    heapMb: { entries: played, each250: heapMb },
  };
}

/** Runs in every page: keeps how long clicks take until they are painted, and how long the long tasks are. */
function keepDurations(durationThreshold) {
  if (window.durations) return;
  window.durations = { isOpen: false, clicks: [], openings: [], tasks: [] };
  const observe = (type, options, keep) => new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe({ type, ...options });
  observe("event", { durationThreshold }, (it) => it.name === "click" && window.durations.clicks.push(it.duration));
  observe("longtask", {}, (it) => window.durations[window.durations.isOpen ? "tasks" : "openings"].push(it.duration));
}

function measureBundles() {
  const files = readdirSync(dist).filter((it) => /\.(js|css)$/.test(it));
  return Object.fromEntries(
    files.map((file) => {
      const content = readFileSync(path.join(dist, file));
      const name = file.replace(/-[A-Z0-9]{8}(?=\.)/, "");
      return [name === file ? file : `${name} (${file})`, { bytes: content.length, gzip: gzipSync(content).length }];
    }),
  );
}

function print({ firstTableMs, frames, clicks, tasks, heapMb, bundles }) {
  for (const [game, ms] of Object.entries(firstTableMs)) console.log(`first table    ${game.padEnd(16)}${ms} ms`);
  if (frames) console.log(`frames         ${frames.perSecond}/s while ${frames.pieces} pieces fly, the longest ${frames.longestMs} ms`);
  console.log(`clicks         ${clicks.count} painted after ${clicks.p50Ms} ms (median), ${clicks.p95Ms} ms (p95), ${clicks.longestMs} ms (longest)`);
  console.log(`tasks          the longest ${tasks.longestMs} ms, ${tasks.whileOpeningMs} ms while a match is opened; ${tasks.over50Ms} took over 50 ms`);
  console.log(`memory         ${heapMb.each250.join(", ")} MB of heap, every 250 of ${heapMb.entries} entries`);
  for (const [file, { bytes, gzip }] of Object.entries(bundles)) {
    console.log(`bundle         ${file.padEnd(44)}${kb(bytes)} KB, ${kb(gzip)} KB gzip`);
  }
}

function kb(bytes) {
  return (bytes / 1024).toFixed(1).padStart(7);
}
