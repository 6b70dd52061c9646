import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.js";

const { points, ticks } = await load("app/scale.ts");

test("An axis has round numbers around its values", () => {
  assert.deepEqual(ticks(1.3, 48), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(ticks(-0.25, 0.31), [-0.4, -0.2, 0, 0.2, 0.4]);
  assert.deepEqual(ticks(25, 25).length >= 1, true);
  for (const [least, most] of [[0, 1], [3, 1e6], [-7.5, -7.1]]) {
    const marks = ticks(least, most);
    assert.ok(marks[0] <= least && marks.at(-1) >= most && marks.length <= 8, `${marks}`);
  }
});

test("a line goes from the left to the right, its highest value on top", () => {
  assert.equal(points([1, 3, 2], 104, 24), "2.0,22.0 52.0,2.0 102.0,12.0");
  assert.equal(points([5, 5], 104, 24), "2.0,22.0 102.0,22.0");
});
