import type { Match } from "@croupier/client/v1";
import { html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { keptOf } from "../../check/kept.js";
import type { CheckPanel } from "../../check/panel.js";
import { Deed, Page } from "../page.js";
import { blobOf, saveFile } from "../files.js";

/** The record of a revealed match, to check it on this device, and to save it. */
@customElement("app-verification")
export class Verification extends Page {
  @property({ attribute: false }) match!: Match;
  /** Whether the match was played on this device. */
  @property({ type: Boolean }) here = false;

  readonly #deed = new Deed(this);

  protected override render() {
    const { seed, seedCommitment } = this.match;
    return html`
      <h2>${this.say(this.here ? "app-device-verify" : "app-verify")}</h2>
      <p>${this.say(this.here ? "app-device-verify-how" : "app-verify-how")}</p>
      ${this.#deed.render()}
      <div class="buttons">
        <button ?disabled=${this.#deed.isBusy} @click=${this.#check}>
          ${this.say(this.#deed.isBusy ? "app-verifying" : "app-verify-here")}
        </button>
        <button class="quiet" ?disabled=${this.#deed.isBusy} @click=${this.#save}>${this.say("app-record")}</button>
      </div>
      <croupier-check language=${this.context.language}></croupier-check>
      <details>
        <summary>${this.say("app-verify-details")}</summary>
        <dl class="facts code">
          <dt>${this.say("app-seed-commitment")}</dt>
          <dd><code>${seedCommitment}</code></dd>
          <dt>${this.say("app-seed")}</dt>
          <dd><code>${seed}</code></dd>
        </dl>
        <p class="fine">
          <a href="docs/verify.html">${this.say("app-verify-more")}</a> ·
          <a href="check/">${this.say("app-verify-file")}</a>
        </p>
      </details>
    `;
  }

  readonly #check = (): void => {
    void this.#deed.run(async () => {
      const [record] = await Promise.all([this.#record(), import("../../check/panel.js")]);
      const panel = this.querySelector<CheckPanel>("croupier-check")!;
      await panel.check(blobOf(record), keptOf(this.match.name), true);
    });
  };

  readonly #save = (): void => {
    void this.#deed.run(async () => saveFile(`${this.match.name.replace("/", "-")}.jsonl`, await this.#record()));
  };

  #record(): Promise<readonly string[]> {
    return this.context.croupier.match(this.match.name).record();
  }
}
