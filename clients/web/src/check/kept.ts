// What this browser kept of matches while they were played, to compare their records with later.

import type { CreateMatchInit, Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";

/** What this browser kept of a match. */
export interface KeptMatch {
  /** As `matches/{match}`. */
  readonly match: string;
  /** The commitment to its seed, as it was first seen. */
  readonly seedCommitment?: string;
  /** How many entries the match had then: 0 before the deal. */
  readonly seenAt?: number;
  /** The contributions of this browser's seats, in hexadecimal. */
  readonly contributions?: readonly { readonly seat: number; readonly hex: string }[];
  /** Receipts, each the signed text, and the keys that the service published then. */
  readonly receipts?: readonly string[];
  readonly keys?: KeySet;
}

/** A JSON Web Key Set. */
interface KeySet {
  readonly keys: readonly unknown[];
}

const STORED = "croupier.kept";
const MATCHES_MAX = 50;
let remembered: readonly KeptMatch[] = [];

/** What was kept of a match; nothing but its name if nothing was. */
export function keptOf(match: string): KeptMatch {
  return all().find((it) => it.match === match) ?? { match };
}

/** Keeps the commitment of a match, unless an earlier look at it kept one. */
export function keepCommitment({ name, state, position, seedCommitment }: Match): void {
  if (state === MatchState.ENDED || !seedCommitment || keptOf(name).seedCommitment) return;
  keep({ ...keptOf(name), seedCommitment, seenAt: Number(position) });
}

/** Keeps a receipt for the last entry of a match, and the keys that the service publishes now. */
export async function keepReceipt(croupier: Croupier, { name, position }: Match): Promise<void> {
  const { jws } = await croupier.match(name).receipt(Number(position));
  const published: KeySet = await (await fetch("/.well-known/jwks.json")).json();
  const { receipts = [], keys, ...kept } = keptOf(name);
  const all = [...(keys?.keys ?? []), ...published.keys].map((key) => JSON.stringify(key));
  keep({
    ...kept,
    receipts: [...new Set([...receipts, jws])],
    keys: { keys: [...new Set(all)].map((key) => JSON.parse(key)) },
  });
}

/**
 * Creates a match in which the player has the first seat and contributes to the chance: the service
 * commits itself to its seed before it knows the contribution, and both are kept.
 */
export async function createFair(croupier: Croupier, match: CreateMatchInit): Promise<Match> {
  const requestId = random(16).hex;
  const { name, seedCommitment } = await croupier.matches.commitSeed(requestId);
  const { bytes, hex } = random(32);
  keep({ match: name, seedCommitment, seenAt: 0, contributions: [{ seat: 0, hex }] });
  return croupier.matches.create({ ...match, requestId, seedCommitment, contributions: [bytes] });
}

function random(length: number) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return { bytes, hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

function all(): readonly KeptMatch[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return remembered;
  }
}

function keep(kept: KeptMatch): void {
  remembered = [kept, ...all().filter((it) => it.match !== kept.match)].slice(0, MATCHES_MAX);
  try {
    localStorage.setItem(STORED, JSON.stringify(remembered));
  } catch {
    // Without storage, it lasts until a reload.
  }
}
