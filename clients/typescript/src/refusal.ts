import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

export { Code };

/** The parts of a {@link Refusal}. */
export interface RefusalInit {
  /** The status code. */
  code: Code;
  /** The message. */
  message: string;
  /** One of `Reason` without its prefix, or a reason of the game. */
  reason?: string;
  /** `croupier`, or the game whose rules refuse, as `games/{game}`. */
  domain?: string;
  /** The facts behind the refusal. */
  facts?: Readonly<Record<string, string>>;
  /** The field of the request that is wrong. */
  field?: string | undefined;
  /** How long to wait before the next attempt. */
  retryAfterMs?: number | undefined;
  /** The error behind the refusal. */
  cause?: unknown;
}

/** Reasons that guarantee that a call had no effect, although its code alone would not. */
const NOTHING_DONE = new Set([
  "OVERLOADED",
  "DATABASE_UNAVAILABLE",
  "RATE_LIMIT_EXCEEDED",
  "TOO_MANY_INVALID_CREDENTIALS",
  "PROJECTION_BEHIND",
]);

/** Codes after which the call may have had its effect. */
const UNKNOWN_OUTCOMES = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
]);

/** A detail of an error: a message, by its name and in binary. */
export interface Detail {
  type: string;
  value: Uint8Array;
}

/**
 * The one error of every call: the service refused, or could not be reached.
 *
 * `docs/errors.md` of the service lists every reason, with the client's next step.
 */
export class Refusal extends Error {
  /** The status code. */
  readonly code: Code;
  /**
   * The reason: one of `Reason` without its prefix, such as `POSITION_MOVED`, or one of the game,
   * such as `NOT_IN_HAND`. Empty if the answer did not come from the service, for example because
   * it cannot be reached.
   */
  readonly reason: string;
  /** The domain of the reason: `croupier`, or the game whose rules refused, as `games/{game}`. */
  readonly domain: string;
  /** The facts behind the refusal, such as the current `position`. */
  readonly facts: Readonly<Record<string, string>>;
  /** The invalid field of the request, spelled as in the contract, if any. */
  readonly field: string | undefined;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  /** Creates a refusal; calls use {@link Refusal.from}. */
  constructor(init: RefusalInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "Refusal";
    this.code = init.code;
    this.reason = init.reason ?? "";
    this.domain = init.domain ?? "";
    this.facts = init.facts ?? {};
    this.field = init.field;
    this.retryAfterMs = init.retryAfterMs;
  }

  /** Converts anything that a call can throw. */
  static from(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    // `fetch` and the bodies it returns fail with a TypeError when the connection does.
    if (error instanceof TypeError) {
      const message = "the service cannot be reached";
      return new Refusal({ code: Code.Unavailable, message, cause: error });
    }
    const message = error instanceof Error ? error.message : String(error);
    return new Refusal({ code: Code.Unknown, message, cause: error });
  }

  /** @internal The refusal of an error with details. */
  static of(code: Code, message: string, details: readonly Detail[]): Refusal {
    const info = detail(details, ErrorInfoSchema);
    const delay = detail(details, RetryInfoSchema)?.retryDelay;
    const [violation] = detail(details, BadRequestSchema)?.fieldViolations ?? [];
    return new Refusal({
      code,
      message: detail(details, LocalizedMessageSchema)?.message ?? message,
      reason: info?.reason ?? "",
      domain: info?.domain ?? "",
      facts: info?.metadata ?? {},
      field: info?.metadata.field ?? violation?.field,
      retryAfterMs: delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6,
    });
  }

  /** Whether the service refused for this reason of its own, such as `MATCH_NOT_STARTED`. */
  is(reason: string): boolean {
    return this.domain === "croupier" && this.reason === reason;
  }

  /** Whether the rules of the game refused the action. Nothing was recorded. */
  get isByRules(): boolean {
    return this.domain.startsWith("games/");
  }

  /**
   * Whether the same call may succeed later. A call that changes something may be repeated only
   * with its `requestId`; this package's handles do so themselves.
   */
  get isRetryable(): boolean {
    if (this.code === Code.Unavailable || this.code === Code.DeadlineExceeded) return true;
    return this.retryAfterMs !== undefined || this.is("DATABASE_FULL") || this.is("SLOW_CONSUMER");
  }

  /** Whether the call may have had its effect. */
  get outcomeUnknown(): boolean {
    if (NOTHING_DONE.has(this.reason)) return false;
    return UNKNOWN_OUTCOMES.has(this.code) || this.is("DATABASE_FULL");
  }
}

function detail<D extends DescMessage>(
  details: readonly Detail[],
  desc: D,
): MessageShape<D> | undefined {
  const found = details.find(({ type }) => type === desc.typeName);
  return found && fromBinary(desc, found.value);
}
