import type { RatingChange, Standing } from "@croupier/client/v1";
import { html, nothing, svg } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Load, Page } from "../page.js";
import { points } from "../scale.js";

/** How many of the last matches are drawn. */
const DRAWN = 100;
const WIDTH = 140;
const HEIGHT = 32;

/** How a player's rating came about, as a line over the last matches of a pool. */
@customElement("app-rating-line")
export class RatingLine extends Page {
  @property({ attribute: false }) player!: string;
  @property({ attribute: false }) standing!: Standing;

  readonly #load = new Load<RatingChange[]>(
    this,
    () => `${this.player} ${this.standing.game} ${this.standing.seats} ${this.standing.clockClass}`,
    async (signal) => {
      const { game, seats, clockClass } = this.standing;
      const pool = { parent: `players/${this.player}`, game, seats, clockClass, pageSize: DRAWN };
      const { ratingChanges } = await this.context.croupier.rpc.players.listRatingChanges(pool, { signal });
      return ratingChanges.reverse();
    },
  );

  protected override render() {
    const changes = this.#load.value ?? [];
    const ratings = [changes[0]?.before, ...changes.map((it) => it.after)].flatMap((it) => it?.rating ?? []);
    if (ratings.length < 2) return nothing;
    const told = { matches: changes.length, first: ratings[0]!.toFixed(1), last: ratings.at(-1)!.toFixed(1) };
    return html`<svg class="rating-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${this.say("app-rating-line", told)}>
      <title>${this.say("app-rating-line", told)}</title>
      ${svg`<polyline points=${points(ratings, WIDTH, HEIGHT)}></polyline>`}
    </svg>`;
  }
}
