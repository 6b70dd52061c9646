import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ActionSchema } from "./gen/croupier/v1/actions_pb.js";
import type { Entry, Receipt } from "./gen/croupier/v1/entries_pb.js";
import type { Motion } from "./gen/croupier/v1/events_pb.js";
import type { ViewDiff } from "./gen/croupier/v1/history_pb.js";
import type { CreateInvitationResponse } from "./gen/croupier/v1/invitations_pb.js";
import type {
  AttendMatchResponse,
  ImageFormat,
  JoinMatchRequestSchema,
  JoinMatchResponse,
  ListLegalActionsResponse,
  Match,
  Rematch,
  ReplaceSeatRequestSchema,
  SuggestActionsResponse,
} from "./gen/croupier/v1/matches_pb.js";
import type { Table } from "./gen/croupier/v1/table_pb.js";
import type { CreateTokenResponse } from "./gen/croupier/v1/tokens_pb.js";
import { present, sent, type CallOptions, type DeleteOptions } from "./calls.js";
import { milliseconds, seconds } from "./durations.js";
import type { Games } from "./games.js";
import { Live, openLive } from "./live.js";
import { newRequestId, type Init } from "./names.js";
import { paged, type Pages } from "./pages.js";
import { Code, Refusal } from "./refusal.js";
import { resumed, type StreamCall, type StreamOptions } from "./resume.js";
import type { Rpc } from "./rpc.js";

/** An action, as a message or as the plain object that makes one. */
export type ActionInit = MessageInitShape<typeof ActionSchema>;

/** The seat and the viewer of a match handle. */
export interface Seating {
  /** The seat to act for; needed with an API key, implied by a seat's or a player's token. */
  seat?: number | undefined;
  /**
   * The viewer: `seats/{seat}`, `spectator` or `house`; by default that of the seat or the token.
   */
  viewer?: string | undefined;
}

/** How an action is submitted. */
export interface SubmitOptions extends CallOptions {
  /** The idempotency key; generated if absent. */
  requestId?: string | undefined;
  /** The position that the match must be at. */
  expectedPosition?: number | undefined;
  /** The prompt that the action answers, as `Prompt.openedPosition`. */
  expectedPrompt?: number | undefined;
}

/** How a vote, a resignation or a similar request is submitted. */
export interface RequestOptions extends CallOptions {
  /** The idempotency key; generated if absent. */
  requestId?: string | undefined;
  /** The position that the match must be at; any if absent. */
  expectedPosition?: number | undefined;
}

/** The start of entries. */
export interface AfterOptions {
  /** The position after which to begin; 0, the beginning, if absent. */
  after?: number | undefined;
}

/** The entries that a match still has after its record went back. */
export interface WentBack {
  /** The position of the last valid entry; what was received after it is void. */
  readonly position: number;
  /** The digest of that entry; empty at position 0. */
  readonly digest: Uint8Array;
}

/** How a match is watched. */
export interface WatchOptions extends AfterOptions, StreamOptions {
  /** The digest of the entry at `after`, if it is known. */
  afterDigest?: Uint8Array | undefined;
  /**
   * Called when the database lost entries that were received; the entries after the last valid one
   * follow. Without it, the loop throws the refusal `RECORD_WENT_BACK`, whose fact `position` is the
   * last valid one.
   */
  onWentBack?: ((wentBack: WentBack) => void) | undefined;
}

/** How a match is replayed. */
export interface ReplayOptions extends AfterOptions, StreamOptions {
  /** The position after which to end; the latest if absent. */
  until?: number | undefined;
  /** The speed as a factor of the original; 0 means without pauses. */
  speed?: number | undefined;
  /** The longest pause, in milliseconds; 5000 if absent. */
  pauseMaxMs?: number | undefined;
}

/** A player to seat. */
export type JoinInit = Init<MessageInitShape<typeof JoinMatchRequestSchema>, "name" | "seat">;
/** A player or bot to take over a seat. */
export type ReplaceInit = Init<MessageInitShape<typeof ReplaceSeatRequestSchema>, "name" | "seat">;

/** What to change of a match; what is absent stays. */
export interface MatchUpdate {
  /** What to call it; empty for no name. */
  displayName?: string | undefined;
  /** Whether it is in the lobby while it has open seats. */
  lobby?: boolean | undefined;
  /** All tags. */
  tags?: Readonly<Record<string, string>> | undefined;
}

/** A match, for one seat or viewer. Creating a handle makes no call. */
export class MatchHandle {
  /** The match, as `matches/{match}`. */
  readonly name: string;
  /** The seat that it acts for; absent for that of the token. */
  readonly seat: number | undefined;
  /** The viewer whose view it reads; empty for that of the token. */
  readonly viewer: string;

  /** Made by {@link Croupier.match}. */
  constructor(
    private readonly rpc: Rpc,
    private readonly games: Games,
    name: string,
    seating: Seating = {},
  ) {
    this.name = name;
    this.seat = seating.seat;
    this.viewer = seating.viewer ?? (seating.seat === undefined ? "" : `seats/${seating.seat}`);
  }

  /** The same match, to act and see for a seat. */
  at(seat: number): MatchHandle {
    return new MatchHandle(this.rpc, this.games, this.name, { seat });
  }

  /** The same match, for another viewer: `seats/{seat}`, `spectator` or `house`. */
  seenBy(viewer: string): MatchHandle {
    return new MatchHandle(this.rpc, this.games, this.name, { seat: this.seat, viewer });
  }

  /** The match with its players, its turn and its scores. */
  async get(options: CallOptions = {}): Promise<Match> {
    const request = { name: this.name, viewer: this.viewer };
    return present(await this.rpc.matches.getMatch(request, sent(options)), "match");
  }

  /**
   * The legal actions of the seat; `verb` and `pieces` filter them. With `copies` the list also has
   * actions that differ from others only in which copies of a card they name. With `reasons` it says
   * why other kinds of action are not legal, and with `effects` what is certain about each action.
   */
  legalActions(
    filter: { verb?: string; pieces?: readonly string[]; copies?: boolean; reasons?: boolean; effects?: boolean } = {},
    options: CallOptions = {},
  ): Promise<ListLegalActionsResponse> {
    const { verb = "", pieces = [], copies = false, reasons = false, effects = false } = filter;
    const request = { name: this.name, ...this.#acting, verb, pieces: [...pieces], copies, reasons, effects };
    return this.rpc.matches.listLegalActions(request, sent(options));
  }

  /**
   * What the seat could do, the best first, as a bot sees it; against bots only. With a position, what
   * it could have done there, in a match that has ended also against people.
   */
  suggestActions(
    at: { position?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<SuggestActionsResponse> {
    const position = at.position === undefined ? {} : { position: at.position };
    return this.rpc.matches.suggestActions({ name: this.name, ...this.#acting, ...position }, sent(options));
  }

  /** The table as the viewer sees it, as a picture: a PNG unless the format says otherwise. */
  async image(
    as: { position?: number | undefined; width?: number | undefined; format?: ImageFormat | undefined } = {},
    options: CallOptions = {},
  ): Promise<Uint8Array> {
    const request = {
      name: this.name,
      viewer: this.viewer,
      ...(as.position !== undefined && { position: as.position }),
      ...(as.width !== undefined && { width: as.width }),
      ...(as.format !== undefined && { format: as.format }),
    };
    return present(await this.rpc.matches.getTableImage(request, sent(options)), "image").data;
  }

  /** The table as the viewer sees it: now, at a position, or at a time. */
  async view(
    at: { position?: number | undefined; time?: Date | undefined } = {},
    options: CallOptions = {},
  ): Promise<Table> {
    const request = {
      name: this.name,
      viewer: this.viewer,
      ...(at.position !== undefined && { position: at.position }),
      ...(at.time && { readTime: timestampFromDate(at.time) }),
    };
    return present(await this.rpc.matches.getView(request, sent(options)), "table");
  }

  /** Whether the seat could take back its last action now. */
  async canTakeBack(options: CallOptions = {}): Promise<boolean> {
    const request = { name: this.name, viewer: this.viewer, takeBack: true };
    return (await this.rpc.matches.getView(request, sent(options))).canTakeBack;
  }

  /** The difference between the tables at two positions; `to` is the latest if absent. */
  async diff(from: number, to?: number, options: CallOptions = {}): Promise<ViewDiff> {
    const { name, viewer } = this;
    const toPosition = to === undefined ? {} : { toPosition: to };
    const request = { name, viewer, fromPosition: from, ...toPosition };
    return present(await this.rpc.history.diffViews(request, sent(options)), "diff");
  }

  // --- Acting ---

  /**
   * Submits an action, and returns the entry once it is recorded. While the service is unavailable,
   * the action is retried with the same request id, so it happens once.
   */
  async submit(action: ActionInit, options: SubmitOptions = {}): Promise<Entry> {
    const { expectedPrompt } = options;
    const request = {
      ...this.#request(options),
      action,
      ...(expectedPrompt !== undefined && { expectedPrompt }),
    };
    return present(await this.rpc.matches.submitAction(request, sent(options)), "entry");
  }

  /** Says something to everyone, or to some seats. */
  say(text: string, options: SubmitOptions & { to?: readonly number[] } = {}): Promise<Entry> {
    const say = { to: [...(options.to ?? [])], text };
    const kind = { case: "say", value: say } as const;
    return this.submit({ game: { case: "table", value: { kind } } }, options);
  }

  /** Declares or withdraws a standing answer: the house answers a decision for the seat. */
  stand(decision: string, on = true, options: SubmitOptions = {}): Promise<Entry> {
    const kind = { case: "stand", value: { decision, on } } as const;
    return this.submit({ game: { case: "table", value: { kind } } }, options);
  }

  /** Resigns the seat. */
  async resign(options: RequestOptions = {}): Promise<Entry> {
    const request = this.#request(options);
    return present(await this.rpc.matches.resignMatch(request, sent(options)), "entry");
  }

  /** Takes back the last action of the seat. */
  async takeBack(options: RequestOptions = {}): Promise<Entry> {
    const request = this.#request(options);
    return present(await this.rpc.matches.takeBack(request, sent(options)), "entry");
  }

  /** Votes for a motion, or withdraws the vote. */
  async vote(
    motion: Motion,
    options: RequestOptions & { withdraw?: boolean } = {},
  ): Promise<Entry> {
    const request = { ...this.#request(options), motion, withdraw: options.withdraw ?? false };
    return present(await this.rpc.matches.voteMatch(request, sent(options)), "entry");
  }

  // --- Seats ---

  /**
   * Takes the seat of this handle for a player, or any open one. With a player's token, leave the
   * player empty.
   */
  join(join: JoinInit = {}, options: CallOptions = {}): Promise<JoinMatchResponse> {
    const request = { requestId: newRequestId(), ...this.#acting, ...join, name: this.name };
    return this.rpc.matches.joinMatch(request, sent(options));
  }

  /**
   * Invites guests to the seat of this handle, or to any open one. Whoever has the token sees the
   * match and takes a seat with a name of their own, until it expires or no seat is open.
   */
  invite(
    invitation: { inviter?: string; lifetimeS?: number } = {},
    options: CallOptions = {},
  ): Promise<CreateInvitationResponse> {
    const { inviter = "", lifetimeS } = invitation;
    const lifetime = lifetimeS === undefined ? {} : { lifetime: seconds(lifetimeS) };
    const request = { parent: this.name, ...this.#acting, inviter, ...lifetime };
    return this.rpc.invitations.createInvitation(request, sent(options));
  }

  /** Revokes all invitations to the match that were created so far. */
  async revokeInvitations(options: CallOptions = {}): Promise<void> {
    await this.rpc.invitations.revokeInvitations({ parent: this.name }, sent(options));
  }

  /** Says that the seat of this handle is here, and returns who else is. Call it every few seconds. */
  attend(
    attendance: { rematch?: Rematch } = {},
    options: CallOptions = {},
  ): Promise<AttendMatchResponse> {
    const request = { name: this.name, ...this.#acting, ...attendance };
    return this.rpc.matches.attendMatch(request, sent(options));
  }

  /** Frees the seat of a player before the match starts; by default that of the token's player. */
  async leave(player = "", options: CallOptions = {}): Promise<Match> {
    const request = { name: this.name, player };
    return present(await this.rpc.matches.leaveMatch(request, sent(options)), "match");
  }

  /** Contributes 16 to 32 bytes of the seat to the chance of the match, before it is dealt. */
  async contribute(contribution: Uint8Array, options: CallOptions = {}): Promise<Match> {
    const request = { name: this.name, ...this.#acting, contribution };
    return present(await this.rpc.matches.contributeEntropy(request, sent(options)), "match");
  }

  // --- For platforms ---

  /** Changes what the match is called, whether it is in the lobby, and its tags. */
  async update(update: MatchUpdate, options: CallOptions = {}): Promise<Match> {
    const { displayName, lobby, tags } = update;
    const paths = [
      ...(displayName === undefined ? [] : ["display_name"]),
      ...(lobby === undefined ? [] : ["lobby"]),
      ...(tags === undefined ? [] : ["tags"]),
    ];
    const match = { name: this.name, displayName, lobby, tags: { ...tags } };
    const request = { match, updateMask: { paths } };
    return present(await this.rpc.matches.updateMatch(request, sent(options)), "match");
  }

  /** Sets and removes tags. */
  async tag(
    set: Record<string, string>,
    remove: readonly string[] = [],
    options: CallOptions = {},
  ): Promise<Match> {
    const request = { name: this.name, set, remove: [...remove] };
    return present(await this.rpc.matches.tagMatch(request, sent(options)), "match");
  }

  /** Pauses the match without a vote of its seats. */
  async pause(options: RequestOptions = {}): Promise<Entry> {
    const request = this.#request(options);
    return present(await this.rpc.matches.pauseMatch(request, sent(options)), "entry");
  }

  /** Resumes the match after a pause. */
  async resume(options: RequestOptions = {}): Promise<Entry> {
    const request = this.#request(options);
    return present(await this.rpc.matches.resumeMatch(request, sent(options)), "entry");
  }

  /** Ends the match without a result. */
  async end(options: RequestOptions = {}): Promise<Entry> {
    const request = this.#request(options);
    return present(await this.rpc.matches.endMatch(request, sent(options)), "entry");
  }

  /** Deletes a match that waits for players. */
  async delete(options: DeleteOptions = {}): Promise<void> {
    const { allowMissing = false } = options;
    await this.rpc.matches.deleteMatch({ name: this.name, allowMissing }, sent(options));
  }

  /**
   * Seats another player, or a bot, on the seat of this handle, which has resigned or whose player
   * is gone.
   */
  async replaceSeat(replacement: ReplaceInit, options: CallOptions = {}): Promise<Match> {
    const request = { ...this.#request({}), ...replacement };
    return present(await this.rpc.matches.replaceSeat(request, sent(options)), "match");
  }

  /** Mints a token for the seat of this handle, or for a spectator if it has none. */
  createToken(
    token: { lifetimeS?: number } = {},
    options: CallOptions = {},
  ): Promise<CreateTokenResponse> {
    const { lifetimeS } = token;
    const lifetime = lifetimeS === undefined ? {} : { lifetime: seconds(lifetimeS) };
    const request = { parent: this.name, ...this.#acting, ...lifetime };
    return this.rpc.tokens.createToken(request, sent(options));
  }

  /** Revokes the tokens of the seat of this handle; without a seat, all of the match. */
  async revokeTokens(options: CallOptions = {}): Promise<void> {
    await this.rpc.tokens.revokeTokens({ parent: this.name, ...this.#acting }, sent(options));
  }

  // --- Entries ---

  /** One entry, as the viewer may know it. */
  async entry(position: number, options: CallOptions = {}): Promise<Entry> {
    const request = { name: `${this.name}/entries/${position}`, viewer: this.viewer };
    return present(await this.rpc.entries.getEntry(request, sent(options)), "entry");
  }

  /** The service's signed statement that an entry is in the record. */
  async receipt(position: number, options: CallOptions = {}): Promise<Receipt> {
    const request = { name: `${this.name}/entries/${position}/receipt` };
    return present(await this.rpc.entries.getReceipt(request, sent(options)), "receipt");
  }

  /** The entries recorded so far, after a position. */
  entries(options: AfterOptions & CallOptions = {}): Pages<Entry> {
    const { after: afterPosition = 0 } = options;
    const list = (pageToken: string) => {
      const { name: parent, viewer } = this;
      const request = { parent, viewer, afterPosition, pageSize: 1000, pageToken };
      return this.rpc.entries.listEntries(request, sent(options));
    };
    return paged(list, (page) => page.entries);
  }

  /**
   * The recorded entries, then each new one as soon as it is recorded, until the match has ended.
   * Each is sent once and in order, across restarts of the service and lost connections.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<Entry, void, undefined> {
    const { name: parent, viewer } = this;
    let { after: afterPosition = 0, afterDigest = new Uint8Array() } = options;
    const open = (it: StreamCall) =>
      this.rpc.entries.watchEntries({ parent, viewer, afterPosition, afterDigest }, it);
    for await (const message of resumed({ open, endsByItself: true }, options)) {
      if (message.wentBack) {
        const { position, digest } = message;
        if (!options.onWentBack) throw wentBackTo(position);
        [afterPosition, afterDigest] = [position, digest];
        options.onWentBack({ position, digest });
      }
      for (const entry of message.entries) {
        [afterPosition, afterDigest] = [entry.position, entry.digest];
        yield entry;
      }
    }
  }

  /** The entries with their original pauses, at a chosen speed. */
  async *replay(options: ReplayOptions = {}): AsyncGenerator<Entry, void, undefined> {
    const { name: parent, viewer } = this;
    const { until, speed = 1, pauseMaxMs } = options;
    let afterPosition = options.after ?? 0;
    let afterDigest: Uint8Array = new Uint8Array();
    const end = until === undefined ? {} : { untilPosition: until };
    const pauses = pauseMaxMs === undefined ? {} : { pauseMax: milliseconds(pauseMaxMs) };
    const open = (it: StreamCall) => {
      const request = { parent, viewer, afterPosition, afterDigest, ...end, speed, ...pauses };
      return this.rpc.history.replayEntries(request, it);
    };
    for await (const { entries } of resumed({ open, endsByItself: true }, options)) {
      for (const entry of entries) {
        [afterPosition, afterDigest] = [entry.position, entry.digest];
        yield entry;
      }
    }
  }

  /** Loads the table, and keeps it up to date until it is closed or the match has ended. */
  live(options: StreamOptions = {}): Promise<Live> {
    return openLive(this, this.games, options);
  }

  /**
   * The lines of the record of a revealed match, for `@croupier/client/verify`. A record that broke
   * off is read again from its start.
   */
  async record(options: StreamOptions = {}): Promise<string[]> {
    const request = { name: `${this.name}/record` };
    let lines: string[] = [];
    const open = (it: StreamCall) => {
      lines = [];
      return this.rpc.entries.readRecord(request, it);
    };
    for await (const message of resumed({ open, endsByItself: true }, options)) {
      lines.push(...message.lines);
    }
    return lines;
  }

  get #acting(): { seat?: number } {
    return this.seat === undefined ? {} : { seat: this.seat };
  }

  #request({ requestId = newRequestId(), expectedPosition }: RequestOptions) {
    const expected = expectedPosition === undefined ? {} : { expectedPosition };
    return { name: this.name, ...this.#acting, requestId, ...expected };
  }
}

function wentBackTo(position: number): Refusal {
  return new Refusal({
    code: Code.DataLoss,
    message: "the database lost entries that were received",
    reason: "RECORD_WENT_BACK",
    domain: "croupier",
    facts: { position: String(position) },
  });
}
