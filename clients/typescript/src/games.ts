import type { Game } from "./gen/croupier/v1/games_pb.js";
import { named, paged } from "./names.js";
import { present, type CallOptions } from "./match.js";
import type { Rpc } from "./rpc.js";

/** The games that can be played. A client reads each once. */
export class Games {
  readonly #known = new Map<string, Promise<Game>>();

  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /** All games, without their layouts. */
  async list(options: CallOptions = {}): Promise<Game[]> {
    const games: Game[] = [];
    const list = (pageToken: string) => this.rpc.games.listGames({ pageToken }, options);
    for await (const game of paged(list, (page) => page.games)) games.push(game);
    return games;
  }

  /**
   * A game with its layout; `refresh` reads it again, for example after an upgrade of the service.
   */
  get(name: string, { refresh = false } = {}): Promise<Game> {
    const full = named("games", name);
    const known = refresh ? undefined : this.#known.get(full);
    if (known) return known;
    const asked = this.rpc.games.getGame({ name: full }).then((it) => present(it, "game"));
    this.#known.set(full, asked);
    asked.catch(() => this.#known.delete(full));
    return asked;
  }
}
