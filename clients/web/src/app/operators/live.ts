import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Alert, Metrics } from "@croupier/client/v1";
import { html, nothing, svg } from "lit";
import { customElement, state } from "lit/decorators.js";
import { idOf } from "../context.js";
import { Load, Page } from "../page.js";
import { drawn } from "../scale.js";
import { asOperator, isOperator } from "./operator-key.js";
import "./operator-key.js";

const EVERY_MS = 2_000;
/** How much of the past is drawn. */
const DRAWN_MS = 300_000;
const WIDTH = 280;
const HEIGHT = 56;

/** A chart: a rate between two readings, or a level at one. */
interface Chart {
  readonly title: string;
  readonly value: (now: Metrics, before: Metrics, seconds: number) => number;
  /** What the number consists of. */
  readonly parts?: (now: Metrics) => readonly { name: string; count: number; ms: number }[];
}

/** Counts go on from 0 after 2^32 - 1. */
const rate =
  (count: (metrics: Metrics) => number) =>
  (now: Metrics, before: Metrics, seconds: number): number =>
    ((count(now) - count(before)) >>> 0) / seconds;

const age = (it: Parameters<typeof durationMs>[0] | undefined): number => (it ? durationMs(it) : 0);

const charts: readonly Chart[] = [
  { title: "app-live-calls", value: rate((it) => it.calls) },
  { title: "app-live-refused", value: rate((it) => it.callsRefused) },
  { title: "app-live-failed", value: rate((it) => it.callsFailed) },
  { title: "app-live-entries", value: rate((it) => it.entries) },
  { title: "app-live-shed", value: rate((it) => it.actionsShed) },
  { title: "app-live-connections", value: (it) => it.connections },
  { title: "app-live-streams", value: (it) => it.streams },
  { title: "app-live-matches", value: (it) => it.matchesInMemory },
  { title: "app-live-database", value: (it) => it.databaseBusy },
  { title: "app-live-webhooks", value: rate((it) => it.webhooksTaken) },
  { title: "app-live-webhooks-failed", value: rate((it) => it.webhooksFailed) },
  {
    title: "app-live-lag",
    value: ({ projections }) => Math.max(0, ...projections.map((it) => it.entries)),
    parts: ({ projections }) => projections.map((it) => ({ name: idOf(it.name), count: it.entries, ms: age(it.age) })),
  },
  {
    title: "app-live-agents",
    value: ({ agents }) => agents.reduce((sum, it) => sum + it.due, 0),
    parts: ({ agents }) => agents.map((it) => ({ name: it.name, count: it.due, ms: age(it.age) })),
  },
];

/** What the alerts that a process can tell by itself mean. */
const alerts: Readonly<Record<string, string>> = {
  CroupierDatabaseDown: "app-alert-database-down",
  CroupierDatabaseNodeDown: "app-alert-database-node-down",
  CroupierRecordWentBack: "app-alert-record-went-back",
  CroupierEntriesLost: "app-alert-entries-lost",
  CroupierLaterTermMet: "app-alert-later-term-met",
  CroupierRecordAltered: "app-alert-record-altered",
  CroupierDatabaseFull: "app-alert-database-full",
  CroupierDiskFillsUp: "app-alert-disk-fills-up",
  CroupierArchiveFails: "app-alert-archive-fails",
  CroupierInternalErrors: "app-alert-internal-errors",
  CroupierClockWrong: "app-alert-clock-wrong",
  CroupierDatabaseClockMoved: "app-alert-database-clock-moved",
  CroupierTimeUnknown: "app-alert-time-unknown",
  CroupierActionsShed: "app-alert-shed",
  CroupierProjectionBehind: "app-alert-projections",
  CroupierAgentsLate: "app-alert-agents",
  CroupierWebhooksFail: "app-alert-webhooks",
  CroupierLogBehind: "app-alert-log-behind",
  CroupierLogStands: "app-alert-log-stands",
  CroupierLogWithheld: "app-alert-log-withheld",
  CroupierMatchesUnreadable: "app-alert-matches-unreadable",
  CroupierWitnessAway: "app-alert-witness-away",
  CroupierModuleFails: "app-alert-module-fails",
  CroupierInvalidCredentials: "app-alert-invalid-credentials",
  CroupierLimitsReached: "app-alert-limits-reached",
};

/** What a process of the service does now, as lines over the last minutes. */
@customElement("operator-live")
export class OperatorLive extends Page {
  /** The readings of each process that has answered, oldest first. */
  readonly #readings = new Map<string, Metrics[]>();
  @state() private shown = "";
  @state() private isStopped = false;

  readonly #load = new Load<boolean>(
    this,
    () => isOperator(),
    async (signal) => {
      if (!isOperator()) return false;
      const { metrics } = await asOperator(({ rpc }) => rpc.platforms.getMetrics({}, { signal }));
      if (metrics) this.#add(metrics);
      return true;
    },
  ).every(EVERY_MS, () => isOperator() && !this.isStopped);

  #add(metrics: Metrics): void {
    const oldest = timeOf(metrics) - DRAWN_MS;
    for (const [process, readings] of this.#readings) {
      const left = readings.filter((it) => timeOf(it) >= oldest);
      if (left.length > 0) this.#readings.set(process, left);
      else this.#readings.delete(process);
    }
    const readings = this.#readings.get(metrics.process) ?? [];
    // The service reads itself once a second, so an answer may be one that is known.
    if (timeOf(metrics) > timeOf(readings.at(-1))) this.#readings.set(metrics.process, [...readings, metrics]);
    if (!this.#readings.has(this.shown)) this.shown = metrics.process;
  }

  protected override render() {
    const key = html`<operator-key .context=${this.context} @change=${() => this.requestUpdate()}></operator-key>`;
    if (!isOperator()) return html`<p class="lead">${this.say("app-live-lead")}</p>${key}`;
    return html`<p class="lead">${this.say("app-live-lead")}</p>
      ${key}
      ${this.#load.render(() => {
        const readings = this.#readings.get(this.shown) ?? [];
        return html`
          <div class="buttons">
            ${this.#readings.size > 1
              ? html`<label class="field">
                  <span>${this.say("app-live-process")}</span>
                  <select @change=${this.#choose}>
                    ${[...this.#readings.keys()].map(
                      (it) => html`<option value=${it} ?selected=${it === this.shown}>${it.slice(0, 8)}</option>`,
                    )}
                  </select>
                </label>`
              : nothing}
            <button @click=${() => (this.isStopped = !this.isStopped)}>
              ${this.say(this.isStopped ? "app-live-go-on" : "app-live-stop")}
            </button>
          </div>
          ${this.#renderAlerts(readings.at(-1)?.alerts ?? [])}
          <ul class="cards live">
            ${charts.map((it) => this.#renderChart(it, readings))}
          </ul>
        `;
      })}`;
  }

  #renderAlerts(found: readonly Alert[]) {
    if (found.length === 0) return html`<p class="alerts fine" role="status">${this.say("app-alert-none")}</p>`;
    return html`<ul class="alerts">
      ${found.map(({ name, age: lasted, firing }) => {
        const text = alerts[name];
        return html`<li class="notice ${firing ? "failure" : ""}">
          <span class="badge ${firing ? "problem" : "waiting"}">${this.say(firing ? "app-alert-firing" : "app-alert-pending")}</span>
          ${text ? this.say(text) : nothing} <small>${this.say("app-live-age", { seconds: Math.round(age(lasted) / 1000) })} · <code>${name}</code></small>
        </li>`;
      })}
    </ul>`;
  }

  #renderChart({ title, value, parts }: Chart, readings: readonly Metrics[]) {
    const { language } = this.context;
    const number = (it: number) => it.toLocaleString(language, { maximumFractionDigits: it < 10 ? 1 : 0 });
    const last = readings.at(-1);
    const points = readings.slice(1).map((now, nth) => {
      const before = readings[nth]!;
      return { time: timeOf(now), value: value(now, before, (timeOf(now) - timeOf(before)) / 1000) };
    });
    const values = points.map((it) => it.value);
    const most = Math.max(0, ...values);
    const told = {
      title: this.say(title),
      now: number(values.at(-1) ?? 0),
      least: number(values.length > 0 ? Math.min(...values) : 0),
      most: number(most),
    };
    const text = this.say("app-live-chart", told);
    return html`<li class="card">
      <h2>${told.title}</h2>
      <p class="big">${values.length > 0 ? told.now : "–"}</p>
      <svg class="live-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${text}>
        <title>${text}</title>
        ${svg`<polyline points=${line(points, timeOf(last), most)}></polyline>`}
      </svg>
      <p class="fine">${this.say("app-live-most", told)}</p>
      ${parts && last
        ? html`<dl class="facts">
            ${parts(last).map(
              (it) => html`<dt>${it.name}</dt>
                <dd>
                  ${number(it.count)}${it.count > 0
                    ? html` <small>${this.say("app-live-age", { seconds: number(it.ms / 1000) })}</small>`
                    : nothing}
                </dd>`,
            )}
          </dl>`
        : nothing}
    </li>`;
  }

  readonly #choose = (event: Event): void => {
    this.shown = (event.target as HTMLSelectElement).value;
  };
}

function timeOf(metrics: Metrics | undefined): number {
  return metrics?.readTime ? timestampMs(metrics.readTime) : 0;
}

/** The points of a line that ends now at the right, over zero at the bottom. */
function line(values: readonly { time: number; value: number }[], now: number, most: number): string {
  const share = ({ time, value }: { time: number; value: number }) =>
    [1 - (now - time) / DRAWN_MS, value / Math.max(most, 1)] as const;
  return drawn(values.map(share), WIDTH, HEIGHT);
}
