/** What is kept of matches, and the answer: as `croupier verify` takes the one and prints the other. */

/**
 * The answer about all matches of a record together: everything was verified; nothing is known to
 * be wrong, but not everything was verified; or the service cannot have recorded this, or it
 * contradicts what was kept.
 */
export type Answer = "PROVEN" | "NOT_PROVEN" | "WRONG";

/** A reason why something is wrong or not proven, and its place as far as it is known. */
export interface Finding {
  /** For programs; `docs/verify.md` of the service lists the codes. */
  readonly code: string;
  /** For people. */
  readonly reason: string;
  /** The match, as `matches/{match}`; empty if it is not known. */
  readonly match: string;
  /** The record, as `Kept.source` or `Kept.match` names it. */
  readonly source?: string;
  /** The line, counted from 1. */
  readonly line?: number;
  /** The position of the first entry that is not right; after the last entry, one more than it. */
  readonly position?: number;
  /** The receipt that shows it: `receipt 1` is the first of `Kept.receipts`. */
  readonly receipt?: string;
}

/** The object that `croupier verify --json` prints. */
export interface Report {
  readonly answer: Answer;
  /** Always: every action was decided again by the rules. */
  readonly checks_rules: boolean;
  readonly matches: number;
  readonly entries: number;
  /** Random choices. */
  readonly choices: number;
  /** How many matches are proven, not proven, and wrong. */
  readonly proven: number;
  readonly not_proven: number;
  readonly wrong_matches: number;
  /** Matches whose chance the seats shared, shared in an order that is not proven, and did not share. */
  readonly shared: number;
  readonly shared_unordered: number;
  readonly service_only: number;
  /** Players of seats: those whom the entries commit to, those erased since, and all others. */
  readonly players_proven: number;
  readonly players_erased: number;
  readonly players_not_covered: number;
  /** Matches whose last entry a receipt confirms. */
  readonly anchored: number;
  /** The receipts that agree with the record, such as `receipt 1`. */
  readonly receipts: readonly string[];
  /** The first 1,000 findings of each kind. */
  readonly wrong: readonly Finding[];
  readonly unproven: readonly Finding[];
  /** The number of matches that are not proven, by code. */
  readonly unproven_counts: Readonly<Record<string, number>>;
  /** Matches that have not ended, and that these rules would have played differently. */
  readonly unfinished_with_changed_rules: number;
  /** Matches by the rules of a module, which these rules are not: by game and hash. */
  readonly modules?: Readonly<Record<string, number>>;
  /** What the transparency log shows, if its key and proofs were kept. */
  readonly log?: LogReport;
}

/** What the proofs of a transparency log show. */
export interface LogReport {
  readonly origin: string;
  /** Matches whose opening, and whose end, it has. */
  readonly opened: number;
  readonly closed: number;
  /** Those whose opening it had before the deal. */
  readonly opened_before_deal: number;
  /** Where the chance of matches comes from, by the order of the log alone. */
  readonly chance: { readonly service_only: number; readonly order_proven: number; readonly order_not_proven: number };
}

/** Data kept from before and during the matches. */
export interface Kept {
  /**
   * The match that a service was asked for, as `matches/{match}`. The record must be of this match
   * alone, and complete.
   */
  match?: string | undefined;
  /** With `match`: whether the match may not have ended. */
  mayBeUnfinished?: boolean | undefined;
  /** The name of the record in findings, if it is a file; by default `record`. */
  source?: string | undefined;
  /** The commitment to its seed, from `Match.seedCommitment` before the match began. */
  seedCommitment?: string | undefined;
  /** The contributions of one's own seats. */
  contributions?: readonly { readonly seat: number; readonly bytes: Uint8Array }[] | undefined;
  /** Receipts: each the `jws` of a receipt, or an answer of `GetReceipt` as JSON. */
  receipts?: readonly string[] | undefined;
  /** The public keys that signed them, as at `/.well-known/jwks.json`. */
  keys?: { readonly keys: readonly unknown[] } | undefined;
  /** The verifier key of the transparency log, as at `/log/key`. Without it, proofs are not compared. */
  logKey?: string | undefined;
  /** Proofs that the log has matches: of `GetReceipt`, or from `/log/proof/`. */
  proofs?: readonly string[] | undefined;
  /** Those that were kept before one's own contribution to the chance of the match was sent. */
  firstProofs?: readonly string[] | undefined;
}

/** What a log tells now, and what was kept of it. */
export interface Look {
  /** The verifier key of the log. */
  logKey: string;
  /** A proof, or a signed checkpoint. */
  told: string;
  /** The last checkpoint that was kept. */
  checkpoint?: string | undefined;
  /** That the larger checkpoint continues the smaller one: `/log/consistency/{smaller}/{larger}`. */
  consistency?: string | undefined;
  /** What is known of the match that the proof is of. What is absent is not compared. */
  match?:
    | { name: string; seats?: number | undefined; seedCommitment?: string | undefined; end?: readonly [position: number, digest: string] | undefined }
    | undefined;
}

/** What a look shows. */
export interface Looked {
  readonly answer: Answer;
  readonly findings: readonly Finding[];
  /** The statements that contradict each other, as they were signed. */
  readonly evidence?: readonly string[];
  /** The checkpoint to keep. */
  readonly checkpoint?: string;
  /** The number of its leaves. */
  readonly size: number;
  /** Where the leaf of the match is. */
  readonly index?: number;
  /** When the checkpoint that was told was signed, in seconds since 1970. */
  readonly time?: number;
}

/** The same in the spelling of the rules. */
export function lookSpelled({ logKey, told, checkpoint, consistency, match }: Look): string {
  const about = match && { name: match.name, seats: match.seats, seed_commitment: match.seedCommitment, end: match.end };
  return JSON.stringify({ log_key: logKey, told, checkpoint, consistency, match: about });
}

/** The same in the spelling of the rules. */
export function spelled(kept: Kept): string {
  const { match, mayBeUnfinished, source, seedCommitment, contributions = [], receipts, keys } = kept;
  const { logKey, proofs, firstProofs } = kept;
  return JSON.stringify({
    match,
    may_be_unfinished: mayBeUnfinished,
    source,
    commitment: seedCommitment?.toLowerCase(),
    contributions: Object.fromEntries(contributions.map(({ seat, bytes }) => [seat, hex(bytes)])),
    receipts,
    keys,
    log_key: logKey,
    proofs,
    first_proofs: firstProofs,
  });
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
