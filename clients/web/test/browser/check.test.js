// A match is checked on the player's device: after its end, and from a file without a network.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Harness } from "./harness.js";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const hasRules = readdirSync(dist).some((it) => /^rules-\w{8}\.wasm$/.test(it));
const proven = hasRules ? /every deal and every rule/ : /The deal is proven, on this device/;

let harness;
before(async () => {
  harness = await Harness.start();
});
after(() => harness?.stop());

/** A match of ann that she started on the page, and that she has resigned since. */
async function ended({ page }) {
  await page.locator("app-start .game[data-game=mountebank] form button.primary").click();
  await page.locator("croupier-table [part=table]").waitFor();
  const name = `matches/${/matches\/([^?]+)/.exec(page.url())[1]}`;
  const receipt = page.waitForResponse((it) => it.url().endsWith("/GetReceipt"));
  await harness.platform.match(name, { seat: 0 }).resign();
  await receipt;
  await page.locator("app-verification").waitFor();
  return name;
}

const check = (page) => page.getByRole("button", { name: "Check this match on this device" }).click();

test("a match that was played here is proven here, with what this browser kept", async (t) => {
  const visit = await harness.signIn();
  await visit.use(async ({ page }) => {
    await ended(visit);
    const start = Date.now();
    await check(page);
    await page.locator("croupier-check").getByText(proven).waitFor();
    t.diagnostic(`${Date.now() - start} ms from the click to the proof, rules: ${hasRules}`);
    const shown = await page.locator("croupier-check .shown li").allInnerTexts();
    for (const says of [
      /random choices follow from the seed/,
      /the one that this browser kept before the first card/,
      /What this browser contributed to the chance is in the record/,
      /neither side chose it alone/,
      /the receipt that the service signed and this browser kept/,
    ]) {
      assert.ok(shown.some((it) => says.test(it)), `${says} in ${shown.join("\n")}`);
    }
    assert.equal(shown.some((it) => /The rules lead from every action/.test(it)), hasRules);
    const left = (await page.locator("croupier-check .left li").allInnerTexts()).join("\n");
    assert.match(left, /could tell a friend/);
    assert.doesNotMatch(left, /did not see the commitment|no seat contributed|no receipt/);
    assert.equal(/followed the rules/.test(left), !hasRules);
  });
});

test("a record that differs from what this browser kept is wrong", async () => {
  const visit = await harness.signIn();
  await visit.use(async ({ page }) => {
    await ended(visit);
    await page.evaluate(() => {
      const [{ seedCommitment, ...kept }] = JSON.parse(localStorage.getItem("croupier.kept"));
      const other = seedCommitment.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
      localStorage.setItem("croupier.kept", JSON.stringify([{ ...kept, seedCommitment: other }]));
    });
    await check(page);
    await page.locator("croupier-check [role=alert]").getByText("COMMITMENT_DIFFERS").waitFor();
  });
});

test("who kept nothing is told what was taken on trust", async () => {
  const { name } = await harness.platform.matches.create({ game: "mountebank", seats: 2, players: ["ann", "bob"] });
  await harness.platform.match(name, { seat: 0 }).resign();
  for (const visit of [await harness.signIn(), await harness.sit(name, 1)]) {
    await visit.use(async ({ page }) => {
      await page.goto(`${harness.url}/#/${name}`);
      await check(page);
      await page.locator("croupier-check").getByText(proven).waitFor();
      const left = (await page.locator("croupier-check .left li").allInnerTexts()).join("\n");
      for (const says of [/did not see the commitment/, /no seat contributed/, /no receipt/]) assert.match(left, says);
    });
  }
});

test("a saved file is checked with the network off", async (t) => {
  const { name } = await harness.platform.matches.create({ game: "grifters", seats: 3, bots: Array(3).fill("random") });
  const match = harness.platform.match(name, { viewer: "spectator" });
  for await (const _ of match.watch());
  const record = Buffer.from((await match.record()).map((line) => `${line}\n`).join(""));
  for (const [locale, ready, isProven] of [
    ["en", "no network is needed", proven],
    ["de", "kein Netz mehr gebraucht", hasRules ? /jede Regel/ : /Das Geben ist bewiesen/],
  ]) {
    const visit = await harness.open({ locale });
    await visit.use(async ({ page, context }) => {
      await page.goto(`${harness.url}/check`);
      await page.getByText(ready).waitFor();
      await context.setOffline(true);
      const requests = visit.calls.length;
      const choose = (file, buffer) => page.locator("input[type=file]").setInputFiles({ name: file, mimeType: "application/jsonl", buffer });
      await choose("mine.jsonl", record);
      await page.locator("croupier-check").getByText(isProven).waitFor();
      await page.getByRole("heading", { name: "mine.jsonl" }).waitFor();
      const other = Buffer.from(record);
      other[other.length >> 1] ^= 1;
      await choose("other.jsonl", other);
      await page.locator("croupier-check [role=alert]").waitFor();
      await choose("readme.jsonl", Buffer.from("hello\n"));
      await page.locator("croupier-check [role=alert]").getByText("NOT_A_RECORD").waitFor();
      assert.match(await page.locator("croupier-check strong").innerText(), /not the record|keine Aufzeichnung/);
      assert.equal(visit.calls.length, requests, "nothing was sent or fetched");
    });
  }
  if (!hasRules) return t.diagnostic("without the rules, which `make rules` makes");
  const wasm = await fetch(`${harness.url}/${readdirSync(dist).find((it) => it.endsWith(".wasm"))}`);
  assert.match(wasm.headers.get("cache-control"), /immutable/);
  assert.equal(wasm.headers.get("content-type"), "application/wasm");
  // The table itself needs none of it.
  const index = readFileSync(`${dist}/index.html`, "utf8");
  assert.doesNotMatch(index, /wasm|worker/);
});
