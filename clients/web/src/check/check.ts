// Checks records on this device: by the rules of every game, if these pages come with them.

import type { Report as DealReport } from "@croupier/client/verify";
import type { Finding as RulesFinding, Look, Looked, Report as RulesReport, Verifier } from "@croupier/rules";
import { filesOfRules } from "../app/home.js";
import type { KeptMatch } from "./kept.js";

/** What was found, and what was compared. */
export interface Checked {
  readonly answer: "PROVEN" | "NOT_PROVEN" | "WRONG";
  /** Whether every action was decided again by the rules. */
  readonly byRules: boolean;
  readonly matches: number;
  readonly entries: number;
  readonly choices: number;
  /** Matches whose chance the seats shared, shared in an order that is not proven, and did not share. */
  readonly shared: number;
  readonly sharedUnordered: number;
  readonly serviceOnly: number;
  readonly playersProven: number;
  readonly playersErased: number;
  readonly playersNotCovered: number;
  /** Matches whose last entry a kept receipt confirms. */
  readonly anchored: number;
  /** What the proofs of the transparency log show that were kept; undefined if nothing was compared. */
  readonly log: RulesReport["log"];
  readonly findings: readonly Finding[];
  readonly kept: KeptMatch | undefined;
}

/** Why something is wrong or not proven. */
export interface Finding extends Pick<RulesFinding, "code" | "reason"> {
  readonly line?: number | undefined;
  readonly position?: number | undefined;
}

/** How many entries and bytes were checked. */
export type OnProgress = (progress: { readonly entries: number; readonly bytes: number }) => void;

/** What checks records. Once it is loaded, it needs no network. */
export interface Checker {
  check(record: Blob, kept: KeptMatch | undefined, isAnswer: boolean, onProgress: OnProgress): Promise<Checked>;
  /** Compares what the log tells with what was kept of it; only with the rules. */
  readonly look?: (look: Look) => Promise<Looked>;
  /** Compares receipts with each other; only with the rules. */
  readonly compareReceipts?: (kept: Pick<KeptMatch, "receipts" | "keys">) => Promise<RulesReport>;
}

/** Whether these pages come with the rules. */
export const hasRules = RULES !== undefined;

let loading: Promise<Checker> | undefined;

/** The checker of these pages, loaded once. */
export function loadChecker(): Promise<Checker> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Checker> {
  const files = filesOfRules();
  if (files) {
    const rules = await import("@croupier/rules");
    return new ByRules(await rules.Verifier.load(files));
  }
  return new WithoutRules(await import("@croupier/client/verify"));
}

class ByRules implements Checker {
  constructor(readonly verifier: Verifier) {}

  readonly look = (look: Look): Promise<Looked> => this.verifier.look(look);
  readonly compareReceipts = ({ receipts, keys }: Pick<KeptMatch, "receipts" | "keys">): Promise<RulesReport> =>
    this.verifier.verifyReceipts({ receipts, keys });

  async check(record: Blob, kept: KeptMatch | undefined, isAnswer: boolean, onProgress: OnProgress): Promise<Checked> {
    const { match, seedCommitment, receipts, keys, logKey, opening, closing } = kept ?? {};
    const contributions = kept?.contributions?.map(({ seat, hex }) => ({ seat, bytes: unhex(hex) }));
    const first = opening?.cameFirst ? [opening.proof] : [];
    const later = [...(opening && !opening.cameFirst ? [opening.proof] : []), ...(closing ? [closing] : [])];
    const log = { logKey, firstProofs: first, proofs: later };
    const known = { match: isAnswer ? match : undefined, seedCommitment, contributions, receipts, keys, ...log };
    const report: RulesReport = await this.verifier.verifyRecord(record, known, { onProgress }).catch((error: unknown) => {
      // The rules themselves may have failed: the next check loads them anew.
      loading = undefined;
      this.verifier.close();
      throw error;
    });
    return {
      answer: report.answer,
      byRules: true,
      matches: report.matches,
      entries: report.entries,
      choices: report.choices,
      shared: report.shared,
      sharedUnordered: report.shared_unordered,
      serviceOnly: report.service_only,
      playersProven: report.players_proven,
      playersErased: report.players_erased,
      playersNotCovered: report.players_not_covered,
      anchored: report.anchored,
      log: report.log,
      findings: report.answer === "WRONG" ? report.wrong : report.unproven,
      kept,
    };
  }
}

/** The verifier without the rules, for pages that come without them. */
class WithoutRules implements Checker {
  constructor(readonly client: typeof import("@croupier/client/verify")) {}

  async check(record: Blob, kept: KeptMatch | undefined, isAnswer: boolean): Promise<Checked> {
    const { verify, readReceipt, Wrong } = this.client;
    const { match, seedCommitment, receipts = [], keys = { keys: [] } } = kept ?? {};
    const contributions = kept?.contributions?.map(({ seat, hex }) => ({ seat, bytes: unhex(hex) }));
    const refused: Finding[] = [];
    const signed = receipts.flatMap((jws) => {
      try {
        return [readReceipt(jws, keys)];
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        refused.push({ code: error.code, reason: error.message });
        return [];
      }
    });
    const known = { match: isAnswer ? match : undefined, seedCommitment, contributions, receipts: signed };
    const report: DealReport = verify(new Uint8Array(await record.arrayBuffer()), known);
    const sum = (count: (of: DealReport["matches"][number]) => number) => report.matches.reduce((all, it) => all + count(it), 0);
    const wrong = [...report.wrong, ...refused];
    return {
      answer: wrong.length > 0 ? "WRONG" : report.answer,
      byRules: false,
      matches: report.matches.length,
      entries: sum((it) => it.entries),
      choices: sum((it) => it.choices),
      shared: sum((it) => Number(it.entropy === "SHARED")),
      sharedUnordered: sum((it) => Number(it.entropy === "SHARED_ORDER_NOT_PROVEN")),
      serviceOnly: sum((it) => Number(it.entropy === "SERVICE_ONLY")),
      playersProven: sum((it) => it.players.proven),
      playersErased: sum((it) => it.players.erased),
      playersNotCovered: sum((it) => it.players.notCovered),
      anchored: sum((it) => Number(it.isAnchored)),
      log: undefined,
      findings: wrong.length > 0 ? wrong : report.unproven,
      kept,
    };
  }
}

function unhex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
