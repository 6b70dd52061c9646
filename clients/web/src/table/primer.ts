import { html, LitElement, nothing, unsafeCSS, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Game, Piece, PrimerSection, RulesSection } from "@croupier/client/v1";
import { texts } from "../texts/texts.js";
import { controls, theme } from "../theme.js";
import { cardFace, faceOf } from "./cards.js";
import cardsText from "./cards.css";
import { markdown } from "./markdown.js";
import { kindOf, Names } from "./names.js";
import primerText from "./primer.css";

/**
 * How a game is played, in a drawer at the side of the window: its primer with pictures of its
 * pieces, all of its pieces, and its numbered rules. Everything in it is the game's own.
 */
@customElement("croupier-primer")
export class CroupierPrimer extends LitElement {
  static override styles = [theme, controls, unsafeCSS(cardsText), unsafeCSS(primerText)];

  /** The language of its own few words. */
  @property() language?: string;
  /** The game, with its layout and its rules. */
  @property({ attribute: false }) game?: Game;

  /** The decisions that the reader is asked for. */
  @state() private asked: readonly string[] = [];
  /** Whether it was opened: a page with every piece and rule is drawn for those who read it. */
  @state() private wasOpened = false;

  private names?: Names;
  private opener: HTMLElement | null = null;

  /** Opens the drawer, at the section about these decisions if there is one. */
  async open(decisions: readonly string[] = []) {
    this.opener = deepestFocus();
    this.asked = decisions;
    this.wasOpened = true;
    await this.updateComplete;
    const dialog = this.dialog;
    if (!dialog.open) dialog.show();
    const section = this.renderRoot.querySelector<HTMLElement>("section.asked");
    const page = this.renderRoot.querySelector<HTMLElement>(".page")!;
    page.scrollTop = section ? section.offsetTop - page.offsetTop - 12 : 0;
    this.renderRoot.querySelector<HTMLElement>("h2")!.focus({ preventScroll: true });
  }

  close() {
    this.dialog.close();
  }

  get isOpen(): boolean {
    return this.dialog?.open ?? false;
  }

  private get dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  private get say() {
    return texts(this.language);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (changed.has("game") && this.game?.layout) this.names = new Names(this.game.layout);
  }

  private onKey = (event: KeyboardEvent) => {
    // What is pressed here is not meant for the table.
    event.stopPropagation();
    if (event.key === "Escape") this.close();
  };

  private onClose = () => {
    if (this.opener?.isConnected) this.opener.focus();
    this.opener = null;
  };

  protected override render() {
    return html`<dialog aria-labelledby="title" part="primer" @keydown=${this.onKey} @close=${this.onClose}>
      ${this.wasOpened && this.game && this.names ? this.drawPage(this.game) : nothing}
    </dialog>`;
  }

  private drawPage(game: Game) {
    const { primer = [], sections = [] } = game.rules ?? {};
    return html`<header>
        <h2 id="title" tabindex="-1">${this.say("primer-title", { game: game.title })}</h2>
        <button type="button" class="quiet" data-close @click=${this.close}>${this.say("table-close")}</button>
        <p class="effort">${effortOf(game, this.say)}</p>
      </header>
      <div class="page" tabindex="0" role="region" aria-labelledby="title">
        ${primer.map((it) => this.drawSection(it, sections))}
        ${this.drawCatalogue()}
        ${sections.length > 0
          ? html`<section><h3>${this.say("primer-rules")}</h3>
              <p>${this.say("primer-rules-help")}</p>
              ${sections.map((it) => html`<details><summary>${it.number}. ${it.title}</summary>${this.drawRules([it])}</details>`)}
            </section>`
          : nothing}
      </div>`;
  }

  private drawSection(section: PrimerSection, rules: readonly RulesSection[]): TemplateResult {
    const isAsked = section.decisions.some((it) => this.asked.includes(it));
    const behind = rules.filter((it) => section.sections.includes(it.number));
    return html`<section class=${isAsked ? "asked" : ""}>
      ${isAsked ? html`<span class="now">${this.say("primer-now")}</span>` : nothing}
      <h3>${section.title}</h3>
      ${markdown(section.text)}
      ${section.pieces.length > 0 ? html`<div class="shown">${section.pieces.map((it) => this.drawPiece(it))}</div>` : nothing}
      ${behind.length > 0
        ? html`<details><summary>${this.say("primer-exact", { sections: behind.map((it) => it.number).join(", ") })}</summary>${this.drawRules(behind)}</details>`
        : nothing}
    </section>`;
  }

  private drawPiece(name: string): TemplateResult | typeof nothing {
    const piece = this.names!.pieces.get(name);
    if (!piece) return nothing;
    return html`<span class="card" role="img" aria-label=${[piece.title, piece.text].filter(Boolean).join(". ")} title=${piece.text || nothing} data-piece=${name}>${cardFace(faceOf(piece, this.names!), "medium")}</span>`;
  }

  /** The numbered rules, which are in English. */
  private drawRules(sections: readonly RulesSection[]): TemplateResult {
    return html`<div class="exact" lang="en">
      ${sections.map(
        ({ number, title, paragraphs }) => html`${sections.length > 1 ? html`<h4>${number}. ${title}</h4>` : nothing}
          ${paragraphs.map(
            (it) => html`<div><p><b>${it.number}</b></p>${markdown(it.text)}
              ${it.ruling ? html`<div class="ruling">${markdown(`*Ruling:* ${it.ruling}`)}</div>` : nothing}</div>`,
          )}`,
      )}
    </div>`;
  }

  /** Every piece with a title of its own, by back. */
  private drawCatalogue(): TemplateResult {
    const names = this.names!;
    const groups = new Map<string, Map<string, Piece>>();
    for (const piece of names.layout.pieces) {
      const kind = kindOf(piece.back);
      const group = groups.get(kind) ?? new Map<string, Piece>();
      groups.set(kind, group);
      const key = JSON.stringify([piece.title.replace(/ \d+$/, ""), piece.text, piece.facets.map((it) => it.value)]);
      if (!group.has(key)) group.set(key, piece);
    }
    const title = (kind: string) => names.layout.backs.find((it) => kindOf(it.name) === kind)?.title ?? kind;
    return html`<section><h3>${this.say("primer-pieces")}</h3>
      ${[...groups].map(
        ([kind, group]) => html`<details><summary>${title(kind)} (${group.size})</summary>
          <div class="catalogue">${[...group.values()].map((it) => this.drawEntry(it))}</div></details>`,
      )}
    </section>`;
  }

  private drawEntry(piece: Piece): TemplateResult {
    const face = faceOf(piece, this.names!);
    const facets = face.captions.map(({ title, text }) => `${title}: ${text}`).join(" · ");
    return html`<figure>
      <span class="card" aria-hidden="true">${cardFace(face, "small")}</span>
      <figcaption><b>${piece.title}</b>${piece.text ? html`<p>${piece.text}</p>` : nothing}${facets ? html`<span>${facets}</span>` : nothing}</figcaption>
    </figure>`;
  }
}

/** How many play, how long and how hard it is. */
export function effortOf(game: Game, say: ReturnType<typeof texts>): string {
  const { seatsMin: min, seatsMax: max } = game;
  const players = say(min === max ? "game-players" : "game-players-from-to", { min, max });
  return [players, game.duration, game.difficulty].filter(Boolean).join(" · ");
}

/** The element that has the focus, inside of components too. */
function deepestFocus(): HTMLElement | null {
  let at: Element | null = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at as HTMLElement | null;
}

declare global {
  interface HTMLElementTagNameMap {
    "croupier-primer": CroupierPrimer;
  }
}
