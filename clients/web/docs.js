// Renders the guides of the repository, `docs/*.md` and `docs/games/*.md`, as pages of one site.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { Marked } from "marked";

/** The guides in the order in which they are read; any others follow. */
const order = [
  ...["README", "integrate", "integrate-http", "integrate-typescript", "integrate-python", "integrate-rust", "sdks", "agents", "embed", "webhooks", "errors"],
  ...["verify", "versioning", "changelog", "limitations", "leaving", "operate", "scale", "performance", "add-a-game", "releasing"],
];

/** Every page: its `name`, such as `games/mountebank.html`, its `title` and its `html`. */
export function renderGuides(folder) {
  const files = ["", "games/"].flatMap((under) =>
    readdirSync(path.join(folder, under))
      .filter((file) => file.endsWith(".md"))
      .map((file) => under + file),
  );
  const pages = files.map((file) => renderGuide(file, readFileSync(path.join(folder, file), "utf8"), files));
  const rank = ({ file }) => {
    const found = order.indexOf(file.replace(/\.md$/, ""));
    return (file.startsWith("games/") ? 200 : 0) + (found < 0 ? 100 : found);
  };
  return pages.sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

/** The page of a guide, in `docs/`. A game's page has the name of the game. */
function pageName(file) {
  if (file === "README.md") return "index.html";
  return file.replace(/\.md$/, ".html").replaceAll("_", "-");
}

function renderGuide(file, source, files) {
  const anchors = new Set();
  let title = file;
  let tables = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        if (depth === 1) title = plain(text);
        const anchor = anchorOf(text, anchors);
        const link = depth === 1 ? "" : ` <a class="anchor" href="#${anchor}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
      },
      // Guides are text: whatever looks like HTML in them is shown, not run.
      html({ text }) {
        return escape(text);
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escape(text)}\n</code></pre>\n`;
      },
      table(token) {
        const cells = (row, tag) => row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const head = `<thead><tr>${cells(token.header, "th")}</tr></thead>`;
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
        tables += 1;
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${tables}">`
          + `<table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      // Pictures are in the repository only.
      image({ text }) {
        return `<em>${escape(text)}</em>`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${escape(href)}" rel="noreferrer">${text}</a>`;
        const [to, anchor] = href.split("#");
        const target = to === "" ? file : path.posix.normalize(path.posix.join(path.posix.dirname(file), to));
        // What is not a guide is in the repository only.
        if (!files.includes(target)) return text;
        const page = path.posix.relative(path.posix.dirname(pageName(file)), pageName(target));
        return `<a href="${page}${anchor ? `#${anchor}` : ""}">${text}</a>`;
      },
    },
  });
  const html = marked.parse(source);
  return { file, name: pageName(file), title, html };
}

/** The anchor of a heading, made as GitHub makes it, so that links work there as well. */
export function anchorOf(text, taken) {
  const anchor = plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  let unique = anchor;
  for (let n = 1; taken.has(unique); n += 1) unique = `${anchor}-${n}`;
  taken.add(unique);
  return unique;
}

function plain(text) {
  return text.replace(/[*`]|\[|\]\([^)]*\)/g, "").replace(/\s+/g, " ");
}

export function escape(text) {
  return text.replace(/[&<>"]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[it]);
}
