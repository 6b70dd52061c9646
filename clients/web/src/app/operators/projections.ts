import type { Projection } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf } from "../context.js";
import { renderTime } from "../format.js";
import { Load, Page } from "../page.js";

/** The projections of the service. */
const names = ["projections/matches", "projections/players", "projections/holdings"];
const REFRESH_MS = 3_000;

/** The lag of the projections behind the record. */
@customElement("operator-projections")
export class OperatorProjections extends Page {
  readonly #load = new Load<Projection[]>(
    this,
    () => "",
    async (signal) => {
      const { projections } = this.context.croupier.rpc;
      const read = await Promise.all(names.map((name) => projections.getProjection({ name }, { signal })));
      return read.flatMap(({ projection }) => projection ?? []);
    },
  ).every(REFRESH_MS);

  protected override render() {
    return html`
      <p class="lead">${this.say("app-projections-lead")}</p>
      ${this.#load.render((projections) => html`<ul class="cards">
        ${projections.map(
          (it) => html`<li class="card">
            <h2>${idOf(it.name)}</h2>
            <p class="big ${it.lag > 0 ? "behind" : ""}">
              ${it.lag > 0 ? this.say("app-projection-lag", { entries: it.lag }) : this.say("app-projection-current")}
            </p>
            <dl class="facts">
              ${it.behindSinceTime
                ? html`<dt>${this.say("app-behind-since")}</dt>
                    <dd>${renderTime(it.behindSinceTime, this.context.language)}</dd>`
                : nothing}
              <dt>${this.say("app-rebuilds")}</dt>
              <dd>${it.generation}</dd>
              ${it.rebuildingGeneration === undefined
                ? nothing
                : html`<dt>${this.say("app-rebuilding")}</dt>
                    <dd>${this.say("app-projection-lag", { entries: it.rebuildingLag })}</dd>`}
            </dl>
          </li>`,
        )}
      </ul>`)}
    `;
  }
}
