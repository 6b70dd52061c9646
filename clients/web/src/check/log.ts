// The transparency log of the service, and what this browser keeps of it.

import type { Looked } from "@croupier/rules";
import { home } from "../app/home.js";

/** What the log says of a match that was seen, and what is known of the match. */
export interface LogStatement {
  /** As `matches/{match}`. */
  readonly match: string;
  readonly seats?: number | undefined;
  readonly seedCommitment?: string | undefined;
  /** A proof that the log has a leaf of the match. */
  readonly proof: string;
}

/** How long a contribution waits for the log to have the opening of its match. */
const OPENING_WAIT_MS = 5_000;
const PAUSE_MS = 300;

/** The newest checkpoint of each log, with its key, by the name of the log. */
const STORED = "croupier.logs";

let asked: Promise<string | undefined> | undefined;

/** The verifier key of the service's log; undefined if it has none. */
export function logKey(): Promise<string | undefined> {
  asked ??= page("log/key").then(
    (key) => key?.trim(),
    () => {
      asked = undefined;
      return undefined;
    },
  );
  return asked;
}

/** The proof that the log has a leaf of a match; undefined if it is not there in time. */
export async function awaitProof(kind: "opened" | "closed", match: string, waitMs = OPENING_WAIT_MS): Promise<string | undefined> {
  if (!(await logKey())) return undefined;
  const deadline = Date.now() + waitMs;
  for (;;) {
    const proof = await page(`log/proof/${kind}/${match.replace("matches/", "")}`).catch(() => undefined);
    if (proof !== undefined || Date.now() >= deadline) return proof;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Compares what the log says of a match with the match, and its checkpoint with the one that this browser
 * kept, and keeps the newer one. Undefined if there is nothing to compare with, or pages come without what
 * verifies proofs.
 */
export async function compareLog({ match, seats, seedCommitment, proof }: LogStatement): Promise<Looked | undefined> {
  const published = await logKey();
  if (!published) return undefined;
  const { loadChecker } = await import("./check.js");
  const { look } = await loadChecker();
  if (!look) return undefined;
  const origin = published.split("+")[0]!;
  // The first key of a log is believed; another one of the same name verifies nothing.
  const { key, checkpoint } = logs()[origin] ?? { key: published };
  const [told, kept] = [sizeOf(proof.slice(proof.indexOf("\n\n") + 2)), checkpoint && sizeOf(checkpoint)];
  const consistency = kept && told && kept !== told ? await continuing(Math.min(kept, told), Math.max(kept, told)) : undefined;
  const looked = await look({ logKey: key, told: proof, checkpoint, consistency, match: { name: match, seats, seedCommitment } });
  if (looked.checkpoint) keepLog(origin, { key, checkpoint: looked.checkpoint });
  return looked;
}

async function continuing(old: number, size: number): Promise<string | undefined> {
  return page(`log/consistency/${old}/${size}`).catch(() => undefined);
}

/** The number of leaves that a checkpoint names. */
function sizeOf(note: string): number | undefined {
  return Number(note.split("\n")[1]) || undefined;
}

/** A page of the log as text; undefined if it is not there. */
async function page(path: string): Promise<string | undefined> {
  const response = await fetch(home() + path);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${path} was answered with status ${response.status}`);
  return response.text();
}

interface KeptLog {
  readonly key: string;
  readonly checkpoint?: string;
}

let remembered: Record<string, KeptLog> = {};

function logs(): Record<string, KeptLog> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}");
  } catch {
    return remembered;
  }
}

function keepLog(origin: string, log: KeptLog): void {
  remembered = { ...logs(), [origin]: log };
  try {
    localStorage.setItem(STORED, JSON.stringify(remembered));
  } catch {
    // Without storage, it lasts until a reload.
  }
}
