import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.js";

const { relativeTime } = await load("app/format.ts");

test("Near times are told in words, far ones as a date", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const at = (seconds) => new Date(now.getTime() + seconds * 1000);
  assert.equal(relativeTime(at(-5), now, "en"), "5 seconds ago");
  assert.equal(relativeTime(at(-90), now, "en"), "1 minute ago");
  assert.equal(relativeTime(at(-7200), now, "de"), "vor 2 Stunden");
  assert.equal(relativeTime(at(86_400), now, "en"), "tomorrow");
  assert.match(relativeTime(at(-90 * 86_400), now, "en"), /2025/);
});
