import { MatchState, type Game, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { levelTitle, levels } from "../../texts/texts.js";
import { idOf } from "../context.js";
import { renderMatches } from "../match-list.js";
import { Deed, Load, Page } from "../page.js";
import { link } from "../routes.js";

/** All games, each with a button to play against bots at once. */
@customElement("app-start")
export class StartPage extends Page {
  #starting: string | undefined;

  readonly #deed = new Deed(this);

  readonly #waiting = new Load<Match[]>(
    this,
    () => this.context.player,
    async (signal) => {
      const { croupier, player } = this.context;
      const request = { pageSize: 3, state: MatchState.RUNNING, waitingForPlayer: player };
      return (await croupier.rpc.matches.listMatches(request, { signal })).matches;
    },
  );

  protected override render() {
    const waiting = this.#waiting.value ?? [];
    return html`
      <section class="hero">
        <h1>${this.say("app-start-title")}</h1>
        <p>${this.say("app-start-lead")}</p>
      </section>
      ${waiting.length > 0
        ? html`<section>
            <h2>${this.say("app-your-turn")}</h2>
            ${renderMatches(this.context, waiting)}
          </section>`
        : nothing}
      ${this.#deed.render()}
      <ul class="games">
        ${this.context.games.map((game) => this.#renderGame(game))}
      </ul>
    `;
  }

  #renderGame(game: Game) {
    const { seatsMin, seatsMax } = game;
    const id = idOf(game.name);
    const numbers = Array.from({ length: seatsMax - seatsMin + 1 }, (_, index) => seatsMin + index);
    return html`<li class="card game" data-game=${id}>
      <h2>${game.title}</h2>
      <p class="seats">
        ${seatsMin === seatsMax
          ? this.say("app-seats", { seats: seatsMin })
          : this.say("app-seats-from-to", { min: seatsMin, max: seatsMax })}
        <a href="/docs/games/${id}.html">${this.say("app-rules")}</a>
      </p>
      <p>${game.description}</p>
      <form @submit=${(event: SubmitEvent) => this.#play(event, game)}>
        <div class="pair">
          <label class="field">
            <span>${this.say("app-players")}</span>
            <select name="seats">
              ${numbers.map((seats) => html`<option value=${seats}>${seats}</option>`)}
            </select>
          </label>
          <label class="field">
            <span>${this.say("app-bots")}</span>
            <select name="level">
              ${levels.map(
                (level) =>
                  html`<option value=${level} ?selected=${level === "heuristic"}>${levelTitle(level, this.context.language)}</option>`,
              )}
            </select>
          </label>
        </div>
        <div class="buttons">
          <button class="primary" ?disabled=${this.#deed.isBusy}>
            ${this.#starting === id ? this.say("app-starting") : this.say("app-play")}
          </button>
          <a class="button quiet" href=${link(["open"], { game: id, new: "1" })}>${this.say("app-with-people")}</a>
        </div>
      </form>
    </li>`;
  }

  #play(event: SubmitEvent, game: Game): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const seats = Number(given.get("seats"));
    const level = String(given.get("level"));
    this.#starting = idOf(game.name);
    void this.#deed
      .run(async () => {
        const { croupier, player } = this.context;
        const bots = Array.from({ length: seats }, (_, seat) => (seat === 0 ? "" : level));
        const match = await croupier.matches.create({ game: game.name, seats, players: [player], bots });
        location.hash = link(["matches", idOf(match.name)]);
      })
      .then(() => (this.#starting = undefined));
  }
}
