// What this browser stores of the matches that it plays itself: their records, in IndexedDB.

/** A match on this device. */
export interface Stored {
  /** As `matches/{match}`. */
  readonly name: string;
  readonly game: string;
  readonly names: readonly string[];
  readonly hasEnded: boolean;
  /** Whether a service has it. */
  readonly isGiven?: boolean;
  readonly winners: readonly number[];
  /** When it was stored, in milliseconds since 1970. */
  readonly time: number;
  /** As a file of records; while the match is under way, with its seed. */
  readonly record: string;
}

const DATABASE = "croupier";
const MATCHES = "matches";

/** How many matches that have ended are kept. */
const ENDED_MAX = 20;

/** Without a database, matches last until a reload. */
const remembered = new Map<string, Stored>();

export async function readStored(): Promise<Stored[]>;
export async function readStored(name: string): Promise<Stored | undefined>;
export async function readStored(name?: string): Promise<Stored[] | Stored | undefined> {
  try {
    return await inStore("readonly", (store) => (name === undefined ? store.getAll() : store.get(name)));
  } catch {
    return name === undefined ? [...remembered.values()] : remembered.get(name);
  }
}

export async function writeStored(match: Stored): Promise<void> {
  try {
    await inStore("readwrite", (store) => store.put(match));
    if (match.hasEnded) await forgetOldest();
  } catch {
    remembered.set(match.name, match);
  }
}

export async function removeStored(name: string): Promise<void> {
  remembered.delete(name);
  await inStore("readwrite", (store) => store.delete(name)).catch(() => {});
}

async function forgetOldest(): Promise<void> {
  const ended = (await readStored()).filter((it) => it.hasEnded).sort((one, other) => other.time - one.time);
  for (const { name } of ended.slice(ENDED_MAX)) await removeStored(name);
}

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(MATCHES, { keyPath: "name" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(MATCHES, mode);
  const request = act(transaction.objectStore(MATCHES));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}
