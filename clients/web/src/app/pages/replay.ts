import type { Croupier } from "@croupier/client";
import { MatchState, type Match } from "@croupier/client/v1";
import { html } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { CroupierReplay } from "../../replay/replay.js";
import "../../replay/replay.js";
import { gameTitle, idOf, seatClient, seatOf } from "../context.js";
import { Load, Page } from "../page.js";
import { link } from "../routes.js";
import "./texts.js";

/** A match from its beginning, at any speed. The address holds the position and the viewer. */
@customElement("app-replay")
export class ReplayPage extends Page {
  /** The id. */
  @property({ attribute: false }) match!: string;

  readonly #load = new Load<{ match: Match; croupier: Croupier }>(
    this,
    () => this.match,
    async (signal) => {
      const match = await this.context.croupier.match(this.match).get({ signal });
      // The platform may choose the viewer of an ended match. A player of a running match must not
      // see the hands of others.
      const { croupier, player } = this.context;
      const isOver = match.state === MatchState.ENDED;
      return { match, croupier: isOver ? croupier : seatClient(this.context, match.name, seatOf(match, player)) };
    },
  );

  protected override render() {
    const { query } = this.context.route;
    return this.#load.render(({ match, croupier }) => html`
      <div class="title">
        <h1 class="unseen">${this.say("app-replay-of", { game: gameTitle(this.context, match.game) })}</h1>
        <a href=${link(["matches", idOf(match.name)])}>${this.say("app-to-match")}</a>
      </div>
      ${match.state === MatchState.OPEN
        ? html`<div class="empty"><p>${this.say("app-replay-not-started")}</p></div>`
        : html`<croupier-replay
            .client=${croupier}
            match=${match.name}
            language=${this.context.language}
            .viewer=${query.viewer}
            .position=${query.position ? Number(query.position) : undefined}
            ?reviews=${query.review === "1"}
            @position=${this.#moved}
          ></croupier-replay>`}
    `);
  }

  /** Updates the address without an entry in the browser's history for each step. */
  readonly #moved = (event: Event): void => {
    const { position, viewer } = event.target as CroupierReplay;
    history.replaceState(null, "", link(["matches", this.match, "replay"], { position, viewer, review: this.context.route.query.review }));
  };
}
