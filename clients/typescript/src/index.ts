/** The TypeScript client of Croupier. */
export * from "./gen/croupier/v1/matches_pb.js";
