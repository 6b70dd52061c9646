import { MatchState, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { levelTitle } from "../../texts/texts.js";
import { createFair } from "../../check/kept.js";
import { choices, keepChoice, type Choice } from "../choices.js";
import { idOf } from "../context.js";
import { hasRules } from "../device.js";
import { renderMatches } from "../match-list.js";
import { Deed, Load, Page } from "../page.js";
import { link } from "../routes.js";
import { allowed } from "./games.js";

/** All games, each with a button to play against bots at once; first what was last chosen. */
@customElement("app-start")
export class StartPage extends Page {
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
      <app-games
        people
        .context=${this.context}
        ?busy=${this.#deed.isBusy}
        @chosen=${(event: CustomEvent<Choice>) => this.#begin(event.detail)}
      ></app-games>
      ${hasRules ? html`<p class="fine elsewhere"><a href=${link(["device"])}>${this.say("app-device-play")}</a></p>` : nothing}
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

  #begin(choice: Choice): void {
    const { game, seats, level } = choice;
    keepChoice(choice);
    void this.#deed.run(async () => {
      const { croupier, player } = this.context;
      const bots = Array.from({ length: seats }, (_, seat) => (seat === 0 ? "" : level));
      const match = await createFair(croupier, { game, seats, players: [player], bots });
      location.hash = link(["matches", idOf(match.name)]);
    });
  }
}
