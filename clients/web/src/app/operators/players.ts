import type { Match, PushSubscription } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf } from "../context.js";
import { renderTime } from "../format.js";
import { renderMatches } from "../match-list.js";
import { Deed, Listing, Load, Page } from "../page.js";
import { filterBy, link } from "../routes.js";

/** What the platform has of a player, and how to end it. */
@customElement("operator-players")
export class OperatorPlayers extends Page {
  readonly #deed = new Deed(this);
  /** What was done for the player that is shown. */
  #done: { readonly player: string; readonly text: string } | undefined;

  readonly #matches = new Listing<Match>(
    this,
    () => this.#player,
    async (pageToken, signal) => {
      if (!this.#player) return { items: [], more: "" };
      const request = { pageToken, pageSize: 25, player: this.#player };
      const page = await this.context.croupier.rpc.matches.listMatches(request, { signal });
      return { items: page.matches, more: page.nextPageToken };
    },
  );

  readonly #browsers = new Load<readonly PushSubscription[]>(
    this,
    () => this.#player,
    async (signal) => {
      if (!this.#player) return [];
      const request = { player: this.#player };
      return (await this.context.croupier.rpc.push.listPushSubscriptions(request, { signal })).pushSubscriptions;
    },
  );

  get #player(): string {
    return this.context.route.query.player ?? "";
  }

  protected override render() {
    return html`
      <p class="lead">${this.say("app-players-lead")}</p>
      <form class="filters" @submit=${this.#find}>
        <label class="field">
          <span>${this.say("app-player")}</span>
          <input name="player" required autocomplete="off" .value=${this.#player} />
        </label>
        <div class="buttons"><button>${this.say("app-players-show")}</button></div>
      </form>
      ${this.#player ? this.#renderPlayer(this.#player) : nothing}
    `;
  }

  #renderPlayer(player: string) {
    const { context } = this;
    const { rpc } = context.croupier;
    const signOut = async () => {
      await rpc.tokens.revokePlayerTokens({ parent: `players/${player}` });
      this.#done = { player, text: "app-players-signed-out" };
    };
    const erase = async () => {
      const { erased } = await rpc.players.erasePlayer({ name: `players/${player}` });
      this.#done = { player, text: erased ? "app-players-erased" : "app-players-unknown" };
      await Promise.all([this.#matches.reload(), this.#browsers.reload()]);
    };
    return html`
      <h2>${player}</h2>
      <p>
        <a href=${link(["players", player])}>${this.say("app-players-results")}</a> ·
        <a href=${link(["operators", "search"], { player })}>${this.say("app-players-entries")}</a>
      </p>
      ${this.#done?.player === player ? html`<p class="notice" role="status">${this.say(this.#done.text)}</p>` : nothing}
      ${this.#deed.render()}
      <div class="buttons">
        ${this.#deed.button("app-players-sign-out", signOut, "app-players-sign-out-sure")}
        ${this.#deed.button("app-players-erase", erase, "app-players-erase-sure")}
      </div>
      <h3>${this.say("app-players-browsers")}</h3>
      ${this.#browsers.render((browsers) =>
        browsers.length === 0
          ? html`<p>${this.say("app-players-no-browsers")}</p>`
          : html`<ul>
              ${browsers.map((it) => this.#renderBrowser(it))}
            </ul>`,
      )}
      <h3>${this.say("app-tab-matches")}</h3>
      ${this.#matches.renderList(html`<p>${this.say("app-history-empty")}</p>`, (matches) => renderMatches(context, matches, player))}
    `;
  }

  #renderBrowser({ match, registerTime }: PushSubscription) {
    const text = this.say(match ? "app-players-browser-of" : "app-players-browser");
    return html`<li>
      ${match ? html`<a href=${link(["matches", idOf(match)])}>${text}</a>` : text} ${renderTime(registerTime, this.context.language)}
    </li>`;
  }

  readonly #find = (event: Event): void => {
    event.preventDefault();
    this.#done = undefined;
    filterBy(["operators", "players"], new FormData(event.currentTarget as HTMLFormElement));
  };
}
