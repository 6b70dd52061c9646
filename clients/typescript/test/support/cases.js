// The cases that every verifier decides alike.

import { readFileSync } from "node:fs";
import { hash } from "../../dist/verify/blake3.js";
import { hex, utf8 } from "../../dist/verify/bytes.js";

const file = new URL("../../../../tests/vectors/cases.json", import.meta.url);
export const { cases, keys, lines, rules } = JSON.parse(readFileSync(file, "utf8"));

/** The bytes of a case's file; undefined for one of receipts alone. */
export function content(it) {
  return it.lines && checked(it.lines.map((n) => lines[n]));
}

/** Lines as a file: those that are bare get their checks. */
export function checked(lines) {
  const parts = [];
  let check = "";
  for (const line of lines) {
    if (line.raw === undefined && line.raw_base64 === undefined) {
      const bare =
        typeof line === "string" ? line : line.before + line.fill.repeat(line.times) + line.after;
      const isFirst = bare.startsWith('{"croupier":') || bare.startsWith('{"match":');
      check = hex(hash(utf8((isFirst ? "" : check) + bare))).slice(0, 16);
      parts.push(Buffer.from(`${bare.slice(0, -1)},"check":"${check}"}\n`));
      continue;
    }
    const raw = Buffer.from(line.raw ?? line.raw_base64, line.raw === undefined ? "base64" : "utf8");
    parts.push(raw);
    const stated = /"check":"([^"]*)"\}$/.exec(raw.toString("latin1").trimEnd());
    if (stated) check = stated[1];
  }
  return Uint8Array.from(Buffer.concat(parts));
}
