import type { Match } from "@croupier/client/v1";
import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { renderMatches } from "../match-list.js";
import { Listing, Page } from "../page.js";
import { link } from "../routes.js";
import "./texts.js";

/** The player's matches, first those that wait for the player. */
@customElement("app-matches")
export class MatchesPage extends Page {
  readonly #listing = new Listing<Match>(
    this,
    () => this.context.player,
    async (pageToken, signal) => {
      const { croupier, player } = this.context;
      const page = await croupier.rpc.matches.listMatches({ player, pageToken, pageSize: 20 }, { signal });
      return { items: page.matches, more: page.nextPageToken };
    },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#refresh);
  }

  readonly #refresh = (): void => {
    if (!document.hidden) void this.#listing.reload();
  };

  protected override render() {
    const { player } = this.context;
    const empty = html`<p>${this.say("app-matches-empty", { player })}</p>
      <p><a class="button primary" href=${link([])}>${this.say("app-to-start")}</a></p>`;
    return html`
      <h1>${this.say("app-nav-matches")}</h1>
      <p class="lead">${this.say("app-matches-lead", { player })}</p>
      ${this.#listing.renderList(empty, (matches) => {
        const isMine = ({ waitingFor, seats }: Match) => seats.some((it) => it.player === player && waitingFor.includes(it.seat));
        return renderMatches(this.context, [...matches.filter(isMine), ...matches.filter((match) => !isMine(match))]);
      })}
    `;
  }
}
