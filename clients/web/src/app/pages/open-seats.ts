import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import "../../lobby/lobby.js";
import type { LobbyEventDetail } from "../../lobby/lobby.js";
import { idOf } from "../context.js";
import { Page } from "../page.js";
import { link } from "../routes.js";
import "./texts.js";

/** Seats that are open to all players of the platform, and matches with people. */
@customElement("app-open-seats")
export class OpenSeatsPage extends Page {
  protected override render() {
    const { context } = this;
    const { query } = context.route;
    return html`
      <h1>${this.say("app-open-title")}</h1>
      <p class="lead">${this.say("app-open-lead", { player: context.player })}</p>
      <croupier-lobby
        .client=${context.croupier}
        player=${context.player}
        language=${context.language}
        game=${query.game ?? nothing}
        can-create
        ?creating=${query.new !== undefined}
        @croupier-joined=${this.#goThere}
        @croupier-created=${this.#goThere}
      ></croupier-lobby>
    `;
  }

  readonly #goThere = (event: CustomEvent<LobbyEventDetail>): void => {
    location.hash = link(["matches", idOf(event.detail.match)]);
  };
}
