import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FluentResource } from "@fluent/bundle";
import { load } from "./load.js";

const { chooseLanguage, languageName, languages, levels, levelsOf, middleOf, textsFrom } = await load("texts/texts.ts");
const folder = new URL("../src/texts/", import.meta.url);

function messages(file) {
  return new FluentResource(readFileSync(new URL(file, folder), "utf8")).body.map(({ id }) => id);
}

/** The variables of each message. */
function variables(file) {
  const { body } = new FluentResource(readFileSync(new URL(file, folder), "utf8"));
  const named = (part) => {
    if (Array.isArray(part)) return part.flatMap(named);
    if (part === null || typeof part !== "object") return [];
    return [...(part.type === "var" ? [part.name] : []), ...Object.values(part).flatMap(named)];
  };
  return new Map(body.map(({ id, value }) => [id, named(value)]));
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

test("Each text is in every language, once, and is given what it uses", () => {
  const lists = readdirSync(folder).filter((file) => /(^|-)en\.ftl$/.test(file));
  assert.ok(lists.length > 0);
  for (const list of lists) {
    const english = messages(list);
    for (const language of languages) {
      const file = list.replace(/en\.ftl$/, `${language}.ftl`);
      const own = messages(file);
      assert.equal(new Set(own).size, own.length, `${file} names a text twice`);
      assert.deepEqual(own.sort(), [...english].sort(), file);
      const given = variables(list);
      for (const [id, used] of variables(file)) {
        assert.deepEqual(used.filter((it) => !given.get(id).includes(it)), [], `${file}: ${id}`);
      }
    }
  }
});

test("No line breaks before a mark or inside quotation marks", () => {
  for (const file of readdirSync(folder).filter((it) => it.endsWith(".ftl"))) {
    const lines = readFileSync(new URL(file, folder), "utf8").split("\n");
    assert.deepEqual(lines.filter((line) => /^[^#]* [:;!?»]|^[^#]*« /.test(line)), [], file);
  }
});

test("The list of languages names each in itself", () => {
  assert.equal(languages[0], "en");
  assert.deepEqual(["en", "de", "fr"].map(languageName), ["English", "Deutsch", "Français"]);
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

test("A game's own levels of bots are offered, the one in the middle first", () => {
  assert.deepEqual([levelsOf({ levels: ["calm", "keen"] }), middleOf(["calm", "keen"])], [["calm", "keen"], "calm"]);
  assert.deepEqual([levelsOf(undefined), middleOf(levelsOf({ levels: [] }))], [levels, "heuristic"]);
});

test("The language is the first one asked for that there is", () => {
  assert.deepEqual(["de-AT", "EN-us", "fr-CA", "xx"].map((tag) => chooseLanguage(tag)), ["de", "en", "fr", "en"]);
});
