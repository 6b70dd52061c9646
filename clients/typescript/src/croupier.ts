import type { MessageInitShape } from "@bufbuild/protobuf";
import { Games } from "./games.js";
import { History } from "./history.js";
import type {
  AcceptInvitationRequestSchema,
  AcceptInvitationResponse,
  GetInvitationResponse,
} from "./gen/croupier/v1/invitations_pb.js";
import type {
  CommitSeedResponse,
  CreateMatchRequestSchema,
  ListMatchesRequestSchema,
  ListOpenMatchesRequestSchema,
  Match,
} from "./gen/croupier/v1/matches_pb.js";
import { present, sent, type CallOptions } from "./calls.js";
import { MatchHandle, type Seating } from "./match.js";
import { named, newRequestId, type Init } from "./names.js";
import { paged, type Pages } from "./pages.js";
import { PlayerHandle, Seeks } from "./players.js";
import { createRpc, type Rpc } from "./rpc.js";
import { Streams } from "./streams.js";
import { createTransport, readPage, type ConnectOptions } from "./transport.js";

/** A match to create; the game may be a short name such as `mountebank`. */
export type CreateMatchInit = Init<MessageInitShape<typeof CreateMatchRequestSchema>>;
/** A guest who accepts an invitation. */
export type GuestInit = Init<MessageInitShape<typeof AcceptInvitationRequestSchema>>;
/** Filters of matches, combined with AND. */
export type MatchFilter = Init<MessageInitShape<typeof ListMatchesRequestSchema>, "pageToken">;
/** Filters of open matches. */
export type OpenMatchFilter = Init<
  MessageInitShape<typeof ListOpenMatchesRequestSchema>,
  "pageToken"
>;

/** A connection to a service, for one platform, player, seat or spectator. */
export class Croupier {
  /** The plain typed clients of every service. */
  readonly rpc: Rpc;
  /** The games that can be played. */
  readonly games: Games;
  /** Creates and lists matches. */
  readonly matches: Matches;
  /** Search and standings. */
  readonly history: History;
  /** Players who look for a match. */
  readonly seeks: Seeks;
  /** The stream of all matches, and subscriptions. */
  readonly streams: Streams;
  readonly #options: ConnectOptions;

  private constructor(
    /** The address of the service. */
    readonly url: string,
    options: ConnectOptions,
  ) {
    this.#options = options;
    this.rpc = createRpc(createTransport(url, options));
    this.games = new Games(this.rpc);
    this.matches = new Matches(this.rpc);
    this.history = new History(this.rpc);
    this.seeks = new Seeks(this.rpc);
    this.streams = new Streams(this.rpc);
  }

  /** Makes a client of the service at a URL. It connects with its first call. */
  static connect(url: string | URL, options: ConnectOptions = {}): Croupier {
    return new Croupier(String(url).replace(/\/+$/, ""), options);
  }

  /** A handle of a match, for a seat or a viewer. Makes no call. */
  match(name: string, seating: Seating = {}): MatchHandle {
    return new MatchHandle(this.rpc, this.games, named("matches", name), seating);
  }

  /** A handle of a player, by the platform's id. Makes no call. */
  player(name: string): PlayerHandle {
    return new PlayerHandle(this.rpc, named("players", name));
  }

  /**
   * A page of the service as text, by its path, such as `/log/checkpoint`; `undefined` if there is
   * none. Needs no credentials.
   */
  page(
    path: string,
    options: Pick<CallOptions, "signal"> = {},
  ): Promise<string | undefined> {
    return readPage(`${this.url}${path}`, this.#options, options.signal);
  }

  /** What the invitation invites to that are the credentials of this client. */
  invitation(options: CallOptions = {}): Promise<GetInvitationResponse> {
    return this.rpc.invitations.getInvitation({}, sent(options));
  }

  /**
   * Takes a seat by the invitation that are the credentials of this client. With the same
   * `guestKey`, the call returns the guest's seat again.
   */
  acceptInvitation(guest: GuestInit, options: CallOptions = {}): Promise<AcceptInvitationResponse> {
    return this.rpc.invitations.acceptInvitation(guest, sent(options));
  }
}

/** The matches of a platform, or those of a player's token. */
export class Matches {
  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /** Creates a match once: a missing request id is generated, so that retries are safe. */
  async create(match: CreateMatchInit, options: CallOptions = {}): Promise<Match> {
    const answer = await this.rpc.matches.createMatch(identified(match), sent(options));
    return present(answer, "match");
  }

  /**
   * Creates up to 500 matches, such as a round of a tournament: all of them or none. Returns them in
   * the same order. Missing request ids are generated, so that retries are safe.
   */
  async batchCreate(
    matches: readonly CreateMatchInit[],
    options: CallOptions = {},
  ): Promise<Match[]> {
    const request = { requests: matches.map(identified) };
    return (await this.rpc.matches.batchCreateMatches(request, sent(options))).matches;
  }

  /**
   * The commitment to the seed of a match before it is created: create it with this `requestId` and
   * this `seedCommitment`.
   */
  commitSeed(requestId: string, options: CallOptions = {}): Promise<CommitSeedResponse> {
    return this.rpc.matches.commitSeed({ requestId }, sent(options));
  }

  /** Lists matches, newest first. Filters are combined with AND. */
  list(
    filter: MatchFilter = {},
    options: CallOptions = {},
  ): Pages<Match> {
    const game = filter.game ? { game: named("games", filter.game) } : {};
    const list = (pageToken: string) =>
      this.rpc.matches.listMatches({ ...filter, ...game, pageToken }, sent(options));
    return paged(list, (page) => page.matches);
  }

  /** Lists the matches of the lobby, newest first. */
  listOpen(
    filter: OpenMatchFilter = {},
    options: CallOptions = {},
  ): Pages<Match> {
    const game = filter.game ? { game: named("games", filter.game) } : {};
    const list = (pageToken: string) =>
      this.rpc.matches.listOpenMatches({ ...filter, ...game, pageToken }, sent(options));
    return paged(list, (page) => page.matches);
  }
}

/** The request of a match, with a request id and the full name of its game. */
function identified(match: CreateMatchInit): CreateMatchInit {
  const game = match.game && named("games", match.game);
  return { requestId: newRequestId(), ...match, ...(game && { game }) };
}
