import { durationMs } from "@bufbuild/protobuf/wkt";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { Refusal, type Change, type Live, type MatchHandle } from "@croupier/client";
import { Motion, type Action, type Entry, type LegalAction, type ListLegalActionsResponse, type Match, type Prompt, type SuggestActionsResponse, type Table } from "@croupier/client/v1";
import { choicesOf, effectOf, keyOf, narrow, names as named, once, openVerbs, reasonsOf, type Choice, type Narrowed, type Target } from "./actions.js";
import { symbolOf } from "./cards.js";
import { ListsHere, pausedBy, renames, type Filter, type Lister } from "./here.js";
import { actionKeys, areKeysOn, keysDialog, setKeysOn } from "./keys.js";
import { controlsOf, piecesOf, withValue, words, type Control } from "./form.js";
import "./primer.js";
import type { CroupierPrimer } from "./primer.js";
import { areSoundsOn, play, setSoundsOn, type Sound } from "./sounds.js";
import { Surface } from "./surface.js";

/** How long what a bot did is seen before the next entry is drawn. */
const BOT_MS = 700;

/**
 * After this time a call that is under way is mentioned, and after the other the service counts as
 * away.
 */
const SLOW_MS = 400;
const STUCK_MS = 4_000;

/** A form that is being filled in. */
interface OpenForm {
  verb: string;
  action: Action;
  help: string;
}

type PiecesControl = Control & { kind: "pieces" };

/** A kind of action that is a set of pieces and nothing else. */
interface SetOfPieces {
  verb: string;
  legal: LegalAction;
  control: PiecesControl;
  options: string[];
}

/** The kinds of entry that are no action of a seat, so that one before them may be taken back. */
const ASIDES = ["say", "vote", "add-time"];

/** The requests to the service about a position. */
interface Asked {
  legal?: ListLegalActionsResponse;
  view: Table;
  match: Match;
  canTakeBack: boolean;
}

/**
 * A match to play or to watch.
 *
 * ```html
 * <croupier-table match="matches/…" token="…" service="https://play.example"></croupier-table>
 * ```
 *
 * A page themes it by the custom properties `--croupier-*` (see `theme.css` and `surface.css`), such
 * as `--croupier-felt`, `--croupier-accent`, `--croupier-font`, and by its parts: `table`, `seat`,
 * `own`, `place`, `piece`, `back`, `coins`, `mark`, `legal`, `dock`, `prompt`, `action`, `form`,
 * `refusal`, `idle`, `reason`, `effect`, `suggestions`, `latest`, `take-back`, `how`, `ending`, `result`, `score-parts`, `log`, `talk`,
 * `preview`, `fold`, `foot`, `mini`. What the page puts into its slots `start` and `end` stands at the
 * ends of the bar, what it puts into `head` above what happened, and what it puts into `ending` below
 * the result: another match, a review.
 *
 * @fires croupier-entry - An entry was recorded: `detail.entry`.
 * @fires croupier-turn - The seat is asked something, or no longer: `detail.isAsked`.
 * @fires croupier-ended - The match has ended: `detail.winners`.
 * @fires croupier-refusal - The service refused an action: `detail.refusal`.
 */
@customElement("croupier-table")
export class CroupierTable extends Surface {
  /**
   * The rules on this device, if the page has them: they list the legal actions while the list of the
   * service, which decides, is on its way.
   */
  @property({ attribute: false }) rules?: Lister;

  /** Whether the page wants no sounds. */
  @property({ type: Boolean }) silent = false;

  @state() private choices: Choice[] = [];
  @state() private prompts: Prompt[] = [];
  @state() private chosen: Target[] = [];
  @state() private form?: OpenForm;
  @state() private refusal = "";
  /** Why what was clicked has no effect. */
  @state() private idle = "";
  /** Why kinds of action are not legal that often are. */
  @state() private reasons: string[] = [];
  /** What a bot would do, if the player asked. */
  @state() private suggested?: SuggestActionsResponse;
  @state() private isBusy = false;
  /** Whether the call that is under way takes long enough to say so. */
  @state() private isSlow = false;
  /**
   * Whether it takes so long that the service seems to be away, though the connection still
   * stands.
   */
  @state() private isStuck = false;
  @state() private isConnected_ = true;
  @state() private isOnline = navigator.onLine;
  @state() private log: Entry[] = [];
  @state() private failure = "";
  /** Whether the service would take back the seat's last action. */
  @state() private canTakeBack = false;
  @state() private isResigning = false;
  @state() private talkTo: number[] = [];
  @state() private now = Date.now();

  private handle?: MatchHandle;
  private live?: Live;
  private closing?: AbortController;
  private queue: Change[] = [];
  private isDrawing = false;
  private incomplete = new Set<string>();
  private here?: ListsHere;
  private isPaused = false;
  private clock?: ReturnType<typeof setInterval>;
  private narrowed?: Narrowed;
  private sets: SetOfPieces[] = [];
  /** What the open form lets choose on the table. */
  private set: ReturnType<typeof this.findSet>;
  /** What `croupier-turn` last said. */
  private wasAsked = false;
  /** Whether the last input was by keyboard: the focus then stays where the actions are. */
  private isByKeys = false;

  override connectedCallback() {
    super.connectedCallback();
    this.addEventListener("keydown", this.onKey);
    this.addEventListener("pointerdown", this.onPointer);
    for (const type of ["online", "offline"]) window.addEventListener(type, this.onLine);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.close();
    this.removeEventListener("keydown", this.onKey);
    this.removeEventListener("pointerdown", this.onPointer);
    for (const type of ["online", "offline"]) window.removeEventListener(type, this.onLine);
  }

  private onLine = () => (this.isOnline = navigator.onLine);

  protected override willUpdate(changed: PropertyValues<this>) {
    const isOther = (["match", "token", "service", "viewer", "client", "language"] as const).some((it) => changed.has(it));
    if (isOther || !this.closing) {
      this.close();
      if (this.match && this.isConnected) void this.open();
    }
    if (changed.has("rules") || isOther) this.here = (this.rules && new ListsHere(this.rules)) as never;
    if (changed.has("choices" as never) || changed.has("chosen" as never) || !this.narrowed) {
      this.narrowed = narrow(this.choices, this.chosen);
    }
    if (changed.has("choices" as never)) this.sets = this.table && this.choices.length > 0 ? this.findSets() : [];
    this.set = this.table && this.form ? this.findSet() : undefined;
  }

  // === Following the match ===

  private async open() {
    const closing = new AbortController();
    const { signal } = closing;
    this.closing = closing;
    this.failure = "";
    const client = this.connect();
    this.handle = client.match(this.match, { viewer: this.viewer || undefined, seat: seatOf(this.viewer) });
    try {
      const [live, details] = await Promise.all([this.handle.live({ signal }), this.handle.get({ signal })]);
      if (signal.aborted) return live.close();
      this.live = live;
      live.onConnection((isConnected) => (this.isConnected_ = isConnected));
      live.onWentBack(() => this.reopen());
      this.setGame(live.game);
      this.details = details;
      this.setTable(live.table);
      this.prompts = live.table.prompts;
      void this.loadLog(signal);
      await this.refresh();
      for await (const change of live) {
        if (signal.aborted) return;
        this.queue.push(change);
        void this.draw();
      }
    } catch (error) {
      if (!signal.aborted) this.failure = messageOf(error);
    }
  }

  /** Shows the match anew, because the record lost entries that were shown. */
  private reopen() {
    this.close();
    void this.open();
  }

  private close() {
    this.closing?.abort();
    this.live?.close();
    clearInterval(this.clock);
    this.closing = undefined as never;
    this.live = undefined as never;
    this.queue = [];
    this.choices = [];
    this.chosen = [];
    this.log = [];
    this.table = undefined as never;
    this.form = undefined as never;
    this.forgetTable();
  }

  private async loadLog(signal: AbortSignal) {
    const until = this.table!.position;
    const entries: Entry[] = [];
    try {
      for await (const entry of this.handle!.entries({ signal })) {
        if (entry.position > until) break;
        entries.push(entry);
      }
    } catch (error) {
      if (!signal.aborted) this.refusal = messageOf(error);
    }
    if (!signal.aborted) this.log = [...entries, ...this.log.filter((it) => it.position > until)];
  }

  /** Draws the entries one after the other; faster if some wait, and the last only if many do. */
  private async draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    const { signal } = this.closing!;
    try {
      for (let change = this.queue.shift(); change && !signal.aborted; change = this.queue.shift()) {
        // An entry may have arrived while the actions at the previous position were requested.
        this.choices = [];
        this.chosen = [];
        this.canTakeBack = false;
        const waiting = this.queue.length;
        const asked = waiting === 0 ? this.ask(change.table, change.entry) : undefined;
        asked?.catch(() => {});
        this.isPaused = pausedBy(change.entry, this.isPaused);
        const here = asked && !renames(change.entry) ? this.listHere(change.table, whole) : undefined;
        this.log = [...this.log, change.entry];
        this.prompts = change.entry.prompts;
        this.dispatch("croupier-entry", { entry: change.entry });
        const isEnd = change.table.ended !== undefined && change.before.ended === undefined;
        if (waiting > 8 && !isEnd) {
          // All of them are drawn at once: one after the other takes longer than a frame.
          this.noteLatest(change.entry);
          this.setTable(change.table);
          continue;
        }
        const began = performance.now();
        const speed = waiting > 2 ? 3 : 1;
        soundsOf(change.entry).forEach((it) => this.sound(it));
        await this.showStep(change.entry, change.table, speed);
        await this.pause(change.entry, began, speed);
        if (isEnd) {
          this.dispatch("croupier-ended", { winners: [...change.table.ended!.winners] });
          await this.updateComplete;
          this.showEnding();
        }
        if (asked && this.queue.length === 0) await this.show(asked, here);
      }
    } catch (error) {
      if (!signal.aborted) this.refusal = messageOf(error);
    } finally {
      this.isDrawing = false;
    }
  }

  /** Leaves time to see what a bot did, whoever the bot is and whatever it holds. */
  private async pause({ seat, events }: Entry, began: number, speed: number) {
    const isBot = seat !== undefined && seat !== this.ownSeat && this.details?.seats[seat]?.bot;
    if (!isBot || events.length === 0 || this.isStill) return;
    const left = BOT_MS / speed - (performance.now() - began);
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }

  private async refresh() {
    if (this.table!.position === 0) return;
    this.apply(await this.ask(this.table!));
  }

  private async ask(table: Table, entry?: Entry): Promise<Asked> {
    const { signal } = this.closing!;
    const options = { signal };
    const [view, match, canTakeBack, legal] = await Promise.all([
      this.handle!.view({}, options),
      this.handle!.get(options),
      this.mayTakeBack(table, entry) && this.handle!.canTakeBack(options).catch(() => false),
      isAsked(table) ? this.handle!.legalActions(whole, options) : undefined,
    ]);
    return { view, match, canTakeBack, ...(legal && { legal }) };
  }

  /** Whether it is worth asking: an action of another seat cannot be taken back, talk hides none. */
  private mayTakeBack(table: Table, entry?: Entry): boolean {
    if (this.ownSeat === undefined || table.ended) return false;
    return entry === undefined || entry.seat === this.ownSeat || ASIDES.includes(entry.verb);
  }

  /** Shows the list of this device, if it is there first, until the service has answered. */
  private async show(asked: Promise<Asked>, here: Promise<ListLegalActionsResponse | undefined> | undefined) {
    const first = await Promise.race([here, asked.then(() => undefined)]);
    const isShown = first !== undefined && this.queue.length === 0;
    if (isShown) this.offer(first);
    const told = await asked;
    const isSame = isShown && told.legal?.position === first.position && this.here?.agrees(first, told.legal) === true;
    this.apply(told, isSame);
  }

  private apply({ legal, view, match, canTakeBack }: Asked, isOffered = false) {
    this.learnWording(view);
    this.canTakeBack = canTakeBack && view.position === this.table!.position;
    this.details = match;
    this.isPaused = match.paused;
    this.runClock();
    if (view.position === this.table!.position) this.prompts = view.prompts;
    if (legal && legal.position !== this.table!.position) this.choices = [];
    else if (!isOffered) this.offer(legal);
  }

  private offer(legal: ListLegalActionsResponse | undefined) {
    this.setChoices(legal);
    this.requestUpdate();
    void this.keepFocus();
    void this.showAsked();
    void this.listHidden();
  }

  /** Scrolls to what the seat must choose from, if the table is in the window and nothing of that is. */
  private async showAsked() {
    await this.updateComplete;
    const isMust = this.prompts.some((it) => it.seat === this.ownSeat && !it.optional);
    if (!isMust || !this.isInWindow) return;
    const foot = this.renderRoot.querySelector(".foot")?.getBoundingClientRect().top ?? window.innerHeight;
    const isSeen = (it: Element) => {
      const { top, bottom } = it.getBoundingClientRect();
      return bottom > 0 && top < (it.closest(".foot") ? window.innerHeight : foot);
    };
    const all = this.glowing();
    if (!all.some(isSeen)) this.bringIntoView(all[0], "center");
  }

  /** Scrolls to the result, if the table is in the window. */
  private showEnding() {
    if (this.isInWindow) this.bringIntoView(this.renderRoot.querySelector(".ending"), "nearest");
  }

  private get isInWindow(): boolean {
    const felt = this.renderRoot.querySelector(".felt")?.getBoundingClientRect();
    return felt !== undefined && felt.bottom >= 0 && felt.top <= window.innerHeight;
  }

  private bringIntoView(it: Element | null | undefined, block: ScrollLogicalPosition) {
    it?.scrollIntoView({ block, behavior: this.isStill ? "auto" : "smooth" });
  }

  /** What can be chosen on the table, or opened to choose from. */
  private glowing(): HTMLElement[] {
    const all = this.renderRoot.querySelectorAll<HTMLElement>(".felt [part~=legal][data-target], .felt .fold[data-legal]");
    return [...all].filter((it) => it.checkVisibility());
  }

  /** The legal actions of this seat by the rules on this device, if it has those of the match. */
  private async listHere(table: Table, filter: Filter): Promise<ListLegalActionsResponse | undefined> {
    if (!this.here || !this.details || !isAsked(table)) return undefined;
    const { language = navigator.languages.join(), isPaused } = this;
    return this.here.list(table, { game: this.game!, match: this.details, language, isPaused }, filter);
  }

  private setChoices(legal: ListLegalActionsResponse | undefined) {
    const actions = legal?.actions ?? [];
    this.incomplete = new Set(legal?.kinds.filter((it) => !it.complete).map((it) => it.verb));
    this.choices = choicesOf(actions, this.names!);
    this.reasons = reasonsOf(legal?.obstacles ?? [], this.names!);
    this.chosen = [];
    this.idle = "";
    this.suggested = undefined as never;
    if (this.form && !actions.some((it) => it.verb === this.form!.verb && it.openEnded)) this.form = undefined as never;
  }

  // === Choosing ===

  protected override stateOf(target: Target) {
    if (this.isBusy || this.choices.length === 0) return undefined;
    if (this.form) {
      const piece = target.slice("piece:".length);
      if (!target.startsWith("piece:") || !this.set?.options.includes(piece)) return undefined;
      return this.set.value.includes(piece) ? "chosen" : "legal";
    }
    if (this.chosen.includes(target)) return "chosen";
    const isInSet = this.chosen.length === 0 && this.sets.some((it) => it.options.some((piece) => target === `piece:${piece}`));
    return isInSet || this.narrowed?.next.has(target) ? "legal" : undefined;
  }

  protected override hintOf(target: Target): string {
    if (this.form) return this.names!.verbs.get(this.form.verb)?.title ?? this.form.verb;
    const found = (this.narrowed?.choices ?? []).filter((it) => named(it, target));
    if (found.length === 1) return labelOf(found[0]!);
    const verbs = [...new Set(found.map((it) => this.names!.verbs.get(it.legal.verb)?.title ?? it.legal.verb))];
    return verbs.join(" · ");
  }

  protected override onIdle(title: string, piece?: string) {
    if (this.ownSeat === undefined || this.isBusy || this.form || this.table!.ended) return;
    const isAsked = this.choices.length > 0;
    this.idle = this.say(isAsked ? "table-idle" : "table-idle-not-asked", { title });
    if (piece !== undefined && isAsked) void this.explain(title, piece);
  }

  /** Says why a piece cannot be chosen, as soon as the rules have answered. */
  private async explain(title: string, piece: string) {
    const { idle } = this;
    const filter = { pieces: [piece], copies: true, reasons: true };
    try {
      const reasons = reasonsOf((await this.list(filter)).obstacles, this.names!);
      // Something else may have been clicked or happened meanwhile.
      if (this.idle !== idle || reasons.length === 0) return;
      this.idle = this.say("table-idle-because", { title, reasons: reasons.slice(0, 3).join(" ") });
    } catch (error) {
      if (!this.closing?.signal.aborted) console.warn("croupier-table:", messageOf(error));
    }
  }

  /** A list by the rules on this device, or by the service. */
  private async list(filter: Filter): Promise<ListLegalActionsResponse> {
    const { signal } = this.closing!;
    return (await this.listHere(this.table!, filter)) ?? this.handle!.legalActions(filter, { signal });
  }

  protected override onTarget(target: Target) {
    if (this.isBusy) return;
    this.refusal = "";
    this.idle = "";
    if (this.form) {
      if (this.set) this.toggle(this.set.path, this.set.value, target.slice("piece:".length));
      return;
    }
    if (this.chosen.includes(target)) {
      this.chosen = this.chosen.filter((it) => it !== target);
      return;
    }
    const chosen = [...this.chosen, target];
    const { choices, exact } = narrow(this.choices, chosen);
    const only = choices.length === 1 && exact.length === 1 ? exact[0]! : undefined;
    // An action on a set of pieces needs its button, so that an extra click has no effect.
    const isDone = only && !only.legal.openEnded && (only.targets.length <= 2 || this.chosen.length === 0);
    const set = this.setOf(choices, target);
    if (set) {
      this.openSet(set, target);
    } else if (isDone && !this.mustBeSeen(target)) {
      void this.submit(only.legal.action!);
    } else {
      this.chosen = chosen;
      void this.keepFocus();
      void this.listMore(chosen);
    }
  }

  /**
   * Whether a touch only shows a card, large and with its text: its button then does what it does.
   */
  private mustBeSeen(target: Target): boolean {
    return this.isByTouch && this.chosen.length === 0 && target.startsWith("piece:") && !this.names!.isBoard(target.slice("piece:".length));
  }

  /**
   * The kinds of action that are a set of pieces and nothing else, such as those to pay for, where
   * all of these lie in the seat's own places: each with an example and the pieces that can be in it.
   */
  private findSets(): SetOfPieces[] {
    return openVerbs(this.choices).flatMap((verb) => {
      const legal = this.choices.find((it) => it.legal.verb === verb && it.legal.openEnded)!.legal;
      const [control, ...others] = controlsOf(legal.action!, this.formContext);
      if (control?.kind !== "pieces" || others.length > 0 || !this.isOnFelt(control)) return [];
      return [{ verb, legal, control, options: this.optionsOf(verb, control) }];
    });
  }

  /** What no example names is not offered, unless examples name nothing at all. */
  private optionsOf(verb: string, { options, value, now = [] }: PiecesControl): string[] {
    const named = new Set(this.choices.filter((it) => it.legal.verb === verb).flatMap((it) => it.legal.pieces));
    const known = new Set([...named, ...value, ...now]);
    return named.size + now.length === 0 ? options : options.filter((it) => known.has(it));
  }

  /** The set that a target is only good for. */
  private setOf(choices: readonly Choice[], target: Target): SetOfPieces | undefined {
    const found = this.sets.filter((it) => target.startsWith("piece:") && it.options.includes(target.slice("piece:".length)));
    const [only] = found;
    return found.length === 1 && choices.every((it) => it.legal.verb === only!.verb) ? only : undefined;
  }

  private openSet({ legal, control }: SetOfPieces, target: Target) {
    const piece = target.slice("piece:".length);
    const { now = [], path } = control;
    const next = now.includes(piece) ? now.filter((it) => it !== piece) : [...now, piece];
    this.openForm(legal.verb, withValue(legal.action!, path, next), legal.help);
  }

  /** Whether all that a field may hold is in the seat's own places, where it is chosen. */
  private isOnFelt(control: Control): control is PiecesControl {
    if (control.kind !== "pieces" || control.path.length > 1 || control.options.length === 0) return false;
    return control.options.every((piece) => this.seatOfPiece(piece) === this.ownSeat && this.isOnTable(`piece:${piece}`));
  }

  private seatOfPiece(piece: string): number | undefined {
    const place = this.table!.places.find((it) => it.pieces.includes(piece))?.place ?? "";
    return this.names!.places.get(place)?.seat;
  }

  /** The field of the open form that is chosen on the table, and what can be chosen for it. */
  private findSet() {
    const { form } = this;
    const control = form && controlsOf(form.action, this.formContext).find((it) => this.isOnFelt(it));
    if (!form || control?.kind !== "pieces") return undefined;
    return { ...control, options: this.optionsOf(form.verb, control) };
  }

  private toggle(path: string[], value: readonly string[], piece: string) {
    const next = value.includes(piece) ? value.filter((it) => it !== piece) : [...value, piece];
    this.form = { ...this.form!, action: withValue(this.form!.action, path, next) };
  }

  /** Lists more of the actions that name the chosen targets, if the list left some out. */
  private async listMore(chosen: Target[]) {
    const pieces = chosen.filter((it) => it.startsWith("piece:")).map((it) => it.slice("piece:".length));
    if (this.incomplete.size > 0 && pieces.length > 0) await this.addFound([{ pieces: pieces.slice(0, 16) }]);
  }

  /** Finds the pieces that incomplete kinds can name, so that these glow too. */
  private async listHidden() {
    const filters: { verb: string; pieces: string[] }[] = [];
    for (const verb of this.incomplete) {
      const example = this.choices.find((it) => it.legal.verb === verb)?.legal.action;
      const named = new Set(this.choices.filter((it) => it.legal.verb === verb).flatMap((it) => it.targets));
      const pieces = example ? piecesOf(example, this.formContext) : [];
      filters.push(...pieces.filter((it) => !named.has(`piece:${it}`)).map((it) => ({ verb, pieces: [it] })));
    }
    if (filters.length > 0) await this.addFound(filters.slice(0, 16));
  }

  private async addFound(filters: { verb?: string; pieces: string[] }[]) {
    const { signal } = this.closing!;
    const { position } = this.table!;
    try {
      const found = await Promise.all(filters.map((it) => this.list({ ...it, copies: true, effects: true })));
      if (this.table?.position !== position || this.queue.length > 0) return;
      // Copies of a card have the same label.
      const known = new Set(this.choices.map((it) => keyOf(it.legal)));
      const actions = found.filter((it) => it.position === position).flatMap((it) => it.actions);
      const added = actions.filter((it) => !known.has(keyOf(it)) && known.add(keyOf(it)));
      if (added.length === 0 || this.choices.length === 0) return;
      this.choices = choicesOf([...this.choices.map((it) => it.legal), ...added], this.names!);
    } catch (error) {
      // The listed actions are still available.
      if (!signal.aborted) console.warn("croupier-table:", messageOf(error));
    }
  }

  private get formContext() {
    return { names: this.names!, table: this.table!, own: this.ownSeat! };
  }

  private onPointer = (event: PointerEvent) => {
    this.isByKeys = false;
    this.isByTouch = event.pointerType === "touch";
    this.closeMenus(event.composedPath());
    if (this.isByTouch) this.hidePreview();
  };

  private closeMenus(except: EventTarget[] = []) {
    for (const it of this.renderRoot.querySelectorAll<HTMLDetailsElement>("details[open]")) {
      if (!except.includes(it)) it.open = false;
    }
  }

  /** Moves the focus from removed elements to the dock. */
  private async keepFocus() {
    await this.updateComplete;
    const root = this.renderRoot as ShadowRoot;
    const isLost = document.activeElement === document.body || (document.activeElement === this && !root.activeElement);
    if (isLost) this.focusDock();
  }

  /**
   * The dock has the focus, and none of its actions: a second Enter does not choose the next one.
   */
  private focusDock() {
    if (this.isByKeys) this.renderRoot.querySelector<HTMLElement>(".dock")?.focus({ preventScroll: true });
  }

  private onKey = (event: KeyboardEvent) => {
    this.isByKeys = true;
    if (event.key !== "Escape") return this.onShortcut(event);
    this.closeMenus();
    if (this.chosen.length > 0 || this.form || this.isResigning) event.preventDefault();
    this.chosen = [];
    this.form = undefined as never;
    this.isResigning = false;
    this.hidePreview();
    void this.keepFocus();
  };

  /** Keys for what is chosen often; each works while the table has the focus. */
  private onShortcut(event: KeyboardEvent) {
    const at = event.composedPath()[0] as Element;
    const isTyping = at.matches("input:not([type=checkbox], [type=radio]), select, textarea") || at.closest("dialog") !== null;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "?") {
      event.preventDefault();
      this.showKeys();
      return;
    }
    if (!areKeysOn()) return;
    const root = this.renderRoot as ShadowRoot;
    const number = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    if (number > 0) actionKeys(root)[number - 1]?.click();
    else if (event.key === "c") this.showGlowing();
    else if (event.key === "h") root.querySelector<HTMLElement>("[data-hint]")?.click();
    else if (event.key === "r") this.showPrimer();
    else return;
    event.preventDefault();
  }

  /** Moves the focus to the next of these elements, and after the last to the first. */
  private focusNext(all: HTMLElement[]) {
    const root = this.renderRoot as ShadowRoot;
    const at = all.indexOf(root.activeElement as HTMLElement);
    all[(at + 1) % all.length]?.focus();
  }

  /** Goes to the next piece, place or seat that can be chosen. */
  private showGlowing() {
    this.focusNext(this.glowing());
  }

  /** Moves the focus to the actions, where the keys of the table work. */
  override focus(options?: FocusOptions) {
    this.renderRoot.querySelector<HTMLElement>(".dock")?.focus(options);
  }

  private showKeys() {
    this.renderRoot.querySelector<HTMLDialogElement>("dialog.keys")!.showModal();
  }

  /** Opens how to play, at what the seat is asked if it is asked something. */
  private showPrimer() {
    const own = this.ownSeat;
    const asked = this.prompts.filter((it) => it.seat === own && !it.optional).map((it) => it.decision);
    const all = this.prompts.filter((it) => it.seat === own).map((it) => it.decision);
    void this.primer?.open(asked.length > 0 ? asked : all);
  }

  private get primer(): CroupierPrimer | null {
    return this.renderRoot.querySelector("croupier-primer");
  }

  private get hasPrimer(): boolean {
    return (this.game?.rules?.primer.length ?? 0) > 0;
  }

  // === Acting ===

  private submit(action: Action) {
    const seat = this.ownSeat;
    const prompt = this.prompts.filter((it) => it.seat === seat).at(-1)?.openedPosition;
    this.focusDock();
    return this.act(async (handle) => {
      const { position } = await handle.submit(action, prompt === undefined ? {} : { expectedPrompt: prompt });
      // The earlier actions are no longer legal. The entry brings the current ones.
      if (position > this.table!.position) this.choices = [];
    });
  }

  /** Nobody who plays against people is told what to do. */
  private get hasHints(): boolean {
    const { resigned } = this.table!;
    const rivals = this.details?.seats.filter((it) => it.seat !== this.ownSeat && !resigned.includes(it.seat)) ?? [];
    return rivals.length > 0 && rivals.every((it) => it.bot !== "");
  }

  private suggest() {
    const { position } = this.table!;
    return this.act(async (handle) => {
      const suggested = await handle.suggestActions();
      if (this.table!.position !== position) return;
      this.suggested = suggested;
      await this.updateComplete;
      this.renderRoot.querySelector("[part=suggestions]")?.scrollIntoView({ block: "nearest" });
    });
  }

  private async act(call: (handle: MatchHandle) => Promise<unknown>): Promise<boolean> {
    if (this.isBusy) return false;
    const { signal } = this.closing!;
    this.isBusy = true;
    this.refusal = "";
    const slow = setTimeout(() => (this.isSlow = true), SLOW_MS);
    const stuck = setTimeout(() => (this.isStuck = true), STUCK_MS);
    try {
      await call(this.handle!);
      this.chosen = [];
      this.form = undefined as never;
      this.isResigning = false;
      this.closeMenus();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.refusal = messageOf(error);
      this.dispatch("croupier-refusal", { refusal: error });
      if (error instanceof Refusal) await this.refresh().catch(() => {});
      return false;
    } finally {
      clearTimeout(slow);
      clearTimeout(stuck);
      this.isBusy = false;
      this.isSlow = false;
      this.isStuck = false;
    }
  }

  private get isAway(): boolean {
    return !this.isConnected_ || this.isStuck || (!this.isOnline && !this.client?.url.startsWith("device:"));
  }

  private sound(sound: Sound) {
    if (!this.silent) play(sound);
  }

  private dispatch(type: string, detail: unknown) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  // === Drawing ===

  protected override render(): TemplateResult {
    if (this.failure) return this.drawBare(html`<p class="failure" role="alert" part="error">${this.failure}</p>`);
    if (!this.table || !this.names) return this.drawBare(html`<p class="loading" role="status">${this.say("table-loading")}</p>`);
    const isSeated = this.table.position > 0;
    // By keyboard, the actions come first.
    return html`<div class="whole">
      <div class="beside">
        ${this.isNarrow && isSeated ? nothing : this.drawDock()}
        <aside class="side" part="side"><slot name="head"></slot>${this.drawLog()} ${this.drawTalk()}</aside>
      </div>
      ${this.drawHead()}
      <div class="main">
        ${this.table.ended ? this.drawEnding() : nothing}
        ${isSeated ? this.drawTable() : this.drawWaiting()}
      </div>
      ${this.hasPrimer ? html`<croupier-primer .game=${this.game} language=${this.language ?? nothing}></croupier-primer>` : nothing}
      ${keysDialog(this.say, setKeysOn)}
    </div>`;
  }

  /** Without a table, the page's own way on is still there. */
  private drawBare(what: TemplateResult): TemplateResult {
    return html`<div class="whole">
      <header class="top" part="header"><slot name="start"></slot><span class="spring"></span><slot name="end"></slot></header>
      <div class="main">${what}</div>
    </div>`;
  }

  private drawHead(): TemplateResult {
    const table = this.table!;
    const phase = this.names!.layout.phases[table.phase - 1];
    return html`<header class="top" part="header">
      <slot name="start"></slot>
      <h2>${this.game!.title}</h2>
      ${table.round > 0 ? html`<span class="chip">${this.say("table-round", { number: table.round })}</span>` : nothing}
      ${phase ? html`<span class="chip">${phase.title}</span>` : nothing}
      ${this.isAway ? html`<span class="chip warning" role="status" title=${this.say("table-reconnecting")}>${this.say("table-reconnecting")}</span>` : nothing}
      <span class="spring"></span>
      ${this.hasPrimer ? html`<button type="button" class="quiet how" part="how" data-how @click=${() => this.showPrimer()}><span aria-hidden="true">?</span><span class="how-text">${this.say("table-how")}</span></button>` : nothing}
      ${this.ownSeat === undefined || table.ended ? nothing : this.drawMenu()}
      <slot name="end"></slot>
    </header>`;
  }

  protected override drawLatest(): TemplateResult | typeof nothing {
    const latest = this.table!.ended ? undefined : this.log.filter((it) => it.text && it.position > 1).at(-1)?.text;
    // The log says it to screen readers.
    const line = latest ? html`<p class="latest" part="latest" aria-hidden="true" title=${latest}>${latest}</p>` : nothing;
    if (this.ownSeat === undefined || this.table!.ended || this.table!.position <= 1) return line;
    return html`<div class="last-move">${line}<button type="button" class="quiet take-back" part="take-back" data-verb="undo"
      ?disabled=${!this.canTakeBack || this.isBusy} title=${this.say("table-take-back")} aria-label=${this.say("table-take-back")}
      @click=${() => this.act((it) => it.takeBack())}><span aria-hidden="true">↶</span><span class="take-back-text">${this.say("table-take-back")}</span></button></div>`;
  }

  protected override drawAboveHand(): TemplateResult | typeof nothing {
    return this.drawDock();
  }

  private drawWaiting(): TemplateResult {
    const seats = this.details?.seats ?? [];
    return html`<div class="felt waiting" part="table">
      <h3>${this.say("table-waiting-for-players")}</h3>
      <ul>${seats.map((it) => html`<li>${this.playerName(it.seat)}${it.player || it.bot ? nothing : html` · <i>${this.say("table-open-seat")}</i>`}</li>`)}</ul>
    </div>`;
  }

  private drawMenu(): TemplateResult {
    const own = this.ownSeat!;
    const { votes = [], paused = false } = this.details ?? {};
    const needed = this.table!.scores.length - this.table!.resigned.length;
    const motions = paused ? [Motion.RESUME, Motion.END_WITHOUT_RESULT] : [Motion.PAUSE, Motion.END_WITHOUT_RESULT];
    const texts = { [Motion.PAUSE]: "table-vote-pause", [Motion.RESUME]: "table-vote-resume", [Motion.END_WITHOUT_RESULT]: "table-vote-end" } as Record<number, string>;
    const standing = this.table!.standing.filter((it) => it.seat === own).map((it) => it.decision);
    const decisions = [...new Set([...standing, ...this.prompts.filter((it) => it.seat === own).map((it) => it.decision)])];
    return html`<details class="menu" part="menu">
      <summary class="button quiet"><span class="menu-icon" aria-hidden="true">⋯</span><span class="menu-text">${this.say("table-menu")}</span></summary>
      <div class="menu-items">
        ${motions.map((motion) => {
          const count = votes.filter((it) => it.motion === motion).length;
          const isMine = votes.some((it) => it.motion === motion && it.seat === own);
          return html`<button type="button" class="quiet" data-verb="vote" aria-pressed=${isMine ? "true" : "false"}
            @click=${() => this.act((it) => it.vote(motion, { withdraw: isMine }))}>
            ${this.say(texts[motion]!)}${count > 0 ? html` <small>(${this.say("table-votes", { count, needed })}${isMine ? html`; ${this.say("table-withdraw-vote")}` : nothing})</small>` : nothing}
          </button>`;
        })}
        ${decisions.map((decision) => {
          const on = standing.includes(decision);
          return html`<label class="standing" title=${this.say("table-standing-help")}>
            <input type="checkbox" data-verb="stand" .checked=${on} @change=${() => this.act((it) => it.stand(decision, !on))} />
            <span>${this.say("table-standing")}: ${this.names!.decisions.get(decision)?.title ?? decision}</span></label>`;
        })}
        ${this.silent
          ? nothing
          : html`<label class="standing"><input type="checkbox" data-sounds .checked=${areSoundsOn()}
              @change=${(event: Event) => setSoundsOn((event.target as HTMLInputElement).checked)} /><span>${this.say("table-sounds")}</span></label>`}
        <button type="button" class="quiet" data-keys @click=${() => {
          this.closeMenus();
          this.showKeys();
        }}>${this.say("table-keys")}</button>
        <button type="button" class="quiet danger" data-verb="resign" @click=${() => {
          this.isResigning = true;
          this.closeMenus();
        }}>${this.say("table-resign")}</button>
      </div>
    </details>`;
  }

  private drawDock(): TemplateResult | typeof nothing {
    const table = this.table!;
    if (table.ended && !this.refusal) return nothing;
    const own = this.ownSeat;
    // Only prompts of the highest layer can be answered.
    const layer = Math.max(0, ...this.prompts.map((it) => it.layer));
    const mine = this.prompts.filter((it) => it.seat === own && it.layer === layer);
    const others = this.prompts.filter((it) => it.seat !== own && it.layer === layer);
    const isPaused = this.details?.paused;
    const canAct = !table.ended && this.choices.length > 0;
    return html`<section class="dock ${mine.some((it) => !it.optional) ? "asked" : ""}" part="dock" aria-busy=${this.isBusy ? "true" : "false"} aria-label=${this.say("table-actions")} tabindex="-1">
      <div class="prompts" role="status" part="prompt">
        ${isPaused ? html`<p class="own-prompt">${this.say("table-paused")}</p>` : nothing}
        ${mine.map((it) => html`<p class="own-prompt">${it.text || this.names!.decisions.get(it.decision)?.title} ${this.drawTimeLeft(it)}</p>`)}
        ${mine.length === 0 && !table.ended && table.position > 0 && !isPaused
          ? html`<p class="own-prompt idle">${own === undefined ? this.say("table-watching") : this.say("table-nothing-to-do")}</p>`
          : nothing}
        ${canAct ? this.reasons.map((it) => html`<p class="hint" part="reason">${it}</p>`) : nothing}
        ${this.form ? nothing : this.drawOthers(others)}
      </div>
      ${table.offers.length > 0 ? html`<div class="offers" part="offers">${table.offers.map((it) => this.drawOffer(it))}</div>` : nothing}
      ${this.refusal ? html`<p class="refusal" role="alert" part="refusal">${this.refusal}</p>` : nothing}
      ${this.idle
        ? html`<p class="hint idle" role="status" part="idle">${this.idle}
            ${this.hasPrimer && this.choices.length > 0 ? html`<button type="button" class="quiet" data-why @click=${() => this.showPrimer()}>${this.say("table-why")}</button>` : nothing}</p>`
        : nothing}
      ${this.isSlow ? html`<p class="hint" role="status" data-sending>${this.say(this.isAway ? "table-sending-later" : "table-sending")}</p>` : nothing}
      ${this.isResigning ? this.drawResigning() : this.form ? this.drawForm(this.form) : canAct ? this.drawActions() : nothing}
      ${canAct && !this.isResigning && !this.form && this.hasHints ? this.drawHint() : nothing}
    </section>`;
  }

  /** What a bot would do here, once the player asks. */
  private drawHint(): TemplateResult {
    if (!this.suggested) {
      return html`<p class="ask-hint"><button type="button" class="quiet" data-hint ?disabled=${this.isBusy} @click=${() => this.suggest()}>${this.say("table-hint")}</button></p>`;
    }
    const { suggestions } = this.suggested;
    if (suggestions.length === 0) return html`<p class="hint" role="status" part="suggestions">${this.say("table-hint-none")}</p>`;
    return html`<div class="suggestions" role="status" part="suggestions">
      <p>${this.say("table-hint-title")}</p>
      <ol>${suggestions.map(({ action, estimate }) => {
        const label = action?.label ?? this.say("table-hint-wait");
        const what = action?.action;
        return html`<li>
          ${what ? html`<button type="button" class="action" data-suggested ?disabled=${this.isBusy} @click=${() => this.submit(what)}>${label}</button>` : html`<span>${label}</span>`}
          ${estimate === undefined ? nothing : html`<small>${this.say("table-hint-estimate", { percent: Math.round(estimate * 100) })}</small>`}
        </li>`;
      })}</ol>
    </div>`;
  }

  private drawOthers(prompts: Prompt[]): TemplateResult | typeof nothing {
    if (prompts.length === 0) return nothing;
    const groups = [...new Set(prompts.map((it) => it.text || `${this.playerName(it.seat)}: ${this.names!.decisions.get(it.decision)?.title}`))];
    return html`<p class="other-prompts" part="other-prompts">${groups.map((it) => html`<span>${it} </span>`)}</p>`;
  }

  /** The end of the match: who won, by how much and from what, and what the page offers next. */
  private drawEnding(): TemplateResult {
    const { winners } = this.table!.ended!;
    const own = this.ownSeat;
    const kind = own === undefined || winners.length === 0 ? "" : winners.includes(own) ? "won" : "lost";
    return html`<section class="ending ${kind}" part="ending" aria-label=${this.say("table-ending")}>
      <p class="result" role="status" part="result" data-winners=${winners.join(" ")}>${this.resultText()}</p>
      ${this.drawFinalScores()}
      <slot name="ending"></slot>
    </section>`;
  }

  private resultText(): string {
    const { winners } = this.table!.ended!;
    const own = this.ownSeat;
    if (winners.length === 0) return this.say("table-no-result");
    const players = winners.map((it) => this.playerName(it)).join(", ");
    if (own === undefined) return this.say("table-won", { players });
    const by = this.margin(own, winners);
    if (!winners.includes(own)) return this.say("table-you-lost", { players, by });
    return winners.length > 1 ? this.say("table-shared") : this.say("table-you-won", { by });
  }

  /** The points between a seat and its rivals; 0 where they did not decide. */
  private margin(own: number, winners: readonly number[]): number {
    const { scores, resigned } = this.table!;
    if (resigned.length > 0) return 0;
    const rivals = winners.includes(own) ? scores.filter((_, seat) => seat !== own) : winners.map((seat) => scores[seat] ?? 0);
    const difference = (scores[own] ?? 0) - Math.max(...rivals);
    return winners.includes(own) ? Math.max(0, difference) : Math.max(0, -difference);
  }

  private drawResigning(): TemplateResult {
    return html`<div class="confirm" role="alertdialog" aria-label=${this.say("table-resign")}>
      <p>${this.say("table-resign-question")}</p>
      <div class="bar">
        <button type="button" class="danger" data-confirm @click=${() => this.act((it) => it.resign())}>${this.say("table-resign-yes")}</button>
        <button type="button" @click=${() => (this.isResigning = false)}>${this.say("table-cancel")}</button>
      </div>
    </div>`;
  }

  private drawActions(): TemplateResult {
    return this.chosen.length > 0 ? this.drawChosen() : this.drawBar();
  }

  /** The actions for the clicked targets. */
  private drawChosen(): TemplateResult {
    const { exact, choices, next } = this.narrowed!;
    const rest = choices.filter((it) => !exact.includes(it));
    const shown = rest.length <= 4 ? rest : [];
    const open = openVerbs(choices);
    return html`<div class="choosing">
      <div class="bar">
        ${once(exact).map((it, n) => this.drawAction(it, n === 0))} ${once(shown).map((it) => this.drawAction(it, false))}
        ${open.map((verb) => this.drawFormButton(choices.find((it) => it.legal.verb === verb && it.legal.openEnded)!))}
        <button type="button" class="quiet" data-clear @click=${() => (this.chosen = [])}>${this.say("table-clear")}</button>
      </div>
      ${next.size > 0 && rest.length > shown.length ? html`<p class="hint">${this.say("table-choose-more")}</p>` : nothing}
    </div>`;
  }

  /** The actions that name nothing on the table, or that are better as text. */
  private drawBar(): TemplateResult {
    const byVerb = new Map<string, Choice[]>();
    const all = once(this.choices);
    for (const it of all) {
      if (it.legal.openEnded) continue;
      const onTable = it.targets.some((target) => target.startsWith("piece:") || target.startsWith("place:"));
      // What names a place only, and is the only action of its kind, has a button as well.
      const isSingle = it.targets.every((target) => target.startsWith("place:")) && all.filter(({ legal }) => legal.verb === it.legal.verb).length === 1;
      if (onTable && !isSingle && it.targets.every((target) => this.isOnTable(target))) continue;
      byVerb.set(it.legal.verb, [...(byVerb.get(it.legal.verb) ?? []), it]);
    }
    const groups = [...byVerb].map(([verb, list]) => ({ verb, list }));
    const isOnlyOnTable = groups.length === 0 && openVerbs(this.choices).length === 0;
    const helps = [...new Set(this.choices.map((it) => it.legal.verb))];
    return html`<div class="bar" part="actions">
        ${groups.map(({ verb, list }) => (list.length <= (groups.length > 1 ? 6 : 12) ? list.map((it) => this.drawAction(it, false)) : this.drawMany(verb, list)))}
        ${openVerbs(this.choices).map((verb) => this.drawFormButton(this.choices.find((it) => it.legal.verb === verb && it.legal.openEnded)!))}
      </div>
      ${isOnlyOnTable ? html`<p class="hint"><button type="button" class="quiet" part="glowing" data-glowing @click=${() => this.showGlowing()}>${this.say("table-choose-glowing")}</button></p>` : nothing}
      ${helps.length <= 5 ? html`<dl class="helps">${helps.map((verb) => this.drawHelp(verb))}</dl>` : nothing}`;
  }

  private drawHelp(verb: string): TemplateResult | typeof nothing {
    const help = this.choices.find((it) => it.legal.verb === verb)?.legal.help;
    return help ? html`<div><dt>${this.names!.verbs.get(verb)?.title ?? verb}</dt><dd>${help}</dd></div>` : nothing;
  }

  private drawAction(choice: Choice, isFirst: boolean): TemplateResult {
    const { verb, label, help, action } = choice.legal;
    const effect = effectOf(choice.legal);
    return html`<button type="button" class=${isFirst ? "primary" : "action"} part="action" data-verb=${verb} data-legal
      ?disabled=${this.isBusy} title=${help || nothing} @click=${() => this.submit(action!)}>${label}${effect ? html` <small part="effect">${effect}</small>` : nothing}</button>`;
  }

  private drawMany(verb: string, list: Choice[]): TemplateResult {
    return html`<details class="menu up" part="menu">
      <summary class="button" part="action" data-verb=${verb} data-legal>${this.names!.verbs.get(verb)?.title ?? verb} (${list.length})</summary>
      <div class="menu-items">${list.map((it) => this.drawAction(it, false))}</div>
    </details>`;
  }

  private drawFormButton({ legal }: Choice): TemplateResult {
    const title = this.names!.verbs.get(legal.verb)?.title ?? legal.verb;
    return html`<button type="button" class="action" part="action" data-verb=${legal.verb} data-form data-legal ?disabled=${this.isBusy}
      title=${legal.help || nothing} @click=${() => this.openFormOf(legal)}>${this.say("table-form-open", { verb: title })}</button>`;
  }

  /** Opens a form with an example, or with the pieces that are chosen now. */
  private openFormOf({ verb, action, help }: LegalAction) {
    const set = this.sets.find((it) => it.verb === verb);
    const now = set?.control.now;
    this.openForm(verb, set && now ? withValue(action!, set.control.path, now) : action!, help);
  }

  private openForm(verb: string, action: Action, help: string) {
    this.refusal = "";
    this.form = { verb, action, help };
    void this.keepFocus();
  }

  // === Forms ===

  private drawForm(form: OpenForm): TemplateResult {
    const controls = controlsOf(form.action, this.formContext);
    const examples = this.choices.filter((it) => it.legal.verb === form.verb && it.legal.openEnded);
    const title = this.names!.verbs.get(form.verb)?.title ?? form.verb;
    return html`<form class="form" part="form" data-verb=${form.verb} @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void this.submit(this.form!.action);
    }}>
      <div class="form-head"><b>${title}</b><span class="hint">${form.help}</span></div>
      ${examples.length > 1
        ? html`<div class="examples">${examples.slice(0, 8).map(
            (it) => html`<button type="button" class="example" @click=${() => this.openForm(form.verb, it.legal.action!, it.legal.help)}>${it.legal.label}</button>`,
          )}</div>`
        : nothing}
      <div class="controls">${controls.map((it) => this.drawControl(it))}</div>
      <div class="bar">
        <button type="submit" class="primary" part="action" data-verb=${form.verb} data-submit ?disabled=${this.isBusy}>${title}</button>
        <button type="button" data-cancel @click=${() => (this.form = undefined as never)}>${this.say("table-cancel")}</button>
      </div>
    </form>`;
  }

  private fieldTitle(control: Control): TemplateResult {
    const own: Record<string, string> = { give: "field-give", take: "field-take", to: "field-to", by: "field-by", seat: "field-seat", seats: "field-seats", amount: "field-amount", cards: "field-cards", card: "field-card", units: "field-units" };
    const id = own[control.name];
    if (id) return html`${this.say(id)}`;
    if (!control.of) return html`${words(control.name)}`;
    return html`${control.of.symbol ? html`<span class="field-symbol" aria-hidden="true">${symbolOf(control.of)}</span>` : nothing}${control.of.title}`;
  }

  private drawControl(control: Control): TemplateResult {
    const title = this.fieldTitle(control);
    const set = (value: unknown) => {
      this.form = { ...this.form!, action: withValue(this.form!.action, control.path, value) };
    };
    const field = control.path.join(".");
    switch (control.kind) {
      case "group":
        return html`<fieldset data-field=${field}><legend>${title}</legend>${control.controls.map((it) => this.drawControl(it))}</fieldset>`;
      case "variant":
        return html`<fieldset data-field=${field}><legend>${title}</legend>
          <select aria-label=${words(control.name)} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
            <option value="" ?selected=${control.value === ""}>${this.say("table-none")}</option>
            ${control.options.map(({ name }) => html`<option value=${name} ?selected=${control.value === name}>${words(name)}</option>`)}
          </select>
          ${control.controls.map((it) => this.drawControl(it))}</fieldset>`;
      case "number":
        return html`<label class="number-field" data-field=${field}><span>${title}</span>
          <span class="stepper">
            <button type="button" aria-label="−" tabindex="-1" ?disabled=${control.value <= 0} @click=${() => set(Math.max(0, control.value - 1))}>−</button>
            <input type="number" inputmode="numeric" min="0" max="4294967295" step="1" .value=${String(control.value)}
              @input=${(event: Event) => {
                const value = (event.target as HTMLInputElement).valueAsNumber;
                if (Number.isInteger(value) && value >= 0) set(value);
              }} />
            <button type="button" aria-label="+" tabindex="-1" @click=${() => set(control.value + 1)}>+</button>
          </span></label>`;
      case "flag":
        return html`<label class="check" data-field=${field}><input type="checkbox" .checked=${control.value}
          @change=${(event: Event) => set((event.target as HTMLInputElement).checked)} /><span>${title}</span></label>`;
      case "seat":
        return html`<label data-field=${field}><span>${title}</span>
          <select @change=${(event: Event) => set(Number((event.target as HTMLSelectElement).value))}>
            ${this.table!.scores.map((_, seat) => html`<option value=${seat} ?selected=${seat === control.value}>${this.playerName(seat)}</option>`)}
          </select></label>`;
      case "seats":
        return html`<fieldset data-field=${field}><legend>${title}</legend>${this.table!.scores.map(
          (_, seat) => html`<label class="check"><input type="checkbox" .checked=${control.value.includes(seat)}
            @change=${() => set(control.value.includes(seat) ? control.value.filter((it) => it !== seat) : [...control.value, seat])} />
            <span>${this.playerName(seat)}</span></label>`,
        )}</fieldset>`;
      case "choice":
        return html`<label data-field=${field}><span>${title}</span>
          <select @change=${(event: Event) => set(Number((event.target as HTMLSelectElement).value))}>
            ${control.options.map((it) => html`<option value=${it.number} ?selected=${it.number === control.value}>${it.title}</option>`)}
          </select></label>`;
      case "piece":
        return html`<label data-field=${field}><span>${title}</span>
          <select @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
            ${control.options.map((it) => html`<option value=${it} ?selected=${it === control.value}>${this.names!.title(it)}</option>`)}
          </select></label>`;
      case "pieces":
        if (field === this.set?.path.join(".")) return this.drawSet(title, control.value);
        return html`<fieldset data-field=${field}><legend>${title}</legend>
          ${control.options.length === 0 ? html`<i>${this.say("table-none")}</i>` : nothing}
          ${control.options.map(
            (it) => html`<label class="check"><input type="checkbox" .checked=${control.value.includes(it)}
              @change=${() => set(control.value.includes(it) ? control.value.filter((one) => one !== it) : [...control.value, it])} />
              <span>${this.names!.title(it)}</span></label>`,
          )}</fieldset>`;
      case "text":
        return html`<label data-field=${field}><span>${title}</span>
          <input type="text" .value=${control.value} @input=${(event: Event) => set((event.target as HTMLInputElement).value)} /></label>`;
    }
  }

  /** What was chosen on the table so far. */
  private drawSet(title: TemplateResult, value: readonly string[]): TemplateResult {
    const { path } = this.set!;
    return html`<div class="set" role="group" aria-live="polite" data-field=${path.join(".")}>
      <span class="hint">${value.length === 0 ? this.say("table-choose-glowing") : html`${title}:`}</span>
      ${value.map((piece) => html`<button type="button" class="chip-button" aria-pressed="true" @click=${() => this.toggle(path, value, piece)}>${this.names!.title(piece)}</button>`)}
    </div>`;
  }

  // === Beside the table ===

  private drawLog(): TemplateResult {
    const groups = byTurn(this.log).slice(-40);
    return html`<section class="log" part="log" aria-label=${this.say("table-log")}>
      <h2>${this.say("table-log")}</h2>
      <div class="entries" role="log" aria-live="polite" aria-label=${this.say("table-log")} tabindex="0" @keydown=${this.onArrow}>
        ${repeat(groups, (it) => it.entries[0]!.position, (it) => this.drawTurn(it))}
      </div>
    </section>`;
  }

  /** What happened in a turn or a phase. */
  private drawTurn({ turn, phase, entries }: Turn): TemplateResult {
    const title = phase === undefined ? "" : (this.names!.layout.phases[phase - 1]?.title ?? "");
    const player = turn === undefined ? "" : this.playerName(turn);
    const isOwn = turn !== undefined && turn === this.ownSeat;
    return html`<div class="a-turn ${isOwn ? "mine" : ""}" role="group">
      ${title || player ? html`<h3>${[title, player].filter(Boolean).join(" · ")}</h3>` : nothing}
      <ol>${repeat(entries, (it) => it.position, (it) => this.drawEntry(it))}</ol>
    </div>`;
  }

  private drawEntry(entry: Entry): TemplateResult {
    const isMine = entry.seat !== undefined && entry.seat === this.ownSeat;
    const isSetUp = entry.position === 1;
    return html`<li data-position=${entry.position} class=${isMine ? "mine" : ""}>
      ${isSetUp ? html`<details><summary>${this.say("table-set-up")}</summary>${entry.text}</details>` : html`<span class="told">${entry.text}</span>`}
      ${isSetUp ? nothing : guard([entry, this.names], () => this.drawMinis(piecesIn(entry)))}</li>`;
  }

  private drawTalk(): TemplateResult | typeof nothing {
    const talk = this.details?.options["talk"];
    if (!talk || talk === "off" || this.ownSeat === undefined || this.table!.ended) return nothing;
    const others = this.table!.scores.map((_, seat) => seat).filter((it) => it !== this.ownSeat);
    const toggle = (seat: number) => {
      this.talkTo = this.talkTo.includes(seat) ? this.talkTo.filter((it) => it !== seat) : [...this.talkTo, seat];
    };
    return html`<form class="talk" part="talk" @submit=${this.onSay}>
      <h2>${this.say("table-talk")}</h2>
      <div class="recipients" role="group" aria-label=${this.say("table-talk-to")}>
        <span>${this.say("table-talk-to")}</span>
        <button type="button" class="chip-button" aria-pressed=${this.talkTo.length === 0} @click=${() => (this.talkTo = [])}>${this.say("table-anyone")}</button>
        ${others.map((seat) => html`<button type="button" class="chip-button" aria-pressed=${this.talkTo.includes(seat)} @click=${() => toggle(seat)}>${this.playerName(seat)}</button>`)}
      </div>
      <div class="say">
        <input name="text" maxlength="500" autocomplete="off" placeholder=${this.say("table-talk-text")} aria-label=${this.say("table-talk-text")} required />
        <button type="submit" data-verb="say">${this.say("table-send")}</button>
      </div>
    </form>`;
  }

  private onSay = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (text && (await this.act((it) => it.say(text, { to: this.talkTo })))) form.reset();
  };

  // === Clocks ===

  private runClock() {
    clearInterval(this.clock);
    this.now = Date.now();
    const runs = this.details?.clocks?.clocks.some((it) => it.deadline) || this.prompts.some((it) => it.deadline);
    if (runs) this.clock = setInterval(() => (this.now = Date.now()), 1000);
  }

  protected override drawClock(seat: number): TemplateResult | typeof nothing {
    const clock = this.details?.clocks?.clocks.find((it) => it.seat === seat);
    if (!clock || this.table!.ended) return nothing;
    const deadline = clock.deadline && Number(clock.deadline.seconds) * 1000;
    const left = deadline === undefined ? (clock.bank ? durationMs(clock.bank) : 0) : deadline - this.now;
    const low = deadline !== undefined && left < 15_000;
    return html`<span class="badge clock ${deadline === undefined ? "" : "runs"} ${low ? "low" : ""}" part="clock" role="timer"
      title=${this.say("table-time-left")}>${duration(left)}</span>`;
  }

  private drawTimeLeft(prompt: Prompt): TemplateResult | typeof nothing {
    if (!prompt.deadline) return nothing;
    const left = Number(prompt.deadline.seconds) * 1000 - this.now;
    return html`<span class="badge clock runs ${left < 15_000 ? "low" : ""}" part="clock">${left > 0 ? duration(left) : this.say("table-out-of-time")}</span>`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const isAsked = !this.table?.ended && this.prompts.some((it) => it.seat === this.ownSeat && !it.optional);
    if (isAsked !== this.wasAsked) {
      this.wasAsked = isAsked;
      this.dispatch("croupier-turn", { isAsked });
      if (isAsked) this.sound("turn");
    }
    if (changed.has("log")) {
      const list = this.renderRoot.querySelector(".entries");
      list?.scrollTo({ top: list.scrollHeight });
    }
  }
}

/** What happened while it was a seat's turn, in a phase. */
interface Turn {
  turn: number | undefined;
  phase: number | undefined;
  entries: Entry[];
}

/** The entries that have words, by turn. */
function byTurn(entries: readonly Entry[]): Turn[] {
  const found: Turn[] = [];
  let turn: number | undefined;
  let phase: number | undefined;
  for (const entry of entries) {
    const last = found.at(-1);
    if (entry.text && last && last.turn === turn && last.phase === phase) last.entries.push(entry);
    else if (entry.text) found.push({ turn, phase, entries: [entry] });
    for (const { kind } of entry.events) {
      if (kind.case === "turnBegan") turn = kind.value;
      if (kind.case === "phaseBegan") [turn, phase] = [undefined, kind.value];
    }
  }
  return found;
}

/** What is heard of an entry: each sound once. */
function soundsOf({ events }: Entry): Sound[] {
  const heard = new Set(events.map(({ kind }) => kind.case));
  if (heard.has("ended")) return ["end"];
  return [...(heard.has("moved") ? ["card" as const] : []), ...(heard.has("paid") ? ["coin" as const] : [])];
}

/** The pieces that an entry moved or showed, each once, and not too many. */
function piecesIn({ events }: Entry): string[] {
  const pieces = events.flatMap(({ kind }) => (kind.case === "moved" || kind.case === "shown" ? [kind.value.piece] : []));
  return [...new Set(pieces.filter(Boolean))].slice(0, 8);
}

/** What a seat is asked is listed whole. */
const whole: Filter = { copies: true, reasons: true, effects: true };

function seatOf(viewer: string | undefined): number | undefined {
  const seat = /^seats\/(\d+)$/.exec(viewer ?? "")?.[1];
  return seat === undefined ? undefined : Number(seat);
}

/** Whether the viewer's seat is asked something. */
function isAsked({ viewer, ended, prompts }: Table): boolean {
  const seat = seatOf(viewer);
  return seat !== undefined && !ended && prompts.some((it) => it.seat === seat);
}

/** The label of an action, with what is certain about it. */
function labelOf({ legal }: Choice): string {
  return [legal.label, effectOf(legal)].filter(Boolean).join(" · ");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A time in words that every language reads: `1:05`, `2:03:00`, `3 d`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const two = (it: number) => String(it).padStart(2, "0");
  if (days > 0) return `${days} d ${two(hours)}:${two(minutes)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "croupier-table": CroupierTable;
  }
}
