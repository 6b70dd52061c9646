// Archives: taken apart, changed, and put together again with checks as if nothing had happened.
import { hash } from "../../dist/verify/blake3.js";
import { hex, utf8 } from "../../dist/verify/bytes.js";
import { chance, oneOf } from "./play.js";

export function linesOf(text) {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { check: _, ...rest } = JSON.parse(line);
      return rest;
    });
}

export function textOf(lines) {
  let check = "";
  return lines
    .map((line) => {
      const bare = JSON.stringify(line);
      const before = "croupier" in line || "match" in line ? "" : check;
      check = hex(hash(utf8(before + bare))).slice(0, 16);
      return `${bare.slice(0, -1)},"check":"${check}"}\n`;
    })
    .join("");
}

/** Changes of an archive of one match, each with the line at which it must be refused. */
export const mutations = {
  aCharacter(random, text) {
    const at = below(random, text.length);
    const changed =
      text.slice(0, at) + String.fromCharCode(32 + below(random, 95)) + text.slice(at + 1);
    return { text: changed, line: lineAt(text, at) };
  },
  cutOff(random, text) {
    const first = text.indexOf("\n") + 2;
    const at = first + below(random, text.length - first);
    return { text: text.slice(0, at), line: lineAt(text, at) };
  },
  aLineLost(random, _, lines) {
    const at = below(random, lines.length);
    return { text: textOf(spliced(lines, at, 1)), line: at + 1 };
  },
  aLineDoubled(random, _, lines) {
    const at = 1 + below(random, lines.length - 1);
    return { text: textOf(spliced(lines, at, 0, lines[at])), line: at + 2 };
  },
  twoLinesSwapped(random, _, lines) {
    const at = below(random, lines.length - 1);
    const changed = spliced(lines, at, 2, lines[at + 1], lines[at]);
    return { text: textOf(changed), line: at + 1 };
  },
  entriesCutOff(random, _, lines) {
    const kept = 2 + below(random, lines.length - 3);
    return { text: textOf([...lines.slice(0, kept), lines.at(-1)]), line: kept + 1 };
  },
  aFieldOfTheMatch(random, _, lines) {
    const changed = structuredClone(lines);
    const head = changed[1].match;
    const name = oneOf(["platform", "game", "seed", "seed_commitment", "reveal_wait_s"], random);
    if (name === "reveal_wait_s") head[name] = (head[name] ?? 0) + 1;
    else if (name === "platform" || name === "game") head[name] += "x";
    else head[name] = changedDigit(random, head[name]);
    return { text: textOf(changed), line: name.startsWith("seed") ? 2 : 3 };
  },
  aFieldOfAnEntry(random, _, lines) {
    const changed = structuredClone(lines);
    const at = 2 + below(random, lines.length - 3);
    const { entry } = changed[at];
    const name = oneOf(["position", "verb", "seat", "create_time", "digest", "body"], random);
    if (name === "position") entry.position += 1;
    else if (name === "verb") entry.verb += "x";
    else if (name === "seat") entry.seat = (entry.seat ?? 0) + 1;
    else if (name === "create_time") entry.create_time = "2026-11-05T11:59:59.5Z";
    else if (name === "digest") entry.digest = changedDigit(random, entry.digest);
    else entry.body = changedDigit(random, entry.body, /[A-Za-z0-9]/);
    return { text: textOf(changed), line: at + 1 };
  },
};

/** Tries so many changes; returns those that were not refused at their place. */
export function mutate(text, count, seed, verify) {
  const random = chance(seed);
  const lines = linesOf(text);
  const missed = [];
  for (let tried = 0; tried < count;) {
    const [name, mutation] = oneOf(Object.entries(mutations), random);
    const mutated = mutation(random, text, lines);
    if (mutated.text === text) continue;
    tried += 1;
    const { answer, wrong, unproven } = verify(mutated.text);
    const [first] = answer === "WRONG" ? wrong : unproven;
    if (answer === "PROVEN" || first?.line !== mutated.line || !first.reason) {
      missed.push({ name, line: mutated.line, first });
    }
  }
  return missed;
}

function below(random, count) {
  return Math.floor(random() * count);
}

function spliced(items, at, removed, ...added) {
  return [...items.slice(0, at), ...added, ...items.slice(at + removed)];
}

function lineAt(text, at) {
  return text.slice(0, at).split("\n").length;
}

function changedDigit(random, text, kind = /[0-9a-f]/) {
  const at = below(random, text.length);
  if (!kind.test(text[at])) return text;
  const digit = oneOf([..."0123456789abcdef"], random);
  return text.slice(0, at) + digit + text.slice(at + 1);
}
