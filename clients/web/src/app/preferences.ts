import { chooseLanguage } from "../texts/texts.js";
import { Kept } from "../storage.js";

export type Scheme = "system" | "light" | "dark";

const kept = new Kept(() => localStorage);

/** A reader's preferences in this browser. Without storage, they last until a reload. */
export const preferences = {
  get language(): string {
    return chooseLanguage(kept.read("croupier.language") ?? undefined);
  },
  set language(value: string) {
    kept.write("croupier.language", value);
  },
  get scheme(): Scheme {
    const stored = kept.read("croupier.scheme");
    return stored === "light" || stored === "dark" ? stored : "system";
  },
  set scheme(value: Scheme) {
    kept.write("croupier.scheme", value);
  },
  /** The name that a guest gave last; empty before. */
  get name(): string {
    return kept.read("croupier.name") ?? "";
  },
  set name(value: string) {
    kept.write("croupier.name", value);
  },
  /** Whether to tell the reader of turns: `yes`, `no`, or empty while the reader was not asked. */
  get telling(): string {
    return kept.read("croupier.telling") ?? "";
  },
  set telling(value: string) {
    kept.write("croupier.telling", value);
  },
  /** When not to tell the reader, by the reader's clock, such as `22:00-07:00`; empty for never. */
  get quiet(): string {
    return kept.read("croupier.quiet") ?? "";
  },
  set quiet(value: string) {
    kept.write("croupier.quiet", value);
  },
  /** The seats of a guest who is told of turns, as JSON: with them a message leads to its match. */
  get seats(): string {
    return kept.read("croupier.seats") ?? "[]";
  },
  set seats(value: string) {
    kept.write("croupier.seats", value);
  },
  /** The secret by which the service knows this browser as the same guest again. */
  get guestKey(): string {
    const stored = kept.read("croupier.guest");
    if (stored) return stored;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    kept.write("croupier.guest", made);
    return made;
  },
};

/** Draws the page in the chosen language and scheme. */
export function applyPreferences(): void {
  document.documentElement.lang = preferences.language;
  applyScheme();
}

export function applyScheme(): void {
  const { scheme } = preferences;
  document.documentElement.style.colorScheme = scheme === "system" ? "light dark" : scheme;
}
