import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FluentResource } from "@fluent/bundle";
import { load, modulesOf } from "./load.js";

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
const app = sources(new URL("app/", src));
const components = sources(src, "app", "check");
const kinds = [
  { files: ["en.ftl", "table-en.ftl"], code: components },
  { files: ["app-en.ftl", "pages-en.ftl", "operators-en.ftl"], code: app },
  { files: ["check-en.ftl"], code: sources(new URL("check/", src)) },
];
const prefixes = kinds.flatMap(({ files }) => files.flatMap(messages)).map((id) => id.split("-")[0]);
// What begins like a text and is none is a class or an element: `class="…`, `customElement("…`, `"…": …`.
const literal = new RegExp(String.raw`(?<!=|customElement\()["\x60]((?:${[...new Set(prefixes)].join("|")})-[a-z0-9-]+)["\x60](?!:)`, "g");

/** The texts that code names. */
function saidIn(code) {
  return [/\bsay\(\s*["`]([a-z0-9-]+)["`]/g, literal].flatMap((it) => [...code.matchAll(it)].map(([, id]) => id));
}

/** Whether code names a text, or may put its name together. */
function saying(code) {
  const beginnings = [...code.matchAll(/`([a-z][a-z0-9-]*-)\$\{/g)].map(([, it]) => it);
  return (id) => code.includes(`"${id}"`) || beginnings.some((it) => id.startsWith(it));
}

for (const { files, code } of kinds) {
  test(`The code that says the texts of ${files.join(" and ")} says only those, and all of them`, () => {
    const all = files.flatMap(messages);
    assert.equal(new Set(all).size, all.length, "texts that are in two files");
    assert.deepEqual(saidIn(code).filter((id) => !all.includes(id)), [], "texts that do not exist");
    assert.deepEqual(all.filter((id) => !saying(code)(id)), [], "texts that nothing uses");
  });
}

test("The first page says no text that is loaded later, and only the pages for operators say theirs", async () => {
  const begun = (await modulesOf("app/main.ts")).map((file) => readFileSync(new URL(file, src), "utf8")).join("\n");
  const later = ["table-en.ftl", "pages-en.ftl", "operators-en.ftl"].flatMap(messages);
  assert.deepEqual(later.filter(saying(begun)), [], "said by the first page");
  const others = app.replace(sources(new URL("app/operators/", src)), "");
  assert.ok(others.length < app.length);
  assert.deepEqual(messages("operators-en.ftl").filter(saying(others)), [], "said by other pages, too");
});

test("A text that does not exist is shown by its id, and the page goes on", () => {
  const say = textsFrom({ en: "hello = Hello, { $name }", de: "hello = Hallo, { $name }" })("de-AT");
  assert.equal(say("hello", { name: "ann" }), "Hallo, ann");
  assert.equal(say("missing"), "missing");
});

test("Texts that are added later are said in every language, also in one that was chosen before", () => {
  const texts = textsFrom({ en: "hello = Hello", de: "hello = Hallo" });
  const early = texts("de");
  assert.equal(early("bye"), "bye");
  texts.add({ en: "bye = Bye", de: "bye = Tschüs" });
  assert.deepEqual([early("bye"), early("hello"), texts("en")("bye")], ["Tschüs", "Hallo", "Bye"]);
});

test("A game's own levels of bots are offered, the one in the middle first", () => {
  assert.deepEqual([levelsOf({ levels: ["calm", "keen"] }), middleOf(["calm", "keen"])], [["calm", "keen"], "calm"]);
  assert.deepEqual([levelsOf(undefined), middleOf(levelsOf({ levels: [] }))], [levels, "heuristic"]);
});

test("The language is the first one asked for that there is", () => {
  assert.deepEqual(["de-AT", "EN-us", "fr-CA", "xx"].map((tag) => chooseLanguage(tag)), ["de", "en", "fr", "en"]);
});
