import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);

/** The bytes that a browser receives of a page before it shows something: the page and what it names. */
function received(page) {
  const html = readFileSync(new URL(page, dist), "utf8");
  const named = [...html.matchAll(/(?:href|src)="(?:\.\/)?([^":#]+\.(?:js|css))"/g)].map(([, file]) => file);
  assert.ok(named.length > 2);
  return [page, ...new Set(named)].reduce((sum, file) => sum + readFileSync(new URL(`${file}.br`, dist)).length, 0);
}

test("The first page takes at most 100 kB", () => {
  assert.ok(received("index.html") <= 100_000, `${received("index.html")} bytes`);
});

test("What is sent compressed is the file", () => {
  const script = /src="\.\/(app-[^"]+)"/.exec(readFileSync(new URL("index.html", dist), "utf8"))[1];
  const [file, compressed] = [script, `${script}.br`].map((it) => readFileSync(new URL(it, dist)));
  assert.deepEqual(brotliDecompressSync(compressed), file);
});
