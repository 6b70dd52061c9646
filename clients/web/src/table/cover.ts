import { html, LitElement, nothing, unsafeCSS } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Game } from "@croupier/client/v1";
import { theme } from "../theme.js";
import { cardFace, faceOf } from "./cards.js";
import cardsText from "./cards.css";
import coverText from "./cover.css";
import { Names } from "./names.js";

/** A picture of a game: a few of its own pieces. Empty if the game names none. */
@customElement("croupier-cover")
export class CroupierCover extends LitElement {
  static override styles = [theme, unsafeCSS(cardsText), unsafeCSS(coverText)];

  /** The game, with its cover. */
  @property({ attribute: false }) game?: Game;

  protected override render() {
    const { cover } = this.game ?? {};
    if (!cover) return nothing;
    const names = new Names(cover);
    return html`<div class="fan" aria-hidden="true">
      ${cover.pieces.map((piece) => html`<span class="card">${cardFace(faceOf(piece, names), "medium")}</span>`)}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "croupier-cover": CroupierCover;
  }
}
