import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Refusal } from "@croupier/client";
import { hasRules } from "../device.js";
import { failure, Page } from "../page.js";
import { link } from "../routes.js";

/** Instructions to sign in. Sends `signed-in` with a token that was entered by hand. */
@customElement("app-sign-in")
export class SignInPage extends Page {
  @property({ attribute: false }) problem!: { text: string } | { refusal: Refusal } | undefined;

  protected override render() {
    const { problem } = this;
    const isUsed = problem && "refusal" in problem && problem.refusal.is("SIGN_IN_CODE_INVALID");
    return html`
      <div class="narrow">
        <h1>${this.say("app-sign-in")}</h1>
        ${problem && "text" in problem ? html`<div class="notice" role="alert"><p>${problem.text}</p></div>` : nothing}
        ${isUsed ? html`<div class="notice" role="alert"><p>${this.say("app-sign-in-used")}</p></div>` : nothing}
        ${problem && "refusal" in problem && !isUsed ? failure(this.context, problem.refusal) : nothing}
        <p>${this.say("app-sign-in-how")}</p>
        <pre class="command"><code>croupier sign-in</code></pre>
        <p class="fine">${this.say("app-sign-in-guests")}</p>
        ${hasRules
          ? html`<div class="card here">
              <h2>${this.say("app-device-title")}</h2>
              <p>${this.say("app-device-lead")}</p>
              <a class="button primary" href=${link(["device"])}>${this.say("app-play")}</a>
            </div>`
          : nothing}
        <details>
          <summary>${this.say("app-sign-in-by-hand")}</summary>
          <form class="form" @submit=${this.#signIn}>
            <label class="field">
              <span>${this.say("app-sign-in-token")}</span>
              <input name="token" type="password" required autocomplete="off" spellcheck="false" />
              <small>${this.say("app-sign-in-token-help")}</small>
            </label>
            <button class="primary">${this.say("app-sign-in")}</button>
          </form>
        </details>
      </div>
    `;
  }

  readonly #signIn = (event: SubmitEvent): void => {
    event.preventDefault();
    const token = new FormData(event.target as HTMLFormElement).get("token");
    if (typeof token !== "string" || !token.trim()) return;
    this.dispatchEvent(new CustomEvent("signed-in", { detail: token.trim() }));
  };
}
