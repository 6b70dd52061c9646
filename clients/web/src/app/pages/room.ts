import { seconds } from "@croupier/client";
import type { Match } from "@croupier/client/v1";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { levelsOf, levelTitle, middleOf } from "../../texts/texts.js";
import { Attending, chairState } from "../attending.js";
import { drawCode } from "../code.js";
import { seatTitle } from "../context.js";
import { renderTerms } from "../facts.js";
import { renderExactTime } from "../format.js";
import { Deed, Page } from "../page.js";
import { invitationLink } from "../routes.js";

/** How long an invitation is valid, in seconds. */
const INVITATION_S = 86_400;

type Invitation = { link: string; code: TemplateResult; expires: unknown };

/**
 * The room in which a match waits for its players: the chairs, and for the host a link that seats
 * guests. Sends `changed` when the match is to be read again,
 * `left` when its player has left, and `deleted` when the host wants to delete it.
 */
@customElement("app-room")
export class Room extends Page {
  @property({ attribute: false }) match!: Match;
  /** The seat of the person who looks at it. */
  @property({ attribute: false }) mine: number | undefined;
  /** Whether this person may invite others and give chairs to bots. */
  @property({ type: Boolean }) host = false;

  @state() private invitation: Invitation | undefined;
  @state() private level = "";

  readonly #deed = new Deed(this);
  readonly #attending = new Attending(
    this,
    () => this.match,
    () => this.mine,
  );
  #inviting = "";

  protected override willUpdate(): void {
    // A link is made once for each match, and stores nothing.
    if (!this.host || this.#inviting === this.match.name) return;
    this.#inviting = this.match.name;
    void this.#deed.run(() => this.#invite());
  }

  protected override render() {
    const { match, host } = this;
    const open = match.seats.filter(({ player, bot }) => !player && !bot);
    const taken = match.seats.length - open.length;
    return html`${this.#deed.render()}
      <div class="room ${host ? "host" : ""}">
        ${host ? this.#renderInvitation() : nothing}
        <section class="card">
          <h2>${this.say("app-chairs")}</h2>
          <ol class="chairs">
            ${match.seats.map(({ seat }) => this.#renderChair(seat))}
          </ol>
          <p role="status">${this.say("app-chairs-taken", { taken, chairs: match.seats.length })}</p>
          <p class="fine">${this.say(match.lobby ? "app-waiting-lobby" : "app-waiting-link")}</p>
          ${host && open.length > 0 ? this.#renderBots(open.length) : nothing}
          ${renderTerms(this.context, match)}
          <div class="buttons">
            ${this.mine === undefined
              ? nothing
              : html`<button ?disabled=${this.#deed.isBusy} @click=${() => this.#leave(match.seats[this.mine!]!.player, true)}>
                  ${this.say("app-leave")}
                </button>`}
            ${host
              ? html`<button class="danger" ?disabled=${this.#deed.isBusy} @click=${() => this.dispatchEvent(new CustomEvent("deleted"))}>
                  ${this.say("app-delete-match")}
                </button>`
              : nothing}
          </div>
        </section>
      </div>`;
  }

  #renderChair(seat: number) {
    const { match, host, mine } = this;
    const { player, bot } = match.seats[seat]!;
    const isOpen = !player && !bot;
    const its = chairState(match, seat, this.#attending, this.invitation !== undefined);
    const title = isOpen ? this.say("app-chair", { number: seat + 1 }) : seatTitle(this.context, match, seat);
    return html`<li data-state=${its}>
      <span class="face" aria-hidden="true">${isOpen ? seat + 1 : [...title][0]}</span>
      <span class="who">${title} ${seat === mine ? html`<span class="badge">${this.say("app-you")}</span>` : nothing}</span>
      <span class="presence">${this.say(`app-chair-${its}`)}</span>
      ${isOpen && host
        ? html`<span class="deeds">
            ${mine === undefined
              ? html`<button class="primary" ?disabled=${this.#deed.isBusy} @click=${() => this.#sit(seat)}>
                  ${this.say("app-sit")}
                </button>`
              : nothing}
            <button
              ?disabled=${this.#deed.isBusy}
              aria-label=${this.say("app-chair-to-bot-of", { number: seat + 1 })}
              @click=${() => this.#seatBots([seat])}
            >
              ${this.say("app-chair-to-bot")}
            </button>
          </span>`
        : nothing}
      ${player && host && seat !== mine
        ? html`<span class="deeds">
            <button
              ?disabled=${this.#deed.isBusy}
              aria-label=${this.say("app-chair-free-of", { player: title })}
              @click=${() => this.#leave(player, false)}
            >
              ${this.say("app-chair-free")}
            </button>
          </span>`
        : nothing}
    </li>`;
  }

  #renderBots(count: number) {
    const open = () => this.match.seats.filter(({ player, bot }) => !player && !bot).map(({ seat }) => seat);
    const level = this.#levelOrMiddle;
    return html`<div class="start">
      <label class="field">
        <span>${this.say("app-bots")}</span>
        <select @change=${(event: Event) => (this.level = (event.target as HTMLSelectElement).value)}>
          ${this.#levels.map(
            (it) => html`<option value=${it} ?selected=${it === level}>${levelTitle(it, this.context.language)}</option>`,
          )}
        </select>
      </label>
      <button ?disabled=${this.#deed.isBusy} @click=${() => this.#seatBots(open())}>
        ${this.say("app-start-with-bots", { count })}
      </button>
    </div>`;
  }

  get #levels(): readonly string[] {
    return levelsOf(this.context.games.find(({ name }) => name === this.match.game));
  }

  /** The chosen level, if the bots of the game have it. */
  get #levelOrMiddle(): string {
    return this.#levels.includes(this.level) ? this.level : middleOf(this.#levels);
  }

  #renderInvitation() {
    const { invitation } = this;
    return html`<section class="card invitation" aria-labelledby="invitation">
      <h2 id="invitation">${this.say("app-invite")}</h2>
      <p>${this.say("app-invite-how")}</p>
      ${invitation
        ? html`<input
              readonly
              class="link"
              .value=${invitation.link}
              aria-label=${this.say("app-invite-link")}
              @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
            />
            <div class="buttons">
              <button class="primary" @click=${() => void this.copy(invitation.link)}>${this.say("app-copy")}</button>
              ${"share" in navigator
                ? html`<button @click=${() => void this.#share(invitation.link)}>${this.say("app-share")}</button>`
                : nothing}
              <button class="quiet" ?disabled=${this.#deed.isBusy} @click=${this.#renew}>${this.say("app-invite-anew")}</button>
            </div>
            <figure class="code">
              ${invitation.code}
              <figcaption class="fine">${this.say("app-invite-scan")}</figcaption>
            </figure>
            <p class="fine">${this.say("app-invite-until")} ${invitation.expires}</p>`
        : nothing}
    </section>`;
  }

  async #invite(): Promise<void> {
    const { match, context } = this;
    const inviter = this.mine === undefined ? "" : match.seats[this.mine]!.player;
    const { token, expireTime } = await context.croupier.rpc.invitations.createInvitation({
      parent: match.name,
      inviter,
      lifetime: seconds(INVITATION_S),
    });
    const link = invitationLink(location.href, match.game, token);
    const code = await drawCode(link, this.say("app-invite-code"));
    this.invitation = { link, code, expires: renderExactTime(expireTime, context.language) };
  }

  /** Makes another link, after which the earlier ones let nobody in. */
  readonly #renew = (): void => {
    void this.#deed.run(async () => {
      await this.context.croupier.match(this.match.name).revokeInvitations();
      await this.#invite();
      this.context.announce(this.say("app-invite-renewed"));
    });
  };

  async #share(url: string): Promise<void> {
    // The reader may think better of it.
    await navigator.share({ url }).catch(() => {});
  }

  #sit(seat: number): void {
    this.#change(() => this.#handle(seat).join({ player: this.context.player }));
  }

  #seatBots(seats: readonly number[]): void {
    const level = this.#levelOrMiddle;
    this.#change(async () => {
      for (const seat of seats) await this.#handle(seat).join({ bot: level });
    });
  }

  #leave(player: string, isOwn: boolean): void {
    this.#change(async () => {
      await this.#handle().leave(this.host ? player : "");
      if (isOwn) this.dispatchEvent(new CustomEvent("left"));
    });
  }

  #handle(seat?: number) {
    return this.context.croupier.match(this.match.name, { seat });
  }

  #change(work: () => Promise<unknown>): void {
    void this.#deed.run(async () => {
      try {
        await work();
      } finally {
        this.dispatchEvent(new CustomEvent("changed"));
      }
    });
  }
}
