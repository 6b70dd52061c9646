/** The items of a list, one by one; further pages are requested as they are needed. */
export class Pages<Item> implements AsyncIterableIterator<Item, void, undefined> {
  readonly #items: AsyncGenerator<Item, void, undefined>;

  /** Made by what lists. */
  constructor(items: AsyncGenerator<Item, void, undefined>) {
    this.#items = items;
  }

  /** The next item. */
  next(): Promise<IteratorResult<Item, void>> {
    return this.#items.next();
  }

  /** Ends the list; a loop that is left does it. */
  return(): Promise<IteratorResult<Item, void>> {
    return this.#items.return();
  }

  /** All items that are left. */
  async all(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** All items of a list, page by page. */
export function paged<Page extends { nextPageToken: string }, Item>(
  call: (pageToken: string) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): Pages<Item> {
  return new Pages(read(call, items));
}

async function* read<Page extends { nextPageToken: string }, Item>(
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
