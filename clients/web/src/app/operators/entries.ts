import { toJsonString } from "@bufbuild/protobuf";
import { EntrySchema, type Entry, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { gameTitle, seatTitle } from "../context.js";
import { renderExactTime } from "../format.js";
import { Listing, Load, Page } from "../page.js";
import { link } from "../routes.js";

/** The entries of a match as any viewer receives them, in words and as messages. */
@customElement("operator-entries")
export class OperatorEntries extends Page {
  /** The id. */
  @property({ attribute: false }) match!: string;

  readonly #load = new Load<Match>(
    this,
    () => this.match,
    (signal) => this.context.croupier.match(this.match).get({ signal }),
  );

  readonly #listing = new Listing<Entry>(
    this,
    () => [this.match, this.#viewer],
    async (pageToken, signal) => {
      const request = { parent: `matches/${this.match}`, viewer: this.#viewer, pageToken, pageSize: 50 };
      const page = await this.context.croupier.rpc.entries.listEntries(request, { signal });
      return { items: page.entries, more: page.nextPageToken };
    },
  );

  get #viewer(): string {
    return this.context.route.query.viewer || "spectator";
  }

  protected override render() {
    return this.#load.render((match) => {
      const viewers: [string, string][] = [
        ["spectator", this.say("app-viewer-spectator")],
        ...match.seats.map(({ seat }): [string, string] => [
          `seats/${seat}`,
          this.say("app-viewer-seat", { seat: seat + 1, player: seatTitle(this.context, match, seat) }),
        ]),
        ...(match.seed ? [["house", this.say("app-viewer-house")] as [string, string]] : []),
      ];
      return html`
        <div class="title">
          <h2>${this.say("app-entries-of", { game: gameTitle(this.context, match.game) })}</h2>
          <a href=${link(["matches", this.match])}>${this.say("app-to-match")}</a>
        </div>
        <form class="filters">
          <label class="field">
            <span>${this.say("app-viewer")}</span>
            <select @change=${this.#choose}>
              ${viewers.map(([viewer, title]) => html`<option value=${viewer} ?selected=${viewer === this.#viewer}>${title}</option>`)}
            </select>
          </label>
        </form>
        ${this.#listing.renderList(html`<p>${this.say("app-entries-empty")}</p>`, (entries) => renderEntries(this, entries, match))}
      `;
    });
  }

  readonly #choose = (event: Event): void => {
    const viewer = (event.target as HTMLSelectElement).value;
    location.hash = link(["operators", "entries", this.match], { viewer });
  };
}

/** Entries in words, each with the message itself for a closer look. */
export function renderEntries(page: Page, entries: readonly Entry[], match?: Match) {
  const { context } = page;
  return html`<ol class="entries">
    ${entries.map((entry) => {
      const [, id = "", , position = ""] = entry.name.split("/");
      const actor = entry.seat === undefined ? undefined : match ? seatTitle(context, match, entry.seat) : undefined;
      return html`<li>
        <div class="head">
          <span class="position">${entry.position}</span>
          <span class="text">${entry.text || entry.verb || context.say("app-entry-untold")}</span>
        </div>
        <div class="foot">
          ${match ? nothing : html`<a href=${link(["operators", "entries", id])}><code>${id.slice(0, 8)}</code></a>`}
          ${entry.verb ? html`<code>${entry.verb}</code>` : nothing} ${actor ? html`<span>${actor}</span>` : nothing}
          ${renderExactTime(entry.createTime, context.language)}
          <a href=${link(["matches", id, "replay"], { position })}>${context.say("app-table-then")}</a>
          <details>
            <summary>${context.say("app-message")}</summary>
            <pre tabindex="0"><code>${toJsonString(EntrySchema, entry, { prettySpaces: 2 })}</code></pre>
          </details>
        </div>
      </li>`;
    })}
  </ol>`;
}
