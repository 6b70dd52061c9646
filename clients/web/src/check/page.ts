import { LitElement, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { applyPreferences, preferences } from "../app/preferences.js";
import { hasRules, loadChecker } from "./check.js";
import { keptOf } from "./kept.js";
import "./panel.js";
import type { CheckPanel } from "./panel.js";
import { checkTexts } from "./texts.js";

/** The page on which a saved record is checked, without an account and without a network. */
@customElement("croupier-check-page")
export class CheckPage extends LitElement {
  @state() private readiness: "loading" | "ready" | "failed" = "loading";
  @state() private file = "";
  @state() private isOver = false;

  readonly #say = checkTexts(preferences.language);

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    applyPreferences();
    document.title = `${this.#say("check-title")} · Croupier`;
    loadChecker().then(
      () => (this.readiness = "ready"),
      () => (this.readiness = "failed"),
    );
  }

  protected override render() {
    const { readiness } = this;
    return html`
      <a class="skip" href="#main">${this.#say("check-skip")}</a>
      <header class="top">
        <a class="brand" href="../"><span class="mark" aria-hidden="true"></span>Croupier</a>
        <nav aria-label="Croupier"><a href="../">${this.#say("check-play")}</a><a href="../docs/">${this.#say("check-docs")}</a></nav>
      </header>
      <main id="main" tabindex="-1">
        <h1>${this.#say("check-title")}</h1>
        <p class="lead">${this.#say("check-lead")}</p>
        ${readiness === "failed"
          ? html`<div class="notice failure" role="alert"><p>${this.#say("check-load-failed")}</p></div>`
          : this.#renderDrop()}
        ${this.file ? html`<h2>${this.#say("check-file", { name: this.file })}</h2>` : nothing}
        <croupier-check language=${preferences.language}></croupier-check>
        <p class="fine">
          ${this.#say("check-where")} <a href="../docs/verify.html">${this.#say("check-more-about")}</a>
        </p>
      </main>
    `;
  }

  #renderDrop() {
    const isReady = this.readiness === "ready";
    return html`<label
      class="drop"
      data-over=${this.isOver}
      @dragover=${(event: DragEvent) => this.#drag(event, true)}
      @dragleave=${(event: DragEvent) => this.#drag(event, false)}
      @drop=${this.#drop}
    >
      <input type="file" accept=".jsonl,.json,.txt" ?disabled=${!isReady} @change=${this.#choose} />
      <span class="button primary" aria-hidden="true">${this.#say("check-choose")}</span>
      <span>${this.#say("check-or-drop")}</span>
      <span class="fine" role="status">
        ${this.#say(!isReady ? "check-loading" : hasRules ? "check-ready" : "check-ready-without-rules")}
      </span>
    </label>`;
  }

  #drag(event: DragEvent, isOver: boolean): void {
    event.preventDefault();
    this.isOver = isOver;
  }

  readonly #drop = (event: DragEvent): void => {
    this.#drag(event, false);
    const file = event.dataTransfer?.files[0];
    if (file && this.readiness === "ready") void this.#check(file);
  };

  readonly #choose = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.#check(file);
  };

  async #check(file: File): Promise<void> {
    this.file = file.name;
    const panel = this.querySelector<CheckPanel>("croupier-check")!;
    const match = await onlyMatch(file);
    await panel.check(file, match === undefined ? undefined : keptOf(match), false);
  }
}

/** The match of a file that has no other; what was kept is about one match. */
async function onlyMatch(file: Blob): Promise<string | undefined> {
  const found = new Set<string>();
  let rest = "";
  for await (const text of textsOf(file)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!.slice(0, LINE_START);
    for (const line of lines) {
      const [, name] = /^\{"match":\{"name":"([^"]{1,100})"/.exec(line) ?? [];
      if (name) found.add(name);
    }
    if (found.size > 1) return undefined;
  }
  const [match] = found;
  return match;
}

const LINE_START = 1 << 20;

async function* textsOf(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
