// Where each place of a table is drawn.

import {
  PlaceRole,
  type Layout,
  type Place,
  type PlaceContents,
  type Table,
} from "@croupier/client/v1";

/** The places of a match in the order in which they are drawn. */
export interface Arranged {
  /** The common places, by order: those of a row lie side by side. */
  common: Row[];
  /** The places of each seat, by seat. */
  seats: Row[][];
}

/** Places of the same order, which lie side by side. */
export interface Row {
  order: number;
  places: Place[];
}

/** Which empty places are drawn. */
export interface Memory {
  /**
   * Places that held something before: an area keeps its space, so that the table does not jump.
   */
  used: ReadonlySet<string>;
}

/** Arranges the places of a layout for a match with some seats. */
export function arrange(layout: Layout, table: Table, memory: Memory, own?: number): Arranged {
  const seats = table.scores.length;
  const contents = contentsOf(table);
  const shown = layout.places.filter((place) => {
    if (place.piece || place.role === PlaceRole.BOX) return false;
    if (place.seat !== undefined && place.seat >= seats) return false;
    return isDrawn(place, contents.get(place.name), memory, own);
  });
  const notes = notesOf(layout, seats);
  return {
    common: rows(shown.filter((it) => it.seat === undefined && !notes.has(it.name))),
    seats: Array.from({ length: seats }, (_, seat) =>
      rows(shown.filter((it) => (notes.get(it.name) ?? it.seat) === seat)),
    ),
  };
}

/** The contents of the places that are not empty. */
export function contentsOf(table: Table): Map<string, PlaceContents> {
  return new Map(table.places.map((it) => [it.place, it]));
}

function isDrawn(place: Place, contents: PlaceContents | undefined, { used }: Memory, own?: number): boolean {
  if (contents && !isEmpty(contents)) return true;
  switch (place.role) {
    case PlaceRole.DECK:
    case PlaceRole.DISCARD:
      return true;
    case PlaceRole.BOARD:
      return true;
    case PlaceRole.HAND:
      // A second hand, such as drawn cards, is shown only while it holds something.
      return place.order <= 1;
    case PlaceRole.ROW:
      return place.seat === undefined && used.has(place.name);
    case PlaceRole.AREA:
      return place.seat !== undefined && place.seat === own && used.has(place.name);
    case PlaceRole.PURSE:
      if (place.seenBy !== undefined && place.seenBy !== own) return false;
      return place.purses.length === 1 && (place.order <= 1 || place.seat === undefined);
    case PlaceRole.BANK:
      return place.purses.some((it) => it.bank);
    default:
      return false;
  }
}

function isEmpty(contents: PlaceContents): boolean {
  return (
    contents.pieces.length === 0 && contents.unseen.length === 0 && contents.purses.every((it) => it.amount === 0) && !contents.countHidden
  );
}

function rows(places: Place[]): Row[] {
  const found = new Map<number, Place[]>();
  for (const it of places) found.set(it.order, [...(found.get(it.order) ?? []), it]);
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([order, list]) => ({ order, places: list }));
}

/**
 * A seat's places with the same title, one for each seat by number, hold what it knows about those
 * seats and are drawn with them. By place: that seat.
 */
export function notesOf(layout: Layout, seats: number): Map<string, number> {
  const found = new Map<string, number>();
  const families = new Map<string, Place[]>();
  for (const place of layout.places) {
    const parts = place.name.split("/");
    const about = Number(parts.at(-1));
    if (parts.length < 3 || place.seat === undefined || !Number.isInteger(about) || place.piece) continue;
    const family = parts.slice(0, -1).join("/");
    families.set(family, [...(families.get(family) ?? []), place]);
  }
  for (const family of families.values()) {
    if (family.length < 2) continue;
    for (const place of family) {
      const about = Number(place.name.split("/").at(-1));
      if (about < seats) found.set(place.name, about);
    }
  }
  return found;
}

/** The seats around the table, starting after the viewer's. */
export function seatsAround(count: number, own: number | undefined): number[] {
  const first = own === undefined ? 0 : own + 1;
  const others = Array.from({ length: count }, (_, n) => (first + n) % count);
  return others.filter((it) => it !== own);
}

/** The places that are not empty. */
export function usedPlaces(table: Table): string[] {
  return table.places.filter((it) => !isEmpty(it)).map((it) => it.place);
}
