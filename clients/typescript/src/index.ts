/**
 * The TypeScript client of Croupier, a game-state service for tabletop matches.
 *
 * @packageDocumentation
 */
export type { CallOptions, DeleteOptions } from "./calls.js";
export * from "./croupier.js";
export { milliseconds, seconds } from "./durations.js";
export { emptyTable, fold, FoldError } from "./fold.js";
export { Games, type GameOptions } from "./games.js";
export * from "./history.js";
export { Live, type Change } from "./live.js";
export * from "./match.js";
export * from "./players.js";
export { Code, Refusal, type RefusalInit } from "./refusal.js";
export type { Init } from "./names.js";
export { Pages } from "./pages.js";
export type { StreamOptions } from "./resume.js";
export type { Rpc } from "./rpc.js";
export {
  Streams,
  SubscriptionHandle,
  type ConsumeOptions,
  type CursorOptions,
  type SecretRotation,
  type StreamEntriesOptions,
  type SubscriptionInit,
} from "./streams.js";
export type { WebSocketConstructor, WebSocketLike } from "./socket.js";
export type { ConnectOptions, Credentials } from "./transport.js";
