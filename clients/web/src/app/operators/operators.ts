import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { Page } from "../page.js";
import { link } from "../routes.js";
import "./entries.js";
import "./matches.js";
import "./platform.js";
import "./projections.js";
import "./search.js";
import "./subscription.js";
import "./subscriptions.js";

const tabs = ["matches", "search", "projections", "subscriptions", "platform"];

/** The pages for people who run a platform. */
@customElement("app-operators")
export class OperatorsPage extends Page {
  protected override render() {
    const [, tab = "matches"] = this.context.route.path;
    return html`
      <h1>${this.say("app-nav-operators")}</h1>
      <nav class="tabs" aria-label=${this.say("app-nav-operators")}>
        ${tabs.map(
          (it) => html`<a
            href=${link(["operators", it])}
            aria-current=${it === tab || (it === "matches" && tab === "entries") ? "page" : "false"}
            >${this.say(`app-tab-${it}`)}</a
          >`,
        )}
      </nav>
      ${this.#renderTab(tab)}
    `;
  }

  #renderTab(tab: string) {
    const { context } = this;
    const [, , id] = context.route.path;
    switch (tab) {
      case "entries":
        return html`<operator-entries .context=${context} .match=${id ?? ""}></operator-entries>`;
      case "search":
        return html`<operator-search .context=${context}></operator-search>`;
      case "projections":
        return html`<operator-projections .context=${context}></operator-projections>`;
      case "subscriptions":
        return id
          ? html`<operator-subscription .context=${context} .subscription=${id}></operator-subscription>`
          : html`<operator-subscriptions .context=${context}></operator-subscriptions>`;
      case "platform":
        return html`<operator-platform .context=${context}></operator-platform>`;
      default:
        return html`<operator-matches .context=${context}></operator-matches>`;
    }
  }
}
