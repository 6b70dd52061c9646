import { fromBinary } from "@bufbuild/protobuf";
import { ImportMatchRequestSchema, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { idOf } from "../context.js";
import type { Device } from "../device.js";
import { Deed, Page } from "../page.js";
import { link } from "../routes.js";
import { loadSession } from "../session.js";
import { readStored, writeStored } from "../stored.js";

/** Gives a match of this device to the service, which plays it again and records it. Its context is of the service. */
@customElement("app-giving")
export class Giving extends Page {
  @property({ attribute: false }) device!: Device;
  @property({ attribute: false }) match!: Match;
  @state() private isGiven = false;

  readonly #deed = new Deed(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void readStored(this.match.name).then((it) => (this.isGiven ||= it?.isGiven ?? false));
  }

  protected override render() {
    const session = loadSession();
    const { player } = this.context;
    return html`
      <h2>${this.say("app-give")}</h2>
      ${this.isGiven
        ? html`<p>${this.say("app-given")}</p>
            ${session?.kind === "platform"
              ? html`<div class="buttons">
                  <a class="button" href=${link(["matches", idOf(this.match.name)])}>${this.say("app-given-look")}</a>
                </div>`
              : nothing}`
        : session?.kind === "platform" || session?.kind === "seat"
          ? html`<p>
                ${session.kind === "platform" ? this.say("app-give-how", { player }) : this.say("app-give-how-guest")}
              </p>
              ${this.#deed.render()}
              <div class="buttons">
                <button ?disabled=${this.#deed.isBusy} @click=${() => this.#give(session.kind === "platform" ? player : "")}>
                  ${this.say(this.#deed.isBusy ? "app-giving" : "app-give-now")}
                </button>
              </div>`
          : html`<p>${this.say("app-give-sign-in")} <a href=${link([])}>${this.say("app-device-leave")}</a></p>`}
    `;
  }

  #give(player: string): void {
    const { name } = this.match;
    void this.#deed.run(async () => {
      const request = fromBinary(ImportMatchRequestSchema, await this.device.local.give(name));
      await this.context.croupier.rpc.matches.importMatch({ ...request, player });
      this.isGiven = true;
      this.context.announce(this.say("app-given"));
      const stored = await readStored(name);
      if (stored) await writeStored({ ...stored, isGiven: true });
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "app-giving": Giving;
  }
}
