// Measures what people notice: `node measure.js [--json]`, with CROUPIER_BIN as for the tests.
//
//   first table      from the opening of a guest's link to the first table drawn, nothing cached
//   frames           per second while the most pieces of a deal fly, and the longest frame
//   bundles          of the pages and of the components for embedding, as they are sent

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Harness } from "./test/browser/harness.js";

const dist = fileURLToPath(new URL("dist", import.meta.url));

const harness = await Harness.start();
try {
  const figures = { ...(await measureTables()), bundles: measureBundles() };
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

function print({ firstTableMs, frames, bundles }) {
  for (const [game, ms] of Object.entries(firstTableMs)) console.log(`first table    ${game.padEnd(16)}${ms} ms`);
  if (frames) console.log(`frames         ${frames.perSecond}/s while ${frames.pieces} pieces fly, the longest ${frames.longestMs} ms`);
  for (const [file, { bytes, gzip }] of Object.entries(bundles)) {
    console.log(`bundle         ${file.padEnd(44)}${kb(bytes)} KB, ${kb(gzip)} KB gzip`);
  }
}

function kb(bytes) {
  return (bytes / 1024).toFixed(1).padStart(7);
}
