import type { Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { idOf } from "../context.js";
import { Load, Page } from "../page.js";
import { matchLink } from "../routes.js";

/** A link on which strangers watch a match, if the operator shows the matches of its platform. */
@customElement("app-watch-link")
export class WatchLink extends Page {
  @property({ attribute: false }) match!: Match;

  /** The page of the link says it: it has a picture only of a match that is shown. */
  readonly #isShown = new Load<boolean>(
    this,
    () => this.match.name,
    async (signal) => {
      const page = await this.context.croupier.page(`/m/${idOf(this.match.name)}`, { signal });
      return page?.includes('property="og:image"') ?? false;
    },
  );

  protected override render() {
    if (!this.#isShown.value) return nothing;
    const address = matchLink(location.href, this.match.name);
    return html`<h3>${this.say("app-watch-link")}</h3>
      <p class="fine">${this.say("app-watch-link-help")}</p>
      <span class="share">
        <input
          readonly
          .value=${address}
          aria-label=${this.say("app-watch-link")}
          @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        />
        <button type="button" @click=${() => void this.copy(address)}>${this.say("app-copy-link")}</button>
      </span>`;
  }
}
