import { Refusal, type Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "../../replay/replay.js";
import "../../table/table.js";
import { keepCommitment, keepOpening, keepReceipt } from "../../check/kept.js";
import { gameTitle, rulesLink } from "../context.js";
import { Deed, Load, Page, WAITING_MS } from "../page.js";
import { connect } from "../service.js";
import type { SeatSession } from "../session.js";
import "./complaints.js";
import "./presence.js";
import "./rematch.js";
import "./room.js";
import "./telling.js";
import "./verification.js";
import "./texts.js";

/**
 * How long a token of the next match is valid, in seconds; the service shortens it to the present
 * one.
 */
const TOKEN_S = 86_400;

/**
 * The page of a guest who has a seat: the room, the table, and after the end the replay. Sends `left`
 * when the guest has left the room, and `moved` with the seat of the next match.
 */
@customElement("app-guest")
export class GuestPage extends Page {
  @property({ attribute: false }) session!: SeatSession;
  @state() isReplaying = false;

  readonly #deed = new Deed(this);
  #client: { key: string; croupier: Croupier } | undefined;

  readonly #load = new Load<Match>(
    this,
    () => this.session.match,
    (signal) => this.#look(signal),
  ).every(WAITING_MS, (match) => match?.state === MatchState.OPEN || (match?.state === MatchState.ENDED && !match.next));

  async #look(signal: AbortSignal): Promise<Match> {
    const match = await this.context.croupier.match(this.session.match).get({ signal });
    const hasJustEnded = match.state === MatchState.ENDED && this.#load.value?.state === MatchState.RUNNING;
    keepCommitment(match);
    keepOpening(match).catch(() => {});
    // A receipt from now shows later whether the record was changed since. Not to have one is no failure.
    if (hasJustEnded) keepReceipt(this.context.croupier, match).catch(() => {});
    return match;
  }

  protected override updated(): void {
    super.updated();
    this.goOnFrom(this.#load.value?.state);
  }

  protected override render() {
    return this.#load.render((match) => {
      const { language } = this.context;
      const hasEnded = match.state === MatchState.ENDED;
      return html`
        <div class="title">
          <h1 class=${match.state === MatchState.OPEN ? "" : "unseen"}>${gameTitle(this.context, match.game)}</h1>
          ${match.state === MatchState.OPEN ? rulesLink(this.context, match) : nothing}
          ${hasEnded && this.isReplaying
            ? html`<button @click=${() => (this.isReplaying = false)}>${this.say("app-to-match")}</button>`
            : nothing}
        </div>
        <app-complaints .context=${this.context} match=${match.name}></app-complaints>
        ${match.state === MatchState.OPEN
          ? html`<app-room
              .context=${this.context}
              .match=${match}
              .mine=${this.session.seat}
              @changed=${() => void this.#load.reload()}
              @left=${() => this.dispatchEvent(new CustomEvent("left"))}
            ></app-room>`
          : this.isReplaying
            ? html`<croupier-replay .client=${this.#croupier()} match=${match.name} language=${language}></croupier-replay>`
            : html`<croupier-table
                .client=${this.#croupier()}
                .rules=${this.rules}
                match=${match.name}
                language=${language}
                @croupier-turn=${this.onTurn}
                @croupier-ended=${() => void this.#load.reload()}
                >${this.renderBar()}${match.state === MatchState.RUNNING
                  ? html`<span slot="head"
                      ><app-presence .context=${this.context} .match=${match} .mine=${this.session.seat}></app-presence
                      ><app-telling .context=${this.context} .hasActed=${this.isWaiting} .seat=${this.session}></app-telling
                    ></span>`
                  : hasEnded
                    ? this.#renderEnd(match)
                    : nothing}</croupier-table
              >`}
        ${hasEnded && match.seed
          ? html`<section class="card">
              <app-verification .context=${this.context} .match=${match}></app-verification>
            </section>`
          : nothing}
      `;
    });
  }

  #renderEnd(match: Match) {
    return html`<div slot="ending" class="after">
      ${this.#deed.render()}
      ${match.next
        ? html`<button class="primary" ?disabled=${this.#deed.isBusy} @click=${() => this.#goOn(match)}>
            ${this.say("app-next-match")}
          </button>`
        : match.series?.winner === undefined
          ? html`<app-rematch .context=${this.context} .match=${match} .mine=${this.session.seat}></app-rematch>`
          : nothing}
      <div class="buttons"><button @click=${() => (this.isReplaying = true)}>${this.say("app-replay")}</button></div>
    </div>`;
  }

  /** Goes to the guest's seat in the match that follows, which the service finds by the player. */
  #goOn(match: Match): void {
    void this.#deed.run(async () => {
      const { seat: before } = this.session;
      const seats = match.seats.map(({ seat }) => seat).sort((one, other) => Number(other === before) - Number(one === before));
      for (const seat of seats) {
        try {
          const { token } = await this.context.croupier.match(match.next, { seat }).createToken({ lifetimeS: TOKEN_S });
          const detail: SeatSession = { kind: "seat", token, match: match.next, seat };
          this.dispatchEvent(new CustomEvent("moved", { detail }));
          return;
        } catch (error) {
          if (!Refusal.from(error).is("NOT_YOUR_SEAT")) throw error;
        }
      }
    });
  }

  #croupier(): Croupier {
    const { token } = this.session;
    const key = `${token} ${this.context.language}`;
    if (this.#client?.key !== key) {
      const croupier = connect({ credentials: token, language: this.context.language });
      this.#client = { key, croupier };
    }
    return this.#client.croupier;
  }
}
