// Cards, backs and tokens, drawn as SVG from the layout.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Piece, Value } from "@croupier/client/v1";
import { kindOf, type Names } from "./names.js";

/** How much of a card can be read: `small` its corner and symbols, `large` its text too. */
export type CardSize = "small" | "medium" | "large";

/** The drawn parts of a card, from its facets. */
export interface Face {
  title: string;
  text: string;
  /** The text in the corner: the number that distinguishes cards, or the title of a rank. */
  corner: string;
  /** Values with symbols, as often as the card has them. */
  pips: Value[];
  /** Numbers of a value, such as spots for Energy. */
  amounts: { value: Value; number: number }[];
  /** The colours of the frame. */
  colors: string[];
  /** Other facets, for the large card. */
  captions: { title: string; text: string }[];
}

/** The face of a piece. */
export function faceOf(piece: Piece, names: Names): Face {
  const pips: Value[] = [];
  const amounts: Face["amounts"] = [];
  const plain: string[] = [];
  const symbolic: string[] = [];
  const captions: Face["captions"] = [];
  const main = names.mainNumber.get(piece.back);
  const hasSeveral = piece.facets.some((it) => it.values.length > 1);
  let corner = "";
  for (const facet of piece.facets) {
    const ofValue = names.values.get(facet.name);
    const title = names.facets.get(facet.name)?.title ?? facet.name;
    if (facet.number !== undefined) {
      if (ofValue) amounts.push({ value: ofValue, number: facet.number });
      else if (facet.name === main) corner = String(facet.number);
      captions.push({ title, text: String(facet.number) });
      continue;
    }
    const values = facet.values.map((it) => names.values.get(it));
    for (const value of values) {
      if (!value) continue;
      // A colour counts as a symbol if cards have several of it; otherwise it is the card's own
      // colour.
      const isCounted = names.countable.has(value.name) && !!value.color && (facet.values.length > 1 || !hasSeveral);
      if (value.symbol || isCounted) pips.push(value);
      if (value.color) (value.symbol || isCounted ? symbolic : plain).push(value.color);
    }
    if (facet.name === main) corner = values.map((it) => it?.title ?? "").join(" ") || facet.value;
    captions.push({ title, text: values.map((it, n) => it?.title ?? facet.values[n]).join(", ") });
  }
  const colors = [...new Set(plain.length > 0 ? plain : symbolic)];
  return { title: piece.title, text: piece.text, corner, pips, amounts, colors, captions };
}

const cardInk = "#2a2622";
const plainFrame = "#6d6455";

/** The face of a card, 100 wide and 140 high. */
export function cardFace(face: Face, size: CardSize): TemplateResult {
  return html`<svg viewBox="0 0 100 140" aria-hidden="true" focusable="false">
    ${frame(face)} ${size === "small" ? smallFace(face) : fullFace(face, size)}
  </svg>`;
}

function frame(face: Face): SVGTemplateResult {
  const color = face.colors[0] ?? plainFrame;
  return svg`<rect width="100" height="140" fill="var(--croupier-card)"></rect>
    <rect width="100" height="140" fill=${color} opacity="0.09"></rect>`;
}

function stripes(colors: string[], y: number, height: number): SVGTemplateResult[] {
  const shown = colors.length > 0 ? colors : [plainFrame];
  const width = 100 / shown.length;
  return shown.map(
    (color, n) => svg`<rect x=${n * width - 0.2} y=${y} width=${width + 0.4} height=${height} fill=${deepened(color)}></rect>`,
  );
}

function fullFace(face: Face, size: CardSize): SVGTemplateResult {
  const lines = wrap(face.title, 16, 2);
  const isBare = face.pips.length === 0 && face.amounts.length === 0 && !face.corner && face.colors.length === 0;
  if (isBare) return bareFace(face, size);
  const band = lines.length > 1 ? 36 : 25;
  const top = 140 - band;
  const text = size === "large" && face.text ? wrap(face.text, 19, 6) : [];
  return svg`
    ${corner(face, text.length === 0)}
    ${text.length > 0 ? textArt(face, text, top) : art(face, top)}
    ${stripes(face.colors, top, band)}
    ${lines.map(
      (line, n) => svg`<text class="title" x="50" y=${top + 16.5 + n * 11.5} text-anchor="middle" font-size="10.5"
        fill=${inkOnAll(face.colors)} textLength=${line.length > 14 ? 90 : nothing} lengthAdjust="spacingAndGlyphs">${line}</text>`,
    )}`;
}

/** A card with words only. */
function bareFace(face: Face, size: CardSize): SVGTemplateResult {
  const title = wrap(face.title, 13, 3);
  const text = size === "large" ? wrap(face.text, 19, 6) : [];
  const height = title.length * 15;
  const start = text.length > 0 ? 26 : 70 - height / 2 + 12;
  return svg`
    <rect x="5" y="5" width="90" height="130" rx="4" fill="none" stroke=${plainFrame} stroke-width="1" opacity="0.6"></rect>
    ${title.map(
      (line, n) => svg`<text class="title" x="50" y=${start + n * 15} text-anchor="middle" font-size="13.5"
        textLength=${line.length > 11 ? 86 : nothing} lengthAdjust="spacingAndGlyphs" fill=${cardInk}>${line}</text>`,
    )}
    ${text.length > 0
      ? svg`<path d="M34 ${start + height - 5}h32" stroke=${plainFrame} stroke-width="1"></path>`
      : svg`<path d="M38 ${start + height - 3}h24M38 ${start - 21}h24" stroke=${plainFrame} stroke-width="1"></path>`}
    ${words(text, start + height + 9)}`;
}

function words(lines: string[], y: number): SVGTemplateResult[] {
  return lines.map(
    (line, n) => svg`<text x="50" y=${y + n * 11} text-anchor="middle" font-size="8.9" fill=${cardInk} textLength=${line.length > 18 ? 90 : nothing} lengthAdjust="spacingAndGlyphs">${line}</text>`,
  );
}

/** The number of a card, and below it its symbols, unless they stand elsewhere. */
function corner(face: Face, hasPips: boolean): SVGTemplateResult {
  const size = face.corner.length > 4 ? 13 : face.corner.length > 2 ? 17 : 26;
  const color = deepened(face.colors[0] ?? plainFrame);
  const y = 6 + size * 0.82;
  const from = face.corner ? y + 14 : 16;
  const step = Math.min(20, (100 - from) / Math.max(1, face.pips.length - 1));
  return svg`
    <text class="number" x="8" y=${y} font-size=${size} fill=${color}>${face.corner}</text>
    ${hasPips && face.pips.length <= 3 ? face.pips.map((value, n) => pip(value, 16, from + n * step, 8)) : nothing}`;
}

function art(face: Face, bottom: number): SVGTemplateResult {
  if (face.amounts.length > 0) {
    const step = 100 / (face.amounts.length + 1);
    return svg`${face.amounts.map(
      ({ value, number }, n) => svg`${pip(value, 38, 8 + (n + 1) * step * 0.9, 11)}
        <text class="number" x="56" y=${15.5 + (n + 1) * step * 0.9} font-size="22" fill=${cardInk}>${number}</text>`,
    )}`;
  }
  const count = face.pips.length;
  if (count === 0) {
    return svg`<text class="number" x="50" y=${bottom / 2 + 20} text-anchor="middle" font-size=${face.corner.length > 3 ? 26 : 52}
      fill=${deepened(face.colors[0] ?? plainFrame)} opacity="0.28">${face.corner}</text>`;
  }
  if (count > 3) {
    const columns = count > 4 ? 2 : 2;
    return svg`${face.pips.map((value, n) => {
      const row = Math.floor(n / columns);
      const rows = Math.ceil(count / columns);
      return pip(value, 52 + (n % columns) * 28, 22 + ((bottom - 30) / rows) * (row + 0.35), 12);
    })}`;
  }
  const middle = bottom / 2 + 4;
  const spots =
    count === 1 ? [[60, middle, 58]] : count === 2 ? [[50, middle - 16, 42], [72, middle + 22, 42]] : [[62, middle - 26, 33], [48, middle + 8, 33], [76, middle + 30, 33]];
  return svg`${face.pips.map((value, n) => symbol(value, spots[n]![0]!, spots[n]![1]!, spots[n]![2]!, 0.85))}`;
}

function textArt(face: Face, lines: string[], bottom: number): SVGTemplateResult {
  const left = face.corner.length > 2 ? 62 : face.corner ? 42 : 17;
  const inRow = Math.max(1, Math.floor((100 - left) / 19) + (left < 20 ? 1 : 0));
  const rows = Math.ceil(face.pips.length / inRow);
  const top = Math.max(32, 10 + rows * 19);
  return svg`
    ${face.pips.map((it, n) => pip(it, left + (n % inRow) * 19, 17 + Math.floor(n / inRow) * 19, 8.5))}
    ${words(lines, top + Math.max(11, (bottom - top - lines.length * 11) / 2 + 9))}`;
}

function smallFace(face: Face): SVGTemplateResult {
  const isBare = face.pips.length === 0 && face.amounts.length === 0 && !face.corner;
  if (isBare) {
    const lines = wrap(face.title, 9, 4);
    return svg`${lines.map(
      (line, n) => svg`<text class="title" x="50" y=${78 - (lines.length - 1) * 11 + n * 22} text-anchor="middle" font-size="19"
        textLength=${line.length > 8 ? 92 : nothing} lengthAdjust="spacingAndGlyphs" fill=${cardInk}>${line}</text>`,
    )}`;
  }
  const count = face.pips.length;
  const size = face.corner.length > 3 ? 30 : 46;
  const columns = count > 2 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const from = face.corner ? 70 : 40;
  const step = Math.min(44, (face.corner ? 70 : 96) / Math.max(2, rows));
  const radius = Math.min(face.corner ? 17 : 22, step / 2);
  return svg`
    ${stripes(face.colors, 130, 10)}
    <text class="number" x="50" y="44" text-anchor="middle" font-size=${size} fill=${deepened(face.colors[0] ?? plainFrame)}>${face.corner}</text>
    ${face.pips.map((value, n) => {
      const row = Math.floor(n / columns);
      const x = columns === 1 ? 50 : 28 + (n % 2) * 44;
      return pip(value, x, from + row * step, radius);
    })}
    ${face.amounts.slice(0, 3).map(
      ({ value, number }, n) => svg`${pip(value, 32, 30 + n * 38, 17)}
        <text class="number" x="66" y=${42 + n * 38} text-anchor="middle" font-size="36" fill=${cardInk}>${number}</text>`,
    )}
    ${!face.corner && count <= 1 && face.amounts.length === 0 ? small(face.title, count === 0 ? 76 : 92) : nothing}`;
}

function small(title: string, from: number): SVGTemplateResult[] {
  const lines = wrap(title, 9, 2);
  return lines.map(
    (line, n) => svg`<text x="50" y=${from + n * 19} text-anchor="middle" font-size="18" fill=${cardInk}
      textLength=${line.length > 8 ? 92 : nothing} lengthAdjust="spacingAndGlyphs">${line}</text>`,
  );
}

/** A disc with a symbol. */
export function pip(value: Value, x: number, y: number, radius: number): SVGTemplateResult {
  const color = value.color || plainFrame;
  return svg`<circle cx=${x} cy=${y} r=${radius} fill=${color}></circle>
    <text class="symbol" x=${x} y=${y} dy="0.36em" text-anchor="middle" font-size=${radius * 1.35}
      fill=${inkOn(color)}>${symbolOf(value)}</text>`;
}

function symbol(value: Value, x: number, y: number, size: number, opacity: number): SVGTemplateResult {
  if (!value.symbol) return svg`<g opacity=${opacity}>${pip(value, x, y, size / 2.4)}</g>`;
  return svg`<text class="symbol" x=${x} y=${y} dy="0.36em" text-anchor="middle" font-size=${size}
    fill=${value.color || plainFrame} opacity=${opacity}>${symbolOf(value)}</text>`;
}

/** The symbol of a value, or the first letter of its title if no font has the symbol. */
export function symbolOf(value: { symbol: string; title: string }): string {
  // Characters such as ⚡ have a coloured form, too; here they take the colour of the value.
  return value.symbol && hasGlyph(value.symbol) ? `${value.symbol}\uFE0E` : value.title.slice(0, 1).toUpperCase();
}

const glyphs = new Map<string, boolean>();

/** Whether a font of this system has a character, instead of drawing the box for missing ones. */
function hasGlyph(character: string): boolean {
  let found = glyphs.get(character);
  if (found === undefined) {
    const picture = pictureOf(character);
    found = picture === undefined || (picture !== pictureOf("\u{10FFFD}") && picture !== pictureOf("\u{E000}") && picture !== pictureOf("\u{2FE0}"));
    glyphs.set(character, found);
  }
  return found;
}

function pictureOf(character: string): string | undefined {
  const canvas = globalThis.document?.createElement("canvas");
  const context = canvas?.getContext("2d", { willReadFrequently: true });
  if (!canvas || !context) return undefined;
  canvas.width = canvas.height = 24;
  context.font = "16px sans-serif";
  context.textBaseline = "top";
  context.fillText(character, 2, 2);
  return context.getImageData(0, 0, 24, 24).data.join();
}

// === Backs ===

const backColors = ["#34506b", "#6b3f4a", "#3f6150", "#6a5636", "#4f4670", "#2f5f66", "#704a33"];

/** The back of a card, 100 wide and 140 high: a pattern for each kind, in its value's colour. */
export function cardBack(back: string, names: Names): TemplateResult {
  const kinds = [...new Set(names.layout.backs.map((it) => kindOf(it.name)))];
  const number = Math.max(0, kinds.indexOf(kindOf(back)));
  const value = names.valueIn(back);
  const color = value?.color || backColors[number % backColors.length]!;
  const title = names.backs.get(back)?.title ?? "";
  const mark = value?.symbol ? symbolOf(value) : title.slice(0, 1).toUpperCase();
  return html`<svg viewBox="0 0 100 140" aria-hidden="true" focusable="false">
    <rect width="100" height="140" fill="var(--croupier-card)"></rect>
    <rect x="5" y="5" width="90" height="130" rx="5" fill=${color}></rect>
    <path d=${patterns[number % patterns.length]!} stroke="#fff" stroke-opacity="0.28" stroke-width="1.6" fill="none"></path>
    <rect x="9" y="9" width="82" height="122" rx="3" fill="none" stroke="#fff" stroke-opacity="0.55" stroke-width="1"></rect>
    <circle cx="50" cy="70" r="21" fill=${color} stroke="#fff" stroke-opacity="0.7" stroke-width="1.5"></circle>
    <text class="symbol number" x="50" y="70" dy="0.36em" text-anchor="middle" font-size="24" fill="#fff">${mark}</text>
  </svg>`;
}

const patterns = [
  // Diamonds
  lines((n) => `M${n * 14 - 90} 9l122 122M${n * 14 + 90 - 32} 9l-122 122`, 14),
  // Waves
  lines((n) => `M9 ${16 + n * 11}q10.250 -9 20.500 0t20.500 0t20.500 0t20.500 0`, 11),
  // Bricks
  lines((n) => `M9 ${9 + n * 12.2}h82M${n % 2 ? 22 : 36} ${9 + n * 12.2}v12.200m28 -12.200v12.200`, 10),
  // Chevrons
  lines((n) => `M9 ${14 + n * 13}l20.500 -10l20.500 10l20.500 -10l20.500 10`, 10),
  // Rays
  lines((n) => `M50 70L${50 + 90 * Math.cos((n * Math.PI) / 12)} ${70 + 90 * Math.sin((n * Math.PI) / 12)}`, 24),
];

function lines(line: (n: number) => string, count: number): string {
  return Array.from({ length: count }, (_, n) => line(n)).join("");
}

// === Tokens ===

const coinColors = ["#b8892d", "#5f7a8c", "#8a5a44", "#5d7f57", "#75618f", "#a05a5a"];

/** A token of a kind of coin, 24 wide and high. */
export function token(coin: string, names: Names): TemplateResult {
  const value = names.valueIn(coin);
  const color = value?.color || coinColors[names.coinNumber(coin) % coinColors.length]!;
  const glyph = value?.symbol ? symbolOf(value) : (names.coins.get(coin)?.title ?? coin).slice(0, 1).toUpperCase();
  const ink = inkOn(color);
  const shape = tokenShapes[names.coinShape(coin) % tokenShapes.length]!;
  return html`<svg class="token" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d=${shape} fill=${color} stroke="#0005" stroke-width="1"></path>
    <path d=${shape} transform="translate(12 12) scale(0.780) translate(-12 -12)" fill="none" stroke=${ink} stroke-opacity="0.5" stroke-width="1"></path>
    <text class="symbol number" x="12" y="12" dy="0.36em" text-anchor="middle" font-size="12" fill=${ink}>${glyph}</text>
  </svg>`;
}

const tokenShapes = [
  "M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0 -22z",
  "M12 1L21.500 6.500V17.500L12 23L2.500 17.500V6.500z",
  "M5 2.500H19A2.500 2.500 0 0 1 21.500 5V19A2.500 2.500 0 0 1 19 21.500H5A2.500 2.500 0 0 1 2.500 19V5A2.500 2.500 0 0 1 5 2.500z",
  "M3 4H21V9A3 3 0 0 0 21 15V20H3V15A3 3 0 0 0 3 9z",
  "M12 1L23 12L12 23L1 12z",
];

// === Colours and words ===

/** White if its contrast on a colour `#rrggbb` is at least 4.5; otherwise black. */
export function inkOn(color: string): string {
  return luminance(color) > 0.183 ? "#120f0b" : "#ffffff";
}

function inkOnAll(colors: string[]): string {
  const shown = colors.length > 0 ? colors : [plainFrame];
  const lightest = Math.max(...shown.map((it) => luminance(deepened(it))));
  return lightest > 0.183 ? "#120f0b" : "#ffffff";
}

/** A colour dark enough for white letters on it, and to be read on paper. */
function deepened(color: string): string {
  let [red, green, blue] = channels(color);
  while (relative(red, green, blue) > 0.175) [red, green, blue] = [red * 0.93, green * 0.93, blue * 0.93];
  return `rgb(${Math.round(red)} ${Math.round(green)} ${Math.round(blue)})`;
}

function channels(color: string): [number, number, number] {
  const rgb = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(color);
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1] ?? "6d6455";
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
}

function luminance(color: string): number {
  return relative(...channels(color));
}

function relative(red: number, green: number, blue: number): number {
  const linear = (it: number) => (it / 255 <= 0.03928 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Breaks a text into lines of at most about `width` characters; the last one ends with `…` if cut. */
export function wrap(text: string, width: number, most: number): string[] {
  const found: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = found.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  if (found.length <= most) return found;
  const kept = found.slice(0, most);
  kept[most - 1] = `${kept[most - 1]!.slice(0, Math.max(1, width - 1))} …`;
  return kept;
}
