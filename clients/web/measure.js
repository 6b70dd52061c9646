// Measures what people notice: `node measure.js [--json]`, with CROUPIER_BIN as for the tests.
//
//   first table      from the opening of a guest's link to the first table drawn, nothing cached
//   frames           per second while the most pieces of a deal fly, and the longest frame
//   clicks           from a click at R.I.G.S. with four seats to what it paints, and the longest task
//   memory           of the page after each of three such matches, once what nobody uses is collected
//   bundles          of the pages and of the components for embedding, as they are sent

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Clicker } from "./test/browser/clicker.js";
import { Harness } from "./test/browser/harness.js";

const dist = fileURLToPath(new URL("dist", import.meta.url));

const harness = await Harness.start();
try {
  const figures = { ...(await measureTables()), ...(await measurePlay()), bundles: measureBundles() };
  if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
  else print(figures);
} finally {
  await harness.stop();
}

async function measureTables() {
  const firstTableMs = {};
  let frames;
  for (const { name, seatsMax: seats } of await harness.platform.games.list()) {
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

/** Plays matches with the most pieces by clicking, one after the other in one page. */
async function measurePlay() {
  const visit = await harness.open({ reducedMotion: "no-preference" });
  visit.mayBeRefused = true;
  const { page } = visit;
  await page.addInitScript(() => {
    window.clicked = [];
    window.longestMs = 0;
    // The browser rounds to 8 ms, and tells of events from 16 ms on.
    const note = (list) => list.getEntries().forEach((it) => it.interactionId && window.clicked.push(it));
    new PerformanceObserver(note).observe({ type: "event", durationThreshold: 16, buffered: true });
    const noteTasks = (list) => list.getEntries().forEach((it) => (window.longestMs = Math.max(window.longestMs, it.duration)));
    new PerformanceObserver(noteTasks).observe({ type: "longtask", buffered: true });
  });
  const devtools = await visit.context.newCDPSession(page);
  const [memory, durations] = [[], []];
  let [moves, clicks, longestMs] = [0, 0, 0];
  for (let seed = 1; seed <= 3; seed += 1) {
    const create = { game: "games/rigs", seats: 4, players: ["ann"], bots: ["", "random", "random", "random"] };
    const { name: match } = await harness.platform.matches.create(create);
    await visit.sit(match, 0);
    await page.locator("croupier-table [part=table]").waitFor();
    const clicker = new Clicker(visit, seed);
    await clicker.play();
    moves += (await harness.platform.match(match).get()).position;
    clicks += clicker.clicks;
    const seen = await page.evaluate(() => {
      const byClick = new Map();
      for (const { interactionId, duration } of window.clicked) {
        byClick.set(interactionId, Math.max(byClick.get(interactionId) ?? 0, duration));
      }
      return { durations: [...byClick.values()], longestMs: window.longestMs };
    });
    durations.push(...seen.durations);
    longestMs = Math.max(longestMs, seen.longestMs);
    await page.evaluate(() => {
      window.clicked = [];
      window.longestMs = 0;
    });
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    memory.push({ moves, bytes: usedSize });
  }
  await visit.context.close();
  // Clicks that painted within 16 ms are not told of.
  durations.push(...Array(Math.max(0, clicks - durations.length)).fill(0));
  durations.sort((one, other) => one - other);
  const [halfMs, mostMs] = [0.5, 0.95].map((share) => durations[Math.floor(durations.length * share)]);
  return { clicks: { clicks, halfMs, mostMs, longestTaskMs: Math.round(longestMs) }, memory };
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

function print({ firstTableMs, frames, clicks, memory, bundles }) {
  for (const [game, ms] of Object.entries(firstTableMs)) console.log(`first table    ${game.padEnd(16)}${ms} ms`);
  if (frames) console.log(`frames         ${frames.perSecond}/s while ${frames.pieces} pieces fly, the longest ${frames.longestMs} ms`);
  const { halfMs, mostMs, longestTaskMs } = clicks;
  console.log(`clicks         ${clicks.clicks}: half painted within ${halfMs} ms, 19 of 20 within ${mostMs} ms; the longest task ${longestTaskMs} ms`);
  for (const { moves, bytes } of memory) console.log(`memory         after ${moves} moves: ${kb(bytes)} KB`);
  for (const [file, { bytes, gzip }] of Object.entries(bundles)) {
    console.log(`bundle         ${file.padEnd(44)}${kb(bytes)} KB, ${kb(gzip)} KB gzip`);
  }
}

function kb(bytes) {
  return (bytes / 1024).toFixed(1).padStart(7);
}
