// Legal actions by the rules on this device, before those of the service arrive.

import { equals, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ListLegalActionsResponseSchema, TableSchema, type Entry, type Game, type ListLegalActionsResponse, type Match, type Table } from "@croupier/client/v1";
import type { Local } from "@croupier/rules";

/** What lists actions on this device: `Local` of `@croupier/rules`. */
export type Lister = Pick<Local, "list">;

/** Which actions to list, as `ListLegalActions` takes it. */
export interface Filter {
  verb?: string;
  pieces?: string[];
  copies: boolean;
  reasons?: boolean;
  effects?: boolean;
}

/** What this device knows of a match besides its table. */
interface Known {
  readonly game: Game;
  readonly match: Match;
  readonly language: string;
  readonly isPaused: boolean;
}

/** The lists of one match. The service decides; once it lists something else, nothing more is listed here. */
export class ListsHere {
  #isTrusted = true;

  constructor(private readonly lister: Lister) {}

  /** The legal actions of the seat that sees the table; `undefined` if they are not known here. */
  async list(table: Table, known: Known, filter: Filter): Promise<ListLegalActionsResponse | undefined> {
    const { game, match, language, isPaused } = known;
    const names = match.seats.map(({ displayName, player }) => displayName || player);
    // Other rules have other lists, and texts name the players.
    const isKnown = this.#isTrusted && match.module === "" && game.module === "" && names.every((it) => it !== "");
    if (!isKnown) return undefined;
    const listing = { game: game.name, rulesVersion: game.rulesVersion, language, names, isPaused, ...filter };
    try {
      const listed = await this.lister.list(listing, toBinary(TableSchema, table));
      if (!listed) this.#isTrusted = false;
      return this.#isTrusted && listed ? fromBinary(ListLegalActionsResponseSchema, listed) : undefined;
    } catch (error) {
      this.#isTrusted = false;
      console.warn("croupier-table: this device cannot list actions:", error);
      return undefined;
    }
  }

  /** Whether the service lists the same. If not, the console is told. */
  agrees(here: ListLegalActionsResponse, service: ListLegalActionsResponse): boolean {
    const isSame = equals(ListLegalActionsResponseSchema, here, service);
    if (isSame) return true;
    this.#isTrusted = false;
    console.warn(`croupier-table: at ${service.position}, the service lists other actions than this device`, { service, here });
    return false;
  }
}

/** Whether the match is paused after an entry. */
export function pausedBy({ events }: Entry, before: boolean): boolean {
  return events.reduce((is, { kind }) => (kind.case === "paused" ? true : kind.case === "resumed" ? false : is), before);
}

/** Whether an entry gave a seat to another player, whose name only the match has. */
export function renames({ events }: Entry): boolean {
  return events.some(({ kind }) => kind.case === "replaced");
}
