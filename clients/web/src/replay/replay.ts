import { html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { emptyTable, fold, FoldError, type MatchHandle } from "@croupier/client";
import type { Entry, Prompt, Table } from "@croupier/client/v1";
import { usedPlaces } from "../table/arrange.js";
import { Surface } from "../table/surface.js";
import replayText from "./replay.css";
import { decisionsOf, drawDecision, drawReview, type Judged } from "./review.js";

const speeds = [0.5, 1, 2, 4, 8];

/** The pause between two entries at speed 1, in milliseconds. */
const pauseMs = 1100;

/**
 * A match to step through, entry by entry.
 *
 * ```html
 * <croupier-replay match="matches/…" token="…" position="7"></croupier-replay>
 * ```
 *
 * @fires position - Another position is shown: `detail.position`.
 */
@customElement("croupier-replay")
export class CroupierReplay extends Surface {
  static override styles = [...[Surface.styles].flat(), unsafeCSS(replayText)];

  /**
   * The viewers to choose from, separated by spaces, if the page knows more than the token tells.
   */
  @property() viewers?: string;
  /** The position that is shown; the last one if absent. */
  @property({ type: Number, reflect: true }) position?: number;
  /** Whether the decisions of the seat are reviewed at once, if the match has ended. */
  @property({ type: Boolean }) reviews = false;

  @state() private entries: Entry[] = [];
  @state() private speed = 1;
  @state() private isPlaying = false;
  @state() private failure = "";
  /** The decisions that were reviewed; absent until it is asked for. */
  @state() private judged?: Judged[];
  @state() private reviewFailure = "";

  private handle?: MatchHandle;
  private closing?: AbortController;
  /** The tables by position, as far as they were folded; the one before the first entry at 0. */
  private tables: Table[] = [];
  /** The viewer of the token. */
  private own = "";
  private isShowing = false;
  private settling?: ReturnType<typeof setTimeout>;

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.close();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has("match") || changed.has("token") || changed.has("client")) this.own = "";
    const isOther = (["match", "token", "service", "viewer", "client", "language"] as const).some((it) => changed.has(it));
    if (isOther || !this.closing) {
      this.close();
      if (this.match && this.isConnected) void this.open();
    } else if (changed.has("position") && this.table && this.position !== undefined) {
      if (this.position !== this.table.position && !this.isShowing) void this.show(this.position);
    }
  }

  // === Loading ===

  private async open() {
    const closing = new AbortController();
    const { signal } = closing;
    this.closing = closing;
    this.failure = "";
    const client = this.connect();
    this.handle = client.match(this.match, { viewer: this.viewer || undefined });
    try {
      const [details, view] = await Promise.all([this.handle.get({ signal }), this.handle.view({}, { signal })]);
      const game = await client.games.get(details.game, { module: details.module });
      const entries: Entry[] = [];
      for await (const entry of this.handle.entries({ signal })) entries.push(entry);
      if (signal.aborted) return;
      this.setGame(game);
      this.details = details;
      this.learnWording(view);
      this.own ||= view.viewer;
      this.tables = [emptyTable(game, details, view.viewer)];
      this.entries = entries;
      await this.foldAll();
      await this.show(Math.min(this.position ?? entries.length, entries.length));
      if (this.reviews && this.reviewedSeat !== undefined) void this.review();
      if (!view.ended) await this.follow(signal);
    } catch (error) {
      if (!signal.aborted) this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  private close() {
    this.closing?.abort();
    this.closing = undefined as never;
    this.isPlaying = false;
    this.table = undefined as never;
    this.entries = [];
    this.tables = [];
    this.judged = undefined as never;
    this.reviewFailure = "";
    clearTimeout(this.settling);
    this.forgetTable();
  }

  /** Follows a match that is still running. */
  private async follow(signal: AbortSignal) {
    for await (const entry of this.handle!.watch({ after: this.entries.length, signal })) {
      const wasLast = this.table?.position === this.entries.length;
      this.entries = [...this.entries, entry];
      await this.foldAll();
      if (wasLast && !this.isPlaying && !this.isShowing) await this.show(this.entries.length);
    }
  }

  private async foldAll() {
    for (const entry of this.entries.slice(this.tables.length - 1)) {
      this.tables.push(await this.tableAfter(this.tables.at(-1)!, entry));
    }
    // Places keep their space from the first position to the last, so that the table does not jump.
    this.remember(this.tables.slice(1).flatMap(usedPlaces));
  }

  private async tableAfter(table: Table, entry: Entry): Promise<Table> {
    try {
      return fold(this.game!.layout!, table, entry);
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      return this.handle!.view({ position: entry.position }, { signal: this.closing!.signal });
    }
  }

  /** The viewers to choose from: the token's own, a spectator, and the house once the match is
   * revealed. */
  private get choices(): string[] {
    if (this.viewers) return this.viewers.split(/\s+/).filter(Boolean);
    const isRevealed = this.details?.seed !== "";
    return [...new Set([this.own, "spectator", ...(isRevealed ? ["house"] : [])])];
  }

  // === Reviewing ===

  /** The seat whose decisions can be reviewed: one that is shown, of a person, once the match is over. */
  private get reviewedSeat(): number | undefined {
    const seat = this.ownSeat;
    if (seat === undefined || !this.tables.at(-1)?.ended || this.details?.seats[seat]?.bot) return undefined;
    return seat;
  }

  /** Asks about one decision after another, so that the first are drawn while the others are thought about. */
  private async review() {
    const { signal } = this.closing!;
    const handle = this.handle!.at(this.reviewedSeat!);
    this.judged = [];
    this.reviewFailure = "";
    try {
      for (const position of this.decisions) {
        const { suggestions } = await handle.suggestActions({ position }, { signal });
        this.judged = [...this.judged, { position, suggestions }];
      }
    } catch (error) {
      if (!signal.aborted) this.reviewFailure = error instanceof Error ? error.message : String(error);
    }
  }

  private get decisions(): number[] {
    return decisionsOf(this.entries, this.reviewedSeat!);
  }

  // === Showing ===

  /** Shows a position at once, or animates the step to the next one. */
  private async show(position: number, speed = 0): Promise<void> {
    const table = this.tables[position];
    if (!table || this.isShowing) return;
    this.isShowing = true;
    try {
      const entry = this.entries[position - 1];
      const isNext = this.table !== undefined && position === this.table.position + 1;
      if (isNext && entry && speed > 0) {
        this.tell(position);
        await this.showStep(entry, table, speed);
      } else {
        this.forgetLatest();
        this.entries.slice(0, position).forEach((it) => this.noteLatest(it));
        this.setTable(table);
        this.tell(position);
      }
    } finally {
      this.isShowing = false;
    }
    this.settle(position);
    // The slider may have moved in the meantime.
    if (this.position !== undefined && this.position !== position) await this.show(this.position);
  }

  private tell(position: number) {
    this.position = position;
    this.dispatchEvent(new CustomEvent("position", { detail: { position }, bubbles: true, composed: true }));
  }

  // At a position that stays for a moment, amounts are shown as the service writes them.
  private settle(position: number) {
    clearTimeout(this.settling);
    this.settling = setTimeout(async () => {
      const signal = this.closing?.signal;
      if (!signal || position === 0 || this.isPlaying) return;
      try {
        this.learnWording(await this.handle!.view({ position }, { signal }));
        this.requestUpdate();
      } catch {
        // Amounts are still shown as numbers.
      }
    }, 250);
  }

  private goTo(position: number) {
    this.isPlaying = false;
    void this.show(Math.max(0, Math.min(position, this.entries.length)));
  }

  private async step() {
    this.isPlaying = false;
    await this.show(Math.min((this.position ?? 0) + 1, this.entries.length), 1.5);
  }

  private async play() {
    if (this.isPlaying) {
      this.isPlaying = false;
      return;
    }
    this.isPlaying = true;
    const { signal } = this.closing!;
    if (this.position === this.entries.length) await this.show(0);
    while (this.isPlaying && !signal.aborted && this.position! < this.entries.length) {
      await this.show(this.position! + 1, this.speed);
      await new Promise((done) => setTimeout(done, pauseMs / this.speed));
    }
    if (this.position === this.entries.length) this.isPlaying = false;
  }

  // === Drawing ===

  protected override render(): TemplateResult {
    if (this.failure) return html`<div class="whole"><p class="failure" role="alert" part="error">${this.failure}</p></div>`;
    if (!this.table || !this.names) {
      return html`<div class="whole"><p class="loading" role="status">${this.say("table-loading")}</p></div>`;
    }
    return html`<div class="whole replay">
      <div class="main">${this.drawHead()} ${this.drawTable()} ${this.drawControls()} ${this.drawReview()}</div>
      <aside class="side" part="side">${this.drawPrompts()} ${this.drawJudged()} ${this.drawLog()}</aside>
    </div>`;
  }

  private drawHead(): TemplateResult {
    const table = this.table!;
    const phase = this.names!.layout.phases[table.phase - 1];
    return html`<header class="top" part="header">
      <h2>${this.game!.title}</h2>
      ${table.round > 0 ? html`<span class="chip">${this.say("table-round", { number: table.round })}</span>` : nothing}
      ${phase ? html`<span class="chip">${phase.title}</span>` : nothing}
      <span class="spring"></span>
      ${this.choices.length > 1
        ? html`<label class="viewer"><span>${this.say("replay-viewer")}</span>
            <select @change=${(event: Event) => (this.viewer = (event.target as HTMLSelectElement).value)}>
              ${this.choices.map((it) => html`<option value=${it} ?selected=${it === table.viewer}>${this.viewerName(it)}</option>`)}
            </select></label>`
        : nothing}
    </header>`;
  }

  private viewerName(viewer: string): string {
    const seat = /^seats\/(\d+)$/.exec(viewer)?.[1];
    if (seat !== undefined) return this.playerName(Number(seat));
    return this.say(viewer === "house" ? "replay-house" : "replay-spectator");
  }

  private drawControls(): TemplateResult {
    const { entries, position = 0 } = this;
    const last = entries.length;
    const button = (id: string, glyph: TemplateResult, isOff: boolean, act: () => void, control: string) =>
      html`<button type="button" class="quiet control" data-control=${control} aria-label=${this.say(id)} title=${this.say(id)} ?disabled=${isOff} @click=${act}>${glyph}</button>`;
    return html`<section class="controls-bar" part="controls" aria-label=${this.say("replay-position")}>
      ${button("replay-first", glyphs.first, position === 0, () => this.goTo(0), "first")}
      ${button("replay-back", glyphs.back, position === 0, () => this.goTo(position - 1), "back")}
      ${button(this.isPlaying ? "replay-pause" : "replay-play", this.isPlaying ? glyphs.pause : glyphs.play, last === 0, () => void this.play(), "play")}
      ${button("replay-forward", glyphs.forward, position === last, () => void this.step(), "forward")}
      ${button("replay-last", glyphs.last, position === last, () => this.goTo(last), "last")}
      <input type="range" min="0" max=${last} step="1" .value=${String(position)} aria-label=${this.say("replay-position")}
        aria-valuetext=${`${position} / ${last}. ${entries[position - 1]?.text ?? ""}`}
        @input=${(event: Event) => this.goTo((event.target as HTMLInputElement).valueAsNumber)} />
      <output class="where" part="position">${position} / ${last}</output>
      <label class="speed"><span>${this.say("replay-speed")}</span>
        <select aria-label=${this.say("replay-speed")} @change=${(event: Event) => (this.speed = Number((event.target as HTMLSelectElement).value))}>
          ${speeds.map((it) => html`<option value=${it} ?selected=${it === this.speed}>${it}×</option>`)}
        </select></label>
    </section>`;
  }

  private drawReview(): TemplateResult | typeof nothing {
    if (this.reviewedSeat === undefined) return nothing;
    if (!this.judged || this.reviewFailure) {
      return html`<p class="ask-review">${this.reviewFailure ? html`<span class="failure" role="alert">${this.reviewFailure}</span>` : nothing}
        <button type="button" class="quiet" data-review @click=${() => void this.review()}>${this.say("review-start")}</button></p>`;
    }
    return drawReview({
      say: this.say,
      judged: this.judged,
      all: this.decisions.length,
      now: this.position ?? 0,
      last: this.entries.length,
      goTo: (position) => this.goTo(position),
    });
  }

  private drawJudged(): TemplateResult | typeof nothing {
    const judged = this.judged?.find((it) => it.position === this.position);
    return judged ? drawDecision(this.say, judged) : nothing;
  }

  private drawPrompts(): TemplateResult | typeof nothing {
    const entry = this.entries[(this.position ?? 0) - 1];
    const prompts: Prompt[] = entry?.prompts ?? [];
    if (this.table!.ended) {
      const winners = this.table!.ended.winners;
      const players = winners.map((it) => this.playerName(it)).join(", ");
      const text = winners.length === 0 ? this.say("table-no-result") : this.say("table-won", { players });
      return html`<section class="asked-now"><p class="result" part="result" data-winners=${winners.join(" ")}>${text}</p>${this.drawFinalScores()}</section>`;
    }
    const sentences = [...new Set(prompts.map((it) => it.text).filter(Boolean))];
    if (sentences.length === 0 && this.table!.offers.length === 0) return nothing;
    return html`<section class="asked-now" part="prompt">
      ${sentences.map((it) => html`<p>${it}</p>`)}
      ${this.table!.offers.map((it) => this.drawOffer(it))}
    </section>`;
  }

  private drawLog(): TemplateResult {
    const now = this.position ?? 0;
    const from = Math.max(0, Math.min(now - 60, this.entries.length - 120));
    const shown = this.entries.slice(from, from + 120).filter((it) => it.text);
    return html`<section class="log" part="log" aria-label=${this.say("table-log")}>
      <h3>${this.say("table-log")}</h3>
      <div class="entries" tabindex="0" role="group" aria-label=${this.say("table-log")}><ol>
        ${repeat(
          shown,
          (it) => it.position,
          (it) => html`<li data-position=${it.position} class=${it.position === now ? "now" : it.position > now ? "later" : ""}>
            <button type="button" class="entry" aria-current=${it.position === now ? "true" : nothing} @click=${() => this.goTo(it.position)}>${it.text}</button></li>`,
        )}
      </ol></div>
    </section>`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    if (!changed.has("position")) return;
    const list = this.renderRoot.querySelector(".entries");
    const item = list?.querySelector<HTMLElement>(".now");
    if (list && item) list.scrollTop = item.offsetTop - list.clientHeight / 2 + item.offsetHeight / 2;
  }
}

const glyph = (path: string) => html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path d=${path} fill="currentColor"></path></svg>`;
const glyphs = {
  first: glyph("M5 5h2.500v14H5zM19 5v14L8.500 12z"),
  back: glyph("M15.500 5v14L6 12z"),
  play: glyph("M7 4.500v15L19.500 12z"),
  pause: glyph("M6.500 5h4v14h-4zM13.500 5h4v14h-4z"),
  forward: glyph("M8.500 5v14L18 12z"),
  last: glyph("M16.500 5H19v14h-2.500zM5 5v14l10.500-7z"),
};

declare global {
  interface HTMLElementTagNameMap {
    "croupier-replay": CroupierReplay;
  }
}
