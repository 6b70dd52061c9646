import { MatchState, Rematch, type AttendMatchResponse, type Match } from "@croupier/client/v1";
import { Load, type Page } from "./page.js";

/** How often a page says that somebody is here: a few times within what the service remembers. */
const ATTEND_MS = 3_000;

/** Says that a seat is at a match, while the page is visible, and knows who else is. */
export class Attending extends Load<AttendMatchResponse> {
  #rematch = Rematch.UNSPECIFIED;

  constructor(page: Page, match: () => Pick<Match, "name">, seat: () => number | undefined) {
    super(
      page,
      () => [match().name, seat()],
      (signal) => page.context.croupier.match(match().name, { seat: seat() }).attend({ rematch: this.#rematch }, { signal }),
    );
    this.every(ATTEND_MS);
  }

  /** The seat's wish for another match. */
  get rematch(): Rematch {
    return this.#rematch;
  }

  wish(rematch: Rematch): void {
    this.#rematch = rematch;
    void this.reload();
  }

  isHere(seat: number): boolean {
    return this.value?.seats.some((it) => it.seat === seat) ?? false;
  }

  wishOf(seat: number): Rematch {
    return this.value?.seats.find((it) => it.seat === seat)?.rematch ?? Rematch.UNSPECIFIED;
  }
}

/** What is to be said of a chair. */
export type ChairState = "open" | "invited" | "bot" | "here" | "away";

export function chairState(match: Match, seat: number, attending: Attending | undefined, isInvited: boolean): ChairState {
  const { player, bot } = match.seats[seat]!;
  if (bot) return "bot";
  if (!player) return isInvited && match.state === MatchState.OPEN ? "invited" : "open";
  return attending?.isHere(seat) ? "here" : "away";
}
