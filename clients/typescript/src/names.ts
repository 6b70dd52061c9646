/** A request as a plain object, without the fields that the client fills in. */
export type Init<T, K extends string = never> = Omit<T, K | "$typeName" | "$unknown">;

/** The resource name of a member of a collection, from the name or the id. */
export function named(collection: string, name: string): string {
  return name.startsWith(`${collection}/`) ? name : `${collection}/${name}`;
}

/**
 * An idempotency key: a repeated request with the same key is not carried out twice. It is unique
 * but not secret.
 */
export function newRequestId(): string {
  const bytes = new Uint8Array(16);
  // Node 18 has no global `crypto`.
  if (globalThis.crypto) globalThis.crypto.getRandomValues(bytes);
  else bytes.forEach((_, n) => (bytes[n] = Math.floor(Math.random() * 256)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
