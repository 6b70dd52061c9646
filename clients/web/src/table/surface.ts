import { html, LitElement, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import {
  Arrangement,
  MarkKind,
  PlaceRole,
  type Entry,
  type Event as TableEvent,
  type Game,
  type Mark,
  type Match,
  type Offer,
  type OfferItem,
  type Place,
  type PlaceContents,
  type Purse,
  type Table,
} from "@croupier/client/v1";
import { Croupier } from "@croupier/client";
import { texts } from "../texts/texts.js";
import { looks } from "../looks.js";
import { controls, theme } from "../theme.js";
import type { Target } from "./actions.js";
import "./amount.js";
import { capture, fly, type Scene } from "./animate.js";
import { arrange, contentsOf, seatsAround, usedPlaces, type Arranged, type Row } from "./arrange.js";
import { cardBack, cardFace, faceOf, inkOn, symbolOf, token, type CardSize, type Face } from "./cards.js";
import { Names } from "./names.js";
import surfaceText from "./surface.css";
import "../texts/table.js";

/** The area in which a place is drawn, which determines the size of its pieces. */
type Spot = "common" | "own" | "hand" | "other";

/** A piece that is shown large, beside its place. */
interface Preview {
  piece: string;
  anchor: DOMRect;
}

/** Below this width, the hand and the actions stay at the bottom of the window. */
const NARROW = 900;

/**
 * How a table is fitted into the window, the best first: whether the seats of others are folded to a
 * line each, and how large everything is drawn.
 */
const FITS = [
  { ample: true, folded: false, compact: false },
  { ample: false, folded: false, compact: false },
  { ample: true, folded: true, compact: false },
  { ample: false, folded: true, compact: false },
  { ample: false, folded: true, compact: true },
];

/**
 * A table drawn from the layout of its game: the common part of the table and the replay. It draws
 * only recorded entries.
 */
export abstract class Surface extends LitElement {
  static override styles = [theme, controls, unsafeCSS(surfaceText)];

  /** The language of all texts, as a BCP 47 tag; the browser's if absent. */
  @property() language?: string;
  /** The match, as `matches/{match}`. */
  @property() match = "";
  /** A token that may read the match. It is kept in memory only. */
  @property() token?: string;
  /** The address of the service; that of the page if absent. */
  @property() service?: string;
  /** The viewer: `seats/{seat}`, `spectator` or `house`; the token's own if absent. */
  @property() viewer?: string;
  /** A client to use instead of `service` and `token`. */
  @property({ attribute: false }) client?: Croupier;

  @state() protected game?: Game;
  @state() protected details?: Match;
  @state() protected table?: Table;
  @state() private preview?: Preview;
  @state() private opened?: string;
  /** The folded seat that the reader has opened. */
  @state() private openSeat?: number;
  /** Whether there is no room beside the table. */
  @state() protected isNarrow = false;

  protected names?: Names;
  private contents = new Map<string, PlaceContents>();
  private arranged: Arranged = { common: [], seats: [] };
  private used = new Set<string>();
  private faces = new Map<string, Face>();
  private wording = new Map<string, string>();
  /** By pile, the last piece to arrive, which is on top. */
  private latest = new Map<string, string>();
  private hovering?: ReturnType<typeof setTimeout>;
  /**
   * How much the table was fitted so far; less only when the window changes, so that it does not
   * jump.
   */
  private fitted = 0;
  /** Whether the last input was a touch, which cannot look at a card before it chooses it. */
  protected isByTouch = false;
  private size = "";
  private readonly sizes = new ResizeObserver(() => this.onResize());

  override connectedCallback() {
    super.connectedCallback();
    this.sizes.observe(this);
    window.addEventListener("resize", this.onResize);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.sizes.disconnect();
    window.removeEventListener("resize", this.onResize);
  }

  /** The table's own height follows from how it is fitted, and is no reason to do that again. */
  private readonly onResize = () => {
    const size = `${this.clientWidth} ${window.innerHeight}`;
    if (size === this.size) return;
    this.size = size;
    this.isNarrow = this.clientWidth < NARROW;
    this.fitted = 0;
    this.fit();
  };

  /** The client of the page, or one for the token. */
  protected connect(): Croupier {
    return (
      this.client ??
      Croupier.connect(this.service ?? location.origin, {
        socket: "auto",
        ...(this.token && { credentials: this.token }),
        ...(this.language && { language: this.language }),
      })
    );
  }

  /** The state of a target: `legal` glows, `chosen` was clicked. */
  protected stateOf(_target: Target): "legal" | "chosen" | undefined {
    return undefined;
  }

  /** The effect of a click on the target, in words. */
  protected hintOf(_target: Target): string {
    return "";
  }

  /** Handles a click on the target. */
  protected onTarget(_target: Target): void {}

  /** Handles a click on a piece or a place that cannot be chosen; `title` is its own. */
  protected onIdle(_title: string, _piece?: string): void {}

  /** The seat that this page plays; absent for watchers. */
  protected get ownSeat(): number | undefined {
    const seat = /^seats\/(\d+)$/.exec(this.table?.viewer ?? "")?.[1];
    return seat === undefined ? undefined : Number(seat);
  }

  protected get say() {
    return texts(this.language);
  }

  /** The name to show for a seat. */
  protected playerName(seat: number): string {
    const { displayName, player, bot } = this.details?.seats[seat] ?? {};
    return displayName || player || bot || this.say("table-seat", { seat: seat + 1 });
  }

  // === State ===

  protected setGame(game: Game) {
    this.game = game;
    this.names = new Names(game.layout!);
    this.faces = new Map();
  }

  /** Draws another table at once. */
  protected setTable(table: Table) {
    this.table = table;
    this.contents = contentsOf(table);
    usedPlaces(table).forEach((it) => this.used.add(it));
    this.arranged = arrange(this.names!.layout, table, { used: this.used }, this.ownSeat);
  }

  /** Draws a table, and animates the entry on the way to it. */
  protected async showStep(entry: Entry, table: Table, speed: number): Promise<void> {
    this.noteLatest(entry);
    const root = this.renderRoot as ShadowRoot;
    if (this.isStill) {
      this.setTable(table);
      await this.updateComplete;
      return;
    }
    const before: Scene = capture(root);
    this.setTable(table);
    await this.updateComplete;
    const backs = (back: string) => cardBack(back, this.names!);
    const coins = (coin: string) => token(coin, this.names!);
    const face = (piece: string) => cardFace(this.face(piece), "small");
    const backOf = (piece: string) => this.names!.pieces.get(piece)?.back ?? "";
    const seatOf = (place: string) => this.names!.places.get(place)?.seat;
    await fly(root, before, entry.events as TableEvent[], { backs, coins, face, backOf, seatOf, speed });
  }

  /** Whether nothing is to move: nobody looks, or whoever does wants no motion. */
  protected get isStill(): boolean {
    return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
  }

  /** Remembers the last piece of each pile, which is drawn on top. */
  protected noteLatest(entry: Entry) {
    for (const { kind } of entry.events) {
      if (kind.case === "moved" && kind.value.piece) this.latest.set(kind.value.to, kind.value.piece);
    }
  }

  /** Remembers how the service writes amounts: `20M ISK`. */
  protected learnWording(table: Table) {
    for (const { purses } of table.places) {
      for (const { coin, amount, text } of purses) if (text) this.wording.set(`${coin}:${amount}`, text);
    }
  }

  /** Places that hold something in any of the tables keep their space in all of them. */
  protected remember(places: Iterable<string>) {
    for (const it of places) this.used.add(it);
  }

  protected forgetLatest() {
    this.latest = new Map();
  }

  protected forgetTable() {
    this.used = new Set();
    this.forgetLatest();
    this.preview = undefined;
    this.opened = undefined;
    this.openSeat = undefined;
    this.fitted = 0;
  }

  /** Whether a target can be clicked on the table. */
  protected isOnTable(target: Target): boolean {
    const name = target.slice(target.indexOf(":") + 1);
    if (target.startsWith("seat:")) return true;
    if (target.startsWith("piece:")) {
      const at = this.table!.places.find((it) => it.pieces.includes(name))?.place;
      return at !== undefined && !this.names!.isBox(at) && this.isOnTable(`place:${at}`);
    }
    const place = this.names!.places.get(name);
    if (place?.piece) return this.isOnTable(`piece:${place.piece}`);
    const rows = [...this.arranged.common, ...this.arranged.seats.flat()];
    return rows.some((row) => row.places.some((it) => it.name === name));
  }

  private face(piece: string): Face {
    let face = this.faces.get(piece);
    if (!face) {
      face = faceOf(this.names!.pieces.get(piece)!, this.names!);
      this.faces.set(piece, face);
    }
    return face;
  }

  // === Room ===

  /**
   * Takes the best fit in which the table is no higher than the window. Attributes that no template
   * has carry it, so that it is measured and drawn at once.
   */
  private fit() {
    const felt = this.renderRoot.querySelector<HTMLElement>(".felt[data-position]");
    if (!felt) return;
    const set = (fit: Partial<(typeof FITS)[number]>) => {
      for (const it of ["ample", "folded", "compact"] as const) felt.toggleAttribute(`data-${it}`, fit[it] === true);
    };
    // What is scrolled to stops above the actions and the hand.
    const foot = felt.querySelector<HTMLElement>(".foot")?.offsetHeight ?? 0;
    felt.style.setProperty("--foot", `${foot}px`);
    if (this.isNarrow) return set({ folded: true });
    set(FITS[this.fitted]!);
    // What the reader opens takes its own room.
    if (felt.hasAttribute("data-folded") && felt.querySelector(".seat.open")) return;
    while (this.fitted < FITS.length - 1 && felt.offsetHeight > this.room) set(FITS[(this.fitted += 1)]!);
  }

  /**
   * The height that a table may have, in pixels: that of the window without what stands above and
   * below.
   */
  private get room(): number {
    const above = this.getBoundingClientRect().top + window.scrollY;
    const rest = [...this.renderRoot.querySelectorAll<HTMLElement>(".top, .controls-bar")];
    // Further down in a page, the table is scrolled to.
    const start = above < window.innerHeight / 4 ? above : 0;
    return window.innerHeight - start - rest.reduce((sum, it) => sum + it.offsetHeight + 10, 0) - 6;
  }

  // === The table ===

  /** What just happened, in a line on the felt. */
  protected drawLatest(): TemplateResult | typeof nothing {
    return nothing;
  }

  /** What stands above the hand where there is no room beside the table. */
  protected drawAboveHand(): TemplateResult | typeof nothing {
    return nothing;
  }

  protected drawTable(): TemplateResult {
    const own = this.ownSeat;
    const count = this.table!.scores.length;
    const around = seatsAround(count, own);
    return html`<div class="felt" part="table" data-position=${this.table!.position} @pointerleave=${() => this.hidePreview()}>
      ${around.length > 0 ? this.drawAround(around, own) : nothing}
      ${this.drawLatest()}
      <section class=${classMap({ common: true, crowded: this.arranged.common.flatMap((it) => it.places).length > 9 })} part="common" aria-label=${this.say("table-common")}>
        ${this.drawCommonMarks()}
        ${this.arranged.common.map((row) => this.drawRow(row, "common"))}
      </section>
      ${own === undefined ? nothing : this.drawOwn(own)}
      ${this.isNarrow ? this.drawFoot(own) : nothing}
    </div>
    ${this.drawPreview()} ${this.drawPile()}`;
  }

  private drawAround(around: number[], own: number | undefined): TemplateResult {
    const isAsked = (rows: readonly Row[] | undefined) => rows?.some((row) => row.places.some((it) => this.hasTarget(it))) ?? false;
    const isAskedElsewhere =
      isAsked(this.arranged.common) || (own !== undefined && isAsked(this.arranged.seats[own])) || around.some((it) => this.stateOf(`seat:${it}`));
    return html`<div class="around ${around.length > 4 ? "many" : ""}" part="opponents" data-count=${around.length}
      role="region" aria-label=${this.say("table-opponents")}>
      ${around.map((seat) => this.drawSeat(seat, isAsked(this.arranged.seats[seat]), isAskedElsewhere))}
    </div>`;
  }

  /** Whether a place, or a piece in it, or a place of such a piece can be chosen. */
  private hasTarget({ name }: Place): boolean {
    const pieces = this.contents.get(name)?.pieces ?? [];
    const spots = pieces.flatMap((it) => this.names!.placesOfPiece.get(it) ?? []);
    return [`place:${name}`, ...pieces.map((it) => `piece:${it}`), ...spots.map((it) => `place:${it.name}`)].some((it) => this.stateOf(it as Target));
  }

  /** The actions and the hand, which stay at the bottom of the window. */
  private drawFoot(own: number | undefined): TemplateResult {
    const hands = own === undefined ? [] : this.handsOf(own);
    return html`<div class="foot" part="foot">${this.drawAboveHand()} ${this.drawHands(hands)}</div>`;
  }

  private drawRow(row: Row, spot: Spot): TemplateResult {
    return html`<div class="row" data-order=${row.order}>
      ${repeat(row.places, (it) => it.name, (it) => this.drawPlace(it, spot))}
    </div>`;
  }

  private drawOwn(seat: number): TemplateResult {
    const all = this.arranged.seats[seat] ?? [];
    const rest = all
      .map((row) => ({ ...row, places: row.places.filter((it) => !isHand(it)) }))
      .filter((row) => row.places.length > 0);
    return html`<section class=${classMap({ own: true, turn: this.isAtTurn(seat) })} part="own" data-seat=${seat}
      aria-label=${this.say("table-your-place")}>
      <div class="own-info">
        ${this.drawSeatHead(seat)}
        <div class="mats">${rest.map((row) => this.drawRow(row, "own"))}</div>
      </div>
      ${this.isNarrow ? nothing : this.drawHands(this.handsOf(seat))}
    </section>`;
  }

  private handsOf(seat: number): Place[] {
    return (this.arranged.seats[seat] ?? []).flatMap((row) => row.places.filter(isHand));
  }

  private drawHands(hands: Place[]): TemplateResult | typeof nothing {
    if (hands.length === 0) return nothing;
    const count = (it: Place) => (this.contents.get(it.name)?.pieces.length ?? 0) + 1;
    const held = hands.reduce((sum, it) => sum + count(it), -1);
    return html`<div class=${classMap({ hands: true, one: hands.length === 1 })} ${looks({ "--held": `${held}` })}>
      ${hands.map((it) => this.drawPlace(it, "hand"))}
    </div>`;
  }

  /**
   * A seat, which folds to a line where there is no room; one that alone can be chosen from is
   * open.
   */
  private drawSeat(seat: number, isAsked: boolean, isAskedElsewhere: boolean): TemplateResult {
    const rows = this.arranged.seats[seat] ?? [];
    const isOpen = this.openSeat === seat || (isAsked && !isAskedElsewhere);
    const classes = { seat: true, open: isOpen, turn: this.isAtTurn(seat), gone: this.table!.resigned.includes(seat) };
    return html`<section class=${classMap(classes)} part="seat" data-seat=${seat} aria-label=${this.playerName(seat)}>
      ${this.drawSeatHead(seat)}
      <button type="button" class="fold ${isAsked ? "legal" : ""}" part="fold" ?data-legal=${isAsked} aria-expanded=${isOpen ? "true" : "false"}
        @click=${() => (this.openSeat = isOpen ? undefined : seat)}><span class="unseen">${this.say("table-open-seat-of", { player: this.playerName(seat) })}: </span>${this.drawGist(rows)}</button>
      <div class="mats">${rows.map((row) => this.drawRow(row, "other"))}</div>
    </section>`;
  }

  /** What a seat has, in one line: its coins, and how many pieces. */
  private drawGist(rows: readonly Row[]): TemplateResult {
    const facts = rows.flatMap((row) => row.places).map((place) => {
      const { pieces = [], unseen = [], purses = [] } = this.contents.get(place.name) ?? {};
      const count = pieces.length + unseen.reduce((sum, it) => sum + it.count, 0);
      const coins = purses.filter((it) => it.amount !== 0);
      return html`${coins.map(({ coin, amount }) => html`<span class="fact">${token(coin, this.names!)}${amount}<span class="unseen"> ${this.names!.coins.get(coin)?.title}</span></span>`)}
        ${count > 0 ? html`<span class="fact">${place.title} <b>${count}</b></span>` : nothing}`;
    });
    return html`<span class="gist">${facts}</span>`;
  }

  /** The points of each seat, most first, with the parts that they add up from. */
  protected drawFinalScores(): TemplateResult | typeof nothing {
    const { scores, scoreParts, ended } = this.table!;
    const seats = scores.map((points, seat) => ({ seat, points, parts: scoreParts.filter((it) => it.seat === seat) }));
    if (scores.every((it) => it === 0)) return nothing;
    const title = (part: string) => this.names!.layout.announcements.find((it) => it.name === part)?.title || part;
    return html`<dl class="score-parts" part="score-parts">
      ${seats.sort((one, other) => other.points - one.points).map(
        ({ seat, points, parts }) => html`<div data-seat=${seat} class=${ended?.winners.includes(seat) ? "winner" : ""}>
          <dt><span>${this.playerName(seat)}</span> <b>${number(points)}</b></dt>
          ${parts.length > 1
            ? parts.map(({ part, points }) => html`<dd><span>${title(part)}</span> <b>${number(points)}</b></dd>`)
            : nothing}
        </div>`,
      )}
    </dl>`;
  }

  private drawSeatHead(seat: number): TemplateResult {
    const table = this.table!;
    const target: Target = `seat:${seat}`;
    const can = this.stateOf(target);
    const points = table.scores[seat] ?? 0;
    const hasPoints = table.scores.some((it) => it !== 0);
    const deciding = table.prompts.some((it) => it.seat === seat && !it.optional);
    // Who is at turn, but waits for others to decide, has no badge that says so.
    const isAwaited = deciding || !table.prompts.some((it) => !it.optional);
    const name = html`<span class="player" part="player">${this.playerName(seat)}</span>`;
    const badges = html`
      ${seat === this.ownSeat ? html`<span class="badge quiet">${this.say("table-you")}</span>` : nothing}
      ${table.ended?.winners.includes(seat) ? html`<span class="badge won">★</span>` : nothing}
      ${this.isAtTurn(seat) && isAwaited ? html`<span class="badge at-turn" part="turn">${this.say("table-turn")}</span>` : nothing}
      ${deciding && !this.isAtTurn(seat) ? html`<span class="badge">${this.say("table-deciding")}</span>` : nothing}
      ${table.resigned.includes(seat) ? html`<span class="badge quiet">${this.say("table-resigned")}</span>` : nothing}
      ${this.drawMarks(this.names!.layout.marks.filter((it) => it.seat === seat && !it.piece))}
      ${this.drawReferences(seat)}
      ${hasPoints ? html`<span class="badge score" data-score=${points}>${this.say("table-points", { points })}</span>` : nothing}
      ${this.drawClock(seat)}`;
    return html`<header class="head">
      ${can
        ? html`<button type="button" class="name ${can}" part="legal" data-seat=${seat} data-legal data-target=${target}
            aria-pressed=${can === "chosen" ? "true" : nothing}
            title=${this.hintOf(target) || nothing} @click=${() => this.onTarget(target)}>${name}<span class="unseen">: ${this.hintOf(target)}</span></button>`
        : html`<span class="name">${name}</span>`}
      ${badges}
    </header>`;
  }

  /** The clock of a seat; the table shows it while the match has clocks. */
  protected drawClock(_seat: number): TemplateResult | typeof nothing {
    return nothing;
  }

  protected isAtTurn(seat: number): boolean {
    return !this.table!.ended && this.table!.turn === seat && this.table!.position > 0;
  }

  // === Marks ===

  private markValue(mark: string): number {
    return this.table!.marks.find((it) => it.mark === mark)?.value ?? 0;
  }

  private drawMarks(marks: Mark[]): TemplateResult[] {
    const shown = marks.filter((it) => it.kind !== MarkKind.HIDDEN && this.markValue(it.name) !== 0);
    return shown
      .filter((it) => it.kind !== MarkKind.REFERENCE || !this.isOfSeats(it))
      .map((it) => this.drawMark(it, this.markValue(it.name)));
  }

  private drawMark(mark: Mark, value: number): TemplateResult {
    const title = mark.valueTitles[value - 1];
    const named = this.names!.values.get(mark.values[value - 1] ?? "");
    const style = named?.color ? { "--mark": named.color, "--mark-ink": inkOn(named.color) } : undefined;
    switch (mark.kind) {
      case MarkKind.FLAG:
        return html`<span class="mark flag" part="mark" data-mark=${mark.name} title=${mark.description || nothing}>${mark.title}</span>`;
      case MarkKind.TRACK:
        return html`<span class="mark track" part="mark" data-mark=${mark.name} title=${mark.description || nothing}>
          ${mark.title}
          <span class="steps" aria-hidden="true">${mark.values.map((_, n) => html`<i class=${n < value ? "on" : ""}></i>`)}</span>
          ${title ?? value}</span>`;
      case MarkKind.REFERENCE:
        return html`<span class="mark reference" part="mark" data-mark=${mark.name} ${looks(style)} title=${mark.description || nothing}>
          ${mark.title}: <b>${title ?? value}</b></span>`;
      default:
        return html`<span class="mark counter" part="mark" data-mark=${mark.name} title=${mark.description || nothing}>
          ${mark.title} <b>${title ?? value}</b></span>`;
    }
  }

  /** Whether the values of a mark are seats. */
  private isOfSeats(mark: Mark): boolean {
    return mark.values.length > 0 && mark.values.every((it, n) => it === String(n));
  }

  /** Common marks that name a seat are drawn with that seat. */
  private drawReferences(seat: number): TemplateResult[] {
    return this.names!.layout.marks
      .filter((it) => it.kind === MarkKind.REFERENCE && it.seat === undefined && this.isOfSeats(it))
      .filter((it) => this.markValue(it.name) === seat + 1)
      .map((it) => html`<span class="mark flag" part="mark" data-mark=${it.name} title=${it.description || nothing}>${it.title}</span>`);
  }

  private drawCommonMarks(): TemplateResult | typeof nothing {
    const marks = this.drawMarks(this.names!.layout.marks.filter((it) => it.seat === undefined && !it.piece));
    return marks.length > 0 ? html`<div class="marks">${marks}</div>` : nothing;
  }

  private marksOn(piece: string): TemplateResult[] {
    const own = this.names!.marksOfPiece.get(piece) ?? [];
    return this.drawMarks(own);
  }

  // === Places ===

  private drawPlace(place: Place, spot: Spot): TemplateResult {
    const names = this.names!;
    const contents = this.contents.get(place.name);
    const target: Target = `place:${place.name}`;
    const can = this.stateOf(target);
    const value = names.values.get(place.value);
    const pieces = contents?.pieces ?? [];
    const unseen = contents?.unseen.reduce((sum, it) => sum + it.count, 0) ?? 0;
    const isPile = place.arrangement === Arrangement.PILE || place.role === PlaceRole.DECK || place.role === PlaceRole.DISCARD;
    const holdsPieces = isPile
      ? pieces.length > 0 || unseen > 0 || place.role === PlaceRole.DECK || place.role === PlaceRole.DISCARD
      : pieces.length > 0 || unseen > 0 || place.role === PlaceRole.HAND || place.role === PlaceRole.AREA || place.role === PlaceRole.ROW;
    const classes = {
      place: true,
      [can ?? "idle"]: true,
      [`role-${PlaceRole[place.role].toLowerCase()}`]: true,
      coins: !holdsPieces,
      empty: pieces.length === 0 && unseen === 0 && !contents?.purses.some((it) => it.amount !== 0),
    };
    const style = value?.color ? { "--value": value.color, "--value-ink": inkOn(value.color) } : undefined;
    const count = pieces.length + unseen;
    const label = html`${value?.symbol ? html`<span class="value-symbol" aria-hidden="true">${symbolOf(value)}</span>` : nothing}<span
        class="place-title">${place.title}</span>${(place.role === PlaceRole.HAND || !isPile) && spot === "other" && count > 3
        ? html`<span class="count">${count}</span>`
        : nothing}`;
    return html`<div class=${classMap(classes)} part="place" data-place=${place.name} ?data-legal=${can === "legal" || can === "chosen"}
      data-value=${place.value || nothing} ${looks(style)}
      @click=${can ? (event: MouseEvent) => this.onPlaceClick(event, target) : () => this.onIdle(place.title)}>
      ${can
        ? html`<button type="button" class="label" part="legal" data-target=${target} aria-pressed=${can === "chosen" ? "true" : nothing}
            title=${this.hintOf(target) || nothing}
            @click=${(event: MouseEvent) => this.onPlaceClick(event, target)}>${label}<span class="unseen">: ${this.hintOf(target)}</span></button>`
        : html`<div class="label" title=${value ? `${place.title} · ${value.title}` : nothing}>${label}</div>`}
      ${holdsPieces ? (isPile ? this.drawPileOf(place, contents, spot) : this.drawPieces(place, contents, spot)) : nothing}
      ${this.drawPurses(place, contents?.purses ?? [], spot)}
    </div>`;
  }

  private onPlaceClick(event: MouseEvent, target: Target) {
    const inPiece = (event.target as Element).closest("[data-piece][data-legal]");
    event.stopPropagation();
    if (!inPiece) this.onTarget(target);
  }

  private sizeIn(spot: Spot): CardSize {
    return spot === "hand" ? "large" : spot === "other" ? "small" : "medium";
  }

  private drawPieces(place: Place, contents: PlaceContents | undefined, spot: Spot): TemplateResult {
    const isFan = place.arrangement === Arrangement.FAN;
    const pieces = contents?.pieces ?? [];
    const backs = (contents?.unseen ?? []).flatMap(({ back, count }) =>
      Array.from({ length: Math.min(count, 12) }, (_, n) => ({ back, n })),
    );
    const kinds = { pieces: true, fan: isFan, grid: place.arrangement === Arrangement.GRID, many: pieces.length + backs.length > 6 };
    const total = pieces.length + backs.length;
    return html`<div class=${classMap(kinds)} role="group" aria-label=${place.title} data-size=${this.sizeIn(spot)}
      ${looks({ "--count": String(Math.max(1, total)) })} @keydown=${this.onArrow}>
      ${repeat(pieces, (it) => it, (it, n) => (spot === "hand" ? html`<span class="held">${this.drawPiece(it, spot, n === 0)}</span>` : this.drawPiece(it, spot, n === 0)))}
      ${backs.map(({ back }) => this.drawBack(back, place))}
      ${contents?.countHidden ? html`<span class="card screen" role="img" aria-label=${this.say("table-hidden-number")} title=${this.say("table-hidden-number")}>?</span>` : nothing}
      ${total === 0 && !contents?.countHidden ? html`<span class="slot" aria-hidden="true"></span>` : nothing}
    </div>`;
  }

  private drawPiece(piece: string, spot: Spot, isFirst: boolean): TemplateResult {
    if (this.names!.isBoard(piece)) return this.drawBoardPiece(piece);
    const target: Target = `piece:${piece}`;
    const can = this.stateOf(target);
    const face = this.face(piece);
    const hint = can ? this.hintOf(target) : "";
    return html`<button type="button" class="card ${can ?? ""}" part=${can ? "piece legal" : "piece"} data-piece=${piece}
      ?data-legal=${!!can} data-target=${target} tabindex=${can || isFirst ? 0 : -1}
      aria-pressed=${can === "chosen" ? "true" : nothing} aria-disabled=${can ? nothing : "true"}
      @click=${(event: MouseEvent) => this.onPiece(event, piece, !!can)}
      @pointerenter=${(event: PointerEvent) => this.onHover(event, piece)}
      @pointerleave=${() => this.hidePreview()}
      @pointerdown=${(event: PointerEvent) => this.onPress(event, piece)}
      @contextmenu=${(event: Event) => event.preventDefault()}
      @focus=${(event: FocusEvent) => this.onFocus(event, piece)} @blur=${() => this.hidePreview()}>
      ${cardFace(face, this.sizeIn(spot))}${this.marksOn(piece)}<span class="unseen">${[this.describe(face), hint].filter(Boolean).join(". ")}</span>
    </button>`;
  }

  private describe(face: Face): string {
    const captions = face.captions.map(({ title, text }) => `${title}: ${text}`).join(", ");
    return [face.title, captions].filter(Boolean).join(". ");
  }

  private drawBack(back: string, place: Place): TemplateResult {
    const title = this.names!.backs.get(back)?.title ?? "";
    return html`<span class="card back" part="back" data-back=${back} data-at=${place.name} role="img" aria-label=${title}
      title=${title}>${cardBack(back, this.names!)}</span>`;
  }

  /** A piece that others are put on, such as a plot with its spots. */
  private drawBoardPiece(piece: string): TemplateResult {
    const names = this.names!;
    const target: Target = `piece:${piece}`;
    const can = this.stateOf(target);
    const face = this.face(piece);
    const places = names.placesOfPiece.get(piece) ?? [];
    const lying = places.flatMap((it) => this.contents.get(it.name)?.pieces ?? []);
    const capacity = (value: string) =>
      [face, ...lying.map((it) => this.face(it))]
        .flatMap((it) => it.amounts)
        .filter((it) => it.value.name === value)
        .reduce((sum, it) => sum + it.number, 0);
    const color = face.colors[0];
    const hint = this.hintOf(target);
    return html`<div class="tile ${can ?? ""}" part="piece" data-piece=${piece} ?data-legal=${!!can} role="group" aria-label=${face.title}
      ${looks(color ? { "--value": color, "--value-ink": inkOn(color) } : undefined)}>
      ${can
        ? html`<button type="button" class="tile-title" part="legal" data-target=${target} aria-pressed=${can === "chosen" ? "true" : nothing}
            title=${hint || nothing}
            @click=${(event: MouseEvent) => this.onPiece(event, piece, true)}>${face.title}<span class="unseen">: ${hint}</span></button>`
        : html`<button type="button" class="tile-title" tabindex="-1" aria-disabled="true"
            @click=${(event: MouseEvent) => this.onPiece(event, piece, false)}
            @pointerenter=${(event: PointerEvent) => this.onHover(event, piece)}
            @pointerleave=${() => this.hidePreview()}>${face.title}</button>`}
      <div class="spots">${places.map((it) => this.drawSpot(it, capacity(it.value)))}</div>
      <div class="tile-marks">${this.marksOn(piece)}</div>
    </div>`;
  }

  private drawSpot(place: Place, capacity: number): TemplateResult | typeof nothing {
    const names = this.names!;
    const contents = this.contents.get(place.name);
    const target: Target = `place:${place.name}`;
    const can = this.stateOf(target);
    const value = names.values.get(place.value);
    const purses = (contents?.purses ?? []).filter((it) => it.amount > 0);
    const pieces = contents?.pieces ?? [];
    const unseen = contents?.unseen ?? [];
    const filled = purses.reduce((sum, it) => sum + it.amount, 0);
    const isEmptyPlace = filled === 0 && pieces.length === 0 && unseen.length === 0;
    if (isEmptyPlace && capacity === 0 && !can) return nothing;
    const label = `${place.title}: ${filled}${capacity > 0 ? ` / ${capacity}` : ""}`;
    const tokens = purses.flatMap(({ coin, amount }) => Array.from({ length: Math.min(amount, 8) }, () => coin));
    const free = Math.max(0, Math.min(8, capacity - filled));
    const inside = html`
      ${value?.symbol
        ? html`<span class="spot-value" aria-hidden="true" ${looks({ "--value": value.color, "--value-ink": inkOn(value.color) })}>${symbolOf(value)}</span>`
        : nothing}
      <span class="slots" aria-hidden="true">
        ${tokens.map((coin) => html`<span class="filled">${token(coin, names)}</span>`)}
        ${Array.from({ length: free }, () => html`<i class="free"></i>`)}
      </span>
      ${pieces.map((it) => html`<span class="on-tile" data-piece=${it}>${names.title(it)}</span>`)}
      ${unseen.map(({ back, count }) => html`<span class="on-tile">${names.backs.get(back)?.title} ${count > 1 ? count : nothing}</span>`)}`;
    return can
      ? html`<button type="button" class="spot ${can}" part="legal" data-place=${place.name} data-legal data-target=${target}
          aria-pressed=${can === "chosen" ? "true" : nothing} title=${this.hintOf(target) || place.title}
          @click=${() => this.onTarget(target)}>${inside}<span class="unseen">${[label, this.hintOf(target)].filter(Boolean).join(". ")}</span></button>`
      : html`<div class="spot" data-place=${place.name} title=${label} role="img" aria-label=${label}>${inside}</div>`;
  }

  private drawPileOf(place: Place, contents: PlaceContents | undefined, spot: Spot): TemplateResult {
    const pieces = contents?.pieces ?? [];
    const unseen = contents?.unseen ?? [];
    const count = pieces.length + unseen.reduce((sum, it) => sum + it.count, 0);
    const latest = this.latest.get(place.name) ?? "";
    const top = contents?.top || (pieces.includes(latest) ? latest : pieces.at(-1));
    const back = unseen[0]?.back;
    const inside = pieces.filter((it) => it !== top && this.stateOf(`piece:${it}`));
    const height = Math.min(4, Math.floor(Math.log2(Math.max(1, count))));
    return html`<div class="pile" data-size=${this.sizeIn(spot)} data-height=${height} role="group" aria-label=${place.title} @keydown=${this.onArrow}>
      ${top
        ? this.drawPiece(top, spot === "hand" ? "own" : spot, true)
        : back
          ? this.drawBack(back, place)
          : html`<span class="slot" aria-hidden="true"></span>`}
      ${pieces.length > 1
        ? html`<button type="button" class="count ${inside.length > 0 ? "legal" : ""}" part="count" ?data-legal=${inside.length > 0}
            title=${this.say("table-show-all")} @click=${(event: MouseEvent) => this.openPile(event, place.name)}>${count}<span class="unseen">
              ${place.title}. ${this.say("table-show-all")}</span></button>`
        : count > 0 && !top
          ? html`<span class="count" role="img" aria-label=${this.say("table-cards", { count })}>${count}</span>`
          : nothing}
    </div>`;
  }

  // === Coins ===

  private drawPurses(place: Place, purses: Purse[], spot: Spot): TemplateResult | typeof nothing {
    const isBank = (coin: string) => place.purses.some((it) => it.coin === coin && it.bank);
    const banks = place.purses.filter((it) => it.bank);
    if (place.role === PlaceRole.BANK && banks.length > 0) {
      return html`<div class="purse bank" aria-hidden="true">${banks.map(({ coin }) => html`<span class="coin" data-coin=${coin}>${token(coin, this.names!)}</span>`)}</div>`;
    }
    const amounts = new Map(purses.map((it) => [it.coin, it.amount]));
    // A place for one kind of coin also shows zero; a place for several shows only the kinds that
    // it has.
    const shown = place.purses.filter(({ coin }) => !isBank(coin) && ((amounts.get(coin) ?? 0) !== 0 || (place.role === PlaceRole.PURSE && place.purses.length === 1 && !this.isHiddenPurse(place))));
    if (shown.length === 0) return nothing;
    return html`<div class="purse">${repeat(shown, ({ coin }) => coin, ({ coin }) => this.drawCoin(coin, amounts.get(coin) ?? 0, spot))}</div>`;
  }

  private isHiddenPurse(place: Place): boolean {
    return place.seenBy !== undefined && place.seenBy !== this.ownSeat && this.table!.viewer !== "house";
  }

  private drawCoin(coin: string, amount: number, spot: Spot): TemplateResult {
    const title = this.names!.coins.get(coin)?.title ?? coin;
    const text = this.wording.get(`${coin}:${amount}`) ?? `${amount} ${title}`;
    const isLong = spot === "own" || spot === "hand";
    return html`<span class="coin" part="coins" data-coin=${coin} data-amount=${amount} title=${text} role="img" aria-label=${text}>
      ${token(coin, this.names!)}<croupier-amount class="amount" .text=${isLong ? text : String(amount)}></croupier-amount></span>`;
  }

  // === Offers ===

  protected drawItems(items: OfferItem[]): TemplateResult {
    if (items.length === 0) return html`<i>${this.say("table-nothing")}</i>`;
    return html`${items.map((it) =>
      it.piece
        ? html`<span class="chip">${this.names!.title(it.piece)}</span>`
        : html`<span class="chip" title=${this.names!.coins.get(it.coin)?.title ?? ""}>${token(it.coin, this.names!)} ${this.wording.get(`${it.coin}:${it.amount}`) ?? it.amount}</span>`,
    )}`;
  }

  protected drawOffer(offer: Offer): TemplateResult {
    return html`<div class="offer-text">
      <b>${this.say("table-offer", { by: this.playerName(offer.by), to: this.playerName(offer.to) })}</b>
      <span>${this.say("table-gives")} ${this.drawItems(offer.give)}</span>
      <span>${this.say("table-takes")} ${this.drawItems(offer.take)}</span>
    </div>`;
  }

  // === Looking closer ===

  private onPiece(event: MouseEvent, piece: string, isLegal: boolean) {
    event.stopPropagation();
    if (this.wasLongPress) {
      this.wasLongPress = false;
      return;
    }
    const pile = (event.currentTarget as Element).closest("[data-place]")?.getAttribute("data-place");
    if (isLegal) {
      this.hidePreview();
      this.opened = undefined;
      const at = event.currentTarget as Element;
      this.onTarget(`piece:${piece}`);
      // A finger hides what a pointer would have shown.
      if (this.isByTouch && this.stateOf(`piece:${piece}`) === "chosen") this.showPreview(at, piece);
    } else if (pile && this.stateOf(`place:${pile}`)) {
      this.onTarget(`place:${pile}`);
    } else {
      this.showPreview(event.currentTarget as Element, piece);
      this.onIdle(this.names!.title(piece), piece);
    }
  }

  private wasLongPress = false;

  private onPress(event: PointerEvent, piece: string) {
    if (event.pointerType === "mouse") return;
    const at = event.currentTarget as Element;
    this.wasLongPress = false;
    clearTimeout(this.hovering);
    this.hovering = setTimeout(() => {
      this.wasLongPress = true;
      this.showPreview(at, piece);
    }, 450);
    const stop = () => clearTimeout(this.hovering);
    at.addEventListener("pointerup", stop, { once: true });
    at.addEventListener("pointercancel", stop, { once: true });
  }

  private onHover(event: PointerEvent, piece: string) {
    if (event.pointerType !== "mouse") return;
    const at = event.currentTarget as Element;
    clearTimeout(this.hovering);
    this.hovering = setTimeout(() => this.showPreview(at, piece), this.preview ? 60 : 350);
  }

  private onFocus(event: FocusEvent, piece: string) {
    const at = event.currentTarget as Element;
    if (at.matches(":focus-visible")) this.showPreview(at, piece);
  }

  private showPreview(at: Element, piece: string) {
    if (at.isConnected) this.preview = { piece, anchor: at.getBoundingClientRect() };
  }

  protected hidePreview() {
    clearTimeout(this.hovering);
    this.preview = undefined;
  }

  private drawPreview(): TemplateResult | typeof nothing {
    if (!this.preview) return nothing;
    const { piece, anchor } = this.preview;
    const face = this.face(piece);
    const width = 224;
    const left = Math.min(Math.max(8, anchor.left + anchor.width / 2 - width / 2), window.innerWidth - width - 8);
    const isBelow = anchor.top < window.innerHeight / 2;
    // Above the hand are the actions, which stay in view.
    const isOverActions = this.isNarrow && !isBelow;
    const style = {
      left: `${left}px`,
      top: isOverActions ? "56px" : isBelow ? `${anchor.bottom + 10}px` : "auto",
      bottom: isBelow || isOverActions ? "auto" : `${window.innerHeight - anchor.top + 10}px`,
      width: `${width}px`,
    };
    const origin = face.colors[0];
    return html`<div class="preview" part="preview" aria-hidden="true" ${looks(style)}>
      <div class="preview-head" ${looks(origin ? { "--value": origin } : undefined)}>
        ${face.corner ? html`<span class="preview-corner">${face.corner}</span>` : nothing}
        <b>${face.title}</b>
      </div>
      ${face.pips.length > 0
        ? html`<div class="preview-pips">${face.pips.map((it) => html`<span ${looks({ "--value": it.color, "--value-ink": inkOn(it.color) })}>${symbolOf(it)}</span>`)}</div>`
        : nothing}
      ${face.text ? html`<p>${face.text}</p>` : nothing}
      ${face.captions.length > 0
        ? html`<dl>${face.captions.map(({ title, text }) => html`<dt>${title}</dt><dd>${text}</dd>`)}</dl>`
        : nothing}
    </div>`;
  }

  /**
   * Pieces as small pictures, with their text beside them; arrow keys go through those of a story.
   */
  protected drawMinis(pieces: readonly string[]): TemplateResult | typeof nothing {
    const known = pieces.filter((it) => this.names!.pieces.has(it));
    if (known.length === 0) return nothing;
    return html`<span class="minis">${known.map((piece) => html`<button type="button" class="mini" part="mini" tabindex="-1"
      @pointerenter=${(event: PointerEvent) => this.onHover(event, piece)} @pointerleave=${() => this.hidePreview()}
      @focus=${(event: FocusEvent) => this.onFocus(event, piece)} @blur=${() => this.hidePreview()}
      @click=${(event: MouseEvent) => this.showPreview(event.currentTarget as Element, piece)}>${cardFace(this.face(piece), "small")}<span class="unseen">${this.describe(this.face(piece))}</span></button>`)}</span>`;
  }

  private openPile(event: MouseEvent, place: string) {
    event.stopPropagation();
    this.opened = place;
  }

  private drawPile(): TemplateResult | typeof nothing {
    const place = this.opened === undefined ? undefined : this.names!.places.get(this.opened);
    if (!place) return nothing;
    const pieces = this.contents.get(place.name)?.pieces ?? [];
    const close = () => (this.opened = undefined);
    return html`<dialog class="pile-dialog" part="dialog" aria-label=${place.title} @close=${close}
      @click=${(event: MouseEvent) => event.target === event.currentTarget && close()}>
      <header><h2>${place.title}</h2><button type="button" class="quiet" @click=${close}>${this.say("table-close")}</button></header>
      <div class="pieces" data-size="medium" @keydown=${this.onArrow}>${pieces.map((it, n) => this.drawPiece(it, "own", n === 0))}</div>
    </dialog>`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const dialog = this.renderRoot.querySelector<HTMLDialogElement>("dialog.pile-dialog");
    if (dialog && !dialog.open) dialog.showModal();
    const isSame = changed.size > 0 && [...changed.keys()].every((it) => it === "preview" || it === "now" || it === "openSeat");
    if (!isSame) this.fit();
  }

  // Arrow keys go through the pieces of a place.
  protected onArrow = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const step = steps[event.key];
    const group = event.currentTarget as Element;
    const all = [...group.querySelectorAll<HTMLElement>("button")];
    const at = all.indexOf(event.target as HTMLElement);
    // From the story itself, the arrow upwards goes to the latest picture.
    if (at < 0 && event.target === group && step === -1) all.at(-1)?.focus();
    if (at < 0 || all.length === 0) return;
    const to =
      step !== undefined ? (at + step + all.length) % all.length : event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : -1;
    if (to < 0) return;
    event.preventDefault();
    all[to]!.focus();
  };
}

function isHand({ role }: Place): boolean {
  return role === PlaceRole.HAND;
}

/** A number with the minus sign of mathematics, which is as wide as a plus. */
function number(value: number): string {
  return String(value).replace("-", "−");
}
