import { timestampMs } from "@bufbuild/protobuf/wkt";
import { connect } from "./service.js";
import { Kept } from "../storage.js";

/** The session of this tab. It is kept until the tab is closed, and never in an address. */
export type Session = PlatformSession | InvitationSession | SeatSession;

/** The session of a person who administers the platform. */
export interface PlatformSession {
  readonly kind: "platform";
  readonly token: string;
  /** When the token expires, in milliseconds; absent for an API key. */
  readonly expires?: number;
}

/** The session of a guest who was invited and has no seat yet. */
export interface InvitationSession {
  readonly kind: "invitation";
  readonly token: string;
}

/** The session of a guest who has a seat. */
export interface SeatSession {
  readonly kind: "seat";
  readonly token: string;
  readonly match: string;
  readonly seat: number;
}

const kept = new Kept(() => sessionStorage);
const SESSION = "croupier.session";
const PLAYER = "croupier.player";

export function loadSession(): Session | undefined {
  const stored = kept.read(SESSION);
  if (!stored) return undefined;
  const session: Session = JSON.parse(stored);
  if (session.kind === "platform" && session.expires !== undefined && session.expires <= Date.now()) {
    kept.remove(SESSION);
    return undefined;
  }
  return session;
}

export function storeSession(session: Session | undefined): void {
  if (session) kept.write(SESSION, JSON.stringify(session));
  else kept.remove(SESSION);
}

/** Exchanges the code of an address for a session. It works once. */
export async function signIn(code: string, language: string): Promise<PlatformSession> {
  const { token, expireTime } = await connect({ language }).rpc.tokens.signIn({ code });
  return { kind: "platform", token, ...(expireTime && { expires: timestampMs(expireTime) }) };
}

/** The player of this tab: a default name that people can change. */
export function loadPlayer(): string {
  const stored = kept.read(PLAYER);
  if (stored) return stored;
  const player = `guest-${crypto.getRandomValues(new Uint16Array(1))[0]!.toString(16).padStart(4, "0")}`;
  kept.write(PLAYER, player);
  return player;
}

export function storePlayer(player: string): void {
  kept.write(PLAYER, player);
}
