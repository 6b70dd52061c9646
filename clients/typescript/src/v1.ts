/**
 * Every message, enum and schema of the contract, as generated from it. Schemas describe their
 * messages, so forms and displays can be built from them with `@bufbuild/protobuf/reflect`.
 */
export { holds, marked, place } from "./gen/croupier/table/v1/options_pb.js";
export * from "./gen/croupier/v1/actions_pb.js";
export * from "./gen/croupier/v1/entries_pb.js";
export * from "./gen/croupier/v1/errors_pb.js";
export * from "./gen/croupier/v1/events_pb.js";
export * from "./gen/croupier/v1/games_pb.js";
export * from "./gen/croupier/v1/history_pb.js";
export * from "./gen/croupier/v1/invitations_pb.js";
export * from "./gen/croupier/v1/matches_pb.js";
export * from "./gen/croupier/v1/modules_pb.js";
export * from "./gen/croupier/v1/platforms_pb.js";
export * from "./gen/croupier/v1/players_pb.js";
export * from "./gen/croupier/v1/projections_pb.js";
export * from "./gen/croupier/v1/push_pb.js";
export * from "./gen/croupier/v1/search_pb.js";
export * from "./gen/croupier/v1/seeks_pb.js";
export * from "./gen/croupier/v1/streams_pb.js";
export * from "./gen/croupier/v1/table_pb.js";
export * from "./gen/croupier/v1/tokens_pb.js";
