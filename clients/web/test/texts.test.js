import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FluentResource } from "@fluent/bundle";
import { load } from "./load.js";

const { chooseLanguage, readTexts } = await load("texts/texts.ts");
const folder = new URL("../src/texts/", import.meta.url);

test("Each text is in both languages", () => {
  const names = (file) =>
    new FluentResource(readFileSync(new URL(file, folder), "utf8")).body.map((message) => message.id).sort();
  const english = readdirSync(folder).filter((file) => file.endsWith("en.ftl"));
  assert.ok(english.length > 0);
  for (const file of english) {
    assert.deepEqual(names(file.replace(/en\.ftl$/, "de.ftl")), names(file), file);
  }
});

test("A text without a message is an error, not an empty place", () => {
  const texts = readTexts("en", "hello = Hello, { $name }");
  assert.equal(texts("hello", { name: "ann" }), "Hello, ann");
  assert.throws(() => texts("missing"), /missing/);
});

test("The language is the first one asked for that there is", () => {
  assert.equal(chooseLanguage(["fr-CA", "de-AT", "en"], ["en", "de"]), "de");
  assert.equal(chooseLanguage(["fr"], ["en", "de"]), "en");
  assert.equal(chooseLanguage(["EN-us"], ["de", "en"]), "en");
});
