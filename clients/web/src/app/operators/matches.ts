import { MatchState, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { gameTitle, idOf, seatTitle } from "../context.js";
import { renderTime } from "../format.js";
import { renderState } from "../match-list.js";
import { Deed, Listing, Page } from "../page.js";
import { filterBy, link } from "../routes.js";

const states: Record<string, MatchState> = {
  open: MatchState.OPEN,
  running: MatchState.RUNNING,
  ended: MatchState.ENDED,
};

/** All matches by state, deadline or tag, with the platform's actions on each. */
@customElement("operator-matches")
export class OperatorMatches extends Page {
  readonly #deed = new Deed(this);

  readonly #listing = new Listing<Match>(
    this,
    () => this.context.route.query,
    async (pageToken, signal) => {
      const { query } = this.context.route;
      const request = {
        pageToken,
        pageSize: 25,
        state: states[query.state ?? ""] ?? MatchState.UNSPECIFIED,
        byDeadline: query.order === "deadline",
        tags: query.tag ? [query.tag] : [],
      };
      const page = await this.context.croupier.rpc.matches.listMatches(request, { signal });
      return { items: page.matches, more: page.nextPageToken };
    },
  );

  protected override render() {
    const { context } = this;
    const { query } = context.route;
    return html`
      <form class="filters" @submit=${this.#filter} @change=${this.#filter}>
        <label class="field">
          <span>${this.say("app-state")}</span>
          <select name="state">
            <option value="">${this.say("app-any")}</option>
            ${Object.keys(states).map(
              (it) => html`<option value=${it} ?selected=${query.state === it}>${this.say(`app-state-${it}`)}</option>`,
            )}
          </select>
        </label>
        <label class="field">
          <span>${this.say("app-order")}</span>
          <select name="order">
            <option value="">${this.say("app-order-newest")}</option>
            <option value="deadline" ?selected=${query.order === "deadline"}>${this.say("app-order-deadline")}</option>
          </select>
        </label>
        <label class="field">
          <span>${this.say("app-tag")}</span>
          <input name="tag" placeholder="season=2" autocomplete="off" .value=${query.tag ?? ""} />
        </label>
        <div class="buttons"><button>${this.say("app-filter")}</button></div>
      </form>
      ${this.#deed.render()}
      ${this.#listing.renderList(html`<p>${this.say("app-history-empty")}</p>`, (matches) => html`
        <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-tab-matches")}>
          <table>
            <thead>
              <tr>
                <th>${this.say("app-match")}</th>
                <th>${this.say("app-state")}</th>
                <th>${this.say("app-seating")}</th>
                <th class="figure">${this.say("app-entries")}</th>
                <th>${this.say("app-last-entry")}</th>
                <th>${this.say("app-actions")}</th>
              </tr>
            </thead>
            <tbody>
              ${matches.map((match) => this.#renderMatch(match))}
            </tbody>
          </table>
        </div>
      `)}
    `;
  }

  #renderMatch(match: Match) {
    const { context } = this;
    const id = idOf(match.name);
    const { rpc } = context.croupier;
    const requestId = () => crypto.randomUUID();
    const { name } = match;
    const isRunning = match.state === MatchState.RUNNING;
    return html`<tr>
      <td>
        <a href=${link(["matches", id])}>${gameTitle(context, match.game)}</a>
        <small class="id"><code>${id.slice(0, 8)}</code></small>
        ${Object.entries(match.tags).map(([key, value]) => html`<span class="badge">${key}=${value}</span> `)}
      </td>
      <td>${renderState(context, match)}</td>
      <td>${match.seats.map(({ seat }) => seatTitle(context, match, seat)).join(", ")}</td>
      <td class="figure"><a href=${link(["operators", "entries", id])}>${match.position}</a></td>
      <td>${renderTime(match.updateTime ?? match.createTime, context.language)}</td>
      <td class="deeds">
        ${isRunning && !match.paused
          ? this.#button("app-pause", () => rpc.matches.pauseMatch({ name, requestId: requestId() }), "app-pause-sure")
          : nothing}
        ${isRunning && match.paused
          ? this.#button("app-resume", () => rpc.matches.resumeMatch({ name, requestId: requestId() }))
          : nothing}
        ${isRunning
          ? this.#button("app-end", () => rpc.matches.endMatch({ name, requestId: requestId() }), "app-end-sure")
          : nothing}
        ${match.state === MatchState.OPEN
          ? this.#button("app-delete", () => rpc.matches.deleteMatch({ name }), "app-delete-match-sure")
          : nothing}
      </td>
    </tr>`;
  }

  #button(title: string, work: () => Promise<unknown>, question?: string) {
    const workAndReload = async () => {
      await work();
      await this.#listing.reload();
    };
    return this.#deed.button(title, workAndReload, question);
  }

  readonly #filter = (event: Event): void => {
    event.preventDefault();
    filterBy(["operators", "matches"], new FormData(event.currentTarget as HTMLFormElement));
  };
}
