/**
 * Verifies records of matches: every digest, the commitment to the seed and every random choice, as
 * `docs/verify.md` of the service defines them, but not the rules of the games. It shares no code
 * with the service.
 *
 * @packageDocumentation
 */
export { Wrong } from "./bytes.js";
export type { Contribution } from "./digests.js";
export type {
  Answer,
  Code,
  Entropy,
  Finding,
  Kept,
  RecordedContribution,
  Report,
  UnprovenCode,
  VerifiedMatch,
  WrongCode,
} from "./outcome.js";
export type { PlayerCounts } from "./players.js";
export { fetchKeys, readReceipt, type KeySet, type ReceiptStatement } from "./receipt.js";
export { verify, verifyMatch, verifyReceipts } from "./record.js";
