// The targets that legal actions name, so that actions can be chosen by clicking. It reads only the
// action's message and the names of the layout, and knows no game.

import { getOption, ScalarType, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { ActionSchema, holds, type Action, type LegalAction } from "@croupier/client/v1";
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
    const found: Found = { targets: [], hints: [] };
    const kind = legal.action && kindOfAction(legal.action);
    if (kind) collect(kind, names, found);
    return { legal, targets: [...new Set(found.targets)], hints: [...new Set(found.hints)] };
  });
}

/** The message of an action's kind, such as `Take`, below the oneofs of the game and the kind. */
export function kindOfAction(action: Action): ReflectMessage | undefined {
  const path = kindPath(action);
  return path?.message;
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

interface Found {
  targets: Target[];
  hints: Target[];
}

function collect(message: ReflectMessage, names: Names, found: Found) {
  // A message that holds a piece and a value, such as a plot and a resource, may name a place.
  const pieces: string[] = [];
  const values: string[] = [];
  const ownTargets: Target[] = [];
  for (const field of message.fields) {
    if (field.oneof && !message.isSet(field)) continue;
    for (const { value, nested } of each(message, field)) {
      if (nested) {
        collect(nested, names, found);
      } else if (typeof value === "string") {
        if (names.pieces.has(value)) {
          pieces.push(value);
          ownTargets.push(`piece:${value}`);
        } else if (names.places.has(value)) {
          ownTargets.push(`place:${value}`);
        } else if (names.values.has(value)) {
          values.push(value);
        }
      } else if (typeof value === "number" && field.fieldKind !== "enum") {
        const place = `${field.name.replaceAll("_", "-")}/${value}`;
        const isSet = field.presence !== 2 /* implicit */ || value !== 0 || isListed(field);
        if (isPlaceField(field, names) && names.places.has(place) && (isSet || field.oneof)) {
          ownTargets.push(`place:${place}`);
        } else if (isSeatField(field)) {
          ownTargets.push(`seat:${value}`);
        }
      } else if (typeof value === "number" && field.fieldKind === "enum") {
        const name = valueOfEnum(field, value);
        if (name && names.values.has(name)) values.push(name);
      }
    }
  }
  const place = pieces.length === 1 && values.length === 1 && placeOn(pieces[0]!, values[0]!, names);
  if (place) {
    found.targets.push(`place:${place}`);
    return;
  }
  found.targets.push(...ownTargets);
  for (const value of values) {
    for (const it of names.layout.places) {
      if (it.value === value && !it.piece && it.seat === undefined) found.hints.push(`place:${it.name}`);
    }
  }
}

function isListed(field: DescField): boolean {
  return field.fieldKind === "list";
}

/** Each value of a field: the items of a list, the nested values of messages. */
function* each(
  message: ReflectMessage,
  field: DescField,
): Generator<{ value?: unknown; nested?: ReflectMessage }> {
  if (field.fieldKind === "list") {
    for (const item of message.get(field)) {
      yield field.listKind === "message" ? { nested: item as ReflectMessage } : { value: item };
    }
  } else if (field.fieldKind === "message") {
    if (message.isSet(field)) yield { nested: message.get(field) as ReflectMessage };
  } else if (field.fieldKind === "scalar" || field.fieldKind === "enum") {
    yield { value: message.get(field) };
  }
}

/** The place of a value on a piece: the Energy spots of a plot. */
export function placeOn(piece: string, value: string, names: Names): string | undefined {
  return names.placesOfPiece.get(piece)?.find((it) => it.value === value)?.name;
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

/** A field that names a place of a seat by the seat's number: `warehouse: 1` for `warehouse/1`. */
function isPlaceField(field: DescField, names: Names): boolean {
  return isNumber(field) && names.places.get(`${field.name.replaceAll("_", "-")}/0`)?.seat === 0;
}

function isNumber(field: DescField): boolean {
  const scalar = field.fieldKind === "scalar" || (field.fieldKind === "list" && field.listKind === "scalar");
  return scalar && field.scalar === ScalarType.UINT32;
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
