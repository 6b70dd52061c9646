import { ActorKind, ActOutcome, type Act } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf, type Context } from "../context.js";
import { renderExactTime } from "../format.js";
import { Listing, Page } from "../page.js";
import { filterBy, link } from "../routes.js";
import { asOperator, isOperator } from "./operator-key.js";
import "./operator-key.js";

const actors: Partial<Record<ActorKind, string>> = {
  [ActorKind.COMMAND_LINE]: "app-actor-command-line",
  [ActorKind.SERVICE]: "app-actor-service",
  [ActorKind.PLATFORM]: "app-actor-platform",
  [ActorKind.OPERATOR_KEY]: "app-actor-operator",
};

const outcomes: Partial<Record<ActOutcome, readonly [string, string]>> = {
  [ActOutcome.DONE]: ["won", "app-act-done"],
  [ActOutcome.UNCHANGED]: ["", "app-act-unchanged"],
  [ActOutcome.FAILED]: ["problem", "app-act-failed"],
};

/** What operators and the platform did. With the key of an operator, on all platforms. */
@customElement("operator-acts")
export class OperatorActs extends Page {
  readonly #listing = new Listing<Act>(
    this,
    () => [this.context.route.query, isOperator()],
    async (pageToken, signal) => {
      const { kind = "", platform = "" } = this.context.route.query;
      const request = { pageToken, pageSize: 50, kind };
      const page = isOperator()
        ? await asOperator(({ rpc }) =>
            rpc.platforms.listActs({ ...request, platform: platform && `platforms/${platform}` }, { signal }),
          )
        : await this.context.croupier.rpc.platforms.listActs(request, { signal });
      return { items: page.acts, more: page.nextPageToken };
    },
  );

  protected override render() {
    const { query } = this.context.route;
    const field = (name: string, title: string, placeholder: string) =>
      html`<label class="field">
        <span>${this.say(title)}</span>
        <input name=${name} placeholder=${placeholder} autocomplete="off" .value=${query[name] ?? ""} />
      </label>`;
    return html`
      <p class="lead">${this.say("app-acts-lead")}</p>
      <operator-key .context=${this.context} @change=${() => this.requestUpdate()}></operator-key>
      <form class="filters" @submit=${this.#filter}>
        ${isOperator() ? field("platform", "app-tab-platform", "local") : nothing}
        ${field("kind", "app-act-kind", "revoke_key")}
        <div class="buttons">
          <button>${this.say("app-filter")}</button>
          <a class="button quiet" href=${link(["operators", "acts"])}>${this.say("app-filters-clear")}</a>
        </div>
      </form>
      ${this.#listing.renderList(html`<p>${this.say("app-acts-empty")}</p>`, (acts) => html`
        <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-tab-acts")}>
          <table>
            <thead>
              <tr>
                <th>${this.say("app-time")}</th>
                <th>${this.say("app-act-kind")}</th>
                <th>${this.say("app-act-actor")}</th>
                ${isOperator() ? html`<th>${this.say("app-tab-platform")}</th>` : nothing}
                <th>${this.say("app-act-outcome")}</th>
              </tr>
            </thead>
            <tbody>
              ${acts.map((act) => renderAct(this.context, act))}
            </tbody>
          </table>
        </div>
      `)}
    `;
  }

  readonly #filter = (event: Event): void => {
    event.preventDefault();
    filterBy(["operators", "acts"], new FormData(event.currentTarget as HTMLFormElement));
  };
}

function renderAct(context: Context, act: Act) {
  const [badge, outcome] = outcomes[act.outcome] ?? ["waiting", "app-act-unknown"];
  const details = Object.entries(act.details).sort(([one], [other]) => (one < other ? -1 : 1));
  return html`<tr>
    <td>${renderExactTime(act.createTime, context.language)}</td>
    <td>
      <code>${act.kind}</code>
      ${details.map(([name, value]) => html`<small class="detail">${name} <code>${value}</code></small> `)}
    </td>
    <td>
      ${context.say(actors[act.actorKind] ?? "app-nobody")}
      ${act.actor ? html`<small><code>${act.actor}</code></small>` : nothing}
    </td>
    ${isOperator() ? html`<td>${act.platform ? idOf(act.platform) : context.say("app-act-installation")}</td>` : nothing}
    <td>
      <span class="badge ${badge}">${context.say(outcome)}</span>
      ${act.reason ? html`<small><code>${act.reason}</code></small>` : nothing}
    </td>
  </tr>`;
}
