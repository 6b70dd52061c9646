// The Markdown of texts for players: paragraphs, lists, tables, emphasis and code. Everything else
// is shown as it is written, and nothing becomes markup of the page.

import { html, type TemplateResult } from "lit";

/** A text, block by block. */
export function markdown(text: string): TemplateResult[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((block) => block.replace(/\s+$/, "").split("\n").filter((line) => line.trim() !== ""))
    .filter((lines) => lines.length > 0)
    .map(block);
}

function block(lines: string[]): TemplateResult {
  if (lines.every((it) => it.trim().startsWith("|"))) return table(lines);
  const first = lines.findIndex((it) => /^\s*- /.test(it));
  if (first < 0) return html`<p>${inline(lines.join(" "))}</p>`;
  const items: string[] = [];
  for (const line of lines.slice(first)) {
    if (/^\s*- /.test(line)) items.push(line.replace(/^\s*- /, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const before = lines.slice(0, first);
  return html`${before.length > 0 ? html`<p>${inline(before.join(" "))}</p>` : ""}
    <ul>${items.map((it) => html`<li>${inline(it)}</li>`)}</ul>`;
}

function table(lines: string[]): TemplateResult {
  const rows = lines
    .filter((it) => !/^[\s|:-]+$/.test(it) || /\w/.test(it))
    .map((it) => it.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const [head = [], ...body] = rows;
  return html`<div class="wide" tabindex="0" role="group" aria-label=${head.filter(Boolean).join(", ") || "…"}><table>
    <thead><tr>${head.map((it) => html`<th>${inline(it)}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((it) => html`<td>${inline(it)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** Emphasis and code within a line. */
function inline(text: string): (string | TemplateResult)[] {
  const parts = text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/);
  return parts.map((part) => {
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return html`<em>${part.slice(1, -1)}</em>`;
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    return part;
  });
}
