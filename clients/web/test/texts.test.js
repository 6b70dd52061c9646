import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FluentResource } from "@fluent/bundle";
import { load } from "./load.js";

const { chooseLanguage, textsFrom } = await load("texts/texts.ts");
const folder = new URL("../src/texts/", import.meta.url);

function messages(file) {
  return new FluentResource(readFileSync(new URL(file, folder), "utf8")).body.map(({ id }) => id);
}

/** Every module in a folder, as one text, without those of some folders in it. */
function sources(directory, ...without) {
  return readdirSync(directory, { withFileTypes: true })
    .filter((file) => !without.includes(file.name))
    .map((file) => {
      const url = new URL(file.name + (file.isDirectory() ? "/" : ""), directory);
      if (file.isDirectory()) return sources(url);
      return file.name.endsWith(".ts") ? readFileSync(url, "utf8") : "";
    })
    .join("\n");
}

test("Each text is in both languages, once", () => {
  const lists = readdirSync(folder).filter((file) => file.endsWith("en.ftl"));
  assert.ok(lists.length > 0);
  for (const file of lists) {
    const english = messages(file);
    assert.equal(new Set(english).size, english.length, `${file} names a text twice`);
    assert.deepEqual(messages(file.replace(/en\.ftl$/, "de.ftl")).sort(), english.sort(), file);
  }
});

const src = new URL("../src/", import.meta.url);
const users = {
  "en.ftl": sources(src, "app", "check"),
  "app-en.ftl": sources(new URL("app/", src)),
  "check-en.ftl": sources(new URL("check/", src)),
};
const kinds = Object.keys(users).flatMap(messages).map((id) => id.split("-")[0]);
// What begins like a text and is none is a class or an element: `class="…`, `customElement("…`, `"…": …`.
const literal = new RegExp(String.raw`(?<!=|customElement\()["\x60]((?:${[...new Set(kinds)].join("|")})-[a-z0-9-]+)["\x60](?!:)`, "g");

for (const [file, code] of Object.entries(users)) {
  test(`The code that says the texts of ${file} says only those, and all of them`, () => {
    const all = messages(file);
    const said = [/\bsay\(\s*["`]([a-z0-9-]+)["`]/g, literal].flatMap((it) => [...code.matchAll(it)].map(([, id]) => id));
    assert.deepEqual(said.filter((id) => !all.includes(id)), [], "texts that do not exist");
    const prefixes = [...code.matchAll(/`([a-z][a-z0-9-]*-)\$\{/g)].map(([, prefix]) => prefix);
    const used = (id) => code.includes(`"${id}"`) || prefixes.some((prefix) => id.startsWith(prefix));
    assert.deepEqual(all.filter((id) => !used(id)), [], "texts that nothing uses");
  });
}

test("A text that does not exist is shown by its id, and the page goes on", () => {
  const say = textsFrom({ en: "hello = Hello, { $name }", de: "hello = Hallo, { $name }" })("de-AT");
  assert.equal(say("hello", { name: "ann" }), "Hallo, ann");
  assert.equal(say("missing"), "missing");
});

test("The language is the first one asked for that there is", () => {
  assert.deepEqual(["de-AT", "EN-us", "fr"].map((tag) => chooseLanguage(tag)), ["de", "en", "en"]);
});
