// Short sounds for what happens at a table, made by the browser itself: no files.

import { Kept } from "../storage.js";

/** What can be heard. */
export type Sound = "turn" | "card" | "coin" | "end";

/** A tone: when it begins, in seconds, its pitch, how long it is heard, and how loud. */
type Tone = [start: number, hertz: number, seconds: number, gain: number, shape: OscillatorType];

const tones: Record<Sound, Tone[]> = {
  turn: [[0, 587, 0.16, 0.1, "sine"], [0.12, 880, 0.28, 0.1, "sine"]],
  card: [[0, 190, 0.05, 0.09, "triangle"], [0.02, 120, 0.06, 0.06, "triangle"]],
  coin: [[0, 1976, 0.06, 0.03, "square"], [0.05, 2637, 0.14, 0.03, "square"]],
  end: [[0, 523, 0.2, 0.09, "sine"], [0.15, 659, 0.2, 0.09, "sine"], [0.3, 784, 0.5, 0.1, "sine"]],
};

const STORED = "croupier.sounds";
const kept = new Kept(() => localStorage);
let context: AudioContext | undefined;

/** Whether sounds are on: as the reader chose, or else where there is a mouse. */
export function areSoundsOn(): boolean {
  const stored = kept.read(STORED);
  return stored === null ? matchMedia("(hover: hover) and (pointer: fine)").matches : stored === "on";
}

export function setSoundsOn(on: boolean) {
  kept.write(STORED, on ? "on" : "off");
}

/** Plays a sound, if sounds are on. Browsers allow none before the reader has used the page. */
export function play(sound: Sound) {
  if (!areSoundsOn() || !navigator.userActivation?.hasBeenActive || !("AudioContext" in globalThis)) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const now = context.currentTime + 0.01;
  for (const [start, hertz, seconds, loud, shape] of tones[sound]) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = shape;
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(0, now + start);
    gain.gain.linearRampToValueAtTime(loud, now + start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + start + seconds);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(now + start);
    oscillator.stop(now + start + seconds + 0.02);
  }
}
