import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListRatingChangesRequestSchema,
  Player,
  RatingChange,
  WatchPlayerResponse,
} from "./gen/croupier/v1/players_pb.js";
import type {
  CreateSeekRequestSchema,
  ListSeeksRequestSchema,
  Seek,
} from "./gen/croupier/v1/seeks_pb.js";
import type { CreatePlayerTokenResponse } from "./gen/croupier/v1/tokens_pb.js";
import { present, sent, type CallOptions, type DeleteOptions } from "./calls.js";
import { seconds } from "./durations.js";
import { named, newRequestId, type Init } from "./names.js";
import { paged, type Pages } from "./pages.js";
import type { Rpc } from "./rpc.js";
import { fromCursor, type CursorOptions } from "./streams.js";

/** A pool of ratings: a game, by a short name such as `mountebank`, its seats and its clocks. */
export type RatingPool = Init<
  MessageInitShape<typeof ListRatingChangesRequestSchema>,
  "parent" | "pageToken"
>;

/** A player of a platform, by the platform's id. Creating a handle makes no call. */
export class PlayerHandle {
  /** Made by {@link Croupier.player}. */
  constructor(
    private readonly rpc: Rpc,
    /** The player, as `players/{player}`. */
    readonly name: string,
  ) {}

  /** The player's results in each game and against others. */
  async get(options: CallOptions & { consistencyToken?: string } = {}): Promise<Player> {
    const { consistencyToken = "" } = options;
    const request = { name: this.name, consistencyToken };
    return present(await this.rpc.players.getPlayer(request, sent(options)), "player");
  }

  /** Lists how the player's rating in a pool came about, newest match first. */
  ratingChanges(
    pool: RatingPool,
    options: CallOptions = {},
  ): Pages<RatingChange> {
    const game = named("games", pool.game ?? "");
    const list = (pageToken: string) =>
      this.rpc.players.listRatingChanges({ ...pool, game, parent: this.name, pageToken }, options);
    return paged(list, (page) => page.ratingChanges);
  }

  /**
   * The endless stream of the player's matches: entries as the player's seat sees them, and notices
   * about them. Every message has the cursor from which to resume. A message with `wentBack` tells
   * which of the received entries are void, as in {@link Streams.entries}.
   */
  watch(options: CursorOptions = {}): AsyncGenerator<WatchPlayerResponse, void, undefined> {
    return fromCursor(options, (start, call) =>
      this.rpc.players.watchPlayer({ ...start, name: this.name }, call),
    );
  }

  /** Mints a token for the player, over all the player's matches. */
  createToken(
    token: { lifetimeS?: number } = {},
    options: CallOptions = {},
  ): Promise<CreatePlayerTokenResponse> {
    const { lifetimeS } = token;
    const lifetime = lifetimeS === undefined ? {} : { lifetime: seconds(lifetimeS) };
    const request = { parent: this.name, ...lifetime };
    return this.rpc.tokens.createPlayerToken(request, sent(options));
  }

  /** Revokes all tokens minted so far for the player. */
  async revokeTokens(options: CallOptions = {}): Promise<void> {
    await this.rpc.tokens.revokePlayerTokens({ parent: this.name }, sent(options));
  }

  /** Erases the player permanently, in all matches; false if there was nothing to erase. */
  async erase(options: CallOptions = {}): Promise<boolean> {
    return (await this.rpc.players.erasePlayer({ name: this.name }, sent(options))).erased;
  }
}

/** A player who looks for a match; the game may be a short name such as `mountebank`. */
export type SeekInit = Init<MessageInitShape<typeof CreateSeekRequestSchema>>;
/** Filters of seeks. */
export type SeekFilter = Init<MessageInitShape<typeof ListSeeksRequestSchema>, "pageToken">;

/** Players who look for a match together. */
export class Seeks {
  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /** Creates a seek once: a missing request id is generated. */
  async create(seek: SeekInit, options: CallOptions = {}): Promise<Seek> {
    const game = seek.game && named("games", seek.game);
    const request = { requestId: newRequestId(), ...seek, ...(game && { game }) };
    return present(await this.rpc.seeks.createSeek(request, sent(options)), "seek");
  }

  /** A seek, with its match once the player is seated. */
  async get(name: string, options: CallOptions = {}): Promise<Seek> {
    const request = { name: named("seeks", name) };
    return present(await this.rpc.seeks.getSeek(request, sent(options)), "seek");
  }

  /** Lists the open seeks, oldest first. */
  list(filter: SeekFilter = {}, options: CallOptions = {}): Pages<Seek> {
    const game = filter.game ? { game: named("games", filter.game) } : {};
    const list = (pageToken: string) =>
      this.rpc.seeks.listSeeks({ ...filter, ...game, pageToken }, sent(options));
    return paged(list, (page) => page.seeks);
  }

  /** Deletes a seek: the player will not be seated for it. */
  async delete(name: string, options: DeleteOptions = {}): Promise<void> {
    const { allowMissing = false } = options;
    const request = { name: named("seeks", name), allowMissing };
    await this.rpc.seeks.deleteSeek(request, sent(options));
  }
}
