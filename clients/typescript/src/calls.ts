/** The options of every call. */
export interface CallOptions {
  /** Cancels the call and its retries. */
  signal?: AbortSignal | undefined;
  /** The language of its texts, as a BCP 47 tag such as `de`; that of the client if absent. */
  language?: string | undefined;
}

/** How something is deleted. */
export interface DeleteOptions extends CallOptions {
  /** Whether the call succeeds, without effect, if it does not exist. */
  allowMissing?: boolean | undefined;
}

/** The options of a call as connect-es takes them. */
export function sent({ signal, language }: CallOptions): {
  signal: AbortSignal | undefined;
  headers: HeadersInit;
} {
  return { signal, headers: headersOf(language) };
}

/** The headers that ask for texts in a language. */
export function headersOf(language: string | undefined): HeadersInit {
  return language === undefined ? {} : { "accept-language": language };
}

/** A required field of the contract. */
export function present<M, K extends keyof M>(message: M, field: K): NonNullable<M[K]> {
  const value = message[field];
  if (value === undefined || value === null) {
    throw new TypeError(`the answer has no ${String(field)}, which the contract requires`);
  }
  return value;
}
