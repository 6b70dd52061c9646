import { create } from "@bufbuild/protobuf";
import type { Entry } from "./gen/croupier/v1/entries_pb.js";
import { EndedSchema, type Event, type Offer } from "./gen/croupier/v1/events_pb.js";
import { Arrangement, Sight, type Layout, type Place } from "./gen/croupier/v1/games_pb.js";
import {
  PlaceContentsSchema,
  PurseSchema,
  ScorePartSchema,
  StandingAnswerSchema,
  TableSchema,
  UnseenSchema,
  type PlaceContents,
  type Table,
} from "./gen/croupier/v1/table_pb.js";
import { MarkedSchema } from "./gen/croupier/v1/events_pb.js";

/** An entry that cannot be applied to a table: read the view at its position instead. */
export class FoldError extends Error {
  /** Says why the entry cannot be applied. */
  constructor(message: string) {
    super(message);
    this.name = "FoldError";
  }
}

/**
 * The table after an entry: a new one, which shares unchanged parts. It equals `GetView` at the
 * entry's position for the same viewer, without texts and without the times of prompts, which only
 * the current view has.
 *
 * Throws a {@link FoldError} for an entry that does not follow the table, or that has an event, a
 * place or a piece that the layout or this release of the package does not know.
 */
export function fold(layout: Layout, table: Table, entry: Entry): Table {
  if (entry.position !== table.position + 1) {
    throw new FoldError(`the entry at ${entry.position} does not follow ${table.position}`);
  }
  const folding = new Folding(indexOf(layout), table);
  entry.events.forEach((event) => folding.apply(event));
  return folding.finish(entry);
}

/**
 * The table before the first entry: every piece in its starting place, no coin paid.
 *
 * `game` needs its layout; of the match, only its name and the number of its seats are used. The
 * viewer is `seats/{seat}`, `spectator` or `house`.
 */
export function emptyTable(
  game: { readonly layout?: Layout | undefined },
  match: { readonly name: string; readonly seats: readonly unknown[] },
  viewer: string,
): Table {
  const { layout } = game;
  if (!layout) throw new FoldError("the game has no layout: get it by GetGame");
  const table = create(TableSchema, {
    match: match.name,
    viewer,
    scores: match.seats.map(() => 0),
  });
  const folding = new Folding(indexOf(layout), table);
  layout.pieces.forEach((piece) =>
    folding.lay({ piece: piece.name, back: piece.back }, piece.start),
  );
  return folding.finish(undefined);
}

/** An offer without texts. */
function untold(offer: Offer): Offer {
  const items = (of: Offer["give"]) => of.map((item) => ({ ...item, text: "" }));
  return { ...offer, give: items(offer.give), take: items(offer.take) };
}

/** A layout by names, in its own order. */
interface Index {
  readonly layout: Layout;
  readonly places: ReadonlyMap<string, Place>;
  readonly pieces: ReadonlyMap<string, { row: number; back: string; layer: number }>;
  readonly backs: ReadonlyMap<string, number>;
  readonly coins: ReadonlyMap<string, number>;
  readonly marks: ReadonlyMap<string, number>;
}

const indexes = new WeakMap<Layout, Index>();

function indexOf(layout: Layout): Index {
  const found = indexes.get(layout);
  if (found) return found;
  const rows = (terms: readonly { name: string }[]) =>
    new Map(terms.map((it, row) => [it.name, row]));
  const pieces = layout.pieces.map(
    ({ name, back, layer }, row) => [name, { row, back, layer }] as const,
  );
  const index: Index = {
    layout,
    places: new Map(layout.places.map((place) => [place.name, place])),
    pieces: new Map(pieces),
    backs: rows(layout.backs),
    coins: rows(layout.coins),
    marks: rows(layout.marks),
  };
  indexes.set(layout, index);
  return index;
}

/** A piece as the viewer knows it: face up, face down, or any number of unknown ones. */
interface Face {
  readonly piece: string;
  readonly back: string;
}

/** The contents of a place that an entry changes. */
interface Contents {
  pieces: Set<string>;
  unseen: Map<string, number>;
  purses: Map<string, number>;
}

/** The state between two tables. */
class Folding {
  readonly #at = new Map<string, string>();
  readonly #touched = new Map<string, Contents>();
  readonly #before = new Map<string, PlaceContents>();
  readonly #seat: number | undefined;
  readonly #table: Table;
  #marks: Map<string, number> | undefined;

  constructor(
    readonly index: Index,
    before: Table,
  ) {
    // A shallow copy: a field that changes gets a value of its own.
    this.#table = Object.assign(create(TableSchema), before);
    const seat = /^seats\/(\d+)$/.exec(before.viewer)?.[1];
    this.#seat = seat === undefined ? undefined : Number(seat);
    for (const contents of before.places) {
      this.#before.set(contents.place, contents);
      for (const piece of contents.pieces) this.#at.set(piece, contents.place);
    }
  }

  apply({ kind }: Event): void {
    const table = this.#table;
    switch (kind.case) {
      case "moved": {
        const { from, to } = kind.value;
        this.#lift(kind.value, from);
        this.lay(kind.value, to);
        break;
      }
      case "gathered":
        this.#gather(kind.value.from, kind.value.to);
        break;
      case "shown":
        this.#show(kind.value.piece, kind.value.at);
        break;
      case "paid": {
        const { coin, from, to, amount = 0 } = kind.value;
        this.#pay(coin, from, -amount);
        this.#pay(coin, to, amount);
        break;
      }
      case "marked":
        this.#marks ??= new Map(table.marks.map((it) => [it.mark, it.value]));
        this.#marks.set(kind.value.mark, kind.value.value);
        break;
      case "roundBegan":
        table.round = kind.value;
        break;
      case "phaseBegan":
        table.phase = kind.value;
        break;
      case "turnBegan":
        table.turn = kind.value;
        break;
      case "offered":
        table.offers = [...table.offers, untold(kind.value)];
        break;
      case "offerClosed":
        table.offers = table.offers.filter((offer) => offer.by !== kind.value);
        break;
      case "announced": {
        const { announcement: part, seat, points } = kind.value;
        if (points === 0) break;
        const others = table.scoreParts.filter((it) => it.seat !== seat || it.part !== part);
        table.scoreParts = [...others, create(ScorePartSchema, { seat, part, points })];
        break;
      }
      case "scored": {
        const { seat, points } = kind.value;
        table.scores = table.scores.map((old, of) => (of === seat ? points : old));
        break;
      }
      case "resigned":
        table.resigned = [...new Set([...table.resigned, kind.value])].sort((a, b) => a - b);
        break;
      case "replaced": {
        const { seat } = kind.value;
        table.resigned = table.resigned.filter((it) => it !== seat);
        table.standing = table.standing.filter((it) => it.seat !== seat);
        break;
      }
      case "stood": {
        const { seat, decision, on } = kind.value;
        table.standing = table.standing.filter(
          (it) => it.seat !== seat || it.decision !== decision,
        );
        if (on) table.standing.push(create(StandingAnswerSchema, { seat, decision }));
        break;
      }
      case "ended":
        table.ended = kind.value;
        table.offers = [];
        break;
      case "abandoned":
        table.ended = create(EndedSchema);
        table.offers = [];
        break;
      // These events do not change the table.
      case "rolled":
      case "said":
      case "contributed":
      case "timedOut":
      case "timeAdded":
      case "tookBack":
      case "voted":
      case "paused":
      case "resumed":
        break;
      case undefined:
        throw new FoldError("an event of a kind that this release of the package does not know");
    }
  }

  /** Puts a piece down. */
  lay({ piece, back }: Face, to: string): void {
    if (piece !== "" && this.#sees(to)) this.#put(piece, to);
    else if (piece !== "") this.#count(to, this.#piece(piece).back, 1);
    else if (back !== "") this.#count(to, back, 1);
  }

  /** The table that the entry led to. */
  finish(entry: Entry | undefined): Table {
    const table = this.#table;
    if (entry) {
      table.position = entry.position;
      table.digest = entry.digest;
      table.prompts = entry.prompts;
    }
    table.text = "";
    table.places = this.#places();
    if (this.#marks) {
      const { marks } = this.index;
      table.marks = [...this.#marks]
        .filter(([, value]) => value !== 0)
        .sort(([a], [b]) => row(marks, a) - row(marks, b))
        .map(([mark, value]) => create(MarkedSchema, { mark, value }));
    }
    return table;
  }

  #lift({ piece, back }: Face, from: string): void {
    if (piece !== "") {
      if (this.#at.get(piece) === from) this.#take(piece);
      else this.#count(from, this.#piece(piece).back, -1);
      return;
    }
    // The piece that left may be any of those that were shown here.
    this.#forget(from);
    if (back !== "") this.#count(from, back, -1);
  }

  #gather(from: string, to: string): void {
    if (this.#sees(from) && this.#sees(to)) {
      for (const piece of [...this.#contents(from).pieces]) this.#put(piece, to);
      return;
    }
    this.#forget(from);
    for (const piece of [...this.#contents(from).pieces]) {
      this.#take(piece);
      this.lay({ piece, back: "" }, to);
    }
    const { unseen } = this.#contents(from);
    const counted = [...unseen];
    unseen.clear();
    for (const [back, count] of counted) this.#count(to, back, count);
  }

  /** A viewer knows a shown piece until an unseen piece leaves its place. */
  #show(piece: string, at: string): void {
    if (piece === "" || this.#isHouse || this.#at.get(piece) === at) return;
    this.#count(at, this.#piece(piece).back, -1);
    this.#put(piece, at);
  }

  /** Turns the pieces that were shown in a place back into unseen ones. */
  #forget(place: string): void {
    if (this.#sees(place)) return;
    for (const piece of [...this.#contents(place).pieces]) {
      this.#take(piece);
      this.#count(place, this.#piece(piece).back, 1);
    }
  }

  #put(piece: string, place: string): void {
    this.#take(piece);
    this.#piece(piece);
    this.#at.set(piece, place);
    this.#contents(place).pieces.add(piece);
  }

  #take(piece: string): void {
    const place = this.#at.get(piece);
    if (place === undefined) return;
    this.#at.delete(piece);
    this.#contents(place).pieces.delete(piece);
  }

  #count(place: string, back: string, change: number): void {
    if (!this.#counts(place)) return;
    const { unseen } = this.#contents(place);
    const count = (unseen.get(back) ?? 0) + change;
    if (count === 0) unseen.delete(back);
    else unseen.set(back, count);
  }

  #pay(coin: string, place: string, change: number): void {
    if (!this.#sees(place)) return;
    if (!this.#place(place).purses.some((purse) => purse.coin === coin)) return;
    const { purses } = this.#contents(place);
    purses.set(coin, (purses.get(coin) ?? 0) + change);
  }

  get #isHouse(): boolean {
    return this.#table.viewer === "house";
  }

  #sees(name: string): boolean {
    const { sight, seenBy } = this.#place(name);
    if (this.#isHouse || sight === Sight.ALL) return true;
    return sight === Sight.SEAT && seenBy !== undefined && seenBy === this.#seat;
  }

  #counts(name: string): boolean {
    const { countHidden, seenBy } = this.#place(name);
    return this.#isHouse || !countHidden || (seenBy !== undefined && seenBy === this.#seat);
  }

  #place(name: string): Place {
    const place = this.index.places.get(name);
    if (!place) throw new FoldError(`the layout has no place ${JSON.stringify(name)}`);
    return place;
  }

  #piece(name: string): { row: number; back: string; layer: number } {
    const piece = this.index.pieces.get(name);
    if (!piece) throw new FoldError(`the layout has no piece ${JSON.stringify(name)}`);
    return piece;
  }

  #contents(place: string): Contents {
    const touched = this.#touched.get(place);
    if (touched) return touched;
    const before = this.#before.get(place);
    const contents: Contents = {
      pieces: new Set(before?.pieces),
      unseen: new Map(before?.unseen.map((it) => [it.back, it.count])),
      purses: new Map(before?.purses.map((it) => [it.coin, it.amount])),
    };
    this.#touched.set(place, contents);
    return contents;
  }

  #places(): PlaceContents[] {
    const places: PlaceContents[] = [];
    for (const place of this.index.layout.places) {
      if (place.seat !== undefined && place.seat >= this.#table.scores.length) continue;
      const touched = this.#touched.get(place.name);
      const before = this.#before.get(place.name);
      const isHidden = !this.#counts(place.name);
      if (!touched) {
        if (before) places.push(textless(before));
        else if (isHidden)
          places.push(create(PlaceContentsSchema, { place: place.name, countHidden: true }));
        continue;
      }
      const contents = this.#rendered(place, touched, isHidden);
      const isEmpty = !(contents.pieces.length || contents.unseen.length || contents.purses.length);
      if (isHidden || !isEmpty) places.push(contents);
    }
    return places;
  }

  #rendered(place: Place, contents: Contents, countHidden: boolean): PlaceContents {
    const { backs, coins } = this.index;
    const pieces = [...contents.pieces].sort((a, b) => this.#piece(a).row - this.#piece(b).row);
    const unseen = [...contents.unseen]
      .sort(([a], [b]) => row(backs, a) - row(backs, b))
      .map(([back, count]) => create(UnseenSchema, { back, count }));
    const purses = [...contents.purses]
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => row(coins, a) - row(coins, b))
      .map(([coin, amount]) => create(PurseSchema, { coin, amount }));
    const top = this.#top(place, pieces);
    return create(PlaceContentsSchema, {
      place: place.name,
      pieces,
      unseen,
      purses,
      countHidden,
      top,
    });
  }

  /** The top piece of a pile that everyone sees, if layers determine it. */
  #top(place: Place, pieces: readonly string[]): string {
    if (place.arrangement !== Arrangement.PILE || place.sight !== Sight.ALL) return "";
    const layers = pieces.map((piece) => this.#piece(piece).layer);
    const least = Math.min(...layers);
    const first = layers.indexOf(least);
    return first === layers.lastIndexOf(least) ? (pieces[first] ?? "") : "";
  }
}

function row(rows: ReadonlyMap<string, number>, name: string): number {
  return rows.get(name) ?? rows.size;
}

/** Removes the amounts in words, which only views have, so that all amounts look alike. */
function textless(contents: PlaceContents): PlaceContents {
  if (contents.purses.every((purse) => purse.text === "")) return contents;
  const purses = contents.purses.map(({ coin, amount }) => create(PurseSchema, { coin, amount }));
  return Object.assign(create(PlaceContentsSchema), contents, { purses });
}
