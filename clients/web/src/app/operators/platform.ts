import type { ApiKey, Platform } from "@croupier/client/v1";
import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf } from "../context.js";
import { renderTime } from "../format.js";
import { Load, Page } from "../page.js";

/** The platform's limits and API keys. */
@customElement("operator-platform")
export class OperatorPlatform extends Page {
  readonly #platform = new Load<Platform | undefined>(
    this,
    () => "",
    async (signal) => (await this.context.croupier.rpc.platforms.getPlatform({}, { signal })).platform,
  );

  readonly #keys = new Load<ApiKey[]>(
    this,
    () => "",
    async (signal) => (await this.context.croupier.rpc.platforms.listApiKeys({}, { signal })).apiKeys,
  );

  protected override render() {
    const { language } = this.context;
    return this.#platform.render((platform) => html`
      <h2>${idOf(platform?.name ?? "")}</h2>
      <p class="fine">${this.say("app-created")} ${renderTime(platform?.createTime, language)}</p>
      <h3>${this.say("app-limits")}</h3>
      <p class="fine">${this.say("app-limits-help")}</p>
      <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-limits")}>
        <table>
          <thead>
            <tr>
              <th>${this.say("app-limit")}</th>
              <th class="figure">${this.say("app-limit-used")}</th>
              <th class="figure">${this.say("app-limit-value")}</th>
              <th>${this.say("app-limit-by")}</th>
            </tr>
          </thead>
          <tbody>
            ${platform?.limits.map(
              (limit) => html`<tr>
                <td><code>${limit.name}</code></td>
                <td class="figure">${limit.used?.toLocaleString(language) ?? "–"}</td>
                <td class="figure">${limit.value.toLocaleString(language)}</td>
                <td>${this.say(limit.custom ? "app-limit-operator" : "app-limit-default")}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <h3>${this.say("app-keys")}</h3>
      <p class="fine">${this.say("app-keys-help")}</p>
      ${this.#keys.render((keys) => html`
        <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-keys")}>
          <table>
            <thead>
              <tr>
                <th>${this.say("app-key")}</th>
                <th>${this.say("app-created")}</th>
                <th>${this.say("app-state")}</th>
              </tr>
            </thead>
            <tbody>
              ${keys.map(
                (key) => html`<tr>
                  <td><code>${idOf(key.name)}</code></td>
                  <td>${renderTime(key.createTime, language)}</td>
                  <td>
                    ${key.revokeTime
                      ? html`${this.say("app-key-revoked")} ${renderTime(key.revokeTime, language)}`
                      : this.say("app-key-valid")}
                  </td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
      `)}
    `);
  }
}
