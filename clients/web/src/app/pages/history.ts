import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { MatchState, Outcome, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { renderMatches } from "../match-list.js";
import { Listing, Page } from "../page.js";
import { filterBy, link } from "../routes.js";
import "./texts.js";

const states: Record<string, MatchState> = {
  open: MatchState.OPEN,
  running: MatchState.RUNNING,
  ended: MatchState.ENDED,
};

const outcomes: Record<string, Outcome> = { won: Outcome.WON, shared: Outcome.SHARED, lost: Outcome.LOST };

/** All matches of the platform, with filters that are part of the address. */
@customElement("app-history")
export class HistoryPage extends Page {
  readonly #listing = new Listing<Match>(
    this,
    () => this.context.route.query,
    async (pageToken, signal) => {
      const { query } = this.context.route;
      const day = (value: string | undefined, add = 0) => {
        const date = new Date(`${value}T00:00:00`);
        if (!value || Number.isNaN(date.getTime())) return undefined;
        date.setDate(date.getDate() + add);
        return timestampFromDate(date);
      };
      const number = (value: string | undefined) => (value && /^\d+$/.test(value) ? Number(value) : undefined);
      const [from, until] = [day(query.from), day(query.until, 1)];
      const [min, max] = [number(query.min), number(query.max)];
      const request = {
        pageToken,
        pageSize: 20,
        game: query.game ? `games/${query.game}` : "",
        state: states[query.state ?? ""] ?? MatchState.UNSPECIFIED,
        player: query.player ?? "",
        opponent: query.opponent ?? "",
        outcome: (query.player && outcomes[query.outcome ?? ""]) || Outcome.UNSPECIFIED,
        ...(from && { fromCreateTime: from }),
        ...(until && { untilCreateTime: until }),
        ...(min !== undefined && { lengthMin: min }),
        ...(max !== undefined && { lengthMax: max }),
      };
      const page = await this.context.croupier.rpc.matches.listMatches(request, { signal });
      return { items: page.matches, more: page.nextPageToken };
    },
  );

  protected override render() {
    const { context } = this;
    const { query } = context.route;
    const empty = html`<p>${this.say("app-history-empty")}</p>
      <p><a class="button" href=${link(["history"])}>${this.say("app-filters-clear")}</a></p>`;
    const text = (name: string, title: string, type = "text") =>
      html`<label class="field">
        <span>${this.say(title)}</span>
        <input name=${name} type=${type} .value=${query[name] ?? ""} autocomplete="off" min=${type === "number" ? "0" : nothing} />
      </label>`;
    const choice = (name: string, title: string, values: [string, string][]) =>
      html`<label class="field">
        <span>${this.say(title)}</span>
        <select name=${name}>
          <option value="">${this.say("app-any")}</option>
          ${values.map(([value, it]) => html`<option value=${value} ?selected=${query[name] === value}>${it}</option>`)}
        </select>
      </label>`;
    return html`
      <h1>${this.say("app-nav-history")}</h1>
      <form class="filters" @submit=${this.#filter} @change=${this.#filter}>
        ${choice("game", "app-game", context.games.map(({ name, title }) => [name.slice("games/".length), title]))}
        ${choice("state", "app-state", Object.keys(states).map((it) => [it, this.say(`app-state-${it}`)]))}
        ${text("player", "app-player")} ${text("opponent", "app-opponent")}
        ${choice("outcome", "app-outcome", Object.keys(outcomes).map((it) => [it, this.say(`app-state-${it}`)]))}
        ${text("from", "app-from", "date")} ${text("until", "app-until", "date")}
        ${text("min", "app-length-min", "number")} ${text("max", "app-length-max", "number")}
        <div class="buttons">
          <button>${this.say("app-filter")}</button>
          <a class="button quiet" href=${link(["history"])}>${this.say("app-filters-clear")}</a>
        </div>
      </form>
      ${query.outcome && !query.player ? html`<p class="notice">${this.say("app-outcome-of")}</p>` : nothing}
      ${this.#listing.renderList(empty, (matches) => renderMatches(context, matches, query.player || context.player))}
    `;
  }

  readonly #filter = (event: Event): void => {
    event.preventDefault();
    filterBy(["history"], new FormData(event.currentTarget as HTMLFormElement));
  };
}
