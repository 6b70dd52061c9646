import type { Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Attending } from "../attending.js";
import { seatTitle } from "../context.js";
import { Page } from "../page.js";

/** Who of the people of a match is away from the table, and how many look on. */
@customElement("app-presence")
export class Presence extends Page {
  @property({ attribute: false }) match!: Match;
  /** The seat of the person who looks at it. */
  @property({ attribute: false }) mine: number | undefined;

  readonly #attending = new Attending(
    this,
    () => this.match,
    () => this.mine,
  );

  protected override render() {
    const { match, mine } = this;
    const present = this.#attending.value;
    if (!present) return nothing;
    const others = match.seats.filter(({ seat, player }) => player && seat !== mine);
    // The stream of a page without a seat is one of a spectator.
    const spectators = present.spectators - (mine === undefined ? 1 : 0);
    return html`<span class="presences" role="status">
      ${others.map(({ seat }) => {
        const its = this.#attending.isHere(seat) ? "here" : "away";
        const player = seatTitle(this.context, match, seat);
        return html`<span class="presence" data-state=${its}>${this.say(`app-presence-${its}`, { player })}</span>`;
      })}
      ${spectators > 0 ? html`<span class="presence">${this.say("app-spectators", { count: spectators })}</span>` : nothing}
    </span>`;
  }
}
