import { Refusal, seconds, type Croupier } from "@croupier/client";
import type { AcceptInvitationResponse, GetInvitationResponse } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keepCommitment } from "../../check/kept.js";
import { chairState } from "../attending.js";
import { gameTitle, rulesLink, seatTitle } from "../context.js";
import { renderTerms } from "../facts.js";
import { Deed, Load, Page, WAITING_MS } from "../page.js";
import { preferences } from "../preferences.js";
import "./texts.js";

/** How long a guest's token is valid, in seconds. */
const LIFETIME_S = 86_400;

/** The page of a guest who was invited by a link: what to, and a name. Sends `accepted`. */
@customElement("app-invitation")
export class InvitationPage extends Page {
  /** Whether every seat is taken. */
  @state() private isFull = false;

  readonly #deed = new Deed(this);
  readonly #load = new Load<GetInvitationResponse>(
    this,
    () => "",
    (signal) => this.#look(this.context.croupier, signal),
  ).every(WAITING_MS, () => !this.isFull && !this.#deed.isBusy);

  async #look(croupier: Croupier, signal: AbortSignal): Promise<GetInvitationResponse> {
    try {
      const invitation = await croupier.invitation({ signal });
      if (invitation.match) keepCommitment(invitation.match);
      return invitation;
    } catch (error) {
      if (!Refusal.from(error).is("MATCH_FULL")) throw error;
      // Whoever has a seat gets it back.
      if (preferences.name) await this.#accept(preferences.name).catch(() => (this.isFull = true));
      else this.isFull = true;
      throw error;
    }
  }

  protected override render() {
    if (this.isFull) {
      return html`<div class="narrow">
        <h1>${this.say("app-invited-full")}</h1>
        <p>${this.say("app-invited-full-help")}</p>
      </div>`;
    }
    return this.#load.render(({ match, inviter, seat: own }) => {
      if (!match) return nothing;
      const game = this.context.games.find(({ name }) => name === match.game);
      const host = match.seats.find(({ player }) => inviter !== "" && player === inviter);
      return html`<div class="narrow welcome">
        <p class="lead">
          ${host
            ? this.say("app-invited-by", { player: seatTitle(this.context, match, host.seat) })
            : this.say("app-invited")}
        </p>
        <h1>${gameTitle(this.context, match.game)}</h1>
        ${match.displayName ? html`<p class="called">${match.displayName}</p>` : nothing}
        ${game ? html`<p>${game.description} ${rulesLink(this.context, match)}</p>` : nothing}
        ${this.#deed.render()}
        <form class="form" @submit=${this.#submit}>
          <label class="field">
            <span>${this.say("app-your-name")}</span>
            <input name="name" required maxlength="64" autocomplete="nickname" .value=${preferences.name} />
            <small>${this.say("app-your-name-help")}</small>
          </label>
          <button class="primary" ?disabled=${this.#deed.isBusy}>${this.say("app-take-seat")}</button>
        </form>
        <section class="card">
          <h2>${this.say("app-chairs")}</h2>
          <ol class="chairs">
            ${match.seats.map(({ seat, player, bot }) => {
              const isTaken = Boolean(player || bot);
              const its = bot ? chairState(match, seat, undefined, false) : isTaken ? "taken" : "open";
              const title = isTaken ? seatTitle(this.context, match, seat) : this.say("app-chair", { number: seat + 1 });
              return html`<li data-state=${its}>
                <span class="face" aria-hidden="true">${isTaken ? [...title][0] : seat + 1}</span>
                <span class="who">
                  ${title} ${seat === own ? html`<span class="badge">${this.say("app-chair-yours")}</span>` : nothing}
                </span>
                <span class="presence">${this.say(`app-chair-${its}`)}</span>
              </li>`;
            })}
          </ol>
          ${renderTerms(this.context, match)}
        </section>
      </div>`;
    });
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name")).trim();
    if (!name) return;
    preferences.name = name;
    void this.#deed.run(() => this.#accept(name));
  };

  async #accept(displayName: string): Promise<void> {
    const guest = { guestKey: preferences.guestKey, displayName, lifetime: seconds(LIFETIME_S) };
    const detail: AcceptInvitationResponse = await this.context.croupier.acceptInvitation(guest);
    this.dispatchEvent(new CustomEvent("accepted", { detail }));
  }
}
