import { ClockClass, type Match, type RatingChange } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { idOf } from "../context.js";
import { Load, Page } from "../page.js";
import { clocksOf } from "../pools.js";
import { link } from "../routes.js";

/** Standings follow results within a moment: how often, and how many times, they are asked. */
const AGAIN_MS = 1_000;
const TRIES = 20;

/** What an ended match changed in a player's rating. */
@customElement("app-rating")
export class Rating extends Page {
  @property({ attribute: false }) match!: Match;
  @property({ attribute: false }) player!: string;

  #tries = 0;

  readonly #load = new Load<RatingChange | null>(
    this,
    () => `${this.match.name} ${this.player}`,
    (signal) => this.#find(signal),
  ).every(AGAIN_MS, (found) => !found && this.#tries < TRIES);

  /** The newest changes of the pool that the match counted for, which depends on its clocks. */
  async #find(signal: AbortSignal): Promise<RatingChange | null> {
    this.#tries += 1;
    const { name, game, seats, timeControl } = this.match;
    const pool = { parent: `players/${this.player}`, game, seats: seats.length, pageSize: 20 };
    const classes = timeControl ? [ClockClass.LIVE, ClockClass.BLITZ, ClockClass.DAILY] : [ClockClass.UNTIMED];
    for (const clockClass of classes) {
      const listed = await this.context.croupier.rpc.players.listRatingChanges({ ...pool, clockClass }, { signal });
      const found = listed.ratingChanges.find((it) => it.match === name);
      if (found) return found;
    }
    return null;
  }

  protected override render() {
    const change = this.#load.value;
    if (!change?.after) return nothing;
    const by = change.after.rating - (change.before?.rating ?? 0);
    // As for a match against bots, which have no rating.
    if (Math.abs(by) < 0.05) return nothing;
    const pool = { game: idOf(change.game), seats: `${change.seats}`, clocks: clocksOf(change.clockClass) };
    const values = { rating: change.after.rating.toFixed(1), by: Math.abs(by).toFixed(1) };
    return html`<p class="rating">
      <a href=${link(["standings"], pool)}>${this.say("app-rating")}</a>
      ${this.say(by < 0 ? "app-rating-fell" : "app-rating-rose", values)}
      ${change.after.provisional ? html`<span class="fine">${this.say("app-rating-provisional")}</span>` : nothing}
      <span class="fine sense">${this.say("app-rating-sense")}</span>
    </p>`;
  }
}
