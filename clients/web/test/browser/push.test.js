// The application as an installed one: its manifest and its worker, and messages that it is the
// reader's turn.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Harness } from "./harness.js";

let harness;
before(async () => (harness = await Harness.start()));
after(() => harness?.stop());

/** Waits until the worker controls the page. */
async function controlled(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

async function eventually(what, look) {
  for (let n = 0; n < 600; n++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(what);
}

test("a browser can install the application, which says so when the service is away", async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page, context }) => {
    const address = await page.getAttribute("link[rel=manifest]", "href");
    const answer = await page.request.get(new URL(address, harness.url).href);
    assert.equal(answer.headers()["content-type"], "application/manifest+json");
    const manifest = await answer.json();
    assert.deepEqual([manifest.start_url, manifest.scope, manifest.display], ["/", "/", "standalone"]);
    for (const { src, sizes } of manifest.icons) {
      const icon = await (await page.request.get(`${harness.url}${src}`)).body();
      const [width, height] = [icon.readUInt32BE(16), icon.readUInt32BE(20)];
      assert.equal(`${width}x${height}`, sizes);
      assert.ok(icon.length < 8_192, `${src} has ${icon.length} bytes`);
    }
    await controlled(page);
    // The application has called the service, and a secret was in its address.
    const kept = await page.evaluate(async () => {
      const requests = [];
      for (const name of await caches.keys()) requests.push(...(await (await caches.open(name)).keys()));
      return requests.map(({ url }) => new URL(url)).map(({ pathname, search, hash }) => pathname + search + hash);
    });
    assert.ok(kept.includes("/offline.html"), kept.join());
    assert.deepEqual(kept.filter((it) => !/^\/((check\/|offline\.html)?|[a-z]+-[A-Z2-7]{8}\.(js|css|wasm))$/.test(it)), []);
    visit.isServiceAway = true;
    await context.setOffline(true);
    await page.goto(`${harness.url}/docs/`);
    await page.getByRole("heading", { name: "Croupier cannot be reached" }).waitFor();
    await context.setOffline(false);
    await page.goto(`${harness.url}/`);
    await page.locator("app-start .game").first().waitFor();
  });
});

test("a guest who has acted is asked once, and a message leads to the match", async () => {
  const made = await harness.platform.matches.create({ game: "games/mountebank", seats: 2, players: ["ann", "bob"] });
  const { waitingFor, seats } = await harness.platform.match(made.name).get();
  const seat = waitingFor[0];
  const { player } = seats[seat];
  const visit = await harness.open({ timezoneId: "America/New_York" });
  await visit.context.grantPermissions(["notifications"], { origin: harness.url });
  // The push service of a browser is another company's.
  await visit.context.addInitScript(() => {
    const keys = {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (it) => it.charCodeAt(0)).buffer;
    globalThis.asked = [];
    PushManager.prototype.subscribe = async (options) => {
      globalThis.asked.push([options.userVisibleOnly, options.applicationServerKey.length]);
      return { endpoint: "https://push.example.com/browser", getKey: (name) => bytes(keys[name]), options };
    };
  });
  const { token } = await harness.platform.match(made.name, { seat }).createToken();
  await visit.use(async ({ page, context }) => {
    await page.goto(`${harness.url}/#${new URLSearchParams({ seat, match: made.name, token })}`);
    await controlled(page);
    const offer = page.getByRole("button", { name: "Tell me when it is my turn" });
    await page.locator("croupier-table").waitFor();
    assert.equal(await offer.count(), 0, "nobody is asked before");
    await page.waitForFunction(() => document.title.startsWith("It is your turn"));
    // The guest acts, until others are to act.
    const handle = harness.platform.match(made.name, { seat });
    while ((await handle.get()).waitingFor.includes(seat)) {
      const [action] = (await handle.legalActions()).actions;
      await handle.submit(action.action);
    }
    await offer.click();
    await page.getByRole("button", { name: "Stop telling me of turns" }).waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.asked), [[true, 65]]);
    const { pushSubscriptions } = await harness.platform.rpc.push.listPushSubscriptions({ player });
    assert.deepEqual(pushSubscriptions.map((it) => [it.match, it.language]), [[made.name, "en"]]);

    // The guest sets quiet hours, which are those of the browser's zone.
    const quiet = async () => (await harness.platform.rpc.push.listPushSubscriptions({ player })).pushSubscriptions[0].quietHours;
    assert.equal(await quiet(), undefined);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("from").fill("22:00");
    visit.mayBeRefused = true;
    await page.getByLabel("until").fill("22:00");
    await page.getByText("These quiet hours cannot be kept").waitFor();
    await visit.answered();
    visit.mayBeRefused = false;
    await page.getByLabel("until").fill("07:30");
    await page.getByText("This browser is told of no turns then").waitFor();
    const { timeZone, startMinute, endMinute } = await eventually("quiet hours", quiet);
    assert.deepEqual([timeZone, startMinute, endMinute], ["America/New_York", 1320, 450]);
    await page.getByRole("button", { name: "Done" }).click();

    // The tab is closed. A message is shown, and leads back to the seat.
    const worker = context.serviceWorkers()[0];
    await page.goto("about:blank");
    // While the worker still sees the page, the reader is looking at it.
    await eventually("a closed page", () =>
      worker.evaluate(async () => (await clients.matchAll({ type: "window" })).length === 0),
    );
    // Chromium may drop a notification that is looked up right after it was shown, so what is shown is noted.
    await worker.evaluate(() => {
      const show = registration.showNotification.bind(registration);
      self.shown = [];
      registration.showNotification = async (title, options) => {
        await show(title, options);
        self.shown.push({ title, body: options.body, tag: options.tag, match: options.data.match });
      };
    });
    const control = await context.newCDPSession(page);
    const registered = new Promise((resolve) => {
      control.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(harness.url));
        if (found) resolve(found.registrationId);
      });
    });
    await control.send("ServiceWorker.enable");
    const turns = [{ match: made.name, seat, position: 9 }];
    const told = { type: "turn", title: "It is your turn", body: "Mountebank: bob and you", tag: "a", language: "en", turns };
    const message = { origin: harness.url, registrationId: await registered, data: JSON.stringify(told) };
    await control.send("ServiceWorker.deliverPushMessage", message);
    const shown = await eventually("a notification", () => worker.evaluate(() => self.shown.shift()));
    assert.deepEqual(shown, { title: told.title, body: told.body, tag: "a", match: made.name });
    // Of several matches, the list of them.
    const several = { ...told, tag: "b", turns: [...turns, { ...turns[0], match: "matches/none" }] };
    await control.send("ServiceWorker.deliverPushMessage", { ...message, data: JSON.stringify(several) });
    const listed = await eventually("another notification", () => worker.evaluate(() => self.shown.shift()));
    assert.deepEqual([listed.tag, listed.match], ["b", "matches"]);
    await page.evaluate(() => sessionStorage.clear()).catch(() => {});
    const again = await context.newPage();
    // The visit renews the registration, slowly here, and the reader stops it meanwhile.
    const renews = (request) => request.url().endsWith("/CreatePushSubscription");
    let answer;
    const slow = new Promise((resolve) => (answer = resolve));
    await again.route("**/CreatePushSubscription", (route) => slow.then(() => route.continue()).catch(() => {}));
    const renewed = again.waitForRequest(renews);
    const ended = Promise.race(["requestfinished", "requestfailed"].map((it) => again.waitForEvent(it, renews)));
    await again.goto(`${harness.url}/#/${made.name}`);
    await again.locator("croupier-table").waitFor();
    await renewed;
    await again.getByRole("button", { name: "Stop telling me of turns" }).click();
    answer();
    await ended;
    await again.getByRole("button", { name: "Stop telling me of turns" }).waitFor({ state: "detached" });
    assert.equal(await again.evaluate(() => localStorage.getItem("croupier.telling")), "");
    assert.equal(await again.evaluate(() => localStorage.getItem("croupier.seats")), "[]");
  });
});
