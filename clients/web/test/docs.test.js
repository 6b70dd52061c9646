import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { renderGuides } from "../docs.js";

function render(files) {
  const folder = mkdtempSync(path.join(tmpdir(), "guides-"));
  try {
    mkdirSync(path.join(folder, "games"));
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return new Map(renderGuides(folder).map((page) => [page.name, page]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Links between guides lead to their pages, and others to nowhere", () => {
  const pages = render({
    "verify.md": "# Verification\n\n[Rules](games/crazy_eights.md#1-set-up), [code](../services/x.rs), [web](https://x.example/?a&b). ![A table](x.webp)\n",
    "games/crazy_eights.md": "# Crazy Eights\n\n## 1. Set-up\n\n[Back](../verify.md)\n",
  });
  const { html } = pages.get("verify.html");
  assert.match(html, /href="games\/crazy-eights\.html#1-set-up">Rules</);
  assert.match(html, /code, <a href="https:\/\/x\.example\/\?a&amp;b"/);
  assert.match(html, /<em>A table<\/em>/, "no page has pictures");
  assert.match(pages.get("games/crazy-eights.html").html, /href="\.\.\/verify\.html"/);
});

test("Headings have anchors, each its own", () => {
  const { html, title } = render({ "a.md": "# A `B`\n\n## What is *sent*?\n\n## What is sent\n" }).get("a.html");
  assert.equal(title, "A B");
  assert.deepEqual([...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id), ["what-is-sent", "what-is-sent-1"]);
});

test("What looks like HTML in a guide is shown, not run", () => {
  const { html } = render({ "a.md": "# A\n\n<script>alert(1)</script>\n\n`<b>` and <i onclick=x>y</i>\n\n    <p style=x>\n" }).get("a.html");
  assert.doesNotMatch(html, /<(script|i|p style|b>)/);
  assert.match(html, /&lt;script&gt;/);
});

test("The overview is the first page", () => {
  const pages = render({ "verify.md": "# V\n", "README.md": "# All\n\n[V](verify.md)\n" });
  assert.deepEqual([...pages.keys()], ["index.html", "verify.html"]);
});
