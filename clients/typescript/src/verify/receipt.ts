/** Receipts: signed statements of the service about entries. */

import {
  field,
  isObject,
  parse,
  quoted,
  require,
  textOf,
  unbase64url,
  unhex,
  utf8,
  Wrong,
} from "./bytes.js";
import { matchId, micros } from "./digests.js";
import { isSigned } from "./ed25519.js";

/** The statement of a receipt. */
export interface ReceiptStatement {
  /** The match, as `matches/{match}`. */
  readonly match: string;
  /** The position of the entry. */
  readonly position: number;
  /** Its digest, in hexadecimal. */
  readonly digest: string;
  /** When it was accepted, as in the record. */
  readonly createTime: string;
  /** The term in which it was signed; absent in receipts of the first builds. */
  readonly term?: number | undefined;
}

/** The public keys of a service, as at `/.well-known/jwks.json`. */
export interface KeySet {
  /** The keys, each as a JSON Web Key. */
  readonly keys: readonly unknown[];
}

/**
 * The statement of a receipt, from `Receipt.jws`. Throws a {@link Wrong} unless one of the keys
 * signed it.
 */
export function readReceipt(jws: string, keys: KeySet): ReceiptStatement {
  try {
    return signedStatement(jws, keys);
  } catch (error) {
    throw error instanceof Wrong ? new Wrong(error.message, "RECEIPT_INVALID") : error;
  }
}

function signedStatement(jws: string, keys: KeySet): ReceiptStatement {
  const parts = jws.trim().split(".");
  require(parts.length === 3, "it is not a JSON Web Signature in compact form");
  const [head = "", payload = "", signature = ""] = parts;
  const header = parse(textOf(unbase64url(head)));
  const stated = parse(textOf(unbase64url(payload)));
  const isReceipt =
    field(header, "alg", "string") === "EdDSA" &&
    field(header, "typ", "string") === "croupier-receipt+jwt";
  require(isReceipt, "it is not a receipt");
  const id = field(header, "kid", "string");
  const key = keys.keys.find((it) => isObject(it) && it.kid === id);
  const isKnown = isObject(key) && key.kty === "OKP" && key.crv === "Ed25519";
  require(isKnown, `its key ${quoted(id)} is not among the keys`);
  const signed = utf8(`${head}.${payload}`);
  const isRight = isSigned(unbase64url(field(key, "x", "string")), signed, unbase64url(signature));
  require(isRight, "its signature is wrong");
  const term = isObject(stated) ? stated.term : undefined;
  require(term == null || Number.isSafeInteger(term), "its term is not a whole number");
  const statement = {
    match: field(stated, "match", "string"),
    position: field(stated, "position", "number"),
    digest: field(stated, "digest", "string"),
    createTime: field(stated, "create_time", "string"),
    ...(typeof term === "number" && { term }),
  };
  matchId(statement.match);
  unhex(statement.digest, 32);
  micros(statement.createTime);
  return statement;
}

/**
 * The public keys of the service at a URL. Store them: a receipt is only worth as much as its key.
 */
export async function fetchKeys(url: string | URL, signal?: AbortSignal): Promise<KeySet> {
  const address = `${String(url).replace(/\/+$/, "")}/.well-known/jwks.json`;
  const answer = await fetch(address, signal ? { signal } : {});
  require(answer.ok, `${address} answers with status ${answer.status}`, "UNREADABLE");
  return parseKeys(await answer.text(), address);
}

/** The public keys of an answer. */
export function parseKeys(answer: string, address: string): KeySet {
  const keys = parse(answer);
  const set = isObject(keys) && Array.isArray(keys.keys) ? keys.keys : undefined;
  require(set, `${address} is not a set of keys`, "UNREADABLE");
  return { keys: set };
}
