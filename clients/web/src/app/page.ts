import { Refusal } from "@croupier/client";
import { MatchState } from "@croupier/client/v1";
import type { Local } from "@croupier/rules";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { ask } from "./asking.js";
import type { Context } from "./context.js";
import { hasRules, rulesForTables } from "./device.js";
import { link } from "./routes.js";

/**
 * A page of the application. It is rendered into the document itself, so that one style sheet
 * covers all pages.
 */
export abstract class Page extends LitElement {
  @property({ attribute: false }) context!: Context;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** The rules on this device for the page's table, once they are loaded. */
  @state() protected rules?: Local;

  #isAsked = false;
  /** Whether the reader has acted at this table, and others are to act. */
  protected isWaiting = false;

  #wasRunning = false;
  #isToGoOn = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#isAsked = false;
    showTurn(false);
  }

  /**
   * Moves the focus to how to go on once the match has ended, unless it is somewhere already.
   * That may appear later than the result.
   */
  protected goOnFrom(state: MatchState | undefined): void {
    this.#isToGoOn = state === MatchState.ENDED && (this.#isToGoOn || this.#wasRunning);
    this.#wasRunning = state === MatchState.RUNNING;
    const next = this.#isToGoOn ? this.querySelector<HTMLElement>(".after .primary") : null;
    if (!next) return;
    this.#isToGoOn = false;
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.id === "main" || activeElement?.localName === "croupier-table";
    if (isFree) next.focus({ preventScroll: true });
  }

  protected override updated(): void {
    const heading = this.querySelector("h1")?.textContent?.trim();
    if (!heading) return;
    const turn = this.#isAsked ? `${this.say("app-your-turn")} · ` : "";
    document.title = `${turn}${heading} · Croupier`;
  }

  /** Says in the title and the icon of the tab whether the seat of a table is asked something. */
  protected readonly onTurn = (event: CustomEvent<{ isAsked: boolean }>): void => {
    this.isWaiting = !event.detail.isAsked && (this.isWaiting || this.#isAsked);
    this.#isAsked = event.detail.isAsked;
    showTurn(this.#isAsked);
    const { activeElement } = document;
    // The keys of the table work at once, unless the reader is elsewhere.
    if (this.#isAsked && (activeElement === document.body || activeElement?.id === "main")) {
      (event.target as HTMLElement).focus({ preventScroll: true });
    }
    if (this.#isAsked) void rulesForTables().then((rules) => (this.rules = rules as never));
    this.requestUpdate();
  };

  /**
   * What a table's own bar shows instead of the page's header: the way to the start, and the
   * settings.
   */
  protected renderBar(): TemplateResult {
    const settings = this.say("app-settings");
    const start = this.say("app-to-start");
    return html`<a slot="start" class="brand" href=${link([])} aria-label=${start} title=${start}><span class="mark" aria-hidden="true"></span></a>
      <button slot="end" type="button" class="quiet gear" aria-haspopup="dialog" aria-label=${settings} title=${settings} @click=${this.#openSettings}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h9m5 0h2M4 17h2m5 0h9M15.500 4.500v5M8.500 14.500v5"></path></svg>
      </button>`;
  }

  readonly #openSettings = (): void => {
    this.dispatchEvent(new CustomEvent("settings", { bubbles: true }));
  };

  /** Copies a text, and says whether that was possible. */
  protected async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.context.announce(this.say("app-copied"));
    } catch {
      // Browsers allow it only over https or on this machine, and with the reader's permission.
      this.context.announce(this.say("app-copy-failed"));
    }
  }

  protected say(id: string, values?: Parameters<Context["say"]>[1]): string {
    return this.context.say(id, values);
  }
}

/** The icon of the tab, with a dot while it is the player's turn. */
function showTurn(isAsked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (!icon) return;
  icon.dataset.plain ??= icon.href;
  const dot = encodeURIComponent('<circle cx="25" cy="7" r="7" fill="#c8321e"/></svg>');
  icon.href = isAsked ? icon.dataset.plain.replace(encodeURIComponent("</svg>"), dot) : icon.dataset.plain;
}

/** How often a match that waits for players is read again. */
export const WAITING_MS = 2_000;

/** Data that a page reads from the service: once per key, and again on request. */
export class Load<T> {
  value: T | undefined;
  refusal: Refusal | undefined;
  #key: string | undefined;
  #running: AbortController | undefined;

  constructor(
    readonly page: Page,
    readonly key: () => unknown,
    readonly read: (signal: AbortSignal) => Promise<T>,
  ) {
    page.addController({
      hostUpdate: () => {
        const now = JSON.stringify(this.key() ?? null);
        if (now !== this.#key) {
          this.#key = now;
          this.value = undefined;
          void this.reload();
        }
      },
      hostDisconnected: () => this.#running?.abort(),
    });
  }

  /** Reads again every `ms` milliseconds while the page is visible and `isDue` returns true. */
  every(ms: number, isDue: (value: T | undefined) => boolean = () => true): this {
    let timer: ReturnType<typeof setInterval> | undefined;
    this.page.addController({
      hostConnected: () => {
        timer = setInterval(() => {
          if (!document.hidden && isDue(this.value)) void this.reload();
        }, ms);
      },
      hostDisconnected: () => clearInterval(timer),
    });
    return this;
  }

  /** Reads again; the earlier data stays until then. */
  async reload(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.refusal = undefined;
    try {
      const value = await this.read(running.signal);
      if (this.#running === running) this.value = value;
    } catch (error) {
      if (this.#running !== running || running.signal.aborted) return;
      this.refusal = Refusal.from(error);
      this.page.context.failed(this.refusal);
    }
    this.page.requestUpdate();
  }

  render(content: (value: T) => unknown): unknown {
    const { page, refusal, value } = this;
    const problem = refusal ? failure(page.context, refusal, () => void this.reload()) : nothing;
    if (value !== undefined) return html`${problem}${content(value)}`;
    return refusal ? problem : loading(page.context);
  }
}

/** A list that is read page by page on request. */
export class Listing<T> extends Load<{ items: T[]; more: string }> {
  isReadingMore = false;

  constructor(
    page: Page,
    key: () => unknown,
    readonly list: (pageToken: string, signal: AbortSignal) => Promise<{ items: T[]; more: string }>,
  ) {
    super(page, key, (signal) => list("", signal));
  }

  async readMore(): Promise<void> {
    const before = this.value;
    if (!before?.more || this.isReadingMore) return;
    this.isReadingMore = true;
    this.page.requestUpdate();
    try {
      const next = await this.list(before.more, new AbortController().signal);
      if (this.value === before) this.value = { items: [...before.items, ...next.items], more: next.more };
    } catch (error) {
      this.refusal = Refusal.from(error);
      this.page.context.failed(this.refusal);
    }
    this.isReadingMore = false;
    this.page.requestUpdate();
  }

  renderList(empty: unknown, content: (items: T[]) => unknown): unknown {
    return this.render(({ items, more }) => {
      if (items.length === 0 && !more) return html`<div class="empty">${empty}</div>`;
      return html`${content(items)}
        ${more
          ? html`<p class="more">
              <button ?disabled=${this.isReadingMore} @click=${() => void this.readMore()}>
                ${this.page.context.say("app-more")}
              </button>
            </p>`
          : nothing}`;
    });
  }
}

/** A call that a button triggers: one at a time, with its outcome shown. */
export class Deed {
  isBusy = false;
  refusal: Refusal | undefined;

  constructor(readonly page: Page) {}

  async run(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.refusal = undefined;
    this.page.requestUpdate();
    try {
      await work();
    } catch (error) {
      this.refusal = Refusal.from(error);
      this.page.context.failed(this.refusal);
    }
    this.isBusy = false;
    this.page.requestUpdate();
  }

  /** A button that triggers it, after a confirmation if there is a question. */
  button(title: string, work: () => Promise<void>, question?: string): TemplateResult {
    const { context } = this.page;
    const onClick = async () => {
      if (!question || (await ask(context, question, title))) void this.run(work);
    };
    return html`<button ?disabled=${this.isBusy} @click=${onClick}>${context.say(title)}</button>`;
  }

  render(): unknown {
    return this.refusal ? failure(this.page.context, this.refusal) : nothing;
  }
}

export function loading(context: Context): TemplateResult {
  return html`<p class="loading" role="status">${context.say("app-loading")}</p>`;
}

/** Why something cannot be shown or done, with a remedy. */
export function failure(context: Context, refusal: Refusal, retry?: () => void): TemplateResult {
  const isOffline = refusal.code === 14 && refusal.reason === "";
  return html`<div class="notice failure" role="alert">
    <p>${isOffline ? context.say("app-offline") : refusal.message}</p>
    ${!isOffline && refusal.reason ? html`<p class="fine"><code>${refusal.reason}</code></p>` : nothing}
    ${retry ? html`<button @click=${retry}>${context.say("app-retry")}</button>` : nothing}
    ${isOffline ? playHere(context) : nothing}
  </div>`;
}

/** A link to the matches on this device, if these pages come with the rules. */
export function playHere(context: Context): TemplateResult | typeof nothing {
  return hasRules ? html`<a class="button" href=${link(["device"])}>${context.say("app-device-play")}</a>` : nothing;
}
