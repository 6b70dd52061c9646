// The pages of operators: the log of acts, what a process does now, and what asks before it acts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Croupier } from "@croupier/client";
import { program } from "../../../typescript/test/support/service.js";
import { Harness } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A folder for pictures of what the tests see. */
const pictures = process.env.CROUPIER_PICTURES;

let harness, key, game;
before(async () => {
  harness = await Harness.start("--allow-private-webhooks", "--webhook-wait-scale", "0.01");
  key = croupier("operator", "key");
  croupier("platform", "add", "acme");
  [game] = await harness.platform.games.list().all();
});
after(() => harness?.stop());

function croupier(...given) {
  return execFileSync(program, [...given, "--data", harness.service.data], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

async function open(visit, tab) {
  await visit.page.goto(`${harness.url}/#/operators/${tab}`);
  await visit.page.locator(`nav.tabs a[aria-current=page][href$="operators/${tab}"]`).waitFor();
}

async function giveKey({ page }, given) {
  await page.getByLabel("Key of an operator").fill(given);
  await page.getByRole("button", { name: "Use the key" }).click();
}

/** Takes pictures in light and dark, on a desktop and on a phone. */
async function take({ page }, name) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png` });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function isAccessible({ page }) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${colorScheme} ${id} ${nodes[0].target}`), []);
  }
}

test("a platform reads its acts, and an operator all of them", async () => {
  await harness.platform.rpc.streams.createSubscription({ name: "subscriptions/mail" });
  const visit = await harness.signIn();
  await visit.use(async () => {
    const { page } = visit;
    await open(visit, "acts");
    const rows = page.locator("operator-acts tbody tr");
    await rows.filter({ hasText: "create_subscription" }).waitFor();
    const row = rows.filter({ hasText: "create_subscription" });
    assert.match(await row.innerText(), /mail[^]*The platform[^]*Done/);
    assert.equal(await rows.filter({ hasText: "create_operator_key" }).count(), 0);

    // A wrong key ends no session.
    visit.mayBeRefused = true;
    await giveKey(visit, `${key}x`);
    await page.getByRole("alert").filter({ hasText: "not accepted" }).waitFor();
    await rows.filter({ hasText: "create_subscription" }).waitFor();

    await giveKey(visit, key);
    await rows.filter({ hasText: "create_operator_key" }).waitFor();
    await rows.filter({ hasText: "acme" }).first().waitFor();
    await isAccessible(visit);
    await take(visit, "acts");
    await page.getByLabel("Platform", { exact: true }).fill("acme");
    await page.locator("operator-acts").getByRole("button", { name: "Search" }).click();
    await rows.filter({ hasText: "create_subscription" }).waitFor({ state: "detached" });
    // While the list is read, there are no rows.
    await rows.filter({ hasText: "create_platform" }).waitFor();
    assert.deepEqual(await rows.locator("td:nth-child(2) > code").allInnerTexts(), ["create_key", "create_platform"]);

    await page.getByRole("button", { name: "Forget the key" }).click();
    await page.getByLabel("Key of an operator").waitFor();
    // It is stored nowhere.
    assert.equal(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]).includes("croupier-operator_")), false);
  });
});

test("an operator adds a platform, gives it a key, and sets its limits", async () => {
  const visit = await harness.signIn();
  await visit.use(async () => {
    const { page } = visit;
    await open(visit, "platform");
    const pane = page.locator("operator-platform");
    await pane.getByRole("heading", { name: "local" }).waitFor();
    // The platform itself changes nothing.
    assert.equal(await pane.getByRole("spinbutton").count(), 0);
    assert.equal(await pane.getByRole("button", { name: "Create a key" }).count(), 0);

    await giveKey(visit, key);
    await pane.getByLabel("New platform").fill("bestco");
    await pane.getByRole("button", { name: "Add" }).click();
    await pane.getByRole("heading", { name: "bestco" }).waitFor();
    await pane.getByRole("status").filter({ hasText: "It needs a key" }).waitFor();
    await pane.getByRole("button", { name: "Create a key" }).click();
    const made = await pane.locator("pre code").innerText();
    assert.match(made, /^croupier_bestco_/);
    const bestco = new Croupier(harness.url, { credentials: made });
    const its = async () => (await bestco.rpc.platforms.getPlatform({})).platform;
    const limit = async (name) => (await its()).limits.find((it) => it.name === name);

    const field = (name) => pane.getByRole("spinbutton", { name, exact: true });
    await field("streams_max").fill("7");
    await field("calls_per_s").fill("500");
    await pane.getByRole("button", { name: "Set the limits" }).click();
    await pane.getByRole("status").filter({ hasText: "The limits are set" }).waitFor();
    assert.deepEqual([(await limit("streams_max")).value, (await limit("calls_per_s")).value], [7, 500]);
    await isAccessible(visit);
    await take(visit, "platform");
    await field("calls_per_s").fill("");
    const before = visit.count("SetPlatformLimits");
    await pane.getByRole("button", { name: "Set the limits" }).click();
    for (let nth = 0; nth < 100 && (await visit.countDone("SetPlatformLimits")) === before; nth += 1) await page.waitForTimeout(100);
    assert.deepEqual([(await limit("streams_max")).custom, (await limit("calls_per_s")).custom], [true, false]);

    const asking = page.getByRole("alertdialog");
    await pane.getByRole("button", { name: "Suspend" }).click();
    await asking.filter({ hasText: "Its matches stay" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(visit.count("SuspendPlatform"), 0);
    await pane.getByRole("button", { name: "Suspend" }).click();
    await asking.getByRole("button", { name: "Suspend" }).click();
    await pane.getByText("Suspended since").waitFor();
    await take(visit, "platform-suspended");
    await pane.getByRole("button", { name: "Resume the platform" }).click();
    await pane.getByText("Suspended since").waitFor({ state: "detached" });

    await pane.getByRole("button", { name: "Revoke" }).click();
    await asking.getByRole("button", { name: "Revoke" }).click();
    await pane.getByRole("cell", { name: /^Revoked/ }).waitFor();
    // Neither key is stored, and the new one is not shown again.
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
    assert.ok(!kept.includes("croupier-operator_") && !kept.includes(made));
    await page.getByRole("combobox", { name: "Platform" }).selectOption("local");
    await pane.getByRole("heading", { name: "local" }).waitFor();
    assert.equal(await pane.locator("pre code").count(), 0);
    await page.getByRole("button", { name: "Forget the key" }).click();
    await pane.getByRole("button", { name: "Create a key" }).waitFor({ state: "detached" });
  });
});

test("an operator sees what a process does now", async () => {
  const visit = await harness.signIn();
  await visit.use(async () => {
    const { page } = visit;
    await open(visit, "live");
    await page.getByLabel("Key of an operator").waitFor();
    assert.equal(visit.count("GetMetrics"), 0);
    await giveKey(visit, key);
    const card = (title) => page.locator(".live .card").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    const stream = harness.platform.streams.entries();
    const following = (async () => { for await (const _ of stream); })().catch(() => {});
    for (let nth = 0; nth < 4; nth += 1) {
      const match = await harness.platform.matches.create({ game: game.name, seats: game.seatsMin, bots: Array(game.seatsMin).fill("random") });
      assert.ok(match.name);
      await page.waitForTimeout(1500);
    }
    const hasLine = async (title) => {
      await page.waitForFunction(
        (title) => [...document.querySelectorAll(".live .card")].some((it) =>
          it.querySelector("h2").textContent === title && it.querySelector("polyline").getAttribute("points").split(" ").length > 2),
        title,
      );
    };
    await hasLine("Entries recorded a second");
    const most = await card("Entries recorded a second").locator(".fine").innerText();
    assert.notEqual(most, "At most 0 in the last five minutes");
    assert.match(await card("Entries recorded a second").getByRole("img").getAttribute("aria-label"), /Entries recorded a second: [\d,.]+ now, from [\d,.]+ to [\d,.]+ in/);
    assert.match(await card("Entries that read models lack").innerText(), /matches[^]*players[^]*holdings/);
    assert.match(await card("Waiting for agents").innerText(), /bots/);
    assert.match(await card("Open connections").locator(".big").innerText(), /^[1-9]/);
    assert.match(await card("Open streams").locator(".big").innerText(), /^[1-9]/);
    await page.getByText("No alert that this process can tell by itself.").waitFor();
    // Nobody listens there.
    const push = { url: "http://127.0.0.1:9/", secret: "" };
    await harness.platform.rpc.streams.createSubscription({ name: "subscriptions/nowhere", push });
    const bots = Array(game.seatsMin).fill("random");
    await harness.platform.matches.create({ game: game.name, seats: game.seatsMin, bots });
    const alert = page.locator(".alerts li").filter({ hasText: "CroupierWebhooksFail" });
    assert.match(await alert.innerText(), /^Pending Webhooks fail, and none was taken since\./);
    assert.notEqual(await card("Webhooks failed a second").locator(".fine").innerText(), "At most 0 in the last five minutes");
    assert.equal(await card("Webhooks taken a second").locator(".fine").innerText(), "At most 0 in the last five minutes");
    await harness.platform.rpc.streams.deleteSubscription({ name: "subscriptions/nowhere" });
    await isAccessible(visit);
    await take(visit, "live");
    await page.getByRole("button", { name: "Stop" }).click();
    await visit.answered();
    const count = visit.count("GetMetrics");
    await page.waitForTimeout(4500);
    assert.equal(visit.count("GetMetrics"), count);
    await page.getByRole("button", { name: "Go on" }).click();
    for (let nth = 0; nth < 100 && visit.count("GetMetrics") === count; nth += 1) await page.waitForTimeout(100);
    assert.ok(visit.count("GetMetrics") > count);
    stream.close?.();
    stream.return?.();
    void following;
  });
});

test("what others notice or nobody can undo asks first", async () => {
  const seats = game.seatsMin;
  await harness.platform.matches.create({ game: game.name, seats, players: Array.from({ length: seats }, (_, nth) => `p${nth}`) });
  const visit = await harness.signIn();
  await visit.use(async () => {
    const { page } = visit;
    await open(visit, "matches");
    const asking = page.getByRole("alertdialog");
    for (const [verb, method, question] of [["Pause", "PauseMatch", /cannot act/], ["End", "EndMatch", /cannot be undone/]]) {
      const button = page.locator("operator-matches tbody").getByRole("button", { name: verb, exact: true }).first();
      await button.click();
      await asking.filter({ hasText: question }).waitFor();
      // The way out has the focus.
      await page.keyboard.press("Enter");
      await asking.waitFor({ state: "detached" });
      await button.click();
      await page.keyboard.press("Escape");
      await asking.waitFor({ state: "detached" });
      assert.equal(visit.count(method), 0);
      await button.click();
      if (verb === "Pause") {
        await isAccessible(visit);
        await take(visit, "asking");
      }
      await asking.getByRole("button", { name: verb, exact: true }).click();
      await asking.waitFor({ state: "detached" });
      for (let nth = 0; nth < 50 && visit.count(method) === 0; nth += 1) await page.waitForTimeout(100);
      assert.equal(await visit.countDone(method), 1);
    }
    await open(visit, "subscriptions");
    await page.getByRole("link", { name: "mail" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await asking.filter({ hasText: "Its position is lost" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(visit.count("DeleteSubscription"), 0);
    await page.getByRole("button", { name: "Delete" }).click();
    await asking.getByRole("button", { name: "Delete" }).click();
    await page.getByText("There are no subscriptions yet.").waitFor();
  });
});

test("a platform finds a player, ends the tokens, and erases the player", async () => {
  const seats = game.seatsMin;
  const match = await harness.platform.matches.create({
    game: game.name, seats, players: ["wanda"], displayNames: ["Wanda"], bots: ["", ...Array(seats - 1).fill("random")],
  });
  const { token } = await harness.platform.rpc.tokens.createPlayerToken({ parent: "players/wanda" });
  const visit = await harness.signIn();
  await visit.use(async () => {
    const { page } = visit;
    await open(visit, "players");
    const pane = page.locator("operator-players");
    await pane.getByLabel("Player", { exact: true }).fill("wanda");
    await pane.getByRole("button", { name: "Show" }).click();
    await pane.locator(".matches li").filter({ hasText: "Wanda" }).waitFor();
    await pane.locator(".matches .badge").filter({ hasText: /^(At turn|Running)$/ }).waitFor();
    await pane.getByText("No browser is told.").waitFor();
    await isAccessible(visit);
    await take(visit, "players");

    const mine = harness.service.connect({ credentials: token, language: "en" });
    await mine.rpc.matches.getMatch({ name: match.name });
    await pane.getByRole("button", { name: "End the player’s tokens" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal(visit.count("RevokePlayerTokens"), 0, "it is asked first");
    await pane.getByRole("button", { name: "End the player’s tokens" }).click();
    await dialog.getByRole("button", { name: "End the player’s tokens" }).click();
    await pane.getByRole("status").filter({ hasText: "ended" }).waitFor();
    await assert.rejects(mine.rpc.matches.resignMatch({ name: match.name, requestId: crypto.randomUUID() }), /revoked/i);

    await pane.getByRole("button", { name: "Erase the player" }).click();
    await dialog.getByRole("button", { name: "Erase the player" }).click();
    await pane.getByRole("status").filter({ hasText: "was erased" }).waitFor();
    await pane.getByText("No matches are like this.").waitFor();
    const { match: now } = await harness.platform.rpc.matches.getMatch({ name: match.name });
    assert.notEqual(now.seats[0].player, "wanda");
    assert.equal(now.seats[0].displayName, "");
  });
});
