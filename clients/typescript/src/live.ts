import { create } from "@bufbuild/protobuf";
import { pause } from "./backoff.js";
import { emptyTable, fold, FoldError } from "./fold.js";
import type { Entry } from "./gen/croupier/v1/entries_pb.js";
import { PromptSchema, type Prompt } from "./gen/croupier/v1/events_pb.js";
import type { Game, Layout } from "./gen/croupier/v1/games_pb.js";
import { MatchState } from "./gen/croupier/v1/matches_pb.js";
import {
  PlaceContentsSchema,
  PurseSchema,
  TableSchema,
  type Table,
} from "./gen/croupier/v1/table_pb.js";
import type { Games } from "./games.js";
import type { MatchHandle } from "./match.js";
import { Refusal } from "./refusal.js";
import type { StreamOptions } from "./resume.js";

/** An entry, and the tables before and after it. */
export interface Change {
  /** The entry. */
  readonly entry: Entry;
  /** The table before it. */
  readonly before: Table;
  /** The table after it. */
  readonly table: Table;
}

/**
 * A match as a viewer sees it, kept up to date by folding its entries. Each loop over it receives
 * each entry once, in order; the first loop also receives the entries since it was opened. Loops
 * end when the match has ended or `close` is called; otherwise they throw the refusal that ended
 * the stream.
 */
export class Live implements AsyncIterable<Change> {
  /** The game, with its layout. */
  game: Game & { layout: Layout };
  /** The current table as the viewer sees it, without texts, which come with entries and views. */
  table: Table;
  /** Whether the stream is connected. */
  connected = true;
  /** How often the database lost entries that were on the table; see {@link Live.onWentBack}. */
  wentBack = 0;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(connected: boolean, refusal?: Refusal) => void>();
  readonly #wentBackListeners = new Set<(table: Table) => void>();
  readonly #loops = new Set<Loop>();
  readonly #waiting = new Set<() => void>();
  #backlog: Change[] | undefined = [];
  #end: { refusal?: unknown } | undefined;

  /** Made by {@link MatchHandle.live}. */
  constructor(
    private readonly match: MatchHandle,
    private readonly games: Games,
    game: Game,
    table: Table,
    private readonly options: StreamOptions,
  ) {
    this.game = withLayout(game);
    this.table = plain(table);
    const { signal } = options;
    if (signal?.aborted) this.close();
    signal?.addEventListener("abort", () => this.close(), { once: true });
    void this.#follow();
  }

  /** The position of the last entry that the table includes. */
  get position(): number {
    return this.table.position;
  }

  /** The prompts that can be answered now. */
  get prompts(): Prompt[] {
    const top = Math.max(0, ...this.table.prompts.map((it) => it.layer));
    return this.table.prompts.filter((it) => it.layer === top);
  }

  /** The prompt that the seat of the match's handle can answer now. */
  get prompt(): Prompt | undefined {
    return this.prompts.filter((it) => it.seat === this.match.seat).at(-1);
  }

  /** Whether the match has ended. */
  get ended(): boolean {
    return this.table.ended !== undefined;
  }

  /** Waits until the table includes a position, such as that of one's own entry. */
  async reach(position: number): Promise<Table> {
    while (this.position < position && !this.#end) {
      await new Promise<void>((wake) => this.#waiting.add(wake));
    }
    if (this.position < position && this.#end && "refusal" in this.#end) throw this.#end.refusal;
    return this.table;
  }

  /**
   * Calls the listener when the connection is lost or restored; returns a function that removes it.
   */
  onConnection(listener: (connected: boolean, refusal?: Refusal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls the listener when the database lost entries that were on the table, with the table as it
   * is now: the next change does not follow from the one before. Returns a function that removes it.
   */
  onWentBack(listener: (table: Table) => void): () => void {
    this.#wentBackListeners.add(listener);
    return () => this.#wentBackListeners.delete(listener);
  }

  /** Stops following, and ends all loops. */
  close(): void {
    this.#closing.abort();
    this.#finish({});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined> {
    const loop: Loop = { changes: this.#backlog ?? [], wake: undefined };
    this.#backlog = undefined;
    this.#loops.add(loop);
    try {
      for (;;) {
        const change = loop.changes.shift();
        if (change) yield change;
        else if (this.#end) break;
        else await new Promise<void>((wake) => (loop.wake = wake));
      }
    } finally {
      this.#loops.delete(loop);
    }
    if (this.#end && "refusal" in this.#end) throw this.#end.refusal;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    const { language } = this.options;
    const onConnection = (connected: boolean, refusal?: Refusal) => {
      this.connected = connected;
      this.options.onConnection?.(connected, refusal);
      for (const listener of this.#listeners) listener(connected, refusal);
    };
    for (;;) {
      try {
        const { position: after, digest: afterDigest } = this.table;
        const options = { ...this.options, signal, onConnection, after, afterDigest };
        for await (const entry of this.match.watch(options))
          this.#tell(entry, await this.#after(entry));
        return this.#finish({});
      } catch (error) {
        if (signal.aborted) return;
        if (!isWentBack(error)) {
          // Retention may have kept only the result of an old match, which the table shows.
          const isAll =
            error instanceof Refusal && error.is("HISTORY_NOT_KEPT") && this.table.ended;
          return this.#finish(isAll ? {} : { refusal: error });
        }
      }
      try {
        // Entries after the position to which the database went back are void, and so is this
        // table.
        await pause(1_000, signal);
        this.table = plain(await this.match.view({}, { signal, language }));
        this.wentBack += 1;
      } catch (error) {
        return this.#finish(signal.aborted ? {} : { refusal: error });
      }
      for (const listener of this.#wentBackListeners) listener(this.table);
    }
  }

  /** The table after an entry: by the fold, or from the service if this release cannot fold it. */
  async #after(entry: Entry): Promise<Table> {
    const { signal } = this.#closing;
    const { language } = this.options;
    try {
      if (this.position === 0 && this.match.viewer === "") {
        // The viewer of a token is known only once the match is dealt.
        const table = plain(await this.match.view({ position: entry.position }, { signal, language }));
        const match = { name: table.match, seats: table.scores };
        this.table = emptyTable(this.game, match, table.viewer);
        return table;
      }
      return fold(this.game.layout, this.table, entry);
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      const { name, module } = this.game;
      this.game = withLayout(await this.games.refresh(name, { language, module }));
      return plain(await this.match.view({ position: entry.position }, { signal, language }));
    }
  }

  #tell(entry: Entry, table: Table): void {
    const change = { entry, before: this.table, table };
    this.table = table;
    this.#backlog?.push(change);
    for (const loop of this.#loops) {
      loop.changes.push(change);
      loop.wake?.();
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #finish(end: { refusal?: unknown }): void {
    this.#end ??= end;
    for (const loop of this.#loops) loop.wake?.();
    this.#wake();
  }
}

interface Loop {
  changes: Change[];
  wake: (() => void) | undefined;
}

/** Loads a match and follows it. */
export async function openLive(
  match: MatchHandle,
  games: Games,
  options: StreamOptions,
): Promise<Live> {
  const { signal, language } = options;
  const state = await match.get({ signal, language });
  const game = await games.get(state.game, { language, module: state.module });
  if (state.state !== MatchState.OPEN) {
    return new Live(match, games, game, await match.view({}, { signal, language }), options);
  }
  // There are no views before the deal, so the viewer of a token is not known yet.
  const viewer = match.viewer || "spectator";
  return new Live(match, games, game, emptyTable(withLayout(game), state, viewer), options);
}

/** Whether a stream ended because the record lacks what the table shows. */
function isWentBack(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  // Entries of earlier releases have no digest, which would tell that one is gone.
  return error.is("RECORD_WENT_BACK") || error.is("POSITION_AHEAD");
}

function withLayout(game: Game): Game & { layout: Layout } {
  if (!game.layout) throw new TypeError("GetGame returned no layout");
  return game as Game & { layout: Layout };
}

/** A table like that of a fold: without texts, and without the times of prompts. */
function plain(table: Table): Table {
  const places = table.places.map((place) => {
    const purses = place.purses.map(({ coin, amount }) => create(PurseSchema, { coin, amount }));
    return Object.assign(create(PlaceContentsSchema), place, { purses });
  });
  const prompts = table.prompts.map(({ openedTime: _, deadline: __, ...prompt }) =>
    Object.assign(create(PromptSchema), prompt),
  );
  return Object.assign(create(TableSchema), table, { text: "", places, prompts });
}
