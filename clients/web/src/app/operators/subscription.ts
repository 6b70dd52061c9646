import { durationMs } from "@bufbuild/protobuf/wkt";
import type { Delivery, Subscription } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../asking.js";
import { gameTitle, idOf } from "../context.js";
import { renderExactTime, renderTime } from "../format.js";
import { Deed, Listing, Load, Page } from "../page.js";
import { link } from "../routes.js";
import { renderPushState, renderSecret } from "./push.js";

/** A subscription: its filter, the state of sending, and each attempt to send. */
@customElement("operator-subscription")
export class OperatorSubscription extends Page {
  /** The id. */
  @property({ attribute: false }) subscription!: string;

  readonly #deed = new Deed(this);
  #secret: string | undefined;
  #tested: Delivery | undefined;

  readonly #load = new Load<Subscription | undefined>(
    this,
    () => this.subscription,
    async (signal) => (await this.#streams.getSubscription({ name: this.#name }, { signal })).subscription,
  );

  readonly #deliveries = new Listing<Delivery>(
    this,
    () => [this.subscription, this.#load.value?.push !== undefined],
    async (pageToken, signal) => {
      if (!this.#load.value?.push) return { items: [], more: "" };
      const page = await this.#streams.listDeliveries({ parent: this.#name, pageToken, pageSize: 50 }, { signal });
      return { items: page.deliveries, more: page.nextPageToken };
    },
  );

  get #streams() {
    return this.context.croupier.rpc.streams;
  }

  get #name(): string {
    return `subscriptions/${this.subscription}`;
  }

  protected override render() {
    const { context } = this;
    return html`
      <p><a href=${link(["operators", "subscriptions"])}>${this.say("app-all-subscriptions")}</a></p>
      ${this.#load.render((subscription) => {
        const { push, filter } = subscription ?? {};
        return html`
          <div class="title">
            <h2>${this.subscription}</h2>
            ${push ? renderPushState(context, push) : nothing}
          </div>
          ${this.#deed.render()} ${this.#secret ? renderSecret(this.say("app-secret-once", { name: this.subscription }), this.#secret) : nothing}
          <dl class="facts">
            <dt>${this.say("app-created")}</dt>
            <dd>${renderTime(subscription?.createTime, context.language)}</dd>
            <dt>${this.say("app-selects")}</dt>
            <dd>
              ${[
                ...(filter?.games.map((it) => gameTitle(context, it)) ?? []),
                ...(filter?.verbs ?? []),
                ...(filter?.players ?? []),
                ...(filter?.tags ?? []),
              ].join(", ") || this.say("app-selects-all")}
            </dd>
            ${push
              ? html`<dt>${this.say("app-endpoint")}</dt>
                  <dd><code class="url">${push.url}</code></dd>`
              : html`<dt>${this.say("app-consumed-by")}</dt>
                  <dd>${subscription?.consumers.join(", ") || this.say("app-nobody")}</dd>`}
            ${push?.failingSinceTime
              ? html`<dt>${this.say("app-failing-since")}</dt>
                  <dd>${renderExactTime(push.failingSinceTime, context.language)}</dd>`
              : nothing}
            ${push?.lastError
              ? html`<dt>${this.say("app-last-error")}</dt>
                  <dd>${push.lastError}</dd>`
              : nothing}
            ${push?.nextAttemptTime
              ? html`<dt>${this.say("app-next-attempt")}</dt>
                  <dd>${renderTime(push.nextAttemptTime, context.language)}</dd>`
              : nothing}
            ${push?.disabledTime
              ? html`<dt>${this.say("app-disabled")}</dt>
                  <dd>${renderExactTime(push.disabledTime, context.language)}</dd>`
              : nothing}
            ${push?.secretExpireTime
              ? html`<dt>${this.say("app-secret-expires")}</dt>
                  <dd>${renderExactTime(push.secretExpireTime, context.language)}</dd>`
              : nothing}
          </dl>
          <div class="buttons">
            ${push
              ? html`
                  ${this.#button("app-test", async () => {
                    this.#tested = (await this.#streams.testWebhook({ name: this.#name })).delivery;
                  })}
                  ${this.#button(
                    "app-redeliver",
                    async () => {
                      await this.#streams.redeliverEntries({ name: this.#name });
                    },
                    "app-redeliver-sure",
                  )}
                  ${this.#button(
                    "app-rotate",
                    async () => {
                      this.#secret = (await this.#streams.rotateSecret({ name: this.#name })).secret;
                    },
                    "app-rotate-sure",
                  )}
                `
              : nothing}
            <button class="danger" ?disabled=${this.#deed.isBusy} @click=${this.#delete}>${this.say("app-delete")}</button>
          </div>
          ${this.#tested
            ? html`<h3>${this.say("app-test")}</h3>
                ${this.#renderDeliveries([this.#tested])}`
            : nothing}
          ${push
            ? html`<h3>${this.say("app-deliveries")}</h3>
                ${this.#deliveries.renderList(html`<p>${this.say("app-deliveries-empty")}</p>`, (deliveries) =>
                  this.#renderDeliveries(deliveries),
                )}`
            : nothing}
        `;
      })}
    `;
  }

  #renderDeliveries(deliveries: readonly Delivery[]) {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-deliveries")}>
      <table>
        <thead>
          <tr>
            <th>${this.say("app-time")}</th>
            <th>${this.say("app-entries")}</th>
            <th class="figure">${this.say("app-attempt")}</th>
            <th>${this.say("app-answer")}</th>
            <th class="figure">${this.say("app-duration")}</th>
            <th>${this.say("app-actions")}</th>
          </tr>
        </thead>
        <tbody>
          ${deliveries.map(
            (it) => html`<tr>
              <td>${renderExactTime(it.attemptTime, this.context.language)}</td>
              <td>
                ${it.match
                  ? html`<a href=${link(["operators", "entries", idOf(it.match)])}><code>${idOf(it.match).slice(0, 8)}</code></a>
                      ${it.firstPosition}–${it.lastPosition}`
                  : this.say("app-test")}
              </td>
              <td class="figure">${it.attempt}</td>
              <td>
                <span class="badge ${it.error ? "problem" : "won"}">${it.status || this.say("app-no-answer")}</span>
                ${it.error ? html`<small>${it.error}</small>` : nothing}
              </td>
              <td class="figure">${it.duration ? `${durationMs(it.duration)} ms` : nothing}</td>
              <td class="deeds">
                ${it.cursor
                  ? this.#button(
                      "app-send-again",
                      async () => {
                        await this.#streams.redeliverEntries({ name: this.#name, cursor: it.cursor });
                      },
                      "app-send-again-sure",
                    )
                  : nothing}
              </td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #button(title: string, work: () => Promise<void>, question?: string) {
    const workAndReload = async () => {
      await work();
      await Promise.all([this.#load.reload(), this.#deliveries.reload()]);
    };
    return this.#deed.button(title, workAndReload, question);
  }

  readonly #delete = async (): Promise<void> => {
    if (!(await ask(this.context, "app-subscription-delete-sure", "app-delete"))) return;
    void this.#deed.run(async () => {
      await this.#streams.deleteSubscription({ name: this.#name });
      location.hash = link(["operators", "subscriptions"]);
    });
  };
}
