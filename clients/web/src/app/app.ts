import { Code, Refusal, type Croupier } from "@croupier/client";
import type { AcceptInvitationResponse, Game } from "@croupier/client/v1";
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { Context } from "./context.js";
import "./pages/sign-in.js";
import "./pages/start.js";
import { failure, loading } from "./page.js";
import { applyPreferences, preferences, type Scheme } from "./preferences.js";
import { link, parseArrival, parseRoute, type Route } from "./routes.js";
import { connect } from "./service.js";
import { loadPlayer, loadSession, signIn, storePlayer, storeSession, type Session } from "./session.js";
import { forgetSeat, isTold, keptSeat, setQuietHours, startWorker } from "./telling.js";
import { languageName, languages } from "../texts/texts.js";
import { appTexts } from "./texts.js";

/** The pages that a visit does not begin with. */
const pages = {
  guest: () => import("./pages/guest.js"),
  history: () => import("./pages/history.js"),
  invitation: () => import("./pages/invitation.js"),
  match: () => import("./pages/match.js"),
  matches: () => import("./pages/matches.js"),
  open: () => import("./pages/open-seats.js"),
  player: () => import("./pages/player.js"),
  replay: () => import("./pages/replay.js"),
  standings: () => import("./pages/standings.js"),
};

const schemes: readonly Scheme[] = ["system", "light", "dark"];

/** The application: the session, the route, and its page. */
@customElement("croupier-app")
export class CroupierApp extends LitElement {
  @state() private route: Route = parseRoute(location.hash);
  @state() private session: Session | undefined = loadSession();
  @state() private games?: readonly Game[] | undefined;
  /** Why nobody is signed in, or why the games cannot be listed. */
  @state() private problem?: { text: string } | { refusal: Refusal } | undefined;
  @state() private announcement = "";
  @state() private isMenuOpen = false;
  @state() private areQuietHoursRefused = false;

  #croupier: Croupier | undefined;
  #player = loadPlayer();
  #isSigningIn = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    applyPreferences();
    window.addEventListener("hashchange", this.#arrive);
    startWorker((match) => (location.hash = link(match.split("/"))));
    this.#arrive();
  }

  /** Loads the other pages while nothing else is to be done, so that all are of one release. */
  protected override firstUpdated(): void {
    const load = (): void => Object.values(pages).forEach((page) => void page());
    if ("requestIdleCallback" in window) window.requestIdleCallback(load);
    else setTimeout(load);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("hashchange", this.#arrive);
  }

  /**
   * Follows the address. A secret in it is first removed from the address and the browser's
   * history.
   */
  readonly #arrive = (): void => {
    const arrival = parseArrival(location.hash);
    if (arrival) {
      history.replaceState(null, "", location.pathname + location.search);
      this.#croupier = undefined;
      this.games = undefined;
      if (arrival.kind === "sign-in") void this.#signIn(arrival.code);
      else this.#become(arrival);
    }
    this.route = parseRoute(location.hash);
    this.#returnToSeat();
    this.isMenuOpen = false;
    if (!this.games && !this.#isSigningIn) void this.#begin();
  };

  /** A guest who follows a message takes the seat again that this browser keeps. */
  #returnToSeat(): void {
    const [page, id] = this.route.path;
    if (page !== "matches" || !id || (this.session && this.session.kind !== "seat")) return;
    const kept = keptSeat(`matches/${id}`);
    if (!kept || (this.session?.kind === "seat" && this.session.match === kept.match)) return;
    this.#become(kept);
    this.games = undefined;
  }

  async #signIn(code: string): Promise<void> {
    this.#isSigningIn = true;
    this.problem = undefined;
    try {
      this.#become(await signIn(code, preferences.language));
    } catch (error) {
      this.problem = { refusal: Refusal.from(error) };
    }
    this.#isSigningIn = false;
    await this.#begin();
  }

  #become(session: Session | undefined): void {
    storeSession(session);
    this.session = session;
    this.#croupier = undefined;
  }

  /** Reads what every page needs. */
  async #begin(): Promise<void> {
    this.requestUpdate();
    if (!this.session) return;
    try {
      this.games = await this.#connect().games.list().all();
      this.problem = undefined;
    } catch (error) {
      this.problem = { refusal: Refusal.from(error) };
    }
  }

  #connect(): Croupier {
    this.#croupier ??= connect({
      language: preferences.language,
      retryForMs: 5_000,
      ...(this.session && { credentials: this.session.token }),
    });
    return this.#croupier;
  }

  readonly #failed = (refusal: Refusal): void => {
    if (refusal.code !== Code.Unauthenticated || !this.session) return;
    if (this.session.kind === "seat") forgetSeat(this.session.match);
    const text = this.#say(this.session.kind === "platform" ? "app-session-ended" : "app-link-ended");
    this.#become(undefined);
    this.problem = { text };
  };

  #say(...[id, values]: Parameters<Context["say"]>): string {
    return appTexts(preferences.language)(id, values);
  }

  #context(): Context {
    return {
      croupier: this.#connect(),
      say: appTexts(preferences.language),
      language: preferences.language,
      player: this.#player,
      games: this.games ?? [],
      route: this.route,
      announce: (text) => (this.announcement = text),
      failed: this.#failed,
    };
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("route") || changed.get("route") === undefined) return;
    const before = changed.get("route") as Route;
    if (before.path.join("/") === this.route.path.join("/")) return;
    window.scrollTo(0, 0);
    this.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }

  protected override render() {
    const context = this.#context();
    const isPlatform = this.session?.kind === "platform";
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>${this.#say("app-skip")}</a>
      <header class="top">
        <a class="brand" href=${link([])}><span class="mark" aria-hidden="true"></span>Croupier</a>
        ${isPlatform ? this.#renderMenu() : nothing}
        <button class="quiet you" aria-haspopup="dialog" @click=${this.#openSettings}>
          ${isPlatform ? html`<span class="name">${this.#player}</span>` : this.#say("app-settings")}
        </button>
      </header>
      <main id="main" tabindex="-1" @settings=${this.#openSettings}>${keyed(preferences.language, this.#renderPage(context))}</main>
      <p class="unseen" role="status">${this.announcement}</p>
      ${this.#renderSettings(isPlatform)}
    `;
  }

  #renderMenu() {
    const entries: [string[], string][] = [
      [[], "app-nav-start"],
      [["open"], "app-nav-open"],
      [["matches"], "app-nav-matches"],
      [["history"], "app-nav-history"],
      [["standings"], "app-nav-standings"],
      [["operators"], "app-nav-operators"],
    ];
    const here = this.route.path[0];
    return html`
      <button
        class="quiet menu"
        aria-expanded=${this.isMenuOpen}
        aria-controls="menu"
        @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
      >
        ${this.#say("app-menu")}
      </button>
      <nav id="menu" class=${this.isMenuOpen ? "open" : ""} aria-label=${this.#say("app-menu")}>
        ${entries.map(
          ([path, title]) =>
            html`<a href=${link(path)} aria-current=${path[0] === here ? "page" : nothing}>${this.#say(title)}</a>`,
        )}
        <a href="docs/">${this.#say("app-nav-docs")}</a>
      </nav>
    `;
  }

  #renderPage(context: Context) {
    const [page, id = "", part] = this.route.path;
    if (page === "device") {
      void import("./pages/device.js");
      return html`<app-device .context=${context} .match=${id} ?replays=${part === "replay"}></app-device>`;
    }
    if (this.#isSigningIn) return html`<p class="loading" role="status">${this.#say("app-signing-in")}</p>`;
    if (!this.session) {
      return html`<app-sign-in
        .context=${context}
        .problem=${this.problem}
        @signed-in=${(event: CustomEvent<string>) => void this.#signInByHand(event.detail)}
      ></app-sign-in>`;
    }
    if (this.problem && "refusal" in this.problem) {
      return failure(context, this.problem.refusal, () => void this.#begin());
    }
    if (this.session.kind === "seat") {
      void pages.guest();
      return keyed(
        this.session.token,
        html`<app-guest
          .context=${context}
          .session=${this.session}
          @left=${this.#leave}
          @moved=${(event: CustomEvent<Session>) => this.#become(event.detail)}
        ></app-guest>`,
      );
    }
    if (this.session.kind === "invitation") {
      void pages.invitation();
      return keyed(
        this.session.token,
        html`<app-invitation .context=${context} @accepted=${this.#sitDown}></app-invitation>`,
      );
    }
    // A match needs no list of games, and its table should appear soon.
    if (!this.games && !(page === "matches" && id)) return loading(context);
    switch (page) {
      case undefined:
        return html`<app-start .context=${context}></app-start>`;
      case "open":
        void pages.open();
        return html`<app-open-seats .context=${context}></app-open-seats>`;
      case "matches":
        if (!id) {
          void pages.matches();
          return html`<app-matches .context=${context}></app-matches>`;
        }
        if (part === "replay") {
          void pages.replay();
          return keyed(id, html`<app-replay .context=${context} .match=${id}></app-replay>`);
        }
        void pages.match();
        return keyed(id, html`<app-match .context=${context} .match=${id}></app-match>`);
      case "history":
        void pages.history();
        return html`<app-history .context=${context}></app-history>`;
      case "standings":
        void pages.standings();
        return html`<app-standings .context=${context}></app-standings>`;
      case "players":
        void pages.player();
        return keyed(id, html`<app-player .context=${context} .player=${id}></app-player>`);
      case "operators":
        void import("./operators/operators.js");
        return html`<app-operators .context=${context}></app-operators>`;
      default:
        return html`<div class="empty">
          <h1>${this.#say("app-not-found")}</h1>
          <p><a href=${link([])}>${this.#say("app-to-start")}</a></p>
        </div>`;
    }
  }

  #renderSettings(isPlatform: boolean) {
    const { language, scheme } = preferences;
    return html`
      <dialog class="settings" aria-labelledby="settings-title">
        <form method="dialog" @submit=${this.#closeSettings}>
          <h2 id="settings-title">${this.#say("app-settings")}</h2>
          ${isPlatform
            ? html`<label class="field">
                <span>${this.#say("app-player")}</span>
                <input name="player" required maxlength="64" autocomplete="off" .value=${this.#player} />
                <small>${this.#say("app-player-help")}</small>
              </label>`
            : nothing}
          <label class="field">
            <span>${this.#say("app-language")}</span>
            <select name="language" @change=${this.#chooseLanguage}>
              ${languages.map(
                (tag) => html`<option value=${tag} lang=${tag} ?selected=${language === tag}>${languageName(tag)}</option>`,
              )}
            </select>
          </label>
          <fieldset class="field">
            <legend>${this.#say("app-scheme")}</legend>
            <div class="choices">
              ${schemes.map(
                (it) => html`<label
                  ><input type="radio" name="scheme" value=${it} .checked=${it === scheme} @change=${this.#chooseScheme} />
                  ${this.#say(`app-scheme-${it}`)}</label
                >`,
              )}
            </div>
          </fieldset>
          ${this.session && isTold() ? this.#renderQuietHours() : nothing}
          ${preferences.telling === "no"
            ? html`<div class="field">
                <button type="button" @click=${this.#askAgain}>${this.#say("app-tell-again")}</button>
              </div>`
            : nothing}
          <div class="buttons">
            <button class="primary" value="close">${this.#say("app-close")}</button>
            ${this.session
              ? html`<button type="button" class="quiet" @click=${this.#signOut}>${this.#say("app-sign-out")}</button>`
              : nothing}
          </div>
        </form>
      </dialog>
    `;
  }

  #renderQuietHours() {
    const [start = "", end = ""] = preferences.quiet.split("-");
    return html`<fieldset class="field">
      <legend>${this.#say("app-quiet")}</legend>
      <div class="choices" @change=${this.#chooseQuietHours}>
        <label>${this.#say("app-quiet-start")} <input type="time" name="quiet-start" .value=${start} /></label>
        <label>${this.#say("app-quiet-end")} <input type="time" name="quiet-end" .value=${end} /></label>
      </div>
      <small role="status">${this.#say(this.areQuietHoursRefused ? "app-quiet-refused" : "app-quiet-help")}</small>
    </fieldset>`;
  }

  readonly #leave = (): void => {
    if (this.session?.kind === "seat") forgetSeat(this.session.match);
    this.#become(undefined);
  };

  readonly #sitDown = (event: CustomEvent<AcceptInvitationResponse>): void => {
    const { token, seat, match } = event.detail;
    this.#become({ kind: "seat", token, match: match!.name, seat });
  };

  readonly #skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>("main")?.focus();
  };

  readonly #openSettings = (): void => {
    // Pages may have changed preferences.
    this.requestUpdate();
    this.querySelector<HTMLDialogElement>("dialog.settings")?.showModal();
  };

  readonly #closeSettings = (event: SubmitEvent): void => {
    const player = new FormData(event.target as HTMLFormElement).get("player");
    if (typeof player !== "string" || !player.trim() || player.trim() === this.#player) return;
    this.#player = player.trim();
    storePlayer(this.#player);
    this.requestUpdate();
  };

  readonly #chooseLanguage = (event: Event): void => {
    preferences.language = (event.target as HTMLSelectElement).value;
    applyPreferences();
    this.#croupier = undefined;
    this.route = parseRoute(location.hash);
    void this.#begin();
  };

  readonly #chooseScheme = (event: Event): void => {
    preferences.scheme = (event.target as HTMLInputElement).value as Scheme;
    applyPreferences();
    this.requestUpdate();
  };

  /** Both times, or none. */
  readonly #chooseQuietHours = async (event: Event): Promise<void> => {
    const given = [...(event.currentTarget as HTMLElement).querySelectorAll("input")].map(({ value }) => value);
    if (given.filter(Boolean).length === 1) return;
    const quiet = given.every(Boolean) ? given.join("-") : "";
    try {
      const seat = this.session?.kind === "seat" ? this.session : undefined;
      await setQuietHours(quiet, this.#connect(), this.#player, seat);
      this.areQuietHoursRefused = false;
    } catch {
      this.areQuietHoursRefused = true;
    }
  };

  readonly #askAgain = (): void => {
    preferences.telling = "";
    this.requestUpdate();
  };

  readonly #signOut = (): void => {
    if (this.session?.kind === "seat") forgetSeat(this.session.match);
    this.querySelector<HTMLDialogElement>("dialog.settings")?.close();
    this.#become(undefined);
    this.games = undefined;
    this.problem = undefined;
    location.hash = "#/";
  };

  /** Accepts a typed token, if it is a platform's. */
  async #signInByHand(token: string): Promise<void> {
    try {
      const asked = connect({ credentials: token, language: preferences.language });
      await asked.rpc.platforms.getPlatform({});
      this.#become({ kind: "platform", token });
      await this.#begin();
    } catch (error) {
      this.problem = { refusal: Refusal.from(error) };
    }
  }
}
