import { Refusal, type Croupier } from "@croupier/client";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { Page } from "../page.js";
import { connect } from "../service.js";

const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;

/** The key of an operator that this page was given. It is forgotten with the page, and stored nowhere. */
let key = "";
let client: Croupier | undefined;
let isRefused = false;
/** The forms that are shown. */
const forms = new Set<OperatorKey>();

/** Whether the page has the key of an operator. */
export function isOperator(): boolean {
  return key !== "";
}

/** Calls with the key. One that is refused is forgotten, and the session of the platform goes on. */
export async function asOperator<T>(call: (operator: Croupier) => Promise<T>): Promise<T> {
  client ??= connect({ credentials: key });
  try {
    return await call(client);
  } catch (error) {
    const refusal = Refusal.from(error);
    if (refusal.code !== UNAUTHENTICATED) throw refusal;
    become("");
    isRefused = true;
    for (const it of forms) it.requestUpdate();
    throw new Refusal({ code: PERMISSION_DENIED, reason: refusal.reason, message: refusal.message });
  }
}

function become(given: string): void {
  [key, client, isRefused] = [given, undefined, false];
}

/** Takes the key of an operator, or forgets it. Sends `change`. */
@customElement("operator-key")
export class OperatorKey extends Page {
  override connectedCallback(): void {
    super.connectedCallback();
    forms.add(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    forms.delete(this);
  }

  protected override render() {
    if (isOperator()) {
      return html`<p class="fine">
        ${this.say("app-operator-key-used")}
        <button class="quiet" @click=${() => this.#become("")}>${this.say("app-operator-key-forget")}</button>
      </p>`;
    }
    return html`<form class="filters" @submit=${this.#use}>
      <label class="field">
        <span>${this.say("app-operator-key")}</span>
        <input name="key" type="password" required autocomplete="off" spellcheck="false" />
        <small>${this.say("app-operator-key-help")}</small>
      </label>
      <div class="buttons"><button>${this.say("app-operator-key-use")}</button></div>
      ${isRefused ? html`<p role="alert">${this.say("app-operator-key-refused")}</p>` : nothing}
    </form>`;
  }

  readonly #use = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const given = String(new FormData(form).get("key") ?? "").trim();
    form.reset();
    this.#become(given);
  };

  #become(given: string): void {
    become(given);
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("change", { bubbles: true }));
  }
}
