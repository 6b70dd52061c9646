import type { ApiKey, Limit, Platform } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf } from "../context.js";
import { renderExactTime, renderTime } from "../format.js";
import { Deed, Load, Page } from "../page.js";
import { filterBy, link } from "../routes.js";
import { asOperator, isOperator } from "./operator-key.js";
import "./operator-key.js";
import { renderSecret } from "./push.js";

const LIMIT_MAX = 2 ** 31 - 1;

/** The platform's limits and API keys. With the key of an operator, any platform's, to be changed. */
@customElement("operator-platform")
export class OperatorPlatform extends Page {
  readonly #deed = new Deed(this);
  /** What was done to the platform that is shown. */
  #done: { readonly name: string; readonly text?: string; readonly key?: string } | undefined;

  readonly #platforms = new Load<readonly Platform[]>(
    this,
    () => isOperator(),
    async (signal) => {
      const platforms: Platform[] = [];
      for (let pageToken = ""; isOperator(); ) {
        const request = { pageToken, pageSize: 1000 };
        const page = await asOperator(({ rpc }) => rpc.platforms.listPlatforms(request, { signal }));
        platforms.push(...page.platforms);
        pageToken = page.nextPageToken;
        if (!pageToken) break;
      }
      return platforms;
    },
  );

  readonly #platform = new Load<Platform | undefined>(
    this,
    () => this.#named,
    async (signal) => {
      const request = { platform: this.#named };
      const { platform } = this.#named
        ? await asOperator(({ rpc }) => rpc.platforms.getPlatform(request, { signal }))
        : await this.context.croupier.rpc.platforms.getPlatform({}, { signal });
      return platform;
    },
  );

  readonly #keys = new Load<readonly ApiKey[]>(
    this,
    () => this.#named,
    async (signal) => {
      const request = { platform: this.#named, pageSize: 1000 };
      const { apiKeys } = this.#named
        ? await asOperator(({ rpc }) => rpc.platforms.listApiKeys(request, { signal }))
        : await this.context.croupier.rpc.platforms.listApiKeys(request, { signal });
      return apiKeys;
    },
  );

  /** The platform that an operator has chosen; empty for the own one. */
  get #named(): string {
    const { platform } = this.context.route.query;
    return isOperator() && platform ? `platforms/${platform}` : "";
  }

  protected override render() {
    return html`
      <operator-key .context=${this.context} @change=${() => this.requestUpdate()}></operator-key>
      ${isOperator() ? this.#platforms.render((platforms) => this.#renderChoice(platforms)) : nothing} ${this.#deed.render()}
      ${this.#platform.render((platform) => (platform ? this.#renderPlatform(platform) : nothing))}
    `;
  }

  #renderChoice(platforms: readonly Platform[]) {
    const shown = this.#platform.value?.name;
    return html`
      <div class="filters">
        <label class="field">
          <span>${this.say("app-tab-platform")}</span>
          <select @change=${this.#choose}>
            ${platforms.map(
              ({ name, suspendTime }) =>
                html`<option value=${idOf(name)} ?selected=${name === shown}>
                  ${idOf(name)}${suspendTime ? ` (${this.say("app-platform-suspended")})` : ""}
                </option>`,
            )}
          </select>
        </label>
      </div>
      <form class="filters" @submit=${this.#add}>
        <label class="field">
          <span>${this.say("app-platform-new")}</span>
          <input name="platform" required pattern="[a-z0-9\\-]{1,32}" autocomplete="off" spellcheck="false" />
          <small>${this.say("app-platform-new-help")}</small>
        </label>
        <div class="buttons"><button ?disabled=${this.#deed.isBusy}>${this.say("app-platform-add")}</button></div>
      </form>
    `;
  }

  #renderPlatform(platform: Platform) {
    const { language } = this.context;
    const { name, suspendTime } = platform;
    const done = this.#done?.name === name ? this.#done : undefined;
    return html`
      <h2>${idOf(name)}</h2>
      <p class="fine">${this.say("app-created")} ${renderTime(platform.createTime, language)}</p>
      ${suspendTime
        ? html`<p class="notice">${this.say("app-platform-suspended-since")} ${renderExactTime(suspendTime, language)}</p>`
        : nothing}
      ${done?.text ? html`<p class="notice success" role="status">${this.say(done.text)}</p>` : nothing}
      ${isOperator()
        ? html`<div class="buttons">
            ${suspendTime
              ? this.#button(platform, "app-platform-resume", ({ resumePlatform }) => resumePlatform({ name }))
              : this.#button(
                  platform,
                  "app-platform-suspend",
                  ({ suspendPlatform }) => suspendPlatform({ name }),
                  "app-platform-suspend-sure",
                )}
          </div>`
        : nothing}
      <h3>${this.say("app-limits")}</h3>
      <p class="fine">${this.say(isOperator() ? "app-limits-change-help" : "app-limits-help")}</p>
      <form @submit=${(event: SubmitEvent) => this.#setLimits(event, platform)}>
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
              ${platform.limits.map(
                (limit) => html`<tr>
                  <td><code>${limit.name.split("_").map((part, nth) => html`${nth > 0 ? html`_<wbr />` : nothing}${part}`)}</code></td>
                  <td class="figure">${limit.used?.toLocaleString(language) ?? "–"}</td>
                  <td class="figure">${isOperator() ? this.#renderField(limit) : limit.value.toLocaleString(language)}</td>
                  <td>${this.say(limit.custom ? "app-limit-operator" : "app-limit-default")}</td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
        ${isOperator()
          ? html`<div class="buttons"><button ?disabled=${this.#deed.isBusy}>${this.say("app-limits-set")}</button></div>`
          : nothing}
      </form>
      <h3>${this.say("app-keys")}</h3>
      <p class="fine">${this.say(isOperator() ? "app-keys-change-help" : "app-keys-help")}</p>
      ${done?.key ? renderSecret(this.say("app-key-once", { name: idOf(name) }), done.key) : nothing}
      ${isOperator()
        ? html`<div class="buttons">
            ${this.#button(platform, "app-key-create", async ({ createApiKey }) => {
              const { key } = await createApiKey({ parent: name });
              return { key };
            })}
          </div>`
        : nothing}
      ${this.#keys.render((keys) => html`
        <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-keys")}>
          <table>
            <thead>
              <tr>
                <th>${this.say("app-key")}</th>
                <th>${this.say("app-created")}</th>
                <th>${this.say("app-state")}</th>
                ${isOperator() ? html`<th>${this.say("app-actions")}</th>` : nothing}
              </tr>
            </thead>
            <tbody>
              ${keys.map((key) => this.#renderKey(platform, key))}
            </tbody>
          </table>
        </div>
      `)}
    `;
  }

  /** Empty for the service's default. */
  #renderField({ name, value, custom }: Limit) {
    const usual = custom ? this.say("app-limit-usual") : String(value);
    return html`<input
      type="number"
      name=${name}
      aria-label=${name}
      min="1"
      max=${LIMIT_MAX}
      step="1"
      placeholder=${usual}
      .value=${custom ? String(value) : ""}
    />`;
  }

  #renderKey(platform: Platform, { name, createTime, revokeTime }: ApiKey) {
    const { language } = this.context;
    return html`<tr>
      <td><code>${idOf(name)}</code></td>
      <td>${renderTime(createTime, language)}</td>
      <td>
        ${revokeTime ? html`${this.say("app-key-revoked")} ${renderTime(revokeTime, language)}` : this.say("app-key-valid")}
      </td>
      ${isOperator()
        ? html`<td class="deeds">
            ${revokeTime
              ? nothing
              : this.#button(
                  platform,
                  "app-key-revoke",
                  ({ revokeApiKey }) => revokeApiKey({ parent: platform.name, name }),
                  "app-key-revoke-sure",
                )}
          </td>`
        : nothing}
    </tr>`;
  }

  /** A button that changes a platform. */
  #button(platform: Platform, title: string, work: (of: Calls) => Promise<object>, question?: string) {
    return this.#deed.button(title, () => this.#change(platform.name, work), question);
  }

  async #change(name: string, work: (of: Calls) => Promise<object>, text?: string): Promise<void> {
    const made = await asOperator(({ rpc }) => work(rpc.platforms));
    this.#done = { name, ...(text && { text }), ...("key" in made && { key: String(made.key) }) };
    await Promise.all([this.#platforms.reload(), this.#platform.reload(), this.#keys.reload()]);
  }

  #setLimits(event: SubmitEvent, { name, limits }: Platform): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const changed: Record<string, number> = {};
    for (const limit of limits) {
      const value = Number(given.get(limit.name));
      if (value !== (limit.custom ? limit.value : 0)) changed[limit.name] = value;
    }
    void this.#deed.run(() => this.#change(name, (of) => of.setPlatformLimits({ name, limits: changed }), "app-limits-are-set"));
  }

  readonly #choose = (event: Event): void => {
    location.hash = link(["operators", "platform"], { platform: (event.target as HTMLSelectElement).value });
  };

  readonly #add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const given = new FormData(form);
    const name = `platforms/${String(given.get("platform")).trim()}`;
    void this.#deed.run(async () => {
      await this.#change(name, (of) => of.createPlatform({ name }), "app-platform-added");
      form.reset();
      filterBy(["operators", "platform"], given);
    });
  };
}

type Calls = Page["context"]["croupier"]["rpc"]["platforms"];
