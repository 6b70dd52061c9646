import { PushState, type Push } from "@croupier/client/v1";
import { html, type TemplateResult } from "lit";
import type { Context } from "../context.js";

/** The state of sending, in a badge. */
export function renderPushState(context: Context, push: Push): TemplateResult {
  const [kind, text] =
    push.state === PushState.FAILING
      ? ["waiting", "app-push-failing"]
      : push.state === PushState.DISABLED
        ? ["problem", "app-push-disabled"]
        : ["won", "app-push-healthy"];
  return html`<span class="badge ${kind}">${context.say(text)}</span>`;
}

/** A secret that no call returns again. */
export function renderSecret(text: string, secret: string): TemplateResult {
  return html`<div class="notice" role="status">
    <p>${text}</p>
    <pre tabindex="0"><code>${secret}</code></pre>
  </div>`;
}
