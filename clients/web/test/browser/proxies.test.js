// The table behind proxies that hold answers back, or refuse sockets.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Harness } from "./harness.js";
import { Proxy } from "./proxy.js";

let harness;
before(async () => {
  harness = await Harness.start();
});
after(() => harness?.stop());

/** The page of the seat that waits, behind a proxy, and how its rival acts. */
async function waiting(proxy, { refusesSockets = false }) {
  const create = { game: "games/mountebank", seats: 2, players: ["ann", "bob"] };
  const { name: match } = await harness.platform.matches.create(create);
  const [asked] = (await harness.platform.match(match).get()).waitingFor;
  const seat = 1 - asked;
  const { token } = await harness.platform.match(match, { seat }).createToken();
  const visit = await harness.open();
  visit.origins.add(proxy.origin);
  visit.mayRefuseSockets = refusesSockets;
  await visit.page.goto(`${proxy.url}/#${new URLSearchParams({ seat, match, token })}`);
  await visit.page.locator("croupier-table [part=table]").waitFor();
  const rival = async () => {
    const { waitingFor } = await harness.platform.match(match).get();
    const handle = harness.platform.match(match, { seat: waitingFor[0] });
    const { actions } = await handle.legalActions();
    const { position } = await handle.submit(actions[0].action);
    await visit.page.locator(`croupier-table [part=table][data-position="${position}"]`).waitFor();
  };
  return { visit, rival };
}

/** Runs with the page of a seat behind a proxy. */
async function behind(options, run) {
  const proxy = await Proxy.start(harness.url, options);
  try {
    const { visit, rival } = await waiting(proxy, options);
    await visit.use(() => run({ proxy, visit, rival }));
  } finally {
    await proxy.stop();
  }
}

test("a rival's actions appear behind a proxy that holds answers back", () =>
  behind({ holdsBack: true }, async ({ visit, rival }) => {
    for (let n = 0; n < 3; n += 1) await rival();
    assert.equal(visit.sockets.length, 1, "one socket");
    assert.equal(visit.count("WatchEntries"), 0);
  }));

test("a rival's actions appear behind a proxy that refuses sockets", () =>
  behind({ refusesSockets: true }, async ({ visit, rival }) => {
    for (let n = 0; n < 3; n += 1) await rival();
    assert.equal(visit.sockets.length, 1, "one was tried");
    assert.equal(visit.count("WatchEntries"), 1);
  }));

test("a table goes on, without a loss, where its connection was cut", () =>
  behind({ holdsBack: true }, async ({ proxy, visit, rival }) => {
    await rival();
    visit.isServiceAway = true;
    proxy.cut();
    for (let n = 0; n < 3; n += 1) await rival();
    const told = await visit.page.locator("croupier-table [part=log] li").count();
    assert.ok(told >= 4, `${told} entries are told`);
  }));
