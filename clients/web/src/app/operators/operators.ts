import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { Page } from "../page.js";
import { link } from "../routes.js";
import "./acts.js";
import "./entries.js";
import "./live.js";
import "./matches.js";
import "./platform.js";
import "./players.js";
import "./projections.js";
import "./search.js";
import "./subscription.js";
import "./subscriptions.js";
import "../pages/texts.js";
import "./texts.js";

const tabs = ["matches", "players", "search", "projections", "subscriptions", "platform", "acts", "live"];

/** The pages for people who run a platform. */
@customElement("app-operators")
export class OperatorsPage extends Page {
  #shown: string | undefined;

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

  protected override updated(): void {
    super.updated();
    const [, tab = ""] = this.context.route.path;
    if (tab === this.#shown) return;
    this.#shown = tab;
    // On a phone the row of tabs is wider than the page.
    this.querySelector("nav.tabs [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #renderTab(tab: string) {
    const { context } = this;
    const [, , id] = context.route.path;
    switch (tab) {
      case "entries":
        return html`<operator-entries .context=${context} .match=${id ?? ""}></operator-entries>`;
      case "players":
        return html`<operator-players .context=${context}></operator-players>`;
      case "search":
        return html`<operator-search .context=${context}></operator-search>`;
      case "projections":
        return html`<operator-projections .context=${context}></operator-projections>`;
      case "subscriptions":
        return id
          ? html`<operator-subscription .context=${context} .subscription=${id}></operator-subscription>`
          : html`<operator-subscriptions .context=${context}></operator-subscriptions>`;
      case "acts":
        return html`<operator-acts .context=${context}></operator-acts>`;
      case "live":
        return html`<operator-live .context=${context}></operator-live>`;
      case "platform":
        return html`<operator-platform .context=${context}></operator-platform>`;
      default:
        return html`<operator-matches .context=${context}></operator-matches>`;
    }
  }
}
