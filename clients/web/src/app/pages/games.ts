import type { Game } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "../../table/cover.js";
import "../../table/primer.js";
import { effortOf } from "../../table/primer.js";
import { levelsOf, levelTitle, middleOf, texts } from "../../texts/texts.js";
import { choices, type Choice } from "../choices.js";
import { idOf } from "../context.js";
import { Deed, Page } from "../page.js";
import { link } from "../routes.js";

/** All games, each with a form to play against bots. Sends `chosen` with a choice. */
@customElement("app-games")
export class Games extends Page {
  /** Whether one can play with people as well. */
  @property({ type: Boolean }) people = false;
  /** Whether a table is being laid. */
  @property({ type: Boolean }) busy = false;
  /** The game whose primer is shown. */
  @state() private explained?: Game;

  #chosen: string | undefined;

  readonly #deed = new Deed(this);

  protected override render() {
    return html`
      ${this.#deed.render()}
      <ul class="games">
        ${this.context.games.map((game) => this.#renderGame(game))}
      </ul>
      <croupier-primer .game=${this.explained} language=${this.context.language}></croupier-primer>
    `;
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
      <form @submit=${(event: SubmitEvent) => this.#choose(event, game)}>
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
              ${levelsOf(game).map(
                (level) =>
                  html`<option value=${level} ?selected=${level === last.level}>${levelTitle(level, this.context.language)}</option>`,
              )}
            </select>
          </label>
        </div>
        <div class="buttons">
          <button class="primary" ?disabled=${this.busy || this.#deed.isBusy}>
            ${this.busy && this.#chosen === id ? this.say("app-starting") : this.say("app-play")}
          </button>
          ${this.people ? html`<a class="button" href=${link(["open"], { game: id, new: "1" })}>${this.say("app-with-people")}</a>` : nothing}
        </div>
      </form>
    </li>`;
  }

  #choose(event: SubmitEvent, game: Game): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    this.#chosen = idOf(game.name);
    const detail: Choice = { game: game.name, seats: Number(given.get("seats")), level: String(given.get("level")) };
    this.dispatchEvent(new CustomEvent("chosen", { detail }));
  }
}

/**
 * A choice that the game and its bots allow; by default few seats, and bots of the level in the
 * middle.
 */
export function allowed(game: Game, last: Choice | undefined): Choice {
  const { name, seatsMin, seatsMax } = game;
  const seats = Math.min(Math.max(last?.seats ?? seatsMin, seatsMin), seatsMax);
  const offered = levelsOf(game);
  const level = last && offered.includes(last.level) ? last.level : middleOf(offered);
  return { game: name, seats, level };
}
