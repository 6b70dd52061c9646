/**
 * Verifies records of matches: every digest, the commitment to the seed and every random choice, as
 * `docs/verify.md` of the service defines them. It shares no code with the service.
 *
 * @packageDocumentation
 */
export { Wrong } from "./bytes.js";
export type { Contribution } from "./digests.js";
export { fetchKeys, readReceipt, type KeySet, type ReceiptStatement } from "./receipt.js";
export {
  verify,
  verifyMatch,
  type Failure,
  type Kept,
  type Report,
  type VerifiedMatch,
} from "./record.js";
