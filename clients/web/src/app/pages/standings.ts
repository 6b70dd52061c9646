import type { Standing } from "@croupier/client/v1";
import { html, svg } from "lit";
import { customElement } from "lit/decorators.js";
import { idOf } from "../context.js";
import { renderTime } from "../format.js";
import { Listing, Page } from "../page.js";
import { CLOCKS } from "../pools.js";
import { link } from "../routes.js";
import { ticks } from "../scale.js";
import "./texts.js";

/** How many players the plot shows. */
const PLOTTED = 12;
const WIDTH = 640;
const LABELS = 130;
const ROW = 30;

/** The players of a pool by rating, with the uncertainty of each. */
@customElement("app-standings")
export class StandingsPage extends Page {
  readonly #listing = new Listing<Standing>(
    this,
    () => `${this.#game} ${this.#seats} ${this.#clocks}`,
    async (pageToken, signal) => {
      if (!this.#game) return { items: [], more: "" };
      const pool = { parent: this.#game, seats: this.#seats, clockClass: CLOCKS[this.#clocks] };
      const request = { ...pool, pageToken, pageSize: 50 };
      const page = await this.context.croupier.rpc.players.listStandings(request, { signal });
      return { items: page.standings, more: page.nextPageToken };
    },
  );

  get #game(): string {
    const { games, route } = this.context;
    return route.query.game ? `games/${route.query.game}` : (games[0]?.name ?? "");
  }

  /** The numbers of seats that the game allows. */
  get #allowed(): number[] {
    const game = this.context.games.find(({ name }) => name === this.#game);
    if (!game) return [];
    return Array.from({ length: game.seatsMax - game.seatsMin + 1 }, (_, more) => game.seatsMin + more);
  }

  get #seats(): number {
    const asked = Number(this.context.route.query.seats);
    return this.#allowed.includes(asked) ? asked : (this.#allowed[0] ?? 0);
  }

  get #clocks(): keyof typeof CLOCKS {
    const asked = this.context.route.query.clocks ?? "";
    return asked in CLOCKS ? (asked as keyof typeof CLOCKS) : "untimed";
  }

  #pool(seats: number, clocks: string): string {
    return link(["standings"], { game: idOf(this.#game), seats: `${seats}`, clocks });
  }

  protected override render() {
    const { games, language } = this.context;
    const empty = html`<p>${this.say("app-standings-empty")}</p>
      <p><a class="button primary" href=${link([])}>${this.say("app-to-start")}</a></p>`;
    return html`
      <h1>${this.say("app-nav-standings")}</h1>
      <p class="lead">${this.say("app-standings-lead")}</p>
      <nav class="tabs" aria-label=${this.say("app-game")}>
        ${games.map(
          ({ name, title }) => html`<a
            href=${link(["standings"], { game: idOf(name) })}
            aria-current=${name === this.#game ? "page" : "false"}
            >${title}</a
          >`,
        )}
      </nav>
      <nav class="tabs" aria-label=${this.say("app-pool-seats")}>
        ${this.#allowed.map(
          (seats) => html`<a
            href=${this.#pool(seats, this.#clocks)}
            aria-current=${seats === this.#seats ? "page" : "false"}
            >${this.say("app-seats", { seats })}</a
          >`,
        )}
      </nav>
      <nav class="tabs" aria-label=${this.say("app-pool-clocks")}>
        ${Object.keys(CLOCKS).map(
          (clocks) => html`<a
            href=${this.#pool(this.#seats, clocks)}
            aria-current=${clocks === this.#clocks ? "page" : "false"}
            >${this.say(`app-clocks-${clocks}`)}</a
          >`,
        )}
      </nav>
      ${this.#listing.renderList(empty, (standings) => html`
        ${this.#renderPlot(standings.slice(0, PLOTTED))}
        <div class="scroll" tabindex="0" role="region" aria-label=${this.say("app-nav-standings")}>
          <table>
            <thead>
              <tr>
                <th class="figure">${this.say("app-rank")}</th>
                <th>${this.say("app-player")}</th>
                <th class="figure">${this.say("app-rating")}</th>
                <th class="figure">${this.say("app-played")}</th>
                <th class="figure">${this.say("app-wins")}</th>
                <th>${this.say("app-last-played")}</th>
              </tr>
            </thead>
            <tbody>
              ${standings.map((standing, index) => {
                const { player } = standing;
                return html`<tr>
                  <td class="figure">${index + 1}</td>
                  <td><a href=${link(["players", player])}>${player}</a></td>
                  <td class="figure">${standing.rating.toFixed(1)}${standing.provisional ? "?" : ""}</td>
                  <td class="figure">${standing.played}</td>
                  <td class="figure">${standing.won + standing.shared}</td>
                  <td>${renderTime(standing.lastEndTime, language)}</td>
                </tr>`;
              })}
            </tbody>
          </table>
        </div>
      `)}
    `;
  }

  /** The estimated skill of each player, with its uncertainty: the rating is its lower end. */
  #renderPlot(standings: readonly Standing[]) {
    const ends = standings.flatMap(({ mean, deviation }) => [mean - 3 * deviation, mean + 3 * deviation]);
    const marks = ticks(Math.min(...ends), Math.max(...ends));
    const [first, last] = [marks[0]!, marks[marks.length - 1]!];
    const x = (value: number) => LABELS + ((value - first) / (last - first)) * (WIDTH - LABELS - 16);
    const height = standings.length * ROW + 34;
    return html`<figure class="plot card">
      <figcaption>${this.say("app-plot-skill")}</figcaption>
      <svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label=${this.say("app-plot-skill")}>
        ${marks.map(
          (value) => svg`<line class="grid" x1=${x(value)} x2=${x(value)} y1="4" y2=${height - 26} />
            <text class="tick" x=${x(value)} y=${height - 8} text-anchor="middle">${value}</text>`,
        )}
        ${standings.map(({ player, mean, deviation }, index) => {
          const y = 4 + index * ROW + ROW / 2;
          const shown = player.length > 16 ? `${player.slice(0, 15)}…` : player;
          return svg`<text class="name" x=${LABELS - 12} y=${y + 5} text-anchor="end">${shown}</text>
            <line class="range" x1=${x(mean - 3 * deviation)} x2=${x(mean + 3 * deviation)} y1=${y} y2=${y} />
            <circle class="mean" cx=${x(mean)} cy=${y} r="6" />`;
        })}
      </svg>
    </figure>`;
  }
}
