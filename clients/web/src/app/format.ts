import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** A time relative to now, in words: `5 minutes ago`. */
export function relativeTime(date: Date, now: Date, language: string): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  if (unit === "day" && Math.abs(seconds) > 30 * length) {
    return date.toLocaleDateString(language, { dateStyle: "medium" });
  }
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
}

/** A time, in words if it is near; the full time on hover. */
export function renderTime(time: Timestamp | undefined, language: string): TemplateResult | typeof nothing {
  if (!time) return nothing;
  const date = timestampDate(time);
  const whole = date.toLocaleString(language, { dateStyle: "long", timeStyle: "medium" });
  return html`<time datetime=${date.toISOString()} title=${whole}>${relativeTime(date, new Date(), language)}</time>`;
}

/** A time to the second, for lists whose order matters. */
export function renderExactTime(time: Timestamp | undefined, language: string): TemplateResult | typeof nothing {
  if (!time) return nothing;
  const date = timestampDate(time);
  const text = date.toLocaleString(language, { dateStyle: "short", timeStyle: "medium" });
  return html`<time datetime=${date.toISOString()}>${text}</time>`;
}
