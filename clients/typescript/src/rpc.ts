import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { EntryService } from "./gen/croupier/v1/entries_pb.js";
import { GameService } from "./gen/croupier/v1/games_pb.js";
import { HistoryService } from "./gen/croupier/v1/history_pb.js";
import { InvitationService } from "./gen/croupier/v1/invitations_pb.js";
import { MatchService } from "./gen/croupier/v1/matches_pb.js";
import { ModuleService } from "./gen/croupier/v1/modules_pb.js";
import { PlatformService } from "./gen/croupier/v1/platforms_pb.js";
import { PlayerService } from "./gen/croupier/v1/players_pb.js";
import { ProjectionService } from "./gen/croupier/v1/projections_pb.js";
import { PushService } from "./gen/croupier/v1/push_pb.js";
import { SearchService } from "./gen/croupier/v1/search_pb.js";
import { SeekService } from "./gen/croupier/v1/seeks_pb.js";
import { StreamService } from "./gen/croupier/v1/streams_pb.js";
import { TokenService } from "./gen/croupier/v1/tokens_pb.js";

/**
 * The plain typed clients of every service, with credentials, language, safe retries and
 * {@link Refusal}s. Streams that they open are not resumed.
 */
export interface Rpc {
  /** Entries, receipts and records of a match. */
  readonly entries: Client<typeof EntryService>;
  /** Games, layouts and rules. */
  readonly games: Client<typeof GameService>;
  /** Differences between positions, and replays. */
  readonly history: Client<typeof HistoryService>;
  /** Guests who take a seat by a link. */
  readonly invitations: Client<typeof InvitationService>;
  /** Matches, and the actions of seats in them. */
  readonly matches: Client<typeof MatchService>;
  /** Games that operators install. */
  readonly modules: Client<typeof ModuleService>;
  /** The platform itself, its limits and keys. */
  readonly platforms: Client<typeof PlatformService>;
  /** Players, standings and erasure. */
  readonly players: Client<typeof PlayerService>;
  /** Projections and their lag. */
  readonly projections: Client<typeof ProjectionService>;
  /** Browsers that are told of turns. */
  readonly push: Client<typeof PushService>;
  /** Search across matches. */
  readonly search: Client<typeof SearchService>;
  /** Players who look for a match. */
  readonly seeks: Client<typeof SeekService>;
  /** Streams and subscriptions. */
  readonly streams: Client<typeof StreamService>;
  /** Tokens and sign-in. */
  readonly tokens: Client<typeof TokenService>;
}

/** The clients of all services over a transport. */
export function createRpc(transport: Transport): Rpc {
  return {
    entries: createClient(EntryService, transport),
    games: createClient(GameService, transport),
    history: createClient(HistoryService, transport),
    invitations: createClient(InvitationService, transport),
    matches: createClient(MatchService, transport),
    modules: createClient(ModuleService, transport),
    platforms: createClient(PlatformService, transport),
    players: createClient(PlayerService, transport),
    projections: createClient(ProjectionService, transport),
    push: createClient(PushService, transport),
    search: createClient(SearchService, transport),
    seeks: createClient(SeekService, transport),
    streams: createClient(StreamService, transport),
    tokens: createClient(TokenService, transport),
  };
}
