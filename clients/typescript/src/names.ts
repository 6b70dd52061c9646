/** A request as a plain object, without what the client fills in. */
export type Init<T, K extends string = never> = Omit<T, K | "$typeName" | "$unknown">;

/** The resource name of a member of a collection, of which the id alone will do. */
export function named(collection: string, name: string): string {
  return name.startsWith(`${collection}/`) ? name : `${collection}/${name}`;
}

/**
 * An idempotency key: a request that is sent again with the key of an earlier one is not carried
 * out twice. It is unique, but no secret.
 */
export function newRequestId(): string {
  const bytes = new Uint8Array(16);
  // Node 18 has no global `crypto`.
  if (globalThis.crypto) globalThis.crypto.getRandomValues(bytes);
  else bytes.forEach((_, n) => (bytes[n] = Math.floor(Math.random() * 256)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** All items of a list, page by page. */
export async function* paged<Page extends { nextPageToken: string }, Item>(
  call: (pageToken: string) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let pageToken = "";
  do {
    const page = await call(pageToken);
    yield* items(page);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
