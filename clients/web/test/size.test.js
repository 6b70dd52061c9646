import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { brotliDecompressSync, gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const read = (file) => readFileSync(new URL(file, dist));

/** What a browser receives before the first page shows something: the page and the files that it names. */
function begun() {
  const html = read("index.html").toString();
  const named = [...html.matchAll(/(?:href|src)="(?:\.\/)?([^":#]+\.(?:js|css))"/g)].map(([, file]) => file);
  assert.ok(named.length > 2);
  return new Set(["index.html", ...named]);
}

/** A script of a page that is loaded later, and what it begins with. */
function loaded(page, found = new Set()) {
  if (found.has(page)) return found;
  found.add(page);
  const named = read(page).toString().matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g);
  for (const [, file] of named) loaded(file, found);
  return found;
}

function bytes(files, of) {
  return [...files].reduce((sum, file) => sum + of(file).length, 0);
}

const brotli = (file) => read(`${file}.br`);
const gzip = (file) => gzipSync(read(file), { level: 9 });

test("The first page takes at most 100 kB", (t) => {
  t.diagnostic(`${bytes(begun(), brotli)} bytes by Brotli, ${bytes(begun(), gzip)} by gzip`);
  assert.ok(bytes(begun(), brotli) <= 100_000);
});

test("A table takes at most 80 kB more, without its layout", (t) => {
  const page = readdirSync(dist).find((file) => /^match-\w{8}\.js$/.test(file));
  const more = [...loaded(page)].filter((file) => !begun().has(file));
  assert.ok(more.length > 2);
  t.diagnostic(`${bytes(more, brotli)} bytes by Brotli, ${bytes(more, gzip)} by gzip`);
  assert.ok(bytes(more, brotli) <= 80_000);
});

test("What is sent compressed is the file", () => {
  for (const file of begun()) assert.deepEqual(brotliDecompressSync(brotli(file)), read(file), file);
});
