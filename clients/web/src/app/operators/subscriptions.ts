import type { Subscription } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf } from "../context.js";
import { renderTime } from "../format.js";
import { Deed, Listing, Page } from "../page.js";
import { link } from "../routes.js";
import { renderPushState, renderSecret } from "./push.js";

/** The platform's subscriptions: consumed ones and webhooks. */
@customElement("operator-subscriptions")
export class OperatorSubscriptions extends Page {
  readonly #deed = new Deed(this);
  #secret: { name: string; secret: string } | undefined;

  readonly #listing = new Listing<Subscription>(
    this,
    () => "",
    async (pageToken, signal) => {
      const page = await this.context.croupier.rpc.streams.listSubscriptions({ pageToken, pageSize: 50 }, { signal });
      return { items: page.subscriptions, more: page.nextPageToken };
    },
  );

  protected override render() {
    const { context } = this;
    return html`
      <p class="lead">${this.say("app-subscriptions-lead")} <a href="docs/webhooks.html">${this.say("app-webhooks-more")}</a></p>
      ${this.#deed.render()} ${this.#secret ? renderSecret(this.say("app-secret-once", { name: this.#secret.name }), this.#secret.secret) : nothing}
      ${this.#listing.renderList(html`<p>${this.say("app-subscriptions-empty")}</p>`, (subscriptions) => html`
        <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-tab-subscriptions")}>
          <table>
            <thead>
              <tr>
                <th>${this.say("app-subscription")}</th>
                <th>${this.say("app-endpoint")}</th>
                <th>${this.say("app-state")}</th>
                <th>${this.say("app-created")}</th>
              </tr>
            </thead>
            <tbody>
              ${subscriptions.map(
                (it) => html`<tr>
                  <td><a href=${link(["operators", "subscriptions", idOf(it.name)])}>${idOf(it.name)}</a></td>
                  <td>${it.push ? html`<code class="url">${it.push.url}</code>` : this.say("app-consumed")}</td>
                  <td>
                    ${it.push
                      ? renderPushState(context, it.push)
                      : this.say("app-consumers", { consumers: it.consumers.length })}
                  </td>
                  <td>${renderTime(it.createTime, context.language)}</td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
      `)}
      <details class="card">
        <summary>${this.say("app-subscription-new")}</summary>
        <form class="form" @submit=${this.#create}>
          <label class="field">
            <span>${this.say("app-name")}</span>
            <input name="name" required maxlength="64" pattern="[A-Za-z0-9._\\-]+" autocomplete="off" placeholder="feed" />
          </label>
          <label class="field">
            <span>${this.say("app-endpoint")}</span>
            <input name="url" type="url" autocomplete="off" placeholder="https://play.example/hooks/croupier" />
            <small>${this.say("app-endpoint-help")}</small>
          </label>
          <label class="field">
            <span>${this.say("app-game")}</span>
            <select name="game">
              <option value="">${this.say("app-all-games")}</option>
              ${context.games.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}
            </select>
          </label>
          <label class="check">
            <input type="checkbox" name="live" checked />
            ${this.say("app-only-new")}
          </label>
          <button class="primary" ?disabled=${this.#deed.isBusy}>${this.say("app-subscription-create")}</button>
        </form>
      </details>
    `;
  }

  readonly #create = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    void this.#deed.run(async () => {
      const created = await this.context.croupier.rpc.streams.createSubscription({
        name: `subscriptions/${text("name")}`,
        live: given.get("live") !== null,
        filter: { games: text("game") ? [text("game")] : [] },
        ...(text("url") && { push: { url: text("url") } }),
      });
      this.#secret = created.secret ? { name: text("name"), secret: created.secret } : undefined;
      form.reset();
      await this.#listing.reload();
    });
  };
}
