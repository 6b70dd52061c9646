import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Entry } from "./gen/croupier/v1/entries_pb.js";
import type { ListStandingsRequestSchema, Standing } from "./gen/croupier/v1/players_pb.js";
import type { Projection } from "./gen/croupier/v1/projections_pb.js";
import type { SearchEntriesRequestSchema } from "./gen/croupier/v1/search_pb.js";
import { present, sent, type CallOptions } from "./calls.js";
import { named, type Init } from "./names.js";
import { paged, type Pages } from "./pages.js";
import type { Rpc } from "./rpc.js";

/** Filters of entries, combined with AND. */
export type EntryFilter = Init<
  MessageInitShape<typeof SearchEntriesRequestSchema>,
  "parent" | "pageToken"
>;
/** How standings are listed. */
export type StandingFilter = Init<
  MessageInitShape<typeof ListStandingsRequestSchema>,
  "parent" | "pageToken"
>;

/** Search, standings and projections, across all matches of a platform. */
export class History {
  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /** Searches the entries of a game's matches: newest match first, in order within each. */
  search(
    game: string,
    filter: EntryFilter = {},
    options: CallOptions = {},
  ): Pages<Entry> {
    const parent = named("games", game);
    const list = (pageToken: string) =>
      this.rpc.search.searchEntries({ ...filter, parent, pageToken }, sent(options));
    return paged(list, (page) => page.entries);
  }

  /**
   * Lists the players of a pool of a game by rating, highest first: by default of matches with the
   * fewest seats and without clocks.
   */
  standings(
    game: string,
    filter: StandingFilter = {},
    options: CallOptions = {},
  ): Pages<Standing> {
    const parent = named("games", game);
    const list = (pageToken: string) =>
      this.rpc.players.listStandings({ ...filter, parent, pageToken }, sent(options));
    return paged(list, (page) => page.standings);
  }

  /** The state of a projection, such as `matches`, and how far it is behind. */
  async projection(name: string, options: CallOptions = {}): Promise<Projection> {
    const request = { name: named("projections", name) };
    return present(await this.rpc.projections.getProjection(request, sent(options)), "projection");
  }
}
