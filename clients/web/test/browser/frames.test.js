// The pages in a frame of another site, which reaches them by a path of its own.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Clicker } from "./clicker.js";
import { Harness } from "./harness.js";
import { Host } from "./host.js";
import { Proxy } from "./proxy.js";

let harness, host, proxy, site;
before(async () => {
  host = await Host.start();
  // Not the site of the service: what the browser stores is not its own.
  site = host.allowed.replace("127.0.0.1", "localhost");
  harness = await Harness.start("--frame-origin", site);
  proxy = await Proxy.start(harness.url, { prefix: "/activity", holdsBack: true });
});
after(async () => {
  await proxy?.stop();
  await harness?.stop();
  await host?.stop();
});

/** Runs in every page: as where a browser stores nothing for frames of other sites. */
function storeNothing() {
  for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
    const get = () => {
      throw new DOMException("It is not allowed here.", "SecurityError");
    };
    Object.defineProperty(window, name, { get });
  }
}

/** A page of the site, which frames a page of the service. */
async function framed(address) {
  const visit = await harness.open();
  for (const origin of [site, proxy.origin]) visit.origins.add(origin);
  await visit.page.addInitScript(storeNothing);
  const style = "display: block; border: 0; width: 100vw; height: 100vh";
  const shown = host.show(`<body style="margin: 0"><iframe src="${proxy.url}${address}" style="${style}"></iframe></body>`);
  await visit.page.goto(shown.replace(host.allowed, site));
  return visit;
}

test("a whole match is played in a frame, below a path, where the browser stores nothing", async () => {
  const create = { game: "games/mountebank", seats: 2, players: ["ann"], bots: ["", "random"] };
  const { name: match } = await harness.platform.matches.create(create);
  const { token } = await harness.platform.match(match, { seat: 0 }).createToken();
  // A link as the pages make it, whose page hands the secret on.
  const visit = await framed(`/g/mountebank#${new URLSearchParams({ seat: 0, match, token })}`);
  await visit.use(async ({ page }) => {
    await page.frameLocator("iframe").locator("croupier-table [part=table]").waitFor();
    const [, frame] = page.frames();
    const inFrame = {
      page: {
        mouse: page.mouse,
        evaluate: (...given) => frame.evaluate(...given),
        waitForFunction: (...given) => frame.waitForFunction(...given),
      },
      count: (method) => visit.count(method),
    };
    visit.mayBeRefused = true;
    await new Clicker(inFrame, 2).play();
    const { position, winners } = await harness.platform.match(match).get();
    assert.ok(position > 10 && winners.length > 0);
    assert.equal(await frame.locator("croupier-table [part=result]").count(), 1);
    assert.ok(!frame.url().includes(token), "the secret leaves the address");
    const address = `${proxy.url.replace("http", "ws")}/v1/socket`;
    assert.deepEqual([...new Set(visit.sockets.map((it) => it.url()))], [address]);
  });
});

test("the guides and the check of a record are there below a path, too", async () => {
  const visit = await harness.open();
  visit.origins.add(proxy.origin);
  await visit.use(async ({ page }) => {
    await page.goto(`${proxy.url}/docs/games/mountebank.html`);
    await page.getByRole("link", { name: "Embed", exact: true }).click();
    await page.getByRole("heading", { name: "Embed", exact: true }).waitFor();
    await page.getByRole("link", { name: "API reference" }).click();
    await page.locator("#reference .opblock-tag").first().waitFor();
    await page.goto(`${proxy.url}/check/`);
    await page.locator("label.drop").waitFor();
    await page.getByRole("link", { name: "Play", exact: true }).click();
    await page.locator("app-sign-in").waitFor();
  });
});
