/**
 * Keeping what a service signed about matches while they are played: the last receipt of each, the
 * proofs that its transparency log has them, and the newest checkpoint of that log. What is told
 * later is compared with it.
 *
 * @packageDocumentation
 */
import type { Croupier } from "./croupier.js";
import type { Match } from "./gen/croupier/v1/matches_pb.js";
import { pause } from "./backoff.js";
import { Wrong } from "./verify/bytes.js";
import { look, neededConsistency } from "./verify/look.js";
import { follow, signedCheckpoint, verifierKey } from "./verify/notes.js";
import { isUnproven, type Finding } from "./verify/outcome.js";
import { parseKeys, readReceipt, type KeySet, type ReceiptStatement } from "./verify/receipt.js";
import { verifyReceipts } from "./verify/record.js";

export type { Answer, Code, Finding, UnprovenCode, WrongCode } from "./verify/outcome.js";
export type { ReceiptStatement } from "./verify/receipt.js";

/** How often a proof is asked for that is not there yet. */
const PROOF_PAUSE_MS = 250;

const KEYS = "/.well-known/jwks.json";

/** The name under which what was kept of the log is stored. */
const LOG = "log";

/** Where a {@link Keeper} stores texts by name: that of each match, and `log`. Each is JSON. */
export interface Store {
  /** The text that was put under the name last; `undefined` or `null` if none was. */
  get(name: string): Promise<string | null | undefined> | string | null | undefined;
  /** Stores a text under the name. */
  put(name: string, text: string): Promise<unknown> | unknown;
}

/** What was kept of the log of a service. */
export interface KeptLog {
  /** Its verifier key; empty before the service named one. */
  readonly logKey: string;
  /** Its newest checkpoint, a signed note; empty before the first. */
  readonly checkpoint: string;
}

/** What was kept of a match. */
export interface KeptMatch {
  /** The last receipt, as it was signed; empty before the first. */
  readonly receipt: string;
  /** The proof that the log has its opening, a file for `croupier verify --log`. */
  readonly openedProof: string;
  /** The proof that the log has its end. */
  readonly closedProof: string;
  /**
   * Whether the proof of the opening was there when {@link Keeper.awaitOpening} returned, which is
   * called before contributing to the chance of the match.
   */
  readonly cameFirst: boolean;
}

/** That the service contradicts itself, or a match. */
export interface Complaint {
  /** What it is. */
  readonly finding: Finding;
  /** What the service signed and cannot have signed honestly, for anyone to verify. */
  readonly evidence: readonly string[];
}

/** How a {@link Keeper} keeps. */
export interface KeeperOptions {
  /**
   * The verifier key of the log. Without it, the key that the service names first is believed, and
   * kept.
   */
  logKey?: string | undefined;
  /** Where it stores; in memory, until the keeper is gone, if absent. One service a store. */
  store?: Store | undefined;
}

/** Keeps what one service signed. */
export class Keeper {
  readonly #croupier: Croupier;
  readonly #logKey: string;
  readonly #store: Store;
  #turn: Promise<unknown> = Promise.resolve();

  /** A keeper for what this client sees. */
  constructor(croupier: Croupier, options: KeeperOptions = {}) {
    this.#croupier = croupier;
    this.#logKey = options.logKey ?? "";
    this.#store = options.store ?? new Memory();
  }

  /** What was kept of the log. */
  async log(): Promise<KeptLog> {
    const none = { logKey: this.#logKey, checkpoint: "" };
    return { ...none, ...(await this.#stored(LOG)) };
  }

  /** What was kept of a match, by its name. */
  async match(name: string): Promise<KeptMatch> {
    const none = { receipt: "", openedProof: "", closedProof: "", cameFirst: false };
    return { ...none, ...(await this.#stored(name)) };
  }

  /**
   * Waits until the log has the opening of a match, and keeps the proof. Call it before contributing
   * to the chance of the match: the order is proven to whoever has the proof from before. Returns at
   * once if the service has no log, and after `waitMs` at the latest.
   */
  async awaitOpening(its: Match, waitMs: number): Promise<Complaint[]> {
    const deadline = Date.now() + waitMs;
    const path = `/log/proof/opened/${its.name.replace("matches/", "")}`;
    while ((await this.#knownLog()).logKey !== "") {
      const proof = await this.#croupier.page(path);
      if (proof !== undefined) return this.#alone(() => this.#keepOpening(its, proof));
      if (Date.now() >= deadline) break;
      await pause(PROOF_PAUSE_MS);
    }
    return [];
  }

  /**
   * Gets a receipt for the last entry of a match, with the proofs of the log, compares them with
   * what was kept, and keeps them. A match that is not dealt yet has no receipt.
   */
  async look(its: Match): Promise<Complaint[]> {
    if (its.position === 0) return [];
    const receipt = await this.#croupier.match(its.name).receipt(its.position);
    const keys = parseKeys((await this.#croupier.page(KEYS)) ?? "{}", KEYS);
    return this.#alone(async () => {
      const kept = await this.match(its.name);
      const complaints = compareReceipts(keys, its.name, kept.receipt, receipt.jws);
      if ((await this.#knownLog()).logKey !== "") {
        for (const proof of [receipt.openedProof, receipt.closedProof]) {
          if (proof !== "") complaints.push(...(await this.#compareProof(its, proof)));
        }
      }
      if (complaints.length > 0) return complaints;
      await this.#put(its.name, {
        ...kept,
        receipt: receipt.jws,
        // The proof from before a contribution is worth more than a later one.
        openedProof: kept.cameFirst ? kept.openedProof : receipt.openedProof,
        closedProof: receipt.closedProof,
      });
      return complaints;
    });
  }

  /** Runs these one after the other: each is compared with what the one before kept. */
  #alone<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #keepOpening(its: Match, openedProof: string): Promise<Complaint[]> {
    const complaints = await this.#compareProof(its, openedProof);
    const kept = await this.match(its.name);
    if (complaints.length === 0 && !kept.cameFirst) {
      await this.#put(its.name, { ...kept, openedProof, cameFirst: true });
    }
    return complaints;
  }

  /** What is kept of the log; its key is empty if the service has none. */
  async #knownLog(): Promise<KeptLog> {
    const kept = await this.log();
    if (kept.logKey !== "") return kept;
    const named = { ...kept, logKey: ((await this.#croupier.page("/log/key")) ?? "").trim() };
    if (named.logKey !== "") await this.#put(LOG, named);
    return named;
  }

  async #compareProof(its: Match, told: string): Promise<Complaint[]> {
    const complaints = await this.#follow();
    const { logKey, checkpoint } = await this.log();
    const { name, seats, seedCommitment } = its;
    const match = { name, seats: seats.length, seedCommitment };
    const asked = { logKey, told, checkpoint: checkpoint === "" ? undefined : checkpoint, match };
    const needed = neededConsistency(asked);
    const page = needed && (await this.#croupier.page(`/log/consistency/${needed.join("/")}`));
    const looked = look({ ...asked, consistency: page });
    await this.#put(LOG, { logKey, checkpoint: looked.checkpoint ?? "" });
    // That the service shows no proof, such as under load, is no contradiction.
    const found = looked.findings.filter((it) => !isUnproven(it.code));
    const { evidence } = looked;
    return [...complaints, ...found.map((finding) => ({ finding, evidence }))];
  }

  /** Follows the log to the one that is served now, if their keys say so. */
  async #follow(): Promise<Complaint[]> {
    const kept = await this.log();
    const served = ((await this.#croupier.page("/log/key")) ?? "").trim();
    if (served === "" || served === kept.logKey) return [];
    const key = verifierKey(kept.logKey);
    const followed = follow(key, (await this.#croupier.page("/log/successions")) ?? "");
    const end = followed[0];
    if (!end || !followed.some((it) => it.next === served)) return [];
    await this.#put(LOG, { logKey: served, checkpoint: "" });
    const seen = kept.checkpoint === "" ? undefined : signedCheckpoint(kept.checkpoint, key);
    const isOther =
      seen &&
      (seen.size > end.last.size || (seen.size === end.last.size && seen.root !== end.last.root));
    if (!isOther) return [];
    const reason = "the log ended otherwise than it was seen";
    const finding: Finding = { code: "LOG_CONTRADICTS", reason, match: "" };
    return [{ finding, evidence: [kept.checkpoint, end.note] }];
  }

  async #stored(name: string): Promise<object> {
    const text = await this.#store.get(name);
    return text ? JSON.parse(text) : {};
  }

  async #put(name: string, kept: KeptLog | KeptMatch): Promise<void> {
    await this.#store.put(name, JSON.stringify(kept));
  }
}

class Memory implements Store {
  readonly #texts = new Map<string, string>();

  get(name: string): string | undefined {
    return this.#texts.get(name);
  }

  put(name: string, text: string): void {
    this.#texts.set(name, text);
  }
}

function compareReceipts(keys: KeySet, match: string, kept: string, told: string): Complaint[] {
  const evidence = kept === "" ? [told] : [kept, told];
  const receipts: ReceiptStatement[] = [];
  const found: Finding[] = [];
  for (const jws of evidence) {
    try {
      receipts.push(readReceipt(jws, keys));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      found.push({ code: error.code, reason: error.message, match });
    }
  }
  const { wrong, unproven } = verifyReceipts(receipts);
  return [...found, ...wrong, ...unproven].map((finding) => ({ finding, evidence }));
}
