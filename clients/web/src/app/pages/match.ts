import { seconds, type Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import "../../table/table.js";
import { keepCommitment, keepOpening, keepReceipt } from "../../check/kept.js";
import { ask } from "../asking.js";
import { gameTitle, idOf, rulesLink, seatClient, seatOf, seatTitle } from "../context.js";
import { renderExactTime } from "../format.js";
import { renderState } from "../match-list.js";
import { Deed, Load, Page, WAITING_MS } from "../page.js";
import { link, seatLink } from "../routes.js";
import "./complaints.js";
import "./presence.js";
import "./rating.js";
import "./rematch.js";
import "./room.js";
import "./telling.js";
import "./verification.js";
import "./watch-link.js";
import "./texts.js";

/** How long a seat link is valid, in seconds. */
const LINK_S = 86_400;

/** A match: its seats before it starts, the table while it runs, and its result afterwards. */
@customElement("app-match")
export class MatchPage extends Page {
  /** The id. */
  @property({ attribute: false }) match!: string;

  readonly #deed = new Deed(this);
  #links = new Map<number, string>();
  #client: { key: string; croupier: Croupier } | undefined;

  readonly #load = new Load<Match>(
    this,
    () => this.match,
    (signal) => this.#look(signal),
  ).every(WAITING_MS, (match) => match?.state === MatchState.OPEN || (match?.state === MatchState.ENDED && !match.next));

  get #handle() {
    return this.context.croupier.match(this.match);
  }

  async #look(signal: AbortSignal): Promise<Match> {
    const match = await this.#handle.get({ signal });
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
    return this.#load.render((match) => html`
      <div class="title">
        ${match.state === MatchState.OPEN
          ? html`<h1>${gameTitle(this.context, match.game)}</h1>
              ${renderState(this.context, match, this.context.player)}`
          : html`<h1 class="unseen">${gameTitle(this.context, match.game)}</h1>`}
        ${match.state === MatchState.OPEN ? rulesLink(this.context, match) : nothing}
      </div>
      ${this.#deed.render()}
      <app-complaints .context=${this.context} match=${match.name}></app-complaints>
      ${match.state === MatchState.OPEN ? this.#renderWaiting(match) : this.#renderTable(match)}
      ${match.state === MatchState.ENDED && match.seed
        ? html`<section class="card">
            <app-verification .context=${this.context} .match=${match}></app-verification>
          </section>`
        : nothing}
      ${match.state === MatchState.OPEN ? nothing : this.#renderSeats(match)}
    `);
  }

  #renderWaiting(match: Match) {
    return html`<app-room
      host
      .context=${this.context}
      .match=${match}
      .mine=${seatOf(match, this.context.player)}
      @changed=${() => void this.#load.reload()}
      @deleted=${() => this.#delete(match)}
    ></app-room>`;
  }

  #renderTable(match: Match) {
    const seat = seatOf(match, this.context.player);
    return html`<croupier-table
      .client=${this.#seatClient(match, seat)}
      .rules=${this.rules}
      match=${match.name}
      language=${this.context.language}
      @croupier-turn=${this.onTurn}
      @croupier-ended=${() => void this.#load.reload()}
      >${this.renderBar()}${match.state === MatchState.RUNNING
        ? html`<span slot="head"
            ><app-presence .context=${this.context} .match=${match} .mine=${seat}></app-presence
            >${seat === undefined
              ? nothing
              : html`<app-telling .context=${this.context} .hasActed=${this.isWaiting}></app-telling>`}</span
          >`
        : nothing}${match.state === MatchState.ENDED ? this.#renderEnd(match, seat) : nothing}</croupier-table
    >`;
  }

  /** One client for as long as the seat and the language stay the same. */
  #seatClient(match: Match, seat: number | undefined): Croupier {
    const key = `${match.name} ${seat} ${this.context.language}`;
    if (this.#client?.key !== key) this.#client = { key, croupier: seatClient(this.context, match.name, seat) };
    return this.#client.croupier;
  }

  /** What follows a result, in the table's own place for it. */
  #renderEnd(match: Match, mine: number | undefined) {
    const { player } = this.context;
    return html`<div slot="ending" class="after">
      ${mine !== undefined && !match.casual && match.winners.length > 0
        ? html`<app-rating .context=${this.context} .match=${match} .player=${player}></app-rating>`
        : nothing}
      <div class="buttons">
        ${match.next
          ? html`<a class="button primary" href=${link(["matches", idOf(match.next)])}>${this.say("app-next-match")}</a>`
          : mine !== undefined && match.series?.winner === undefined
            ? html`<app-rematch
                host
                .context=${this.context}
                .match=${match}
                .mine=${mine}
                @changed=${this.#goOn}
              ></app-rematch>`
            : nothing}
        ${mine === undefined
          ? html`<a class="button" href=${link(["matches", idOf(match.name), "replay"])}>${this.say("app-replay")}</a>`
          : html`<a class="button" href=${link(["matches", idOf(match.name), "replay"], { viewer: `seats/${mine}`, position: "1", review: "1" })}>${this.say("app-review")}</a>`}
      </div>
    </div>`;
  }

  /** The seats, and links that give a seat to its player. */
  #renderSeats(match: Match) {
    const id = idOf(match.name);
    const { player, language } = this.context;
    return html`<details class="card">
      <summary>${this.say("app-about-match")}</summary>
      <dl class="facts">
        <dt>${this.say("app-players")}</dt>
        <dd>
          ${match.seats.map(({ seat, player }, nth) => {
            const title = seatTitle(this.context, match, seat);
            return html`${nth > 0 ? ", " : nothing}${player ? html`<a href=${link(["players", player])}>${title}</a>` : title}`;
          })}
        </dd>
        <dt>${this.say("app-created")}</dt>
        <dd>${renderExactTime(match.createTime, language)}</dd>
        <dt>${this.say("app-entries")}</dt>
        <dd>${match.position}</dd>
        <dt>${this.say("app-match-id")}</dt>
        <dd><code>${id}</code></dd>
      </dl>
      <app-watch-link .context=${this.context} .match=${match}></app-watch-link>
      ${match.state === MatchState.RUNNING && match.seats.some((seat) => seat.player && seat.player !== player)
        ? html`<h3>${this.say("app-seat-links")}</h3>
            <p class="fine">${this.say("app-seat-links-help")}</p>
            <ul class="seating">
              ${match.seats
                .filter((seat) => seat.player && seat.player !== player)
                .map(
                  ({ seat }) => html`<li>
                    <span class="who">${seatTitle(this.context, match, seat)}</span>
                    ${this.#renderShare(match, seat)}
                  </li>`,
                )}
            </ul>`
        : nothing}
      <div class="buttons">
        <a class="button quiet" href=${link(["operators", "entries", id])}>${this.say("app-see-entries")}</a>
        <a class="button quiet" href=${link(["matches", id, "replay"])}>${this.say("app-replay")}</a>
      </div>
    </details>`;
  }

  #renderShare(match: Match, seat: number) {
    const shared = this.#links.get(seat);
    if (!shared) {
      return html`<button type="button" ?disabled=${this.#deed.isBusy} @click=${() => this.#share(match, seat)}>
        ${this.say("app-make-link")}
      </button>`;
    }
    return html`<span class="share">
      <input
        readonly
        .value=${shared}
        aria-label=${this.say("app-link-of", { player: seatTitle(this.context, match, seat) })}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
      />
      <button type="button" @click=${() => void this.copy(shared)}>${this.say("app-copy")}</button>
    </span>`;
  }

  #share(match: Match, seat: number): void {
    void this.#deed.run(() => this.#makeLink(match, seat));
  }

  async #makeLink(match: Match, seat: number): Promise<void> {
    const request = { parent: match.name, seat, lifetime: seconds(LINK_S) };
    const { token } = await this.context.croupier.rpc.tokens.createToken(request);
    this.#links.set(seat, seatLink(location.href, match.game, match.name, seat, token));
  }

  async #delete(match: Match): Promise<void> {
    if (!(await ask(this.context, "app-delete-match-sure", "app-delete"))) return;
    void this.#deed.run(async () => {
      await this.context.croupier.rpc.matches.deleteMatch({ name: match.name });
      location.hash = link(["matches"]);
    });
  }

  /** Goes to the match that follows. */
  readonly #goOn = async (): Promise<void> => {
    await this.#load.reload();
    const next = this.#load.value?.next;
    if (next) location.hash = link(["matches", idOf(next)]);
  };
}
