// Takes the pictures in docs/screens: `node screens.js [folder]`, with CROUPIER_BIN as for the tests.
// Every game in the middle of a match, on a desktop and on a phone, in light and dark.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Clicker } from "./test/browser/clicker.js";
import { Harness } from "./test/browser/harness.js";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/screens", import.meta.url));
const MOST_BYTES = 60_000;

const looks = {
  "": { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  "-dark": { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  "-phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "light" },
};

mkdirSync(folder, { recursive: true });
const harness = await Harness.start();
try {
  for (const { name, seatsMin, seatsMax } of await harness.platform.games.list().all()) {
    const seats = Math.min(3, seatsMax, Math.max(seatsMin, 3));
    const match = await harness.platform.matches.create({
      game: name,
      seats,
      players: ["ann"],
      bots: ["", ...Array(seats - 1).fill("heuristic")],
    });
    await playSome(match.name);
    for (const [suffix, options] of Object.entries(looks)) {
      const visit = await harness.sit(match.name, 0, options);
      await visit.page.locator("croupier-table [part=table]").waitFor();
      await visit.page.locator("croupier-table [part=log] li").first().waitFor();
      await visit.answered();
      await take(visit, `${name.replace("games/", "")}${suffix}`);
      await visit.context.close();
    }
  }
  const visit = await harness.signIn(looks[""]);
  await take(visit, "start");
} finally {
  await harness.stop();
}

/** Plays into the middle of a match, where most of a game is to be seen. */
async function playSome(match) {
  const visit = await harness.sit(match, 0);
  visit.mayBeRefused = true;
  await new Clicker(visit, 1).play(({ clicks }) => clicks >= 12 && visit.count("SubmitAction") >= 8);
  await visit.answered();
  await visit.context.close();
}

/** Keeps a picture as small as it has to be. */
async function take({ page, context }, name) {
  const devtools = await context.newCDPSession(page);
  for (const quality of [80, 60, 40, 25, 15]) {
    const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.length > MOST_BYTES && quality > 15) continue;
    writeFileSync(path.join(folder, `${name}.webp`), picture);
    console.log(`${name}.webp: ${(picture.length / 1000).toFixed(1)} KB`);
    return;
  }
}
