// What this browser kept of matches while they were played, to compare their records with later.

import type { CreateMatchInit, Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";
import { home } from "../app/home.js";
import { awaitProof, compareLog, logKey } from "./log.js";

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
  /** The key of the transparency log, and the proofs that it has the opening and the end of the match. */
  readonly logKey?: string;
  readonly opening?: Opening;
  readonly closing?: string;
  /** What contradicts something else that the service signed. */
  readonly complaints?: readonly Complaint[];
}

/** A proof that the log has the opening of a match. */
interface Opening {
  readonly proof: string;
  /** Whether it was here before this browser contributed to the chance of the match. */
  readonly cameFirst: boolean;
}

/** That the service contradicts itself, and what it signed that shows it to anyone. */
export interface Complaint {
  readonly code: string;
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** Of the window, when there is a new complaint. */
export const COMPLAINED = "croupier-complained";

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

/** The matches whose opening this page has asked for. */
const asked = new Set<string>();

/** Keeps the proof that the log has the opening of a match which is shown, once, and compares it. */
export async function keepOpening(match: Match): Promise<void> {
  const { name } = match;
  if (keptOf(name).opening || asked.has(name)) return;
  asked.add(name);
  // The log has it within seconds of the match, or not at all.
  const proof = await awaitProof("opened", name);
  if (proof !== undefined) await keepProof(match, proof, false);
}

async function keepProof(match: Match, proof: string, cameFirst: boolean): Promise<void> {
  const key = await logKey();
  const { name, seats, seedCommitment } = match;
  keep({ ...keptOf(name), opening: { proof, cameFirst }, ...(key ? { logKey: key } : {}) });
  await compare(name, { match: name, seats: seats.length, seedCommitment, proof });
}

async function compare(name: string, said: Parameters<typeof compareLog>[0]): Promise<void> {
  const looked = await compareLog(said);
  if (looked?.answer !== "WRONG") return;
  const { findings, evidence = [] } = looked;
  complain(name, findings.map(({ code, reason }) => ({ code, reason, evidence })));
}

/** Compares the receipts of a match with each other, if there are several. */
async function compareReceipts(name: string): Promise<void> {
  const { receipts = [], keys } = keptOf(name);
  if (receipts.length < 2) return;
  const { loadChecker } = await import("./check.js");
  const report = await (await loadChecker()).compareReceipts?.({ receipts, ...(keys ? { keys } : {}) });
  const found = report?.wrong ?? [];
  complain(name, found.map(({ code, reason }) => ({ code, reason, evidence: receipts })));
}

function complain(name: string, complaints: readonly Complaint[]): void {
  const before = keptOf(name).complaints ?? [];
  const known = new Set(before.map((it) => JSON.stringify(it)));
  const more = complaints.filter((it) => !known.has(JSON.stringify(it)));
  if (more.length === 0) return;
  keep({ ...keptOf(name), complaints: [...before, ...more] });
  dispatchEvent(new Event(COMPLAINED));
}

/** Keeps a receipt for the last entry of a match, and the keys that the service publishes now. */
export async function keepReceipt(croupier: Croupier, { name, position }: Match): Promise<void> {
  const { jws } = await croupier.match(name).receipt(Number(position));
  const published: KeySet = await (await fetch(`${home()}.well-known/jwks.json`)).json();
  const { receipts = [], keys, ...kept } = keptOf(name);
  const all = [...(keys?.keys ?? []), ...published.keys].map((key) => JSON.stringify(key));
  keep({
    ...kept,
    receipts: [...new Set([...receipts, jws])],
    keys: { keys: [...new Set(all)].map((key) => JSON.parse(key)) },
  });
  await compareReceipts(name);
  const closing = await awaitProof("closed", name);
  if (closing === undefined) return;
  keep({ ...keptOf(name), closing });
  await compare(name, { match: name, proof: closing });
}

/**
 * Creates a match in which the player has the first seat and contributes to the chance: the service
 * commits itself to its seed before it knows the contribution, and both are kept. If the service has a
 * transparency log, the contribution follows the proof that the log has the commitment, if it is there in
 * time, and the bots take their seats after that.
 */
export async function createFair(croupier: Croupier, match: CreateMatchInit): Promise<Match> {
  const requestId = random(16).hex;
  const { name, seedCommitment } = await croupier.matches.commitSeed(requestId);
  const { bytes, hex } = random(32);
  keep({ match: name, seedCommitment, seenAt: 0, contributions: [{ seat: 0, hex }] });
  const chance = { requestId, seedCommitment };
  if (!(await logKey())) return croupier.matches.create({ ...match, ...chance, contributions: [bytes] });
  const { bots = [], ...init } = match;
  let created = await croupier.matches.create({ ...init, ...chance });
  const proof = await awaitProof("opened", name);
  if (proof !== undefined) keepProof(created, proof, true).catch(() => {});
  await croupier.match(name, { seat: 0 }).contribute(bytes);
  for (const [seat, bot] of bots.entries()) {
    if (bot) created = (await croupier.match(name, { seat }).join({ bot })).match ?? created;
  }
  return created;
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
