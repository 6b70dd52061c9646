// The keys of a table: which element a key stands for, and the list of all of them.

import { html, type TemplateResult } from "lit";
import { Kept } from "../storage.js";
import type { Texts } from "../texts/texts.js";

/** The actions in the dock that have a number, in order: the first nine. */
export function actionKeys(root: ParentNode): HTMLElement[] {
  const all = root.querySelectorAll<HTMLElement>(".dock .bar > :is(button:not([data-clear], [data-cancel]), details)");
  const shown = [...all].slice(0, 9);
  return shown.map((it) => it.querySelector<HTMLElement>(":scope > summary") ?? it);
}

const STORED = "croupier.keys";
const kept = new Kept(() => localStorage);

/** Whether keys of one character are on; a reader may switch them off. */
export function areKeysOn(): boolean {
  return kept.read(STORED) !== "off";
}

export function setKeysOn(on: boolean) {
  kept.write(STORED, on ? "on" : "off");
}

const keys = [
  ["1 – 9", "keys-action"],
  ["c", "keys-card"],
  ["Enter", "keys-choose"],
  ["← →", "keys-arrows"],
  ["Esc", "keys-clear"],
  ["h", "keys-hint"],
  ["r", "keys-primer"],
  ["?", "keys-help"],
] as const;

/** The list of the keys, as a dialog. */
export function keysDialog(say: Texts, set: (on: boolean) => void): TemplateResult {
  const close = (event: Event) => (event.currentTarget as Element).closest("dialog")!.close();
  const onBackdrop = (event: Event) => event.target === event.currentTarget && (event.currentTarget as HTMLDialogElement).close();
  return html`<dialog class="keys" part="dialog" aria-label=${say("table-keys")} @click=${onBackdrop}>
    <header><h2>${say("table-keys")}</h2><button type="button" class="quiet" @click=${close}>${say("table-close")}</button></header>
    <dl>${keys.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${say(text)}</dd>`)}</dl>
    <label class="check"><input type="checkbox" .checked=${areKeysOn()}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)} /><span>${say("keys-on")}</span></label>
  </dialog>`;
}
