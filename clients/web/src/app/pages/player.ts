import type { Match, Player } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { gameTitle, idOf } from "../context.js";
import { renderTime } from "../format.js";
import { renderMatches } from "../match-list.js";
import { Load, Page } from "../page.js";
import { clocksOf } from "../pools.js";
import { link } from "../routes.js";
import "./rating-line.js";
import "./texts.js";

/** A player's standings, opponents and last matches. */
@customElement("app-player")
export class PlayerPage extends Page {
  @property({ attribute: false }) player!: string;

  readonly #load = new Load<{ player: Player | undefined; matches: Match[] }>(
    this,
    () => this.player,
    async (signal) => {
      const { players, matches } = this.context.croupier.rpc;
      const [known, played] = await Promise.all([
        players.getPlayer({ name: `players/${this.player}` }, { signal }),
        matches.listMatches({ player: this.player, pageSize: 10 }, { signal }),
      ]);
      return { player: known.player, matches: played.matches };
    },
  );

  protected override render() {
    const { context } = this;
    return html`
      <h1>${this.player}</h1>
      ${this.#load.render(({ player, matches }) => {
        const standings = player?.standings ?? [];
        const opponents = player?.opponents ?? [];
        return html`
          ${standings.length > 0
            ? html`<h2>${this.say("app-nav-standings")}</h2>
                <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-nav-standings")}>
                  <table>
                    <thead>
                      <tr>
                        <th>${this.say("app-game")}</th>
                        <th class="figure">${this.say("app-rating")}</th>
                        <th>${this.say("app-rating-course")}</th>
                        <th class="figure">${this.say("app-played")}</th>
                        <th class="figure">${this.say("app-wins")}</th>
                        <th>${this.say("app-last-played")}</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${standings.map((it) => {
                        const clocks = clocksOf(it.clockClass);
                        const pool = { game: idOf(it.game), seats: `${it.seats}`, clocks };
                        return html`<tr>
                          <td>
                            <a href=${link(["standings"], pool)}>${gameTitle(context, it.game)}</a>,
                            ${this.say("app-seats", { seats: it.seats })}, ${this.say(`app-clocks-${clocks}`)}
                          </td>
                          <td class="figure">${it.rating.toFixed(1)}${it.provisional ? html`<abbr title=${this.say("app-rating-provisional")}>?</abbr>` : ""}</td>
                          <td><app-rating-line .context=${context} .player=${this.player} .standing=${it}></app-rating-line></td>
                          <td class="figure">${it.played}</td>
                          <td class="figure">${it.won + it.shared}</td>
                          <td>${renderTime(it.lastEndTime, context.language)}</td>
                        </tr>`;
                      })}
                    </tbody>
                  </table>
                </div>`
            : nothing}
          ${opponents.length > 0
            ? html`<h2>${this.say("app-opponents")}</h2>
                <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-opponents")}>
                  <table>
                    <thead>
                      <tr>
                        <th>${this.say("app-player")}</th>
                        <th class="figure">${this.say("app-played")}</th>
                        <th class="figure">${this.say("app-ahead")}</th>
                        <th class="figure">${this.say("app-level")}</th>
                        <th class="figure">${this.say("app-behind")}</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${opponents.map((it) => {
                        const name = it.player;
                        return html`<tr>
                          <td><a href=${link(["players", name])}>${name}</a></td>
                          <td class="figure">${it.played}</td>
                          <td class="figure">${it.ahead}</td>
                          <td class="figure">${it.level}</td>
                          <td class="figure">${it.behind}</td>
                        </tr>`;
                      })}
                    </tbody>
                  </table>
                </div>`
            : nothing}
          <h2>${this.say("app-last-matches")}</h2>
          ${renderMatches(context, matches, this.player)}
          <p><a href=${link(["history"], { player: this.player })}>${this.say("app-all-matches")}</a></p>
        `;
      })}
    `;
  }
}
