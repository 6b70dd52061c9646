import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { loadChecker, type Checked, type Finding } from "./check.js";
import type { KeptMatch } from "./kept.js";
import { checkTexts } from "./texts.js";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "checking"; readonly entries: number; readonly bytes: number; readonly total: number }
  | { readonly kind: "checked"; readonly checked: Checked }
  | { readonly kind: "failed"; readonly reason: string };

/** The most findings that are shown; the first is the one that matters. */
const SHOWN_MAX = 10;

/** A check of a record on this device: how far it is, and what was found. */
@customElement("croupier-check")
export class CheckPanel extends LitElement {
  @property() language = "en";
  @state() private now: State = { kind: "idle" };

  #running = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /**
   * Checks a record, and compares it with what was kept: `isAnswer` if the service was asked for this
   * match. Later checks replace earlier ones.
   */
  async check(record: Blob, kept: KeptMatch | undefined, isAnswer: boolean): Promise<Checked | undefined> {
    const mine = ++this.#running;
    const total = record.size;
    this.now = { kind: "checking", entries: 0, bytes: 0, total };
    try {
      const checker = await loadChecker();
      const checked = await checker.check(record, kept, isAnswer, ({ entries, bytes }) => {
        if (mine === this.#running) this.now = { kind: "checking", entries, bytes, total };
      });
      if (mine === this.#running) this.now = { kind: "checked", checked };
      return checked;
    } catch (error) {
      if (mine === this.#running) this.now = { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
      return undefined;
    }
  }

  #say(id: string, values?: Record<string, string | number>): string {
    return checkTexts(this.language)(id, values);
  }

  protected override render() {
    const { now } = this;
    switch (now.kind) {
      case "idle":
        return nothing;
      case "checking":
        return html`<div class="checking">
          <progress max=${now.total} .value=${now.bytes} aria-label=${this.#say("check-checking")}></progress>
          <p class="fine">${this.#say("check-progress", { entries: now.entries })}</p>
        </div>`;
      case "failed":
        return html`<div class="notice failure" role="alert">
          <p>${this.#say("check-failed")}</p>
          <p class="fine" lang="en">${now.reason}</p>
        </div>`;
      case "checked":
        return this.#renderChecked(now.checked);
    }
  }

  #renderChecked(checked: Checked) {
    const { answer, byRules, matches, entries } = checked;
    if (answer === "WRONG") {
      const isNone = checked.findings.some(({ code }) => code === "NOT_A_RECORD" || code === "EMPTY");
      return html`<div class="notice failure" role="alert">
        <p><strong>${this.#say(isNone ? "check-no-record" : "check-wrong")}</strong></p>
        ${this.#renderFindings(checked.findings)}
      </div>`;
    }
    if (answer === "NOT_PROVEN") {
      return html`<div class="notice" role="status">
        <p><strong>${this.#say("check-not-proven")}</strong></p>
        ${this.#renderFindings(checked.findings)}
      </div>`;
    }
    return html`<div class="notice success" role="status">
        <p><strong>${this.#say(byRules ? "check-proven" : "check-deal-proven", { matches, entries })}</strong></p>
      </div>
      <div class="proofs">
        <section>
          <h3>${this.#say("check-shown")}</h3>
          <ul class="shown">
            ${shown(checked).map(([id, values]) => html`<li>${this.#say(`check-is-${id}`, values)}</li>`)}
          </ul>
        </section>
        <section>
          <h3>${this.#say("check-open")}</h3>
          <ul class="left">
            ${left(checked).map(([id, values]) => html`<li>${this.#say(`check-not-${id}`, values)}</li>`)}
          </ul>
        </section>
      </div>`;
  }

  #renderFindings(findings: readonly Finding[]) {
    const more = findings.length - SHOWN_MAX;
    return html`${findings.slice(0, SHOWN_MAX).map(
      ({ position, line, reason, code }) =>
        html`<p class="fine">
          ${position !== undefined
            ? this.#say("check-entry", { position })
            : line !== undefined
              ? this.#say("check-line", { line })
              : nothing}
          <span lang="en">${reason}</span> <code>${code}</code>
        </p>`,
    )}${more > 0 ? html`<p class="fine">${this.#say("check-more", { more })}</p>` : nothing}`;
  }
}

type Said = readonly [id: string, values?: Record<string, string | number>];

/** What a proven record shows. */
function shown({ byRules, entries, choices, matches, kept, shared, anchored, playersProven, log }: Checked): Said[] {
  return [
    ...(byRules ? [["rules", { entries }] satisfies Said] : []),
    ["chance", { choices }],
    ["record", { entries }],
    ...commitmentSaid(kept),
    ...(kept?.contributions?.length ? [["contribution"] satisfies Said] : []),
    ...sharedSaid(shared, matches, log),
    ...(log && log.opened === matches ? [[log.closed === matches ? "logged" : "logged-opened"] satisfies Said] : []),
    ...(anchored === matches ? [["receipt"] satisfies Said] : []),
    ...(playersProven > 0 ? [["players", { players: playersProven }] satisfies Said] : []),
  ];
}

/** With a log, that the service committed itself first is said if the log shows it, and not on its word. */
function sharedSaid(shared: number, matches: number, log: Checked["log"]): Said[] {
  if (isOrdered({ log, matches })) return [["order"]];
  return shared === matches && !log?.chance.order_not_proven ? [["shared"]] : [];
}

/** Whether the log shows the order of all chance that seats shared. */
function isOrdered({ log, matches }: Pick<Checked, "log" | "matches">): boolean {
  return log !== undefined && log.chance.order_proven === matches;
}

function commitmentSaid(kept: KeptMatch | undefined): Said[] {
  if (!kept?.seedCommitment) return [];
  return [kept.seenAt === 0 ? ["commitment"] : ["commitment-later", { position: kept.seenAt ?? 0 }]];
}

/** What even a proven record leaves open. */
function left(checked: Checked): Said[] {
  const { byRules, matches, kept, serviceOnly, sharedUnordered, anchored, playersErased, playersNotCovered, log } = checked;
  const unordered = isOrdered(checked) ? 0 : (log?.chance.order_not_proven ?? sharedUnordered);
  return [
    ...(byRules ? [] : [["rules"] satisfies Said]),
    ...(kept?.seedCommitment && kept.seenAt === 0 ? [] : [["commitment"] satisfies Said]),
    ...(serviceOnly > 0 ? [["shared", { matches: serviceOnly }] satisfies Said] : []),
    ...(unordered > 0 ? [["order", { matches: unordered }] satisfies Said] : []),
    ...(anchored < matches ? [["receipt"] satisfies Said] : []),
    ...(playersErased + playersNotCovered > 0 ? [["players", { players: playersErased + playersNotCovered }] satisfies Said] : []),
    ["secret"],
    ["page"],
    ["names"],
  ];
}
