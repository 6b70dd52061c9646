// Plays by clicking what glows: it knows no game, and nothing of a table but its attributes.

import assert from "node:assert/strict";
import { chance } from "../../../typescript/test/support/play.js";

/** How many clicks in a row may lead to nothing recorded, such as choosing and thinking again. */
const MOST_CLICKS = 60;

/** A player at the table of a page. */
export class Clicker {
  clicks = 0;

  #visit;
  #random;
  #sinceAct = 0;
  #refusals = 0;
  #seen = "";

  #isByTouch;

  /** With `touch`, everything is tapped, and nothing is clicked. */
  constructor(visit, seed, { touch = false } = {}) {
    this.#visit = visit;
    this.#random = chance(seed);
    this.#isByTouch = touch;
  }

  /** Plays until the match has ended, or until `isEnough` says so. */
  async play(isEnough = () => false) {
    while (!isEnough(this)) if (!(await this.step())) return;
  }

  /** Clicks once; false if there is nothing more to click as the match has ended. */
  async step() {
    const { page } = this.#visit;
    const { state, targets } = await page
      .evaluate(settle, [this.#seen, 20_000])
      .catch((error) => assert.fail(`after ${this.#last ?? "the start"}: ${error}`));
    await this.#noteResult(state);
    if (state.hasEnded) return false;
    const target = this.#choose(state, targets);
    assert.ok(target, `nothing to choose: ${JSON.stringify([state, targets])}`);
    this.#last = target.what;
    this.#seen = state.signature;
    this.#position = state.position;
    this.#submits = this.#visit.count("SubmitAction");
    this.clicks += 1;
    const spot = await page.evaluate((n) => window.spotOf(n), target.n);
    if (spot && this.#isByTouch) await this.#visit.tap(spot);
    else if (spot) await page.mouse.click(spot.x, spot.y);
    else this.#seen = "";
    return true;
  }

  /** Begins anew with a page that was loaded again. */
  lookAgain() {
    this.#seen = "";
    this.#last = undefined;
  }

  #last;
  #position;
  #submits = 0;

  async #noteResult(state) {
    const submitted = this.#visit.count("SubmitAction") - this.#submits;
    if (this.#last === undefined || submitted === 0) {
      this.#sinceAct += 1;
      assert.ok(this.#sinceAct < MOST_CLICKS, `${MOST_CLICKS} clicks led to nothing; the last was ${this.#last}`);
      return;
    }
    this.#sinceAct = 0;
    if (!this.#visit.isServiceAway) assert.equal(submitted, 1, `${this.#last} was submitted once`);
    if (state.refusal === "") {
      this.#refusals = 0;
      return;
    }
    // What a form made may be refused, and what came after somebody else's action.
    const mayBe = this.#last.startsWith("submit") || (await this.#hasMovedOn());
    assert.ok(mayBe, `${this.#last} was refused: ${state.refusal}`);
    this.#refusals += 1;
  }

  /** Whether somebody else acted since the last click; the entry may come after the refusal. */
  async #hasMovedOn() {
    const isOther = (position) => {
      const root = document.querySelector("croupier-table")?.shadowRoot;
      return root?.querySelector("[part=table]")?.dataset.position !== position;
    };
    const moved = this.#visit.page.waitForFunction(isOther, this.#position, { timeout: 5_000 });
    return moved.then(() => true, () => false);
  }

  #choose(state, targets) {
    const some = (kind) => targets.filter((it) => it.kind === kind);
    const among = (list) => list[Math.floor(this.#random() * list.length)];
    assert.ok(targets.every((it) => it.isReachable), `covered: ${targets.find((it) => !it.isReachable)?.what}`);
    if (state.hasForm) {
      // The same set would be refused the same way, and nothing on the page would change.
      const isRefused = state.refusal !== "" && this.#last?.startsWith("submit");
      if (this.#refusals > 2) return some("cancel")[0];
      return isRefused ? among([...some("piece"), ...some("cancel")]) : some("submit")[0];
    }
    // What was chosen is done, or more is chosen, or now and then nothing of it.
    const done = some("action");
    const next = [...some("target"), ...some("form"), ...some("menu")];
    if (state.hasChosen) {
      const roll = this.#random();
      if (roll < 0.05 || (done.length === 0 && next.length === 0)) return some("clear")[0];
      if (done.length > 0 && (roll < 0.6 || next.length === 0)) return among(done);
      return among(next);
    }
    // Somebody in a hurry takes what comes first, which keeps matches short.
    return done.length > 0 && this.#random() < 0.35 ? done[0] : among([...done, ...next]);
  }
}

/** Runs in the page: waits until there is something to click that was not there before the last click. */
async function settle([seen, patience]) {
  let root;
  const until = performance.now() + patience;
  for (;;) {
    const state = look();
    if (state && state.signature !== seen) {
      if (state.hasEnded) return { state, targets: [] };
      const targets = find(state);
      // What moves may cover something for a moment.
      const isClear = targets.every((it) => it.isReachable) || performance.now() > until - patience * 0.75;
      if (targets.length > 0 && isClear) return { state, targets };
    }
    if (performance.now() > until) {
      throw new Error(`nothing to click: ${JSON.stringify(state)} ${root?.querySelector("[part=dock]")?.innerText}`);
    }
    await new Promise(requestAnimationFrame);
  }

  function look() {
    root = document.querySelector("croupier-table")?.shadowRoot;
    const felt = root?.querySelector("[part=table]");
    const isBusy = root?.querySelector("[part=dock][aria-busy=true]");
    if (!felt || isBusy) return undefined;
    const chosen = [...root.querySelectorAll("[data-target][aria-pressed=true]")].map((it) => it.dataset.target);
    const form = root.querySelector("[part=form]");
    const isOpen = "dialog[open], [part=dock] details[open], .seat.open";
    const open = [...root.querySelectorAll(isOpen)].map((it) => [it.className, it.dataset.seat]);
    const refusal = root.querySelector("[part=refusal]")?.textContent ?? "";
    const state = {
      position: felt.dataset.position,
      hasChosen: root.querySelector("[part=dock] [data-clear]") !== null,
      hasForm: form !== null,
      hasEnded: root.querySelector("[part=result]") !== null,
      refusal,
    };
    const idle = root.querySelector("[part=idle]")?.textContent;
    return { ...state, signature: JSON.stringify([state, chosen, open, idle]) };
  }

  function find({ hasForm }) {
    const dialog = root.querySelector("dialog[open]");
    const scope = dialog ?? root;
    const found = [];
    const add = (kind, element) => {
      if (element.disabled || !element.checkVisibility()) return;
      found.push({ kind, element });
    };
    if (hasForm) {
      add("submit", root.querySelector("[part=form] [data-submit]"));
      add("cancel", root.querySelector("[part=form] [data-cancel]"));
      for (const it of root.querySelectorAll("[data-target][aria-pressed=true]")) add("piece", it);
    } else {
      for (const it of scope.querySelectorAll("[part~=legal][data-target]")) {
        if (it.getAttribute("aria-pressed") !== "true") add("target", it);
      }
      for (const it of scope.querySelectorAll("button[part=count][data-legal]")) add("menu", it);
      for (const it of scope.querySelectorAll("[part=fold][data-legal][aria-expanded=false]")) add("menu", it);
      for (const it of scope.querySelectorAll("[part=dock] [data-verb][data-legal]")) {
        add(it.hasAttribute("data-form") ? "form" : "action", it);
      }
      for (const it of scope.querySelectorAll("[part=dock] details:not([open]) > summary[data-verb]")) add("menu", it);
      for (const it of scope.querySelectorAll("[part=dock] [data-clear]")) add("clear", it);
    }
    // Looking at one may scroll the others away, so where to click is told once one is chosen.
    window.spotOf = (n) => spotOf(found[n].element);
    return found.map(({ kind, element }, n) => {
      return { n, kind, what: nameOf(kind, element), isReachable: spotOf(element) !== undefined };
    });
  }

  function nameOf(kind, element) {
    return `${kind} ${element.dataset.target ?? element.dataset.verb ?? ""} (${element.getAttribute("aria-label") ?? element.innerText})`;
  }

  // A point at which a click reaches the element, as others may overlap it.
  function spotOf(element) {
    return spotAt(element, "nearest") ?? spotAt(element, "center");
  }

  function spotAt(element, block) {
    element.scrollIntoView({ block, inline: "nearest" });
    const { left, top, width, height } = element.getBoundingClientRect();
    for (const [dx, dy] of [[0.5, 0.5], [0.1, 0.5], [0.1, 0.1], [0.9, 0.5], [0.5, 0.9], [0.5, 0.1], [0.02, 0.5]]) {
      const [x, y] = [left + width * dx, top + height * dy];
      if (element.contains(root.elementFromPoint(x, y))) return { x, y };
    }
    return undefined;
  }
}
