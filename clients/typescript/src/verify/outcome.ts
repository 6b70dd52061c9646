/** The outcome of verification: three answers, and findings with codes. */

import type { Contribution } from "./digests.js";
import type { PlayerCounts } from "./players.js";
import type { ReceiptStatement } from "./receipt.js";

/**
 * The answer about a match, or about several together: everything that a record shows without the
 * rules was verified; nothing is known to be wrong, but not everything was verified; or the service
 * cannot have recorded this, or it contradicts what was kept.
 */
export type Answer = "PROVEN" | "NOT_PROVEN" | "WRONG";

/** Why something is not proven, although nothing is known to be wrong. */
export type UnprovenCode =
  | "VERSION_UNKNOWN"
  | "NO_MATCH"
  | "TOO_LARGE"
  | "GAME_UNKNOWN"
  | "NO_PROOFS"
  | "RULES_UNKNOWN"
  | "UNFINISHED"
  | "RECEIPT_TERMS_DIFFER"
  | "LOG_MISSING";

/** Why something is wrong. */
export type WrongCode =
  | "EMPTY"
  | "NOT_A_RECORD"
  | "LINE_CUT"
  | "LINE_TOO_LONG"
  | "CHECK_MISSING"
  | "CHECK_WRONG"
  | "LINE_INVALID"
  | "LINE_MISPLACED"
  | "MATCH_CUT"
  | "POSITION_WRONG"
  | "END_WRONG"
  | "ENTRY_AFTER_END"
  | "TIME_BACKWARDS"
  | "BODY_INVALID"
  | "BODY_DIFFERS"
  | "SEAT_UNKNOWN"
  | "SEED_WRONG"
  | "SEED_MISSING"
  | "END_MISSING"
  | "PROOF_MISSING"
  | "DIGEST_WRONG"
  | "CONTRIBUTION_INVALID"
  | "CHOICE_INVALID"
  | "CHOICE_WRONG"
  | "PLAYER_DIFFERS"
  | "OTHER_MATCH"
  | "INCOMPLETE"
  | "COMMITMENT_DIFFERS"
  | "CONTRIBUTION_DIFFERS"
  | "RECEIPT_INVALID"
  | "RECEIPT_DIFFERS"
  | "RECEIPT_BEYOND_END"
  | "RECEIPT_OF_OTHER_MATCH"
  | "RECEIPTS_CONTRADICT"
  | "LOG_DIFFERS"
  | "LOG_PROOF_INVALID"
  | "LOG_CONTRADICTS"
  | "UNREADABLE"
  | "PROGRAM_FAILED";

/** The code of a finding, as `docs/verify.md` of the service lists them. */
export type Code = UnprovenCode | WrongCode;

const UNPROVEN: ReadonlySet<Code> = new Set<UnprovenCode>([
  "VERSION_UNKNOWN",
  "NO_MATCH",
  "TOO_LARGE",
  "GAME_UNKNOWN",
  "NO_PROOFS",
  "RULES_UNKNOWN",
  "UNFINISHED",
  "RECEIPT_TERMS_DIFFER",
  "LOG_MISSING",
]);

/** Whether a code says that something is not proven, and not that it is wrong. */
export function isUnproven(code: Code): boolean {
  return UNPROVEN.has(code);
}

/** The most findings listed of each kind, and characters of a reason, which may quote strangers. */
const LISTED_MAX = 1000;
const REASON_MAX = 1000;

/**
 * The sources of a match's chance: its seats and the service, the same where the service may have
 * known contributions before it chose the seed, or the service alone.
 */
export type Entropy = "SHARED" | "SHARED_ORDER_NOT_PROVEN" | "SERVICE_ONLY";

/** A contribution in a record. */
export interface RecordedContribution extends Contribution {
  /** Whether the commitment to the seed could be read before. */
  afterCommitment: boolean;
}

/** A reason why something is wrong or not proven, and its place as far as it is known. */
export interface Finding {
  /** For programs. */
  readonly code: Code;
  /** For people. */
  readonly reason: string;
  /** The match, as `matches/{match}`; empty if it is not known. */
  readonly match: string;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
  /** The position of the first entry that is not right; after the last entry, one more than it. */
  readonly position?: number | undefined;
  /** The receipt that shows it. */
  readonly receipt?: ReceiptStatement | undefined;
}

/** The outcome for one match: what was verified before the first error, and what was found. */
export interface VerifiedMatch {
  /** The match, as `matches/{match}`; empty if its line could not be read. */
  readonly match: string;
  /** The answer about it. */
  readonly answer: Answer;
  /** The number of its entries. */
  readonly entries: number;
  /** The number of its random choices. */
  readonly choices: number;
  /** Whether it has ended. */
  readonly hasEnded: boolean;
  /** The sources of its chance; absent before the deal. */
  readonly entropy: Entropy | undefined;
  /** Whether a receipt confirms its last entry, and so its end. */
  readonly isAnchored: boolean;
  /** The commitment to its seed, in hexadecimal. */
  readonly seedCommitment: string;
  /** The contributions of its seats. */
  readonly contributions: readonly RecordedContribution[];
  /** The players who took its seats, by what is known about them. */
  readonly players: Readonly<PlayerCounts>;
  /** The digest of its last entry, in hexadecimal. */
  readonly digest: string;
  /** What is wrong with it. */
  readonly wrong: readonly Finding[];
  /** Why it is not proven. */
  readonly unproven: readonly Finding[];
}

/** The result of verifying a record. */
export interface Report {
  /** The answer about all matches together. Without a match nothing is proven. */
  readonly answer: Answer;
  /** The matches, including those that are wrong. */
  readonly matches: readonly VerifiedMatch[];
  /** What is wrong: the first 1,000 findings. */
  readonly wrong: readonly Finding[];
  /** Why matches are not proven with which nothing is wrong: the first 1,000 findings. */
  readonly unproven: readonly Finding[];
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
  /** The commitment to its seed, from `Match.seedCommitment` before the match began. */
  seedCommitment?: string | undefined;
  /** The contributions of one's own seats. */
  contributions?: readonly Contribution[] | undefined;
  /** Receipts, as `readReceipt` returns them. */
  receipts?: readonly ReceiptStatement[] | undefined;
}

/** The outcome for one match, in the making. */
export class Outcome {
  match = "";
  entries = 0;
  choices = 0;
  hasEnded = false;
  anchored = 0;
  seedCommitment = "";
  contributions: RecordedContribution[] = [];
  players: PlayerCounts = { proven: 0, erased: 0, notCovered: 0 };
  digest = "";
  readonly agreeing: ReceiptStatement[] = [];
  readonly wrong: Finding[] = [];
  readonly unproven: Finding[] = [];

  add(code: Code, reason: string, place: { line?: number; position?: number | undefined } = {}) {
    const finding = { code, reason: short(reason), match: this.match, ...place };
    (UNPROVEN.has(code) ? this.unproven : this.wrong).push(finding);
  }

  contradict(receipt: ReceiptStatement, code: Code, reason: string): void {
    const { match, position } = receipt;
    this.wrong.push({ code, reason, match, position, receipt });
  }

  /** Checks that this is the match that a service was asked for, the only one, and complete. */
  expect(match: string, mayBeUnfinished: boolean, isOnly: boolean): void {
    if (this.match !== match || !isOnly) {
      this.add("OTHER_MATCH", `the service was asked for ${match}`);
    }
    if (!mayBeUnfinished && this.unproven.some((it) => it.code === "UNFINISHED")) {
      const reason = "the record of a match that has ended was asked for, and it has no end";
      this.add("INCOMPLETE", reason, { position: this.entries + 1 });
    }
  }

  result(): VerifiedMatch {
    const { match, entries, choices, hasEnded, seedCommitment, contributions, digest } = this;
    const { wrong, unproven } = this;
    const isAnchored = entries > 0 && this.anchored === entries;
    const answer = wrong.length > 0 ? "WRONG" : unproven.length > 0 ? "NOT_PROVEN" : "PROVEN";
    return {
      match,
      answer,
      entries,
      choices,
      hasEnded,
      entropy: this.#entropy,
      isAnchored,
      seedCommitment,
      contributions,
      players: this.players,
      digest,
      wrong,
      unproven,
    };
  }

  get #entropy(): Entropy | undefined {
    if (this.entries === 0) return undefined;
    if (this.contributions.length === 0) return "SERVICE_ONLY";
    const isShared = this.contributions.every((it) => it.afterCommitment);
    return isShared ? "SHARED" : "SHARED_ORDER_NOT_PROVEN";
  }
}

/** The outcomes of all matches of a record. */
export class Tally {
  readonly #kept: Kept;
  readonly #matches: VerifiedMatch[] = [];
  readonly #wrong: Finding[] = [];
  readonly #unproven: Finding[] = [];
  readonly #found = new Set<ReceiptStatement>();

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  add(outcome: Outcome): void {
    const { match, mayBeUnfinished = false } = this.#kept;
    if (match !== undefined) outcome.expect(match, mayBeUnfinished, this.#matches.length === 0);
    const result = outcome.result();
    this.#matches.push(result);
    for (const receipt of outcome.agreeing) this.#found.add(receipt);
    for (const it of result.wrong.length > 0 ? result.wrong : result.unproven) this.note(it);
  }

  note(finding: Finding): void {
    if (finding.receipt) this.#found.add(finding.receipt);
    const list = UNPROVEN.has(finding.code) ? this.#unproven : this.#wrong;
    if (list.length < LISTED_MAX) list.push(finding);
  }

  /** The result of a record that was read to its end, or in which reading failed. */
  report(failure?: Finding): Report {
    const { match, receipts = [] } = this.#kept;
    if (failure) this.note(failure);
    else if (this.#matches.length === 0 && match !== undefined) {
      const reason = `the service was asked for ${match}, and tells no match`;
      this.note({ code: "OTHER_MATCH", reason, match: "" });
    } else if (this.#matches.length === 0) {
      this.note({ code: "NO_MATCH", reason: "there is no match in it", match: "" });
    }
    for (const receipt of receipts.filter((it) => !this.#found.has(it))) {
      const { match: name, position } = receipt;
      const reason = `the receipt is for another match: ${name} is not here`;
      this.note({ code: "RECEIPT_OF_OTHER_MATCH", reason, match: name, position, receipt });
    }
    return this.#compared(receipts);
  }

  /** The result of receipts alone. */
  reportReceipts(): Report {
    return this.#compared(this.#kept.receipts ?? []);
  }

  #compared(receipts: readonly ReceiptStatement[]): Report {
    for (const it of contradictions(receipts)) this.note(it);
    const [wrong, unproven] = [this.#wrong, this.#unproven];
    const isProven = this.#matches.length > 0 && unproven.length === 0;
    const answer = wrong.length > 0 ? "WRONG" : isProven ? "PROVEN" : "NOT_PROVEN";
    return { answer, matches: this.#matches, wrong, unproven };
  }
}

/**
 * What receipts say about each other: the service signs one digest for an entry in a term. A
 * finding for each entry for which it signed several.
 */
function contradictions(receipts: readonly ReceiptStatement[]): Finding[] {
  const ofEntries = new Map<string, ReceiptStatement[]>();
  for (const it of receipts) {
    const entry = `${it.match} ${String(it.position).padStart(20, "0")}`;
    ofEntries.set(entry, [...(ofEntries.get(entry) ?? []), it]);
  }
  const entries = [...ofEntries].sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.flatMap(([, of]) => {
    const found = of.map((it, nth) => {
      const others = of.slice(0, nth).filter((other) => other.digest !== it.digest);
      const isSame = others.some((other) => it.term !== undefined && other.term === it.term);
      return { receipt: it, isSame, differs: others.length > 0 };
    });
    const contradicts = found.find((it) => it.isSame);
    const { receipt } = contradicts ?? found.find((it) => it.differs) ?? {};
    if (!receipt) return [];
    const { match, position } = receipt;
    const reason = contradicts
      ? "the service signed two receipts for this entry, in one term, with different digests"
      : "the service signed receipts for this entry with different digests, and not in one term: " +
        "the record went back between them, or was changed";
    const code = contradicts ? "RECEIPTS_CONTRADICT" : "RECEIPT_TERMS_DIFFER";
    return [{ code, reason, match, position, receipt }];
  });
}

export function short(reason: string): string {
  return reason.length > REASON_MAX ? `${reason.slice(0, REASON_MAX)}…` : reason;
}
