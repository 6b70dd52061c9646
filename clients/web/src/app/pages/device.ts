import { MatchState, type Game, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { CroupierReplay } from "../../replay/replay.js";
import "../../replay/replay.js";
import "../../table/table.js";
import { keepChoice, type Choice } from "../choices.js";
import { ask } from "../asking.js";
import { gameTitle, idOf, type Context } from "../context.js";
import { forgetMatch, keptMatches, loadDevice, type Device } from "../device.js";
import { relativeTime } from "../format.js";
import { Deed, Load, Page } from "../page.js";
import { preferences } from "../preferences.js";
import { link } from "../routes.js";
import { keepRules } from "../telling.js";
import type { Stored } from "../stored.js";
import "./games.js";
import "./giving.js";
import "./verification.js";
import "./texts.js";

/** What every page on this device needs. */
interface Here {
  readonly device: Device;
  readonly games: readonly Game[];
}

/**
 * Matches on this device, without a service: those that this browser keeps, the games to choose from, a
 * table, and a replay.
 */
@customElement("app-device")
export class DevicePage extends Page {
  /** The id of a match; empty for the list. */
  @property({ attribute: false }) match = "";
  @property({ type: Boolean }) replays = false;

  readonly #here = new Load<Here>(
    this,
    () => this.context.language,
    async () => {
      const device = await loadDevice();
      keepRules();
      return { device, games: await device.croupier(this.context.language).games.list().all() };
    },
  );

  protected override render() {
    return this.#here.render(({ device, games }) => {
      const { language } = this.context;
      const context: Context = { ...this.context, croupier: device.croupier(language), games };
      if (!this.match) return html`<app-device-games .context=${context} .device=${device}></app-device-games>`;
      return keyed(
        this.match,
        html`<app-device-match
          .context=${context}
          .service=${this.context}
          .device=${device}
          .match=${this.match}
          ?replays=${this.replays}
        ></app-device-match>`,
      );
    });
  }
}

/** The matches that this browser keeps, and the games. */
@customElement("app-device-games")
class DeviceGames extends Page {
  @property({ attribute: false }) device!: Device;

  readonly #deed = new Deed(this);
  readonly #kept = new Load<Stored[]>(this, () => null, keptMatches);

  protected override render() {
    const kept = this.#kept.value ?? [];
    const running = kept.filter((it) => !it.hasEnded);
    const ended = kept.filter((it) => it.hasEnded);
    return html`
      <section class="hero">
        <h1>${this.say("app-device-title")}</h1>
        <p>${this.say("app-device-lead")}</p>
      </section>
      ${this.#deed.render()}
      ${running.length > 0
        ? html`<section>
            <h2>${this.say("app-device-go-on")}</h2>
            ${this.#renderMatches(running)}
          </section>`
        : nothing}
      <app-games
        .context=${this.context}
        ?busy=${this.#deed.isBusy}
        @chosen=${(event: CustomEvent<Choice>) => this.#begin(event.detail)}
      ></app-games>
      ${ended.length > 0
        ? html`<section>
            <h2>${this.say("app-device-ended")}</h2>
            ${this.#renderMatches(ended)}
          </section>`
        : nothing}
      <p class="fine elsewhere"><a href=${link([])}>${this.say("app-device-leave")}</a></p>
    `;
  }

  #renderMatches(matches: readonly Stored[]) {
    const { language } = this.context;
    return html`<ul class="matches here">
      ${matches.map(
        (it) => html`<li>
          <a class="match" href=${link(["device", idOf(it.name)])}>
            <span class="game">${gameTitle(this.context, it.game)}</span>
            <span class="seats">${it.names.map(
              (name, seat) => html`<span class="seat">${it.winners.includes(seat) ? html`<span class="crown" aria-label=${this.say("app-won")} role="img">★</span>` : nothing} ${name}</span>`,
            )}</span>
            <span class="when">${relativeTime(new Date(it.time), new Date(), language)}</span>
          </a>
          <button
            class="quiet"
            aria-label=${this.say("app-device-forget-match", { game: gameTitle(this.context, it.game) })}
            @click=${() => this.#forget(it)}
          >
            ${this.say("app-device-forget")}
          </button>
        </li>`,
      )}
    </ul>`;
  }

  #begin(choice: Choice): void {
    const { language } = this.context;
    keepChoice(choice);
    void this.#deed.run(async () => {
      const { game, seats, level } = choice;
      const name = await this.device.deal(game, seats, level, preferences.name || this.say("app-device-guest"), language);
      location.hash = link(["device", idOf(name)]);
    });
  }

  async #forget({ name, hasEnded }: Stored): Promise<void> {
    if (!hasEnded && !(await ask(this.context, "app-device-forget-sure", "app-device-forget"))) return;
    void this.#deed.run(async () => {
      await forgetMatch(name);
      await this.#kept.reload();
    });
  }
}

/**
 * A match on this device: the table, and after the end the replay, the check, the record, and who
 * may have it.
 */
@customElement("app-device-match")
class DeviceMatch extends Page {
  /** The context with the service's client. */
  @property({ attribute: false }) service!: Context;
  @property({ attribute: false }) device!: Device;
  @property({ attribute: false }) match!: string;
  @property({ type: Boolean }) replays = false;

  readonly #deed = new Deed(this);
  readonly #load = new Load<Match>(
    this,
    () => [this.match, this.context.language],
    () => this.device.open(`matches/${this.match}`, this.context.language),
  );

  protected override render() {
    const { language, croupier, route } = this.context;
    return this.#load.render((match) => html`
      <div class="title">
        <h1 class="unseen">${gameTitle(this.context, match.game)}</h1>
        ${this.replays ? html`<a href=${link(["device", this.match])}>${this.say("app-to-match")}</a>` : nothing}
      </div>
      ${this.#deed.render()}
      ${this.replays
        ? html`<croupier-replay
            .client=${croupier}
            match=${match.name}
            language=${language}
            .viewer=${route.query.viewer}
            .position=${route.query.position ? Number(route.query.position) : undefined}
            @position=${this.#moved}
          ></croupier-replay>`
        : html`<croupier-table
            .client=${croupier}
            match=${match.name}
            language=${language}
            @croupier-turn=${this.onTurn}
            @croupier-ended=${() => void this.#load.reload()}
            >${this.renderBar()}${match.state === MatchState.ENDED
              ? this.#renderEnd(match)
              : html`<span slot="head" class="badge open" title=${this.say("app-device-kept")}>${this.say("app-device-here")}</span>`}</croupier-table
          >`}
      ${match.state === MatchState.ENDED
        ? html`<section class="card">
              <app-verification here .context=${this.context} .match=${match}></app-verification>
            </section>
            <section class="card">
              <app-giving .context=${this.service} .device=${this.device} .match=${match}></app-giving>
            </section>`
        : nothing}
    `);
  }

  #renderEnd(match: Match) {
    return html`<div slot="ending" class="after">
      <div class="buttons">
        <button class="primary" ?disabled=${this.#deed.isBusy} @click=${() => this.#again(match)}>${this.say("app-play-again")}</button>
        <a class="button" href=${link(["device", this.match, "replay"])}>${this.say("app-replay")}</a>
        <a class="button quiet" href=${link(["device"])}>${this.say("app-to-start")}</a>
      </div>
    </div>`;
  }

  #again({ game, seats }: Match): void {
    const level = seats.find(({ bot }) => bot)?.bot ?? "heuristic";
    const player = seats.find(({ bot }) => !bot)?.displayName ?? this.context.player;
    void this.#deed.run(async () => {
      const name = await this.device.deal(game, seats.length, level, player, this.context.language);
      location.hash = link(["device", idOf(name)]);
    });
  }

  /** Updates the address without an entry in the browser's history for each step. */
  readonly #moved = (event: Event): void => {
    const { position, viewer } = event.target as CroupierReplay;
    history.replaceState(null, "", link(["device", this.match, "replay"], { position, viewer }));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "app-device-games": DeviceGames;
    "app-device-match": DeviceMatch;
  }
}
