// Matches on this device: played by the rules that come with these pages, and kept in this browser.

import { Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";
import type { Local } from "@croupier/rules";
import { filesOfRules } from "./home.js";
import { readStored, removeStored, writeStored, type Stored } from "./stored.js";

/** Whether these pages come with the rules. */
export const hasRules = RULES !== undefined;

/** The rules on this device, and the matches that they hold. */
export interface Device {
  readonly local: Local;
  /** A client of this device, in a language. */
  croupier(language: string): Croupier;
  /** The client's match, taken up from what this browser kept if it is not in memory. */
  open(name: string, language: string): Promise<Match>;
  /** Deals a match to the player and bots of a level. Returns its name. */
  deal(game: string, seats: number, level: string, player: string, language: string): Promise<string>;
}

let loading: Promise<Device> | undefined;

/** The device, loaded once. */
export function loadDevice(): Promise<Device> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Whether the browser asks to save traffic. */
export function isTrafficDear(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

/** When the rules are loaded for tables of the service, after somebody was asked at one. */
const LOAD_AFTER_MS = 3_000;

let loadingForTables: Promise<Local | undefined> | undefined;

/** The rules for tables of the service, where they save a round trip; a megabyte, so not at once. */
export function rulesForTables(): Promise<Local | undefined> {
  loadingForTables ??= new Promise((resolve) => {
    if (!hasRules || isTrafficDear()) return resolve(undefined);
    const load = () => loadDevice().then(({ local }) => resolve(local), () => resolve(undefined));
    setTimeout(() => void load(), LOAD_AFTER_MS);
  });
  return loadingForTables;
}

async function load(): Promise<Device> {
  const { Local } = await import("@croupier/rules");
  const local = await Local.load(filesOfRules());
  const clients = new Map<string, Croupier>();
  const held = new Map<string, string>();
  const croupier = (language: string): Croupier => {
    const known = clients.get(language) ?? Croupier.connect(local.url, { fetch: local.fetch, language });
    clients.set(language, known);
    return known;
  };

  const keep = async (name: string): Promise<void> => {
    const match = await croupier(held.get(name) ?? "en").match(name).get();
    const { game, seats, state, winners } = match;
    const names = seats.map(({ displayName }) => displayName);
    const record = await local.record(name);
    const hasEnded = state === MatchState.ENDED;
    await writeStored({ name, game, names, hasEnded, winners: [...winners], time: Date.now(), record });
  };

  // One after the other, and what was recorded meanwhile at once.
  const due = new Set<string>();
  let isKeeping = false;
  const keepAll = async (): Promise<void> => {
    if (isKeeping) return;
    isKeeping = true;
    try {
      for (const name of due) {
        due.delete(name);
        await keep(name);
      }
    } catch (error) {
      console.warn("croupier: a match on this device is not kept:", error);
    } finally {
      isKeeping = false;
    }
  };
  local.onEntry((name) => {
    for (const it of name ? [name] : held.keys()) due.add(it);
    void keepAll();
  });

  return {
    local,
    croupier,
    async open(name, language) {
      if (!held.has(name)) {
        const stored = await readStored(name);
        if (stored) await local.takeUp(stored.record);
      }
      held.set(name, language);
      return croupier(language).match(name).get();
    },
    async deal(game, seats, level, player, language) {
      const bots = Array.from({ length: seats - 1 }, (_, nth) => ({ bot: level, displayName: `Bot ${nth + 2}` }));
      const name = await local.deal({ game, seats: [{ displayName: player }, ...bots] });
      held.set(name, language);
      await keep(name);
      return name;
    },
  };
}

/** The matches that this browser keeps, the last played first. */
export async function keptMatches(): Promise<Stored[]> {
  const all = await readStored();
  return all.sort((one, other) => other.time - one.time);
}

/** Forgets a match. */
export async function forgetMatch(name: string): Promise<void> {
  await removeStored(name);
}
