// Measures how soon a player sees what is legal: `node lists.js [game] [motion]`, with CROUPIER_BIN as for
// the tests. From an entry's arrival to its list on the screen, at a service 100 ms away, once by the service
// alone and once by the rules on the device, which `make rules` makes. Pieces move only with `motion`.

import { connect, createServer } from "node:net";
import { Harness } from "./test/browser/harness.js";

/** Of each direction, in milliseconds. */
const DELAY_MS = 50;
const LISTS = 20;

const [game = "mountebank", motion = ""] = process.argv.slice(2);

const harness = await Harness.start();
const far = await farAway(new URL(harness.url).port);
try {
  for (const isHere of [false, true]) {
    const times = (await listTimes(isHere)).sort((one, other) => one - other);
    const [half, most] = [0.5, 0.9].map((share) => Math.round(times[Math.floor(times.length * share)]));
    console.log(`${game}, by ${isHere ? "the device" : "the service"}: half within ${half} ms, 9 of 10 within ${most} ms`);
  }
} finally {
  far.close();
  await harness.stop();
}

/** A proxy that takes its time. */
function farAway(port) {
  const pass = (from, to) => {
    from.on("data", (data) => setTimeout(() => to.writable && to.write(data), DELAY_MS));
    from.on("close", () => to.destroy()).on("error", () => {});
  };
  const proxy = createServer({ noDelay: true }, (near) => {
    const service = connect({ port, host: "127.0.0.1", noDelay: true });
    pass(near, service);
    pass(service, near);
  });
  return new Promise((resolve) => proxy.listen(0, "127.0.0.1", () => resolve(proxy)));
}

/** Plays two seats, one of which a page shows. */
async function listTimes(isHere) {
  const create = { game: `games/${game}`, seats: 2, players: ["ann", "bob"] };
  const { name: match } = await harness.platform.matches.create(create);
  const tokens = await Promise.all([0, 1].map((seat) => harness.platform.match(match, { seat }).createToken()));
  const seats = tokens.map(({ token }) => harness.service.connect({ credentials: token }).match(match));
  const reducedMotion = motion === "motion" ? "no-preference" : "reduce";
  const { page, context } = await harness.open({ reducedMotion });
  await page.addInitScript(watch, isHere);
  const link = new URLSearchParams({ seat: 0, match, token: tokens[0].token });
  await page.goto(`http://127.0.0.1:${far.address().port}/#${link}`);
  await page.locator("croupier-table [part=table]").waitFor();
  let isReady = false;
  for (let nth = 0; (await page.evaluate(() => window.times.length)) < LISTS; nth += 7) {
    const { waitingFor } = await harness.platform.match(match).get();
    if (waitingFor.length === 0) break;
    if (!isReady && waitingFor.includes(0)) {
      if (isHere) await page.waitForFunction(() => document.querySelector("croupier-table").rules !== undefined);
      await page.evaluate(() => (window.times = []));
      isReady = true;
    }
    const asked = seats[waitingFor.includes(0) ? 0 : 1];
    const { actions } = await asked.legalActions();
    await asked.submit(actions[nth % actions.length].action);
    const { position } = await harness.platform.match(match).get();
    const isShown = (at) => {
      const { table, isDrawing } = document.querySelector("croupier-table");
      return table.position >= at && !isDrawing;
    };
    await page.waitForFunction(isShown, position);
  }
  const times = await page.evaluate(() => window.times);
  await context.close();
  return times;
}

/** Runs in the page: notes how long after its entry each list is there. */
function watch(isHere) {
  if (!isHere) Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  window.times = [];
  document.addEventListener("croupier-entry", ({ detail: { entry } }) => {
    const began = performance.now();
    const table = document.querySelector("croupier-table");
    if (!entry.prompts.some(({ seat }) => `seats/${seat}` === table.table.viewer)) return;
    const look = () => {
      const { position } = table.table;
      if (position > entry.position || !table.isConnected) return;
      if (position === entry.position && table.choices.length > 0) window.times.push(performance.now() - began);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
