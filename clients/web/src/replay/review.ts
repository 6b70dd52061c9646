import { html, nothing, svg, type TemplateResult } from "lit";
import type { Entry, Suggestion } from "@croupier/client/v1";
import type { texts } from "../texts/texts.js";

/** A decision of the seat, and what a bot that thinks ahead makes of it. */
export interface Judged {
  /** The position before it. */
  position: number;
  suggestions: readonly Suggestion[];
}

/** A decision that cost this much of the chance to win is a moment to look at. */
const COSTLY = 0.1;
const MOMENTS_MAX = 3;

/** The positions at which a seat was asked and acted. */
export function decisionsOf(entries: readonly Entry[], seat: number): number[] {
  const isAsked = (position: number) => entries[position - 1]?.prompts.some((it) => it.seat === seat) ?? false;
  return entries.filter((it) => it.seat === seat && it.action).map((it) => it.position - 1).filter(isAsked);
}

/** The chance to win that the seat had with its best action. */
export function expected({ suggestions }: Judged): number | undefined {
  const known = suggestions.map((it) => it.estimate).filter((it) => it !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** How much of the chance to win the seat gave away; 0 if it is not known. */
export function cost(judged: Judged): number {
  const taken = judged.suggestions.find((it) => it.taken)?.estimate;
  return taken === undefined ? 0 : (expected(judged) ?? taken) - taken;
}

/** The decisions that cost most, in their order. */
export function moments(judged: readonly Judged[]): Judged[] {
  const costly = judged.filter((it) => cost(it) >= COSTLY).sort((a, b) => cost(b) - cost(a));
  return costly.slice(0, MOMENTS_MAX).sort((a, b) => a.position - b.position);
}

/** What a drawn review needs. */
export interface Drawn {
  say: ReturnType<typeof texts>;
  judged: readonly Judged[];
  /** How many decisions there are. */
  all: number;
  /** The position that is shown, and the last one. */
  now: number;
  last: number;
  goTo: (position: number) => void;
}

/** The chance to win along the match, and the moments that cost most. */
export function drawReview({ say, judged, all, now, last, goTo }: Drawn): TemplateResult {
  const known = judged.filter((it) => expected(it) !== undefined);
  const isDone = judged.length === all;
  if (isDone && known.length === 0) {
    return html`<section class="review" part="review"><p role="status">${say("review-none")}</p></section>`;
  }
  const costly = moments(judged);
  const x = (position: number) => (position / Math.max(last, 1)) * 600;
  const y = (chance: number) => 100 - chance * 100;
  const line = known.map((it) => `${x(it.position)},${y(expected(it)!)}`).join(" ");
  const nearest = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * last;
    const closest = [...judged].sort((a, b) => Math.abs(a.position - at) - Math.abs(b.position - at))[0];
    if (closest) goTo(closest.position);
  };
  return html`<section class="review" part="review" aria-label=${say("review-title")}>
    <p class="review-title"><strong>${say("review-title")}</strong>
      ${isDone ? nothing : html`<span role="status">${say("review-progress", { done: judged.length, all })}</span>`}</p>
    <div class="chart"><small>${say("review-win")}</small><small>${say("review-loss")}</small>
    <svg viewBox="0 0 600 100" preserveAspectRatio="none" aria-hidden="true" @click=${nearest}>
      <line class="half" x1="0" y1="50" x2="600" y2="50"></line>
      <polyline class="chance" points=${line}></polyline>
      ${costly.map((it) => svg`<line class="moment" x1=${x(it.position)} x2=${x(it.position)} y1=${y(expected(it)!)} y2=${y(expected(it)! - cost(it))}></line>`)}
      <line class="now" x1=${x(now)} y1="0" x2=${x(now)} y2="100"></line>
    </svg></div>
    ${isDone || costly.length > 0
      ? html`<p>${say(costly.length > 0 ? "review-moments" : "review-no-moments")}</p>
          <ol>${costly.map((it) => html`<li><button type="button" class="quiet" data-moment=${it.position} aria-current=${it.position === now ? "true" : nothing} @click=${() => goTo(it.position)}>
            ${say("review-moment", { number: it.position, points: percent(cost(it)), taken: labelOf(say, taken(it)), best: labelOf(say, it.suggestions[0]) })}</button></li>`)}</ol>`
      : nothing}
  </section>`;
}

/** What a bot would have done at a decision, beside what the seat did. */
export function drawDecision(say: Drawn["say"], { suggestions }: Judged): TemplateResult | typeof nothing {
  if (suggestions.length === 0) return nothing;
  return html`<section class="asked-now suggestions" part="judged">
    <p>${say("review-here")}</p>
    <ol>${suggestions.map((it) => html`<li ?data-taken=${it.taken}>${labelOf(say, it)}
      ${it.taken ? html`<span class="chip">${say("review-taken")}</span>` : nothing}
      ${it.estimate === undefined ? nothing : html`<small>${say("table-hint-estimate", { percent: percent(it.estimate) })}</small>`}</li>`)}</ol>
  </section>`;
}

const taken = ({ suggestions }: Judged) => suggestions.find((it) => it.taken);
const percent = (chance: number) => Math.round(chance * 100);
const labelOf = (say: Drawn["say"], it: Suggestion | undefined) => it?.action?.label ?? say("table-hint-wait");
