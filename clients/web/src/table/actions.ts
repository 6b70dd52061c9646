// The targets that legal actions name, so that actions can be chosen by clicking. It reads only what
// the service says that an action names, and knows no game.

import { getOption, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { ActionSchema, holds, type Action, type LegalAction, type Obstacle, type Place } from "@croupier/client/v1";
import type { Names } from "./names.js";

/** A click target of an action: a piece, a place or a seat, such as `piece:desert`. */
export type Target = `${"piece" | "place" | "seat"}:${string}`;

/** A legal action and its targets. */
export interface Choice {
  legal: LegalAction;
  /** The targets that must be clicked to choose it, each once, in the order of its fields. */
  targets: Target[];
  /** Places of a value that it names, such as those of a suit, which may be clicked instead. */
  hints: Target[];
}

/** The actions with their targets. */
export function choicesOf(actions: readonly LegalAction[], names: Names): Choice[] {
  return actions.map((legal) => {
    const places = legal.places.map((name) => names.places.get(name)).filter((it) => it !== undefined);
    // A place stands for the piece, the seat and the value that it belongs to.
    const pieces = legal.pieces.filter((piece) => !places.some((it) => it.piece === piece));
    const seats = legal.seats.filter((seat) => !places.some((it) => it.seat === seat));
    const values = legal.values.filter((value) => !places.some((it) => it.value === value));
    const isCommon = (it: Place) => !it.piece && it.seat === undefined && values.includes(it.value);
    return {
      legal,
      targets: [
        ...pieces.map((it): Target => `piece:${it}`),
        ...places.map((it): Target => `place:${it.name}`),
        ...seats.map((it): Target => `seat:${it}`),
      ],
      hints: names.layout.places.filter(isCommon).map((it): Target => `place:${it.name}`),
    };
  });
}

/** What distinguishes an action in a list: copies of a card have the same label. */
export function keyOf({ label, pieces }: LegalAction): string {
  return `${label} ${pieces.join(" ")}`;
}

/** One of the choices for each label: copies of a card are clicked, and have one button. */
export function once(choices: readonly Choice[]): Choice[] {
  const seen = new Set<string>();
  return choices.filter(({ legal: { verb, label } }) => {
    const key = `${verb} ${label}`;
    const isNew = label === "" || !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** Reasons why actions are not legal, each once, with the titles of the kinds that it is about. */
export function reasonsOf(obstacles: readonly Obstacle[], names: Names): string[] {
  const verbs = new Map<string, string[]>();
  for (const { verb, text, message } of obstacles) {
    const reason = (text || message).replace(/[^.!?…]$/, "$&.");
    const title = names.verbs.get(verb)?.title ?? verb;
    verbs.set(reason, [...(verbs.get(reason) ?? []), ...(title ? [title] : [])]);
  }
  return [...verbs].map(([reason, titles]) => (titles.length > 0 ? `${titles.join(" · ")}: ${reason}` : reason));
}

/** What is certain about an action, in short: what comes first concerns the seat most. */
export function effectOf({ effects }: LegalAction): string {
  return effects.slice(0, 2).map((it) => it.text).filter(Boolean).join("; ");
}

/** The fields that lead to the message of an action's kind, and that message. */
export function kindPath(
  action: Action,
): { game: DescField; kind: DescField; message: ReflectMessage } | undefined {
  const top = reflect(ActionSchema, action as Message as never);
  const game = setField(top);
  if (!game || game.fieldKind !== "message") return undefined;
  const inner = top.get(game) as ReflectMessage;
  const kind = setField(inner);
  if (!kind || kind.fieldKind !== "message") return undefined;
  return { game, kind, message: inner.get(kind) as ReflectMessage };
}

function setField(message: ReflectMessage): DescField | undefined {
  return message.fields.find((field) => field.oneof && message.isSet(field));
}

/** The value of the layout for a number of an enum: `moons` for `SUIT_MOONS`. */
export function valueOfEnum(field: DescField, number: number): string | undefined {
  if (field.fieldKind !== "enum" && !(field.fieldKind === "list" && field.listKind === "enum")) return undefined;
  const value = field.enum.value[number];
  return value && number !== 0 ? shortName(value.name, field.enum.sharedPrefix) : undefined;
}

function shortName(name: string, prefix: string | undefined): string {
  const lower = name.toLowerCase();
  return (prefix && lower.startsWith(prefix) ? lower.slice(prefix.length) : lower).replaceAll("_", "-");
}

/** A field that holds the number of a seat, or several. */
export function isSeatField(field: DescField): boolean {
  return getOption(field, holds) === "seat";
}

// === Choosing by clicks ===

/** The remaining actions after some targets were clicked. */
export interface Narrowed {
  /** The actions that name all clicked targets. */
  choices: Choice[];
  /** The actions that name nothing else and can be chosen now. */
  exact: Choice[];
  /** The targets that can be clicked next. */
  next: Set<Target>;
}

/** Whether an action names a target, or a place of a value that it names. */
export function names(choice: Choice, target: Target): boolean {
  return choice.targets.includes(target) || choice.hints.includes(target);
}

/** Narrows the actions down to those that name all clicked targets. */
export function narrow(choices: readonly Choice[], clicked: readonly Target[]): Narrowed {
  const left = choices.filter((choice) => clicked.every((target) => names(choice, target)));
  const exact = left.filter((choice) => choice.targets.every((target) => clicked.includes(target)));
  const next = new Set<Target>();
  for (const choice of left) {
    const open = choice.targets.filter((it) => !clicked.includes(it));
    // Hints are offered only if the action has no other target left.
    for (const it of open.length > 0 ? open : choice.hints) if (!clicked.includes(it)) next.add(it);
  }
  return { choices: left, exact, next };
}

/** The kinds of action with more legal actions than are listed. */
export function openVerbs(choices: readonly Choice[]): string[] {
  return [...new Set(choices.filter((it) => it.legal.openEnded).map((it) => it.legal.verb))];
}
