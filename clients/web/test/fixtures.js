// A small layout, and legal actions on it, for tests of pure parts.

import { create, fromJson } from "@bufbuild/protobuf";
import {
  ActionSchema,
  Arrangement,
  LayoutSchema,
  LegalActionSchema,
  MarkKind,
  PlaceRole,
  Sight,
  TableSchema,
} from "@croupier/client/v1";

const place = (name, role, arrangement, more = {}) => ({ name, title: name, sight: Sight.ALL, role, arrangement, ...more });
const hand = (seat) => place(`hand/${seat}`, PlaceRole.HAND, Arrangement.FAN, { seat, seenBy: seat, order: 1 });
const piece = (name, facets, more = {}) => ({ name, title: name, back: "card", start: "deck", facets, ...more });
const facet = (name, ...values) => ({
  name,
  value: values.join(" "),
  values: values.map(String),
  ...(values.length === 1 && typeof values[0] === "number" && { number: values[0] }),
});

export const layout = create(LayoutSchema, {
  places: [
    place("deck", PlaceRole.DECK, Arrangement.PILE, { order: 1 }),
    place("draft", PlaceRole.ROW, Arrangement.ROW, { order: 1 }),
    place("gone", PlaceRole.BOX, Arrangement.PILE, { order: 9 }),
    place("crown/moons", PlaceRole.BOARD, Arrangement.PILE, { order: 2, value: "moons" }),
    place("crown/suns", PlaceRole.BOARD, Arrangement.PILE, { order: 2, value: "suns" }),
    ...[0, 1, 2, 3].map(hand),
    ...[0, 1, 2, 3].map((seat) =>
      place(`warehouse/${seat}`, PlaceRole.PURSE, Arrangement.PILE, { seat, order: 0, purses: [{ coin: "unit/energy" }] }),
    ),
    ...[0, 1, 2, 3].map((seat) => place(`plots/${seat}`, PlaceRole.AREA, Arrangement.GRID, { seat, order: 4 })),
    place("notes/0/1", PlaceRole.PURSE, Arrangement.PILE, { seat: 0, seenBy: 0, order: 8, purses: [{ coin: "credit" }] }),
    place("notes/0/2", PlaceRole.PURSE, Arrangement.PILE, { seat: 0, seenBy: 0, order: 8, purses: [{ coin: "credit" }] }),
    place("spots/hill-1/energy", PlaceRole.BOARD, Arrangement.ROW, { piece: "hill-1", value: "energy" }),
  ],
  pieces: [
    piece("ace", [facet("rank", "ace"), facet("suits", "moons")]),
    piece("duke", [facet("rank", 7), facet("suits", "moons", "suns"), facet("players", 2)]),
    piece("lark", [facet("rank", 9), facet("suits", "suns"), facet("players", 2)]),
    piece("hill-1", [facet("energy", 2)], { back: "plot" }),
  ],
  values: [
    { name: "moons", title: "Moons", color: "#5b6b8c", symbol: "☾" },
    { name: "suns", title: "Suns", color: "#d9a400", symbol: "☀" },
    { name: "energy", title: "Energy", color: "#d9a400", symbol: "⚡" },
    { name: "ace", title: "Ace" },
  ],
  coins: [{ name: "unit/energy", title: "Energy" }, { name: "credit", title: "Credits" }, { name: "million", title: "ISK" }],
  backs: [{ name: "card", title: "Card" }, { name: "plot", title: "Plot" }],
  facets: [{ name: "rank", title: "Rank" }, { name: "suits", title: "Suits" }],
  marks: [{ name: "turns-begun", title: "Turn", kind: MarkKind.HIDDEN }],
});

/** A table with three seats. */
export const table = create(TableSchema, {
  match: "matches/1",
  viewer: "seats/0",
  position: 1,
  scores: [0, 0, 0],
  places: [
    { place: "deck", unseen: [{ back: "card", count: 3 }] },
    { place: "hand/0", pieces: ["ace", "duke"] },
    { place: "plots/0", pieces: ["hill-1"] },
    { place: "notes/0/1", purses: [{ coin: "credit", amount: 3 }] },
  ],
  marks: [{ mark: "turns-begun", value: 2 }],
});

export function action(json) {
  return fromJson(ActionSchema, json);
}

/** A legal action; `about` is what it names: pieces, places, seats, values. */
export function legal(verb, label, json, about = {}) {
  return create(LegalActionSchema, { verb, label, action: action(json), ...about });
}
