/** What a log tells of a match, compared with what was kept of the log. */

import { require, unbase64, Wrong } from "./bytes.js";
import { micros } from "./digests.js";
import { matchHash, parseLeaf, type Leaf } from "./leaf.js";
import {
  isContinued,
  isIncluded,
  leafHash,
  parseHashes,
  signedCheckpoint,
  statedSize,
  verifierKey,
  type Signed,
  type VerifierKey,
} from "./notes.js";
import { isUnproven, short, type Answer, type Code, type Finding } from "./outcome.js";

/** What is told now, and what was kept. */
export interface Look {
  /** The verifier key of the log. */
  readonly logKey: string;
  /** What is told now: a `tlog-proof`, or a signed checkpoint. */
  readonly told: string;
  /** The last checkpoint that was kept of the log, a signed note. */
  readonly checkpoint?: string | undefined;
  /** That the larger checkpoint continues the smaller one, as at `/log/consistency/`. */
  readonly consistency?: string | undefined;
  /** The match that the proof is of. */
  readonly match?: AboutMatch | undefined;
}

/** What somebody knows of a match. What is absent is not compared. */
export interface AboutMatch {
  /** As `matches/{match}`. */
  readonly name: string;
  /** In RFC 3339. */
  readonly createTime?: string | undefined;
  /** The number of its seats. */
  readonly seats?: number | undefined;
  /** In hexadecimal. */
  readonly seedCommitment?: string | undefined;
  /** The position and the digest, in hexadecimal, of the last entry. */
  readonly end?: readonly [position: number, digest: string] | undefined;
}

/** What a look shows. */
export interface Looked {
  readonly answer: Answer;
  readonly findings: readonly Finding[];
  /** The statements that contradict each other, as they were signed. */
  readonly evidence: readonly string[];
  /** The checkpoint to keep: the newest that nothing contradicts. */
  readonly checkpoint: string | undefined;
  /** The number of its leaves. */
  readonly size: number;
  /** Where the leaf of the match is. */
  readonly index: number | undefined;
  /** When the checkpoint that was told was signed, in seconds since 1970. */
  readonly time: number | undefined;
}

const HEADER = "c2sp.org/tlog-proof@v1\n";

interface Proof {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  readonly note: string;
}

function parseProof(text: string): Proof | undefined {
  const end = text.indexOf("\n\n");
  if (!text.startsWith(HEADER) || end < 0) return undefined;
  const [extra = "", index = "", ...rest] = text.slice(HEADER.length, end).split("\n");
  const hashes = parseHashes(rest);
  const isProof = extra.startsWith("extra ") && /^index (0|[1-9]\d*)$/.test(index);
  if (!isProof || !hashes) return undefined;
  try {
    const leaf = unbase64(extra.slice(6));
    return { leaf, index: Number(index.slice(6)), hashes, note: text.slice(end + 2) };
  } catch (error) {
    if (error instanceof Wrong) return undefined;
    throw error;
  }
}

/**
 * The sizes between which {@link Look.consistency} is needed, the smaller one first; `undefined` if
 * it is not.
 */
export function neededConsistency({ told, checkpoint }: Look): [number, number] | undefined {
  const sizes = [statedSize(parseProof(told)?.note ?? told), statedSize(checkpoint ?? "")];
  const [one, two] = sizes;
  if (one === undefined || two === undefined || one === two) return undefined;
  return [Math.min(one, two), Math.max(one, two)];
}

/** Compares them. Throws a {@link Wrong} if what was kept cannot be used. */
export function look(it: Look): Looked {
  const key = verifierKey(it.logKey);
  const kept = it.checkpoint === undefined ? undefined : signedCheckpoint(it.checkpoint, key);
  const same = { checkpoint: it.checkpoint, size: kept?.size ?? 0 };
  try {
    const { signed, index } = toldBy(it, key);
    const found = { index, time: signed.time };
    const problem = kept && relation(kept, signed, it.consistency);
    if (problem) return judged({ ...same, ...found }, problem, it, [kept.note, signed.note]);
    const isNewer = !kept || isOlder(kept, signed);
    const next = isNewer ? { checkpoint: signed.note, size: signed.size } : same;
    return { answer: "PROVEN", findings: [], evidence: [], ...next, ...found };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return judged({ ...same, index: undefined, time: undefined }, error, it, [it.told]);
  }
}

/** Whether the other one is of more leaves, or as many and not signed earlier. */
function isOlder(it: Signed, other: Signed): boolean {
  if (it.size !== other.size) return it.size < other.size;
  return (it.time ?? -1) <= (other.time ?? -1);
}

function judged(
  of: Pick<Looked, "checkpoint" | "size" | "index" | "time">,
  { code, message }: Wrong,
  { match }: Look,
  evidence: readonly string[],
): Looked {
  const finding = { code, reason: short(message), match: match?.name ?? "" };
  const answer = isUnproven(code) ? "NOT_PROVEN" : "WRONG";
  return { answer, findings: [finding], evidence, ...of };
}

/** The checkpoint that is told, and where the leaf of the match is. */
function toldBy(
  { told, match }: Look,
  key: VerifierKey,
): { signed: Signed; index: number | undefined } {
  const proof = parseProof(told);
  if (!proof) return { signed: held("the checkpoint", told, key), index: undefined };
  const signed = held("the proof", proof.note, key);
  const { index, hashes } = proof;
  const isThere = isIncluded(index, signed, leafHash(proof.leaf), hashes);
  const absent = `the proof does not hold: its tree of ${signed.size} leaves lacks it at ${index}`;
  require(isThere, absent, "LOG_PROOF_INVALID");
  const leaf = parseLeaf(proof.leaf);
  require(leaf, "the leaf is of a later release", "LOG_PROOF_INVALID");
  if (match) compareLeaf(leaf, match);
  return { signed, index };
}

function held(what: string, note: string, key: VerifierKey): Signed {
  try {
    return signedCheckpoint(note, key);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    throw new Wrong(`${what} does not hold: ${error.message}`, "LOG_PROOF_INVALID");
  }
}

/** Why the checkpoints are not of one history, or are not shown to be. */
function relation(kept: Signed, told: Signed, consistency: string | undefined): Wrong | undefined {
  const [one, two] = [kept.size, told.size];
  const because = (code: Code, reason: string) => new Wrong(reason, code);
  if (one === two) {
    if (kept.root === told.root) return undefined;
    const faces = `the log signed two checkpoints of ${one} leaves with different hashes`;
    return because("LOG_CONTRADICTS", faces);
  }
  const lines = consistency?.split("\n");
  if (lines?.at(-1) === "") lines.pop();
  const proof = lines && parseHashes(lines);
  const [small, large] = one < two ? [kept, told] : [told, kept];
  if (isContinued(small, large, proof ?? [])) return undefined;
  const of = `checkpoint of ${two} leaves and the kept one of ${one} are`;
  return proof
    ? because("LOG_CONTRADICTS", `the ${of} not of one history, by the service's own proof`)
    : because("LOG_MISSING", `the service does not show that its ${of} of one history`);
}

function compareLeaf(leaf: Leaf, about: AboutMatch): void {
  const differs = (is: boolean, reason: string) => require(!is, reason, "LOG_DIFFERS");
  differs(leaf.match !== matchHash(about.name), "the leaf is of another match");
  if (leaf.kind === "opened") {
    const { createTime, seats, seedCommitment } = about;
    const isOther = createTime !== undefined && micros(createTime) !== leaf.time;
    differs(isOther, "the log has it as opened at another time");
    const hasOthers = seats !== undefined && seats !== leaf.seats;
    differs(hasOthers, "the log has it with another number of seats");
    const isCommitted = seedCommitment === undefined || seedCommitment === leaf.seedCommitment;
    differs(!isCommitted, "the log has another commitment to its seed");
  } else if (about.end) {
    const [position, digest] = about.end;
    const isSame = position === leaf.position && digest === leaf.digest;
    differs(!isSame, "the log has another end of it");
  }
}
