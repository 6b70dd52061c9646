/** Verifies the matches of a record, and compares them with what was kept. */

import { hex, integer, require, Wrong } from "./bytes.js";
import {
  begins,
  checkHeader,
  checkWhole,
  CROUPIER,
  END,
  LINE_MAX,
  linesOf,
  MATCH,
  MATCH_MAX,
  readLine,
} from "./lines.js";
import { RULES, VerifyingMatch } from "./match.js";
import { Outcome, short, Tally, type Kept, type Report } from "./outcome.js";
import type { ReceiptStatement } from "./receipt.js";

/**
 * Verifies a record: every digest, the commitment, and every random choice, but not the rules of
 * the games. The record is the content of a file of records, or its lines without line feeds, as
 * `ReadRecord` sends them. It may come from a stranger: no line, match or entry is read beyond the
 * limits of a record.
 */
export function verify(
  record: string | Uint8Array | Iterable<string>,
  kept: Kept = {},
): Report {
  const tally = new Tally(kept);
  let block: Block | undefined;
  let line = 0;
  const close = () => {
    if (block) tally.add(block.close());
    block = undefined;
  };
  try {
    for (const bytes of linesOf(record)) {
      line += 1;
      if (line === 1 || (!block && begins(bytes, CROUPIER))) {
        checkHeader(bytes);
        continue;
      }
      if (begins(bytes, MATCH)) close();
      block ??= new Block(kept);
      block.take(bytes, line);
      if (begins(bytes, END)) close();
    }
    require(line > 0, "it is empty", "EMPTY");
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const { code, message } = error;
    return tally.report({ code, reason: short(message), match: "", line: Math.max(line, 1) });
  }
  close();
  return tally.report();
}

/**
 * Compares receipts with each other, without a record. The answer is `WRONG` if they prove that the
 * service signed two digests for one entry, and otherwise `NOT_PROVEN`: receipts alone prove nothing
 * about a record.
 */
export function verifyReceipts(receipts: readonly ReceiptStatement[]): Report {
  return new Tally({ receipts }).reportReceipts();
}

/**
 * Reads the record of a revealed match from the service, and verifies it. A record without an end
 * is wrong, unless the match may be unfinished: the service tells none before.
 */
export async function verifyMatch(
  match: { readonly name: string; record(): Promise<readonly string[]> },
  kept: Omit<Kept, "match"> = {},
): Promise<Report> {
  return verify(await match.record(), { ...kept, match: match.name });
}

/** The lines of one match, or lines that belong to none, verified as far as they are right. */
class Block {
  readonly #kept: Kept;
  readonly #outcome = new Outcome();
  #match: VerifyingMatch | undefined;
  #check = "";
  #bytes = 0;
  #line = 0;
  #isOver = false;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  take(bytes: Uint8Array, line: number): void {
    if (this.#isOver) return;
    this.#line = line;
    this.#bytes += Math.min(bytes.length, LINE_MAX);
    try {
      const reason = `the match has more than ${MATCH_MAX} bytes, and nothing after is verified`;
      require(this.#bytes <= MATCH_MAX, reason, "TOO_LARGE");
      this.#read(bytes);
    } catch (error) {
      this.#stop(wrongOf(error));
    }
  }

  /** The outcome after the last line. */
  close(): Outcome {
    this.#line += 1;
    if (!this.#isOver) this.#stop(new Wrong("it was cut off within this match", "MATCH_CUT"));
    return this.#outcome;
  }

  #read(bytes: Uint8Array): void {
    checkWhole(bytes);
    const reason = "it belongs to no match: the line of its match is missing or was altered";
    require(this.#match || begins(bytes, MATCH), reason, "LINE_MISPLACED");
    const { kind, held, check } = readLine(bytes, this.#check);
    this.#check = check;
    const outcome = this.#outcome;
    if (!this.#match) {
      this.#match = new VerifyingMatch(held);
      outcome.match = this.#match.name;
      outcome.seedCommitment = this.#match.seedCommitment;
    } else if (kind === "entry") this.#entry(this.#match, held);
    else if (kind === "end") {
      this.#match.end(held);
      this.#finish(this.#match);
    } else {
      integer(held, "version", 0, 2 ** 32 - 1);
      const within = `it is within ${outcome.match}, which has no end`;
      require(false, within, "LINE_MISPLACED");
    }
  }

  #entry(match: VerifyingMatch, held: unknown): void {
    const { digest, createTime } = match.entry(held);
    const outcome = this.#outcome;
    const { entries, choices, hasEnded, contributions } = match;
    Object.assign(outcome, { entries, choices, hasEnded, contributions, digest: digest ?? "" });
    outcome.players = { ...match.players.counts };
    for (const receipt of this.#receipts.filter((it) => it.position === entries)) {
      if (receipt.digest === digest && receipt.createTime === createTime) {
        outcome.agreeing.push(receipt);
        outcome.anchored = entries;
      } else {
        const reason = "the record was changed after the receipt was signed: it differs from it";
        outcome.contradict(receipt, "RECEIPT_DIFFERS", reason);
      }
    }
  }

  /** Records a problem after which a match cannot be verified further. */
  #stop({ code, message }: Wrong): void {
    this.#isOver = true;
    const position = this.#match && this.#match.entries + 1;
    this.#outcome.add(code, message, { line: this.#line, position });
    const reason = "the record is not verified up to the entry of the receipt";
    for (const it of this.#after) this.#outcome.contradict(it, "RECEIPT_DIFFERS", reason);
  }

  /** Compares a whole match with what was kept, and tells what is not proven. */
  #finish({ game, hasProofs, later }: VerifyingMatch): void {
    this.#isOver = true;
    const outcome = this.#outcome;
    const { seedCommitment, contributions = [] } = this.#kept;
    const { entries } = outcome;
    const cut = `the record was cut short after the receipt was signed: it has ${entries} entries`;
    for (const it of this.#after) outcome.contradict(it, "RECEIPT_BEYOND_END", cut);
    if (seedCommitment !== undefined && seedCommitment.toLowerCase() !== outcome.seedCommitment) {
      outcome.add("COMMITMENT_DIFFERS", "its commitment is not the one that you kept");
    }
    for (const mine of [...contributions].sort((a, b) => a.seat - b.seat)) {
      const found = outcome.contributions.find((it) => it.seat === mine.seat);
      if (found && hex(found.bytes) === hex(mine.bytes)) continue;
      const reason = `the contribution of seat ${mine.seat} is not the one that you kept`;
      outcome.add("CONTRIBUTION_DIFFERS", reason, { position: 1 });
    }
    if (!Object.hasOwn(RULES, game)) {
      outcome.add("GAME_UNKNOWN", `this release does not know the game ${JSON.stringify(game)}`);
    }
    if (!hasProofs) {
      const reason = "it was recorded without digests and choices: nothing in it can be proven";
      outcome.add("NO_PROOFS", reason, { position: 1 });
    }
    if (later !== undefined) {
      const reason = "it was decided by a later version of the rules: use a newer release";
      outcome.add("RULES_UNKNOWN", reason, { position: later });
    }
    if (!outcome.hasEnded) outcome.add("UNFINISHED", "it has not ended, or its end was cut off");
  }

  /** The receipts for entries of this match. */
  get #receipts() {
    return (this.#kept.receipts ?? []).filter((it) => it.match === this.#outcome.match);
  }

  /** Those for entries after the last that it has. */
  get #after() {
    return this.#receipts.filter((it) => it.position > this.#outcome.entries);
  }
}

/** An error of the verifier itself proves nothing either. */
function wrongOf(error: unknown): Wrong {
  if (error instanceof Wrong) return error;
  return new Wrong(`this program failed on it: ${String(error)}`, "PROGRAM_FAILED");
}
