import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.js";

const { cost, decisionsOf, expected, moments } = await load("replay/review.ts");

const judged = (position, estimates, taken) => ({
  position,
  suggestions: estimates.map((estimate, nth) => ({ estimate, taken: nth === taken })),
});

test("a decision is one that the seat was asked and made", () => {
  const entry = (position, seat, action, asked) => ({ position, seat, action, prompts: asked.map((it) => ({ seat: it })) });
  const entries = [entry(1, undefined, undefined, [0]), entry(2, 0, {}, [1]), entry(3, 1, {}, [1]), entry(4, 0, undefined, [0]), entry(5, 0, {}, [])];
  assert.deepEqual(decisionsOf(entries, 0), [1, 4]);
  assert.deepEqual(decisionsOf(entries, 1), [2]);
});

test("what a decision cost is known only if both estimates are", () => {
  assert.equal(expected(judged(1, [undefined, 0.5, 0.25], 0)), 0.5);
  assert.equal(cost(judged(1, [0.75, 0.5], 1)), 0.25);
  assert.equal(cost(judged(1, [0.75, undefined], 1)), 0);
  assert.equal(cost(judged(1, [undefined], 0)), 0);
});

test("the moments are the costliest decisions, in the order of the match", () => {
  const cheap = judged(1, [0.5, 0.45], 1);
  const costly = [0.2, 0.6, 0.3, 0.4].map((it, nth) => judged(nth + 2, [0.9, 0.9 - it], 1));
  assert.deepEqual(moments([cheap, ...costly]).map((it) => it.position), [3, 4, 5]);
  assert.deepEqual(moments([cheap]), []);
});
