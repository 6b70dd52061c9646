import { MatchState, type Game, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../../table/cover.js";
import "../../table/primer.js";
import { effortOf } from "../../table/primer.js";
import { levelTitle, levels, texts } from "../../texts/texts.js";
import { createFair } from "../../check/kept.js";
import { choices, keepChoice, type Choice } from "../choices.js";
import { idOf } from "../context.js";
import { renderMatches } from "../match-list.js";
import { Deed, Load, Page } from "../page.js";
import { link } from "../routes.js";

/** All games, each with a button to play against bots at once; first what was last chosen. */
@customElement("app-start")
export class StartPage extends Page {
  /** The game whose primer is shown. */
  @state() private explained?: Game;

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
        ${this.#renderLast()}
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
      <croupier-primer .game=${this.explained} language=${this.context.language}></croupier-primer>
    `;
  }

  /** What was last played, or the first game: one press, and the table is laid. */
  #renderLast() {
    const { games, language } = this.context;
    const last = choices().find((it) => games.some(({ name }) => name === it.game));
    const game = games.find(({ name }) => name === last?.game) ?? games.find(({ seatsMin }) => seatsMin === 2) ?? games[0];
    if (!game) return nothing;
    const choice = allowed(game, last);
    const level = levelTitle(choice.level, language);
    return html`<div class="again">
      <button class="primary" data-again ?disabled=${this.#deed.isBusy} @click=${() => this.#begin(choice)}>
        ${this.say(last ? "app-play-last" : "app-play-first", { game: game.title })}
      </button>
      <span>${this.say("app-play-how", { seats: choice.seats, level })}</span>
    </div>`;
  }

  async #explain(game: Game): Promise<void> {
    await this.#deed.run(async () => {
      this.explained = (await this.context.croupier.rpc.games.getGame({ name: game.name })).game!;
    });
    await this.updateComplete;
    await this.querySelector("croupier-primer")!.open();
  }

  #renderGame(game: Game) {
    const { seatsMin, seatsMax } = game;
    const id = idOf(game.name);
    const numbers = Array.from({ length: seatsMax - seatsMin + 1 }, (_, index) => seatsMin + index);
    const last = allowed(game, choices().find((it) => it.game === game.name));
    return html`<li class="card game" data-game=${id}>
      ${game.cover ? html`<croupier-cover .game=${game}></croupier-cover>` : nothing}
      <div class="heading">
        <h2>${game.title}</h2>
        <button type="button" class="how" data-how aria-label=${this.say("app-how-game", { game: game.title })} @click=${() => void this.#explain(game)}>
          ${this.say("app-how")}
        </button>
      </div>
      <p class="seats">${effortOf(game, texts(this.context.language))}</p>
      <p>${game.description}</p>
      <form @submit=${(event: SubmitEvent) => this.#play(event, game)}>
        <div class="pair">
          <label class="field">
            <span>${this.say("app-players")}</span>
            <select name="seats">
              ${numbers.map((seats) => html`<option value=${seats} ?selected=${seats === last.seats}>${seats}</option>`)}
            </select>
          </label>
          <label class="field">
            <span>${this.say("app-bots")}</span>
            <select name="level">
              ${levels.map(
                (level) =>
                  html`<option value=${level} ?selected=${level === last.level}>${levelTitle(level, this.context.language)}</option>`,
              )}
            </select>
          </label>
        </div>
        <div class="buttons">
          <button class="primary" ?disabled=${this.#deed.isBusy}>
            ${this.#starting === id ? this.say("app-starting") : this.say("app-play")}
          </button>
          <a class="button" href=${link(["open"], { game: id, new: "1" })}>${this.say("app-with-people")}</a>
        </div>
      </form>
    </li>`;
  }

  #play(event: SubmitEvent, game: Game): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    this.#begin({ game: game.name, seats: Number(given.get("seats")), level: String(given.get("level")) });
  }

  #begin(choice: Choice): void {
    const { game, seats, level } = choice;
    keepChoice(choice);
    this.#starting = idOf(game);
    void this.#deed
      .run(async () => {
        const { croupier, player } = this.context;
        const bots = Array.from({ length: seats }, (_, seat) => (seat === 0 ? "" : level));
        const match = await createFair(croupier, { game, seats, players: [player], bots });
        location.hash = link(["matches", idOf(match.name)]);
      })
      .then(() => (this.#starting = undefined));
  }
}

/** A choice that the game and the bots of this release allow; by default few seats, and medium bots. */
function allowed({ name, seatsMin, seatsMax }: Game, last: Choice | undefined): Choice {
  const seats = Math.min(Math.max(last?.seats ?? seatsMin, seatsMin), seatsMax);
  const level = last && levels.includes(last.level) ? last.level : "heuristic";
  return { game: name, seats, level };
}
