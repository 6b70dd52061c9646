import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Page } from "../page.js";
import { preferences } from "../preferences.js";
import type { SeatSession } from "../session.js";
import { isTold, mayAsk, stopTelling, tell } from "../telling.js";

/**
 * Offers to tell the reader of the next turn: once the reader has acted and others are to act, until
 * the reader has answered.
 */
@customElement("app-telling")
export class Telling extends Page {
  /** Whether the reader has acted, and waits for others. */
  @property({ attribute: false }) hasActed = false;
  /** The seat of a guest. */
  @property({ attribute: false }) seat: SeatSession | undefined;
  @state() isBusy = false;
  @state() hasFailed = false;

  #renewed: string | undefined;

  protected override willUpdate(): void {
    if (!isTold() || this.#renewed === this.#key()) return;
    this.#renewed = this.#key();
    // Not to be told of this match is no failure of the table.
    tell(this.context.croupier, this.context.player, this.seat).catch(() => {});
  }

  protected override render() {
    if (this.hasFailed) return html`<span class="telling" role="status">${this.say("app-tell-failed")}</span>`;
    if (isTold()) {
      return html`<span class="telling">
        <button type="button" class="quiet" @click=${this.#stop}>${this.say("app-tell-stop")}</button>
      </span>`;
    }
    if (!mayAsk() || (!this.hasActed && !this.isBusy)) return nothing;
    return html`<span class="telling">
      <button type="button" ?disabled=${this.isBusy} @click=${this.#tell}>${this.say("app-tell")}</button>
      <button type="button" class="quiet" ?disabled=${this.isBusy} @click=${this.#decline}>${this.say("app-tell-no")}</button>
    </span>`;
  }

  /** What is registered: again for another match or language. */
  #key(): string {
    return `${this.seat?.match} ${this.context.language}`;
  }

  readonly #tell = async (): Promise<void> => {
    this.isBusy = true;
    this.#renewed = this.#key();
    try {
      if ((await Notification.requestPermission()) === "granted") {
        await tell(this.context.croupier, this.context.player, this.seat);
        this.context.announce(this.say("app-tell-done"));
      }
    } catch {
      this.hasFailed = true;
    }
    this.isBusy = false;
  };

  readonly #decline = (): void => {
    preferences.telling = "no";
    this.requestUpdate();
  };

  readonly #stop = async (): Promise<void> => {
    await stopTelling();
    this.requestUpdate();
  };
}
