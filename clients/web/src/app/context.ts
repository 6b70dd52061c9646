import { seconds, type Croupier, type Refusal } from "@croupier/client";
import type { Game, Match } from "@croupier/client/v1";
import { html, type TemplateResult } from "lit";
import { levelTitle, type Texts } from "../texts/texts.js";
import type { Route } from "./routes.js";
import { connect } from "./service.js";

/** The context of every page. */
export interface Context {
  /** A client of the service for the session's platform. */
  readonly croupier: Croupier;
  readonly say: Texts;
  readonly language: string;
  /** The player as whom this tab plays. */
  readonly player: string;
  /** Every game, without its layout. */
  readonly games: readonly Game[];
  readonly route: Route;
  /** Shows a line that screen readers announce. */
  readonly announce: (text: string) => void;
  /** Called for every failed call; signs out if the session has ended. */
  readonly failed: (refusal: Refusal) => void;
}

/** A game's title, or its name while it is not known. */
export function gameTitle(context: Context, game: string): string {
  return context.games.find(({ name }) => name === game)?.title ?? game.replace(/^games\//, "");
}

/** The id in a resource name such as `matches/3f1c`. */
export function idOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

/** The title of a seat: its player's name, its bot, or that it is open. */
export function seatTitle(context: Context, match: Match, seat: number): string {
  const taken = match.seats[seat];
  if (taken?.bot) {
    const [name, level] = [taken.displayName, levelTitle(taken.bot, context.language)];
    return name ? context.say("app-bot-named", { name, level }) : context.say("app-bot", { level });
  }
  if (taken?.displayName) return taken.displayName;
  if (taken?.player) return taken.player;
  return context.say("app-seat-open");
}

/** The rules of a match's game, in a tab of their own: the table stays. */
export function rulesLink(context: Context, match: Match): TemplateResult {
  const page = `docs/games/${idOf(match.game)}.html`;
  return html`<a href=${page} target="_blank" rel="noopener">${context.say("app-rules")}</a>`;
}

/** The seat of a player, if the player has one. */
export function seatOf(match: Match, player: string): number | undefined {
  return match.seats.find((seat) => seat.player === player)?.seat;
}

/** A client that holds only tokens of one seat or of a spectator, and renews them by itself. */
export function seatClient(context: Context, match: string, seat: number | undefined): Croupier {
  const mint = async () => {
    const request = { parent: match, lifetime: seconds(3600), ...(seat !== undefined && { seat }) };
    return (await context.croupier.rpc.tokens.createToken(request)).token;
  };
  return connect({ credentials: mint, language: context.language });
}
