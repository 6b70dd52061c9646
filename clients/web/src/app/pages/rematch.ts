import { Refusal } from "@croupier/client";
import { Rematch, type Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Attending } from "../attending.js";
import { idOf, seatTitle } from "../context.js";
import { Deed, Page } from "../page.js";

/**
 * Another match with the same players: an offer that the others accept or decline. No match starts
 * before all of them agree. Sends `changed` once it was created.
 */
@customElement("app-rematch")
export class RematchOffer extends Page {
  @property({ attribute: false }) match!: Match;
  /** The seat of the person who looks at it. */
  @property({ attribute: false }) mine!: number;
  /** Whether this person may create the match once all agree. */
  @property({ type: Boolean }) host = false;

  readonly #deed = new Deed(this);
  readonly #attending = new Attending(
    this,
    () => this.match,
    () => this.mine,
  );

  protected override updated(): void {
    super.updated();
    const isAgreed = this.#others.every((seat) => this.#attending.wishOf(seat) === Rematch.WANTED);
    const isWanted = this.#attending.rematch === Rematch.WANTED && this.#others.length > 0;
    if (this.host && isAgreed && isWanted && !this.#deed.isBusy && !this.#deed.refusal) void this.#deed.run(this.#create);
  }

  /** The seats of other people. */
  get #others(): readonly number[] {
    return this.match.seats.filter(({ seat, player }) => player && seat !== this.mine).map(({ seat }) => seat);
  }

  protected override render() {
    const others = this.#others;
    if (others.length === 0) {
      if (!this.host) return nothing;
      return html`${this.#deed.render()}
        <button class="primary" ?disabled=${this.#deed.isBusy} @click=${() => void this.#deed.run(this.#create)}>
          ${this.say("app-play-again")}
        </button>`;
    }
    const named = (wish: Rematch) =>
      others
        .filter((seat) => this.#attending.wishOf(seat) === wish)
        .map((seat) => seatTitle(this.context, this.match, seat))
        .join(", ");
    const [offered, declined, silent] = [Rematch.WANTED, Rematch.DECLINED, Rematch.UNSPECIFIED].map(named);
    const own = this.#attending.rematch;
    const button = (text: string, wish: Rematch, isPrimary = false) =>
      html`<button class=${isPrimary ? "primary" : ""} ?disabled=${this.#deed.isBusy} @click=${() => this.#attending.wish(wish)}>
        ${this.say(text)}
      </button>`;
    return html`${this.#deed.render()}
      <div class="rematch">
        <p role="status">
          ${declined
            ? this.say("app-rematch-declined", { players: declined })
            : own === Rematch.WANTED
              ? silent
                ? this.say("app-rematch-waiting", { players: silent })
                : this.say("app-rematch-agreed")
              : offered
                ? this.say("app-rematch-offered", { players: offered })
                : nothing}
        </p>
        ${own === Rematch.WANTED
          ? button("app-rematch-withdraw", Rematch.UNSPECIFIED)
          : offered
            ? html`${button("app-rematch-accept", Rematch.WANTED, true)}
              ${own === Rematch.DECLINED ? nothing : button("app-rematch-decline", Rematch.DECLINED)}`
            : button("app-rematch-offer", Rematch.WANTED, true)}
      </div>`;
  }

  readonly #create = async (): Promise<void> => {
    const previous = this.match.name;
    try {
      // Of several who create it, all get the same match.
      await this.context.croupier.matches.create({ previous, requestId: `rematch-${idOf(previous)}` });
    } catch (error) {
      if (!Refusal.from(error).is("MATCH_FOLLOWED")) throw error;
    }
    this.dispatchEvent(new CustomEvent("changed"));
  };
}
