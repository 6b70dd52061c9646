import type { Entry, Game } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { idOf } from "../context.js";
import { Listing, Load, Page } from "../page.js";
import { filterBy, link } from "../routes.js";
import { renderEntries } from "./entries.js";

/** Entries of all matches of a game, by player, verb and piece. */
@customElement("operator-search")
export class OperatorSearch extends Page {
  readonly #game = new Load<Game>(
    this,
    () => this.#gameName,
    () => this.context.croupier.games.get(this.#gameName),
  );

  readonly #listing = new Listing<Entry>(
    this,
    () => this.context.route.query,
    async (pageToken, signal) => {
      const { query } = this.context.route;
      const whole = (value: string | undefined) => (value && /^-?\d+$/.test(value) ? Number(value) : undefined);
      const [round, valueMin, valueMax] = [whole(query.round), whole(query.min), whole(query.max)];
      const request = {
        parent: this.#gameName,
        pageToken,
        pageSize: 25,
        player: query.player ?? "",
        verb: query.verb ?? "",
        piece: query.piece ?? "",
        announcement: query.announcement ?? "",
        ...(round !== undefined && { round }),
        ...(valueMin !== undefined && { valueMin }),
        ...(valueMax !== undefined && { valueMax }),
      };
      const page = await this.context.croupier.rpc.search.searchEntries(request, { signal });
      return { items: page.entries, more: page.nextPageToken };
    },
  );

  get #gameName(): string {
    const { games, route } = this.context;
    return route.query.game ? `games/${route.query.game}` : (games[0]?.name ?? "");
  }

  protected override render() {
    const { context } = this;
    const { query } = context.route;
    return html`
      <p class="lead">${this.say("app-search-lead")}</p>
      ${this.#game.render((game) => {
        const layout = game.layout;
        const choice = (name: string, title: string, values: readonly [string, string][]) =>
          values.length === 0
            ? nothing
            : html`<label class="field">
                <span>${this.say(title)}</span>
                <select name=${name}>
                  <option value="">${this.say("app-any")}</option>
                  ${values.map(
                    ([value, it]) => html`<option value=${value} ?selected=${query[name] === value}>${it}</option>`,
                  )}
                </select>
              </label>`;
        const terms = (list: readonly { name: string; title: string }[] = []) =>
          list.map(({ name, title }): [string, string] => [name, title || name]);
        const pieces = terms(layout?.pieces).map(([name, title]): [string, string] => [name, `${title} (${name})`]);
        const number = (name: string, title: string) =>
          html`<label class="field">
            <span>${this.say(title)}</span>
            <input name=${name} type="number" .value=${query[name] ?? ""} />
          </label>`;
        return html`<form class="filters" @submit=${this.#filter} @change=${this.#filter}>
          <label class="field">
            <span>${this.say("app-game")}</span>
            <select name="game">
              ${context.games.map(
                ({ name, title }) =>
                  html`<option value=${idOf(name)} ?selected=${name === game.name}>${title}</option>`,
              )}
            </select>
          </label>
          ${keyed(
            game.name,
            html`${choice("verb", "app-verb", terms(layout?.verbs))} ${choice("piece", "app-piece", pieces)}
            ${choice("announcement", "app-announcement", terms(layout?.announcements))}`,
          )}
          <label class="field">
            <span>${this.say("app-player")}</span>
            <input name="player" autocomplete="off" .value=${query.player ?? ""} />
          </label>
          ${number("round", "app-round")} ${number("min", "app-value-min")} ${number("max", "app-value-max")}
          <div class="buttons">
            <button>${this.say("app-filter")}</button>
            <a class="button quiet" href=${link(["operators", "search"])}>${this.say("app-filters-clear")}</a>
          </div>
        </form>`;
      })}
      ${this.#listing.renderList(html`<p>${this.say("app-search-empty")}</p>`, (entries) =>
        renderEntries(this, entries),
      )}
    `;
  }

  readonly #filter = (event: Event): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    // The names of a game's verbs and pieces mean nothing in another game.
    if (given.get("game") !== idOf(this.#gameName)) for (const name of ["verb", "piece", "announcement"]) given.delete(name);
    filterBy(["operators", "search"], given);
  };
}
