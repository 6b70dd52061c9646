/**
 * The TypeScript client of Croupier, a game-state service for tabletop matches.
 *
 * @packageDocumentation
 */
export * from "./croupier.js";
export { emptyTable, fold, FoldError } from "./fold.js";
export { Games } from "./games.js";
export { Live, type Change } from "./live.js";
export * from "./match.js";
export { Code, Refusal, type RefusalInit } from "./refusal.js";
export type { StreamOptions } from "./resume.js";
export type { Rpc } from "./rpc.js";
export type { ConnectOptions, Credentials } from "./transport.js";
