import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { COMPLAINED, keptOf } from "../../check/kept.js";
import { saveFile } from "../files.js";
import { Page } from "../page.js";

/** What the service signed about a match and contradicts itself, if this browser found anything. */
@customElement("app-complaints")
export class Complaints extends Page {
  /** As `matches/{match}`. */
  @property() match!: string;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener(COMPLAINED, this.#complained);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener(COMPLAINED, this.#complained);
  }

  readonly #complained = (): void => this.requestUpdate();

  protected override render() {
    const { complaints = [] } = keptOf(this.match);
    if (complaints.length === 0) return nothing;
    return html`<div class="notice failure" role="alert">
      <p><strong>${this.say("app-complaint")}</strong> ${this.say("app-complaint-help")}</p>
      ${complaints.map(({ code, reason }) => html`<p class="fine"><span lang="en">${reason}</span> <code>${code}</code></p>`)}
      <button @click=${() => saveFile(`${this.match.replace("/", "-")}-evidence.txt`, complaints.flatMap(({ evidence }) => evidence))}>
        ${this.say("app-complaint-save")}
      </button>
    </div>`;
  }
}
