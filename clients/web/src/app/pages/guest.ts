import { Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "../../replay/replay.js";
import "../../table/table.js";
import { gameTitle, rulesLink, seatTitle } from "../context.js";
import { Load, Page, WAITING_MS } from "../page.js";
import type { SeatSession } from "../session.js";

/** The page of a guest who got a seat by a link: the table, and after the end the replay. */
@customElement("app-guest")
export class GuestPage extends Page {
  @property({ attribute: false }) session!: SeatSession;
  @state() isReplaying = false;

  #client: { key: string; croupier: Croupier } | undefined;

  readonly #load = new Load<Match>(
    this,
    () => this.session.match,
    (signal) => this.context.croupier.match(this.session.match).get({ signal }),
  ).every(WAITING_MS, (match) => match?.state === MatchState.OPEN);

  protected override render() {
    return this.#load.render((match) => {
      const { language } = this.context;
      const hasEnded = match.state === MatchState.ENDED;
      return html`
        <div class="title">
          <h1 class=${match.state === MatchState.OPEN ? "" : "unseen"}>${gameTitle(this.context, match.game)}</h1>
          ${match.state === MatchState.OPEN ? rulesLink(this.context, match) : nothing}
          ${hasEnded
            ? html`<button @click=${() => (this.isReplaying = !this.isReplaying)}>
                ${this.say(this.isReplaying ? "app-to-match" : "app-replay")}
              </button>`
            : nothing}
        </div>
        ${match.state === MatchState.OPEN
          ? html`<section class="card waiting">
              <h2>${this.say("app-waiting-title")}</h2>
              <ol class="seating">
                ${match.seats.map(
                  ({ seat }) => html`<li>
                    <span class="number" aria-hidden="true">${seat + 1}</span>
                    <span class="who">
                      ${seatTitle(this.context, match, seat)}
                      ${seat === this.session.seat ? html`<span class="badge">${this.say("app-you")}</span>` : nothing}
                    </span>
                  </li>`,
                )}
              </ol>
            </section>`
          : this.isReplaying
            ? html`<croupier-replay .client=${this.#croupier()} match=${match.name} language=${language}></croupier-replay>`
            : html`<croupier-table
                .client=${this.#croupier()}
                match=${match.name}
                language=${language}
                @croupier-turn=${this.onTurn}
                @croupier-ended=${() => void this.#load.reload()}
              ></croupier-table>`}
      `;
    });
  }

  #croupier(): Croupier {
    const { token } = this.session;
    const key = `${token} ${this.context.language}`;
    if (this.#client?.key !== key) {
      const croupier = Croupier.connect(location.origin, { credentials: token, language: this.context.language });
      this.#client = { key, croupier };
    }
    return this.#client.croupier;
  }
}
