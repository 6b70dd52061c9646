import { present, sent, type CallOptions } from "./calls.js";
import type { Game, Rules } from "./gen/croupier/v1/games_pb.js";
import { named } from "./names.js";
import { paged, type Pages } from "./pages.js";
import type { Rpc } from "./rpc.js";

/** How a game is read. */
export interface GameOptions {
  /** The language of its texts, as a BCP 47 tag such as `de`; that of the client if absent. */
  language?: string | undefined;
  /** As in `Match.module`; without it, the game that new matches get. */
  module?: string | undefined;
}

/** The games that can be played. A client reads each once. */
export class Games {
  readonly #known = new Map<string, Promise<Game>>();

  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /** All games, without their layouts. */
  list(options: CallOptions = {}): Pages<Game> {
    const list = (pageToken: string) => this.rpc.games.listGames({ pageToken }, sent(options));
    return paged(list, (page) => page.games);
  }

  /** A game with its layout, or that of a module. It is read once in each language. */
  get(name: string, options: GameOptions = {}): Promise<Game> {
    return this.#known.get(keyOf(name, options)) ?? this.refresh(name, options);
  }

  /** The same, read again, for example after an upgrade of the service. */
  refresh(name: string, options: GameOptions = {}): Promise<Game> {
    const key = keyOf(name, options);
    const { module = "" } = options;
    const asked = this.rpc.games
      .getGame({ name: named("games", name), module }, sent(options))
      .then((it) => present(it, "game"));
    this.#known.set(key, asked);
    asked.catch(() => this.#known.delete(key));
    return asked;
  }

  /** The rules of a game, as text. */
  async rules(name: string, options: CallOptions = {}): Promise<Rules> {
    const request = { name: `${named("games", name)}/rules` };
    return present(await this.rpc.games.getRules(request, sent(options)), "rules");
  }
}

function keyOf(name: string, options: GameOptions): string {
  return `${options.language ?? ""} ${named("games", name)} ${options.module ?? ""}`;
}
