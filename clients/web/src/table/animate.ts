// Animates pieces and coins from one drawing of a table to the next.

import { html, render, svg, type TemplateResult } from "lit";
import type { Event as TableEvent } from "@croupier/client/v1";

/** The positions of everything drawn. */
export interface Scene {
  pieces: Map<string, DOMRect>;
  places: Map<string, DOMRect>;
  /** By piece, its place. */
  at: Map<string, string>;
}

/** How pieces and coins look while they fly. */
export interface Looks {
  backs(back: string): TemplateResult;
  coins(coin: string): TemplateResult;
  face(piece: string): TemplateResult;
  backOf(piece: string): string;
  /** The seat of a place: the target of a flight if the place is not drawn. */
  seatOf(place: string): number | undefined;
  /** 1 for the usual pace; more is faster. */
  speed: number;
}

/** Records the current positions of everything. */
export function capture(root: ShadowRoot): Scene {
  const scene: Scene = { pieces: new Map(), places: new Map(), at: new Map() };
  // What a folded seat has flies to and from its line.
  const seen = (selector: string) => [...root.querySelectorAll(selector)].filter((it) => it.checkVisibility());
  for (const it of seen(".felt [data-piece]")) {
    const piece = it.getAttribute("data-piece")!;
    scene.pieces.set(piece, it.getBoundingClientRect());
    scene.at.set(piece, it.parentElement?.closest("[data-place]")?.getAttribute("data-place") ?? "");
  }
  for (const it of seen(".felt [data-place]")) {
    scene.places.set(it.getAttribute("data-place")!, middleOf(it));
  }
  for (const it of root.querySelectorAll(".felt section[data-seat]")) {
    scene.places.set(`seat ${it.getAttribute("data-seat")}`, it.getBoundingClientRect());
  }
  return scene;
}

// Pieces fly to the pile or the row, not to the label above it.
function middleOf(place: Element): DOMRect {
  const inner = place.querySelector(".card, .slot, .pieces, .purse, .slots");
  return (inner ?? place).getBoundingClientRect();
}

const duration = 360;
const most = 24;

/** Animates the events between the earlier and the current drawing. */
export async function fly(root: ShadowRoot, before: Scene, events: TableEvent[], looks: Looks): Promise<void> {
  const after = capture(root);
  const running: Promise<unknown>[] = [];
  const flown = new Set<string>();
  const layer = document.createElement("div");
  layer.className = "flying";
  layer.setAttribute("aria-hidden", "true");
  const time = duration / looks.speed;
  let count = 0;
  const rectOf = (scene: Scene, place: string) => scene.places.get(place) ?? scene.places.get(`seat ${looks.seatOf(place)}`);
  const started = () => (Math.min(count++, most) * 35) / looks.speed;

  for (const { kind } of events) {
    if (count > most) break;
    if (kind.case === "moved") {
      const { piece, back, from, to } = kind.value;
      const start = (piece && before.pieces.get(piece)) || rectOf(before, from) || rectOf(after, from);
      const end = (piece && after.pieces.get(piece)) || rectOf(after, to) || rectOf(before, to);
      if (!start || !end || flown.has(piece || " ")) continue;
      if (piece) flown.add(piece);
      const wasSeen = piece !== "" && before.pieces.has(piece);
      const delay = started();
      const element = piece ? root.querySelector<HTMLElement>(`.felt [data-piece="${CSS.escape(piece)}"]`) : null;
      if (element && element.classList.contains("card") && after.pieces.has(piece)) {
        running.push(flip(element, start, end, { time, delay, turns: !wasSeen }));
      } else {
        const look = piece && wasSeen ? looks.face(piece) : looks.backs(back || looks.backOf(piece));
        if (back || piece) running.push(ghost(layer, look, "card", start, end, { time, delay, fade: !end }));
      }
    } else if (kind.case === "paid") {
      const { coin, from, to, amount } = kind.value;
      const start = rectOf(before, from) || rectOf(after, from);
      const end = rectOf(after, to) || rectOf(before, to);
      if (!start || !end || amount === 0) continue;
      const delay = started();
      const many = Math.min(amount ?? 1, 4);
      for (let n = 0; n < many; n++) {
        running.push(ghost(layer, looks.coins(coin), "coin", start, end, { time, delay: delay + (n * 60) / looks.speed }));
      }
      pulse(root, to, delay + time);
    } else if (kind.case === "rolled") {
      const at = after.places.get(`seat ${kind.value.seat}`);
      if (at) running.push(showDie(layer, kind.value.value, at, { time: time * 2.4, delay: started() * 3 }));
    } else if (kind.case === "gathered") {
      const { from, to } = kind.value;
      const end = rectOf(after, to);
      // Pieces that are still seen slide there by themselves.
      const gone = [...before.pieces].filter(([piece]) => before.at.get(piece) === from && !after.pieces.has(piece));
      for (const [piece, start] of end ? gone.slice(0, 5) : []) {
        running.push(ghost(layer, looks.face(piece), "card", start, end!, { time, delay: started() }));
      }
    }
  }
  if (layer.childElementCount > 0) root.querySelector(".felt")?.append(layer);
  // Cards that only made room slide to their new position.
  for (const it of root.querySelectorAll<HTMLElement>(".felt .card[data-piece], .felt .tile")) {
    const piece = it.getAttribute("data-piece")!;
    const start = before.pieces.get(piece);
    const end = after.pieces.get(piece);
    if (flown.has(piece) || !start || !end || (Math.abs(start.x - end.x) < 1 && Math.abs(start.y - end.y) < 1)) continue;
    it.animate([{ translate: `${start.x - end.x}px ${start.y - end.y}px` }, { translate: "0px 0px" }], {
      duration: time * 0.7,
      easing: "ease-out",
    });
  }
  await Promise.all(running);
  layer.remove();
}

interface Timing {
  time: number;
  delay: number;
  turns?: boolean;
  fade?: boolean;
}

async function flip(element: HTMLElement, start: DOMRect, end: DOMRect, { time, delay, turns }: Timing): Promise<void> {
  const x = start.x + start.width / 2 - (end.x + end.width / 2);
  const y = start.y + start.height / 2 - (end.y + end.height / 2);
  const scale = Math.max(0.3, Math.min(3, start.height / Math.max(1, end.height)));
  const from = `translate(${x}px, ${y}px) scale(${scale}) rotateY(${turns ? 180 : 0}deg)`;
  element.classList.add("moving");
  const animation = element.animate(
    [
      { transform: from, zIndex: 50 },
      { transform: `translate(${x * 0.45}px, ${y * 0.45 - 14}px) scale(${(scale + 1) / 2}) rotateY(${turns ? 70 : 0}deg)`, zIndex: 50, offset: 0.5 },
      { transform: "none", zIndex: 50 },
    ],
    { duration: time, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" },
  );
  await finished(animation);
  element.classList.remove("moving");
}

async function ghost(
  layer: HTMLElement,
  look: TemplateResult,
  kind: "card" | "coin",
  start: DOMRect,
  end: DOMRect,
  { time, delay }: Timing,
): Promise<void> {
  const element = document.createElement("div");
  element.className = `ghost ${kind}`;
  render(look, element);
  layer.append(element);
  const size = (rect: DOMRect) => (kind === "coin" ? 22 : Math.max(24, Math.min(rect.width, 78)));
  const width = size(start);
  element.style.width = `${width}px`;
  const place = (rect: DOMRect) => {
    const height = kind === "coin" ? width : width * 1.4;
    return `translate(${rect.x + rect.width / 2 - width / 2}px, ${rect.y + rect.height / 2 - height / 2}px)`;
  };
  const scale = size(end) / width;
  const animation = element.animate(
    [
      { transform: `${place(start)} scale(1)`, opacity: 1 },
      { transform: `${place(end)} scale(${scale})`, opacity: 1, offset: 0.92 },
      { transform: `${place(end)} scale(${scale})`, opacity: 0 },
    ],
    { duration: time, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "both" },
  );
  await finished(animation);
  element.remove();
}

// A die rolls onto the mat of the seat that rolled it, and stays for a moment.
async function showDie(layer: HTMLElement, value: number, at: DOMRect, { time, delay }: Timing): Promise<void> {
  const element = document.createElement("div");
  element.className = "ghost die";
  render(die(value), element);
  layer.append(element);
  const place = (x: number) => `translate(${at.x + at.width / 2 - 24 + x}px, ${at.y + Math.min(at.height / 2, 80) - 24}px)`;
  const animation = element.animate(
    [
      { transform: `${place(-90)} rotate(-320deg)`, opacity: 0 },
      { transform: `${place(0)} rotate(0deg)`, opacity: 1, offset: 0.4 },
      { transform: `${place(0)} rotate(0deg)`, opacity: 1, offset: 0.85 },
      { transform: `${place(0)} rotate(0deg)`, opacity: 0 },
    ],
    { duration: time, delay, easing: "ease-out", fill: "both" },
  );
  await finished(animation);
  element.remove();
}

const eyes: Record<number, [number, number][]> = {
  1: [[24, 24]],
  2: [[14, 14], [34, 34]],
  3: [[14, 14], [24, 24], [34, 34]],
  4: [[14, 14], [34, 14], [14, 34], [34, 34]],
  5: [[14, 14], [34, 14], [24, 24], [14, 34], [34, 34]],
  6: [[14, 13], [34, 13], [14, 24], [34, 24], [14, 35], [34, 35]],
};

function die(value: number): TemplateResult {
  return html`<svg viewBox="0 0 48 48" aria-hidden="true">
    <rect x="2" y="2" width="44" height="44" rx="9" fill="#fffdf7" stroke="#0005"></rect>
    ${(eyes[value] ?? []).map(([x, y]) => svg`<circle cx=${x} cy=${y} r="4.5" fill="#2a2622"></circle>`)}
  </svg>`;
}

function pulse(root: ShadowRoot, place: string, delay: number) {
  const purse = root.querySelector(`.felt [data-place="${CSS.escape(place)}"] .purse`);
  purse?.animate([{ scale: "1" }, { scale: "1.18" }, { scale: "1" }], { duration: 260, delay, easing: "ease-out" });
}

async function finished(animation: Animation): Promise<void> {
  try {
    await animation.finished;
  } catch {
    // Cancelled, because the element left the page.
  }
}
