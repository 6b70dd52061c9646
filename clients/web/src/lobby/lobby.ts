import { Croupier, Refusal } from "@croupier/client";
import { MatchState, SeekState, type Game, type Match, type Seek } from "@croupier/client/v1";
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { levelsOf, levelTitle, presets, texts } from "../texts/texts.js";
import { controls, theme } from "../theme.js";
import { styles } from "./style.js";
import { readForm, type Opening } from "./opening.js";
import "../texts/table.js";

/** How often open seats are read again while the page is visible, and a seek while it is open. */
const REFRESH_MS = 5_000;
const SEEK_MS = 1_500;

/** The detail of `croupier-joined` and `croupier-created`. */
export interface LobbyEventDetail {
  /** The match, as `matches/{match}`. */
  match: string;
  /** The player's seat; absent if the player took none. */
  seat: number | undefined;
}

/**
 * Open seats to take, new matches, and opponents to find.
 *
 * With a player's token the player takes seats and finds opponents. With a platform's credentials
 * it does both for `player`; with `can-create` it also creates matches.
 *
 * @fires croupier-joined - The player has a seat: a `LobbyEventDetail`.
 * @fires croupier-created - A match was created: a `LobbyEventDetail`.
 * @fires croupier-refusal - A call was refused: `detail.refusal`.
 */
@customElement("croupier-lobby")
export class CroupierLobby extends LitElement {
  static override styles = [theme, controls, styles];

  /** The address of the service; the page's own if empty. */
  @property() service = "";
  /** A player's token, or a platform's. */
  @property() token = "";
  /** The player, by the platform's id; not needed with a player's token. */
  @property() player = "";
  /** The language of all texts; the browser's if empty. */
  @property() language = "";
  /** Only matches of this game, such as `mountebank`. */
  @property() game = "";
  /** Whether the credentials are a platform's, which may create matches. */
  @property({ type: Boolean, attribute: "can-create" }) canCreate = false;
  /** Whether the form of a new match is open. */
  @property({ type: Boolean }) creating = false;
  /** A client to call with, instead of `service` and `token`. */
  @property({ attribute: false }) client?: Croupier;

  @state() private games?: readonly Game[];
  @state() private openMatches?: readonly Match[];
  @state() private refusal?: Refusal;
  @state() private chosen = "";
  @state() private seats?: number;
  @state() private who: Opening["who"] = "lobby";
  @state() private isBusy = false;
  @state() private seek?: Seek;

  #croupier: Croupier | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seekTimer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#croupier) void this.#refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    clearTimeout(this.#seekTimer);
    this.#timer = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!["service", "token", "language", "client"].some((name) => changed.has(name))) return;
    const { service, token, language } = this;
    const options = { ...(token && { credentials: token }), ...(language && { language }) };
    this.#croupier = this.client ?? (token ? Croupier.connect(service || location.origin, options) : undefined);
    this.games = undefined;
    this.openMatches = undefined;
    this.#follow(undefined);
    if (!this.#croupier) return;
    void this.#refresh();
    void this.#resumeSeek(this.#croupier);
  }

  /** Reads the games once, and the open seats repeatedly while the page is visible. */
  async #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    const croupier = this.#croupier!;
    if (!document.hidden || !this.openMatches) {
      try {
        this.games ??= await croupier.games.list().all();
        const game = this.#filter;
        const { matches } = await croupier.rpc.matches.listOpenMatches({ pageSize: 100, game });
        if (croupier !== this.#croupier || game !== this.#filter) return;
        this.openMatches = matches;
        if (!this.isBusy) this.refusal = undefined;
      } catch (error) {
        if (croupier !== this.#croupier) return;
        this.#refuse(error);
      }
    }
    if (this.isConnected) this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  #refuse(error: unknown): void {
    this.refusal = Refusal.from(error);
    this.#send("croupier-refusal", { refusal: this.refusal });
  }

  #send(name: string, detail: LobbyEventDetail | { refusal: Refusal }): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #say(...[id, values]: Parameters<ReturnType<typeof texts>>): string {
    return texts(this.language)(id, values);
  }

  protected override render() {
    const { openMatches, refusal } = this;
    return html`
      <div class="bar">
        <h2>${this.#say("lobby-open")}</h2>
        ${this.games
          ? html`<select aria-label=${this.#say("lobby-game")} @change=${this.#choose}>
              <option value="">${this.#say("lobby-all-games")}</option>
              ${this.games.map(
                ({ name, title }) => html`<option value=${name} ?selected=${name === this.#filter}>${title}</option>`,
              )}
            </select>`
          : nothing}
        ${this.creating || this.seek
          ? nothing
          : html`<button class="primary" part="new" @click=${this.#openForm} ?disabled=${!this.games}>
              ${this.#say(this.canCreate ? "lobby-new" : "lobby-seek")}
            </button>`}
      </div>
      ${refusal
        ? html`<div class="notice" role="alert">
            <span>${refusal.code === 14 && !refusal.reason ? this.#say("lobby-offline") : refusal.message}</span>
            <button @click=${() => void this.#refresh()}>${this.#say("lobby-retry")}</button>
          </div>`
        : nothing}
      ${this.seek ? this.#renderSeek() : this.creating && this.games ? this.#renderForm(this.games) : nothing}
      ${openMatches ? this.#renderMatches(openMatches) : refusal ? nothing : html`<p role="status">${this.#say("lobby-loading")}</p>`}
    `;
  }

  #renderMatches(matches: readonly Match[]) {
    if (matches.length === 0) {
      return html`<div class="empty" part="empty">
        <p>${this.#say("lobby-none")}</p>
        ${this.canCreate && !this.creating ? html`<p>${this.#say("lobby-none-help")}</p>` : nothing}
      </div>`;
    }
    return html`<ul part="matches">
      ${matches.map((match) => {
        const taken = match.seats.filter((seat) => seat.player || seat.bot);
        const mine = this.player ? match.seats.find((seat) => seat.player === this.player) : undefined;
        const names = taken.map((seat) => seat.displayName || seat.player || this.#level(seat.bot));
        return html`<li part="match" data-match=${match.name}>
          <div class="what">
            <strong>${this.#title(match.game)}</strong>
            ${match.displayName ? html`<span class="called" part="called">${match.displayName}</span>` : nothing}
            ${match.timeControl ? html`<span class="badge">${this.#time(match.timeControl.preset)}</span>` : nothing}
            <span class="seats">
              ${this.#say("lobby-seats-taken", { taken: taken.length, seats: match.seats.length })}
              ${names.length > 0 ? html`<span class="names">${names.join(", ")}</span>` : nothing}
            </span>
          </div>
          <button ?disabled=${this.isBusy} @click=${() => this.#join(match, mine?.seat)}>
            ${this.#say(mine ? "lobby-resume" : "lobby-join")}
          </button>
        </li>`;
      })}
    </ul>`;
  }

  #renderForm(games: readonly Game[]) {
    const game = games.find(({ name }) => name === (this.chosen || this.#filter)) ?? games[0];
    if (!game) return nothing;
    const seats = Math.min(Math.max(this.seats ?? game.seatsMin, game.seatsMin), game.seatsMax);
    const numbers = Array.from({ length: game.seatsMax - game.seatsMin + 1 }, (_, index) => game.seatsMin + index);
    const ways: Opening["who"][] = this.canCreate ? ["lobby", "link", "seek"] : ["seek"];
    const who = ways.includes(this.who) ? this.who : ways[0]!;
    return html`<form part="form" @submit=${(event: SubmitEvent) => this.#create(event, game)}>
      <div class="fields">
        <label>
          <span>${this.#say("lobby-game")}</span>
          <select name="game" @change=${(event: Event) => (this.chosen = (event.target as HTMLSelectElement).value)}>
            ${games.map(
              ({ name, title }) => html`<option value=${name} ?selected=${name === game.name}>${title}</option>`,
            )}
          </select>
        </label>
        <label>
          <span>${this.#say("lobby-seats")}</span>
          <select name="seats" @change=${(event: Event) => (this.seats = Number((event.target as HTMLSelectElement).value))}>
            ${keyed(
              game.name,
              numbers.map((it) => html`<option value=${it} ?selected=${it === seats}>${it}</option>`),
            )}
          </select>
        </label>
        ${ways.length === 1
          ? html`<input type="hidden" name="who" value=${who} />`
          : html`<label>
              <span>${this.#say("lobby-who")}</span>
              <select name="who" @change=${(event: Event) => (this.who = (event.target as HTMLSelectElement).value as Opening["who"])}>
                ${ways.map(
                  (it) => html`<option value=${it} ?selected=${it === who}>
                    ${this.#say(it === "seek" ? "lobby-seek" : `lobby-who-${it}`)}
                  </option>`,
                )}
              </select>
            </label>`}
        <label>
          <span>${this.#say("lobby-time")}</span>
          <select name="time">
            <option value="">${this.#say("lobby-time-none")}</option>
            ${presets.map((it) => html`<option value=${it}>${this.#say(`preset-${it}`)}</option>`)}
          </select>
        </label>
      </div>
      ${who === "seek"
        ? html`<p class="help">${this.#say("lobby-seek-help")}</p>`
        : html`<fieldset>
            <legend>${this.#say("lobby-seats")}</legend>
            <div class="fields">
              ${Array.from({ length: seats }, (_, seat) => this.#renderSeat(seat, game))}
            </div>
          </fieldset>`}
      ${game.options.length > 0
        ? html`<details>
            <summary>${this.#say("lobby-options")}</summary>
            <div class="fields options">${keyed(game.name, game.options.map((option) => this.#renderOption(option, seats)))}</div>
          </details>`
        : nothing}
      <div class="buttons">
        <button class="primary" ?disabled=${this.isBusy}>
          ${this.#say(this.isBusy ? "lobby-creating" : who === "seek" ? "lobby-seek" : "lobby-create")}
        </button>
        <button type="button" class="quiet" @click=${() => (this.creating = false)}>${this.#say("lobby-cancel")}</button>
      </div>
    </form>`;
  }

  #renderSeat(seat: number, game: Game) {
    return html`<label>
      <span>${this.#say("lobby-seat", { seat: seat + 1 })}</span>
      <select name="seat-${seat}">
        ${this.player ? html`<option value="me" ?selected=${seat === 0}>${this.#say("lobby-seat-you")}</option>` : nothing}
        <option value="" ?selected=${seat > 0 || !this.player}>${this.#say("lobby-seat-open")}</option>
        ${levelsOf(game).map((level) => html`<option value=${level}>${this.#level(level)}</option>`)}
      </select>
    </label>`;
  }

  #renderOption(option: Game["options"][number], seats: number) {
    const { name, title, description, values, valueTitles, defaultValue } = option;
    // A seat that the match does not have is not offered.
    const offered = values.filter((value) => !/^\d+$/.test(value) || name !== "first-seat" || Number(value) < seats);
    return html`<label>
      <span>${title}</span>
      <select name="option-${name}" aria-describedby="help-${name}">
        ${offered.map((value) => {
          const shown = valueTitles[values.indexOf(value)] || value;
          return html`<option value=${value} ?selected=${value === defaultValue}>${shown}</option>`;
        })}
      </select>
      <small id="help-${name}">${description}</small>
    </label>`;
  }

  #renderSeek() {
    return html`<div class="seek" part="seek">
      <p role="status">${this.#say("lobby-seeking")} <strong>${this.#title(this.seek!.game)}</strong></p>
      <p class="help">${this.#say("lobby-seek-help")}</p>
      <button @click=${() => void this.#stopSeeking()}>${this.#say("lobby-seek-stop")}</button>
    </div>`;
  }

  readonly #choose = (event: Event): void => {
    this.game = (event.target as HTMLSelectElement).value;
    this.openMatches = undefined;
    void this.#refresh();
  };

  readonly #openForm = (): void => {
    this.chosen = this.#filter;
    this.creating = true;
  };

  /** The game whose matches are listed, as `games/{game}`; empty for all. */
  get #filter(): string {
    return this.game && `games/${this.game.replace(/^games\//, "")}`;
  }

  #title(game: string): string {
    return this.games?.find(({ name }) => name === game)?.title ?? game;
  }

  #level(level: string): string {
    return this.#say("lobby-bot", { level: levelTitle(level, this.language) });
  }

  #time(preset: string): string {
    return presets.includes(preset) ? this.#say(`short-preset-${preset}`) : this.#say("lobby-time-other");
  }

  #join(match: Match, mine: number | undefined): void {
    if (mine !== undefined) return this.#send("croupier-joined", { match: match.name, seat: mine });
    void this.#work(async (croupier) => {
      const joined = await croupier.rpc.matches.joinMatch({ name: match.name, player: this.player });
      this.#send("croupier-joined", { match: match.name, seat: joined.seat });
    });
  }

  #create(event: SubmitEvent, game: Game): void {
    event.preventDefault();
    const opening = readForm(new FormData(event.target as HTMLFormElement), this.player);
    void this.#work(async (croupier) => {
      const { who, seats, options, players, bots, preset } = opening;
      const timeControl = preset ? { timeControl: { preset } } : {};
      if (who === "seek") {
        const request = { player: this.player, game: game.name, seats: [seats], options, requestId: crypto.randomUUID() };
        this.#follow((await croupier.rpc.seeks.createSeek({ ...request, ...timeControl })).seek);
        return;
      }
      const lobby = who === "lobby";
      const match = await croupier.matches.create({ game: game.name, seats, options, players, bots, lobby, ...timeControl });
      this.creating = false;
      const seat = this.player ? players.indexOf(this.player) : -1;
      this.#send("croupier-created", { match: match.name, seat: seat < 0 ? undefined : seat });
      if (match.state === MatchState.OPEN && lobby) void this.#refresh();
    });
  }

  /** Waits until a seek has led to a seat. */
  #follow(seek: Seek | undefined): void {
    clearTimeout(this.#seekTimer);
    if (seek?.state === SeekState.SEATED) {
      this.seek = undefined;
      this.creating = false;
      this.#send("croupier-joined", { match: seek.match, seat: undefined });
      return;
    }
    this.seek = seek?.state === SeekState.OPEN ? seek : undefined;
    if (!this.seek) return;
    const { name } = this.seek;
    this.#seekTimer = setTimeout(async () => {
      try {
        this.#follow((await this.#croupier!.rpc.seeks.getSeek({ name })).seek);
      } catch (error) {
        this.#refuse(error);
        this.#follow(this.seek);
      }
    }, SEEK_MS);
  }

  /** Resumes a seek that the player created before the page was loaded. */
  async #resumeSeek(croupier: Croupier): Promise<void> {
    if (this.canCreate && !this.player) return;
    try {
      const { seeks } = await croupier.rpc.seeks.listSeeks({ player: this.player, pageSize: 1 });
      if (croupier === this.#croupier && !this.seek) this.#follow(seeks[0]);
    } catch {
      // Reading open seats reports why the service does not answer.
    }
  }

  async #stopSeeking(): Promise<void> {
    const { seek } = this;
    if (!seek) return;
    clearTimeout(this.#seekTimer);
    await this.#work(async (croupier) => {
      await croupier.rpc.seeks.deleteSeek({ name: seek.name });
      this.seek = undefined;
    });
    // The player was seated in the meantime, or the call failed: the seek tells which.
    if (this.seek) this.#follow(this.seek);
  }

  async #work(work: (croupier: Croupier) => Promise<void>): Promise<void> {
    if (this.isBusy || !this.#croupier) return;
    this.isBusy = true;
    this.refusal = undefined;
    try {
      await work(this.#croupier);
    } catch (error) {
      this.#refuse(error);
    }
    this.isBusy = false;
  }
}
