// Forms for kinds with too many actions to list: built from the action's message, starting from a
// legal example.

import { clone, create, getOption, ScalarType, type DescField, type DescMessage, type DescOneof, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectList, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { ActionSchema, holds, marked, PlaceRole, type Action, type Table } from "@croupier/client/v1";
import { isSeatField, kindPath, valueOfEnum } from "./actions.js";
import { kindOf, type Names } from "./names.js";

/** A control of a form, for one field of the action's message. */
export type Control = {
  /** The path of the field: the names of the fields that lead to it. */
  path: string[];
  /** The field's name, which is its label if there is no other. */
  name: string;
  /** The value or coin of the layout that the field counts or names. */
  of?: { title: string; symbol: string; color: string };
} & (
  | { kind: "seat"; value: number }
  | { kind: "seats"; value: number[] }
  | { kind: "number"; value: number }
  | { kind: "flag"; value: boolean }
  | { kind: "text"; value: string }
  | { kind: "piece"; value: string; options: string[] }
  | { kind: "pieces"; value: string[]; options: string[]; now?: string[] }
  | { kind: "choice"; value: number; options: { number: number; title: string }[] }
  | { kind: "variant"; value: string; options: { name: string }[]; controls: Control[] }
  | { kind: "group"; controls: Control[] }
);

/** The context of a form. */
export interface FormContext {
  names: Names;
  table: Table;
  /** The seat that acts. */
  own: number;
}

/** The controls for an action, from the message of its kind. */
export function controlsOf(action: Action, context: FormContext): Control[] {
  const path = kindPath(action);
  return path ? ofMessage(path.message, [], context, context.own) : [];
}

/** A copy of the action with another value in a field. */
export function withValue(action: Action, path: string[], value: unknown): Action {
  const copy = clone(ActionSchema, action);
  let message = kindPath(copy)!.message;
  path.forEach((name, n) => {
    const isLast = n === path.length - 1;
    const oneof = message.desc.oneofs.find((it) => it.name === name);
    if (oneof && isLast) return chooseVariant(message, oneof, String(value));
    const field = message.fields.find((it) => it.name === name)!;
    if (!isLast) {
      if (!message.isSet(field)) message.set(field, fresh((field as { message: DescMessage }).message));
      message = message.get(field) as ReflectMessage;
    } else if (field.fieldKind === "list") {
      const list = message.get(field) as ReflectList;
      list.clear();
      for (const it of value as unknown[]) list.add(it as never);
    } else {
      message.set(field, value);
    }
  });
  return copy;
}

function fresh(desc: DescMessage): ReflectMessage {
  return reflect(desc, create(desc) as Message as never);
}

function chooseVariant(message: ReflectMessage, oneof: DescOneof, name: string) {
  for (const field of oneof.fields) message.clear(field);
  const field = oneof.fields.find((it) => it.name === name);
  if (!field) return;
  if (field.fieldKind === "message") message.set(field, fresh(field.message));
  else if (field.fieldKind === "enum") message.set(field, 1);
  else if (field.fieldKind === "scalar") message.set(field, field.scalar === ScalarType.STRING ? "" : 0);
}

function ofMessage(message: ReflectMessage, path: string[], context: FormContext, holder: number): Control[] {
  const controls: Control[] = [];
  const done = new Set<DescOneof>();
  let partner = holder;
  for (const field of message.fields) {
    if (field.proto.options?.deprecated) continue;
    if (field.oneof && field.oneof.fields.length > 1) {
      if (!done.has(field.oneof)) controls.push(ofOneof(message, field.oneof, path, context, holder));
      done.add(field.oneof);
      continue;
    }
    const control = ofField(message, field, path, context, field.name === "take" ? partner : holder);
    if (control?.kind === "seat") partner = control.value;
    if (control) controls.push(control);
  }
  return controls;
}

function ofOneof(message: ReflectMessage, oneof: DescOneof, path: string[], context: FormContext, holder: number): Control {
  const set = oneof.fields.find((it) => message.isSet(it));
  const control = set && ofField(message, set, path, context, holder);
  return {
    kind: "variant",
    path: [...path, oneof.name],
    name: oneof.name,
    value: set?.name ?? "",
    options: oneof.fields.map(({ name }) => ({ name })),
    controls: control ? [control] : [],
  };
}

function ofField(
  message: ReflectMessage,
  field: DescField,
  path: string[],
  context: FormContext,
  holder: number,
): Control | undefined {
  const { names } = context;
  const base = { path: [...path, field.name], name: field.name, ...looksOf(field, names) };
  if (field.fieldKind === "message") {
    const nested = message.isSet(field) ? (message.get(field) as ReflectMessage) : fresh(field.message);
    return { ...base, kind: "group", controls: ofMessage(nested, base.path, context, holder) };
  }
  if (field.fieldKind === "enum") {
    const options = field.enum.values
      .filter((it) => it.number !== 0)
      .map(({ number, name }) => {
        const value = names.values.get(valueOfEnum(field, number) ?? "");
        return { number, title: value?.title ?? words(valueOfEnum(field, number) ?? name) };
      });
    return { ...base, kind: "choice", value: message.get(field) as number, options };
  }
  if (field.fieldKind === "list") {
    if (field.listKind !== "scalar") return undefined;
    const value = [...(message.get(field) as ReflectList)];
    if (isSeatField(field)) return { ...base, kind: "seats", value: value as number[] };
    if (field.scalar !== ScalarType.STRING) return undefined;
    const options = [...new Set([...piecesFor(field, context, holder), ...(value as string[])])];
    return { ...base, kind: "pieces", value: value as string[], options, ...chosenNow(field, options, context) };
  }
  if (field.fieldKind !== "scalar") return undefined;
  const value = message.get(field);
  switch (field.scalar) {
    case ScalarType.BOOL:
      return { ...base, kind: "flag", value: value as boolean };
    case ScalarType.STRING: {
      if (!names.pieces.has(value as string) && piecesFor(field, context, holder).length === 0) {
        return { ...base, kind: "text", value: value as string };
      }
      const options = [...new Set([...piecesFor(field, context, holder), value as string].filter(Boolean))];
      return { ...base, kind: "piece", value: value as string, options };
    }
    default:
      if (isSeatField(field)) return { ...base, kind: "seat", value: Number(value) };
      // The example already has the value of the mark.
      if (names.marks.has(getOption(field, holds))) return undefined;
      return { ...base, kind: "number", value: Number(value) };
  }
}

/** The pieces of the acting seat that the fields of an action may hold. */
export function piecesOf(action: Action, context: FormContext): string[] {
  const message = kindPath(action)?.message;
  const fields = message?.fields.filter((it) => (it.fieldKind === "scalar" || (it.fieldKind === "list" && it.listKind === "scalar")) && it.scalar === ScalarType.STRING) ?? [];
  return [...new Set(fields.flatMap((it) => piecesFor(it, context, context.own)))];
}

/** The value, coin or back that a field counts or names, if the layout has it. */
function looksOf(field: DescField, names: Names): { of?: { title: string; symbol: string; color: string } } {
  const value = names.values.get(field.name.replaceAll("_", "-"));
  if (value) return { of: value };
  const what = getOption(field, holds);
  const term = names.coins.get(what) ?? names.backs.get(what);
  return term ? { of: { title: term.title, symbol: "", color: "" } } : {};
}

/** Those pieces that an earlier choice holds, if a mark tells them. */
function chosenNow(field: DescField, options: string[], { names, table }: FormContext): { now?: string[] } {
  const kind = getOption(field, marked);
  if (!kind) return {};
  const isMarked = (piece: string) =>
    names.marksOfPiece.get(piece)?.some(({ name }) => kindOf(name) === kind && table.marks.some((it) => it.mark === name && it.value !== 0));
  return { now: options.filter(isMarked) };
}

/** The pieces that a field may hold: those with its back, or those of a hand if it has none. */
function piecesFor(field: DescField, { names, table }: FormContext, holder: number): string[] {
  const back = getOption(field, holds);
  const found: string[] = [];
  for (const { place, pieces } of table.places) {
    const row = names.places.get(place);
    if (!row || row.seat !== holder) continue;
    if (back) found.push(...pieces.filter((it) => names.pieces.get(it)?.back === back));
    else if (row.role === PlaceRole.HAND) found.push(...pieces);
  }
  return found;
}

/** A name of the contract as words, if there is no better label: `last call` for `last_call`. */
export function words(name: string): string {
  return name.replaceAll(/[_-]/g, " ").toLowerCase();
}
