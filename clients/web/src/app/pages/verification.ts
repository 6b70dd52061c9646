import type { Match } from "@croupier/client/v1";
import type { Finding, Report } from "@croupier/client/verify";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Deed, Page } from "../page.js";
import { saveFile } from "../files.js";

/** The record of a revealed match, to save it and to verify it here or elsewhere. */
@customElement("app-verification")
export class Verification extends Page {
  @property({ attribute: false }) match!: Match;

  @state() private report?: Report;

  readonly #deed = new Deed(this);

  protected override render() {
    const { seed, seedCommitment } = this.match;
    return html`<details>
      <summary>${this.say("app-verify")}</summary>
      <p>${this.say("app-verify-how")}</p>
      <dl class="facts code">
        <dt>${this.say("app-seed-commitment")}</dt>
        <dd><code>${seedCommitment}</code></dd>
        <dt>${this.say("app-seed")}</dt>
        <dd><code>${seed}</code></dd>
      </dl>
      ${this.#deed.render()} ${this.report ? this.#renderReport(this.report) : nothing}
      <div class="buttons">
        <button ?disabled=${this.#deed.isBusy} @click=${this.#verify}>
          ${this.say(this.#deed.isBusy ? "app-verifying" : "app-verify-here")}
        </button>
        <button ?disabled=${this.#deed.isBusy} @click=${this.#save}>${this.say("app-record")}</button>
        <a href="/docs/verify.html">${this.say("app-verify-more")}</a>
      </div>
    </details>`;
  }

  #renderReport({ answer, matches, wrong, unproven }: Report) {
    const [match] = matches;
    if (answer === "PROVEN" && match) {
      const { entries, choices } = match;
      return html`<div class="notice success" role="status">
        <p>${this.say("app-verify-proven", { entries, choices })}</p>
      </div>`;
    }
    if (answer === "WRONG") {
      return html`<div class="notice failure" role="alert">
        <p>${this.say("app-verify-wrong")}</p>
        ${wrong.map((it) => this.#renderFinding(it))}
      </div>`;
    }
    return html`<div class="notice" role="status">
      <p>${this.say("app-verify-not-proven")}</p>
      ${unproven.map((it) => this.#renderFinding(it))}
    </div>`;
  }

  #renderFinding({ position, reason }: Finding) {
    const text = position === undefined ? reason : this.say("app-verify-entry", { position, reason });
    return html`<p class="fine">${text}</p>`;
  }

  readonly #verify = (): void => {
    void this.#deed.run(async () => {
      const { verify } = await import("@croupier/client/verify");
      const { name, seedCommitment } = this.match;
      this.report = verify(await this.#record(), { match: name, seedCommitment });
    });
  };

  readonly #save = (): void => {
    void this.#deed.run(async () => saveFile(`${this.match.name.replace("/", "-")}.jsonl`, await this.#record()));
  };

  #record(): Promise<readonly string[]> {
    return this.context.croupier.match(this.match.name).record();
  }
}
