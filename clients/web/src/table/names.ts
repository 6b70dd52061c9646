import { PlaceRole, type Layout, type Mark, type Piece, type Place, type Term, type Value } from "@croupier/client/v1";

/** The declarations of a layout, by name. */
export class Names {
  readonly places = new Map<string, Place>();
  readonly pieces = new Map<string, Piece>();
  readonly marks = new Map<string, Mark>();
  readonly values = new Map<string, Value>();
  readonly coins = new Map<string, Term>();
  readonly backs = new Map<string, Term>();
  readonly verbs = new Map<string, Term>();
  readonly decisions = new Map<string, Term>();
  readonly facets = new Map<string, Term>();
  /** The places that belong to a piece, by piece. */
  readonly placesOfPiece = new Map<string, Place[]>();
  /** The marks that belong to a piece, by piece. */
  readonly marksOfPiece = new Map<string, Mark[]>();
  /** By back, the facet whose number best distinguishes its pieces; see `cards.ts`. */
  readonly mainNumber = new Map<string, string>();
  /** Values of which a piece can have several, such as the skills of a team. */
  readonly countable = new Set<string>();
  private readonly coinShapes = new Map<string, number>();

  constructor(readonly layout: Layout) {
    for (const it of layout.places) {
      this.places.set(it.name, it);
      if (it.piece) push(this.placesOfPiece, it.piece, it);
    }
    for (const it of layout.marks) {
      this.marks.set(it.name, it);
      if (it.piece) push(this.marksOfPiece, it.piece, it);
    }
    for (const it of layout.pieces) this.pieces.set(it.name, it);
    for (const it of layout.values) this.values.set(it.name, it);
    for (const it of layout.coins) this.coins.set(it.name, it);
    for (const it of layout.backs) this.backs.set(it.name, it);
    for (const it of layout.verbs) this.verbs.set(it.name, it);
    for (const it of layout.decisions) this.decisions.set(it.name, it);
    for (const it of layout.facets) this.facets.set(it.name, it);
    for (const it of layout.coins) {
      const kind = kindOf(it.name);
      if (!this.coinShapes.has(kind)) this.coinShapes.set(kind, this.coinShapes.size);
    }
    for (const { facets } of layout.pieces) {
      for (const { values } of facets) if (values.length > 1) values.forEach((it) => this.countable.add(it));
    }
    this.findMainNumbers();
  }

  /**
   * The value that a coin, a back or a similar name refers to: the last part of the name that is a
   * value.
   */
  valueIn(name: string): Value | undefined {
    for (const part of name.split("/").reverse()) {
      const value = this.values.get(part);
      if (value) return value;
    }
    return undefined;
  }

  /** The shape of a coin's token: coins of one kind, such as `unit/…`, have the same. */
  coinShape(coin: string): number {
    return this.coinShapes.get(kindOf(coin)) ?? 0;
  }

  /** The number of a coin, for its colour. */
  coinNumber(coin: string): number {
    return Math.max(0, this.layout.coins.findIndex((it) => it.name === coin));
  }

  /** Whether a piece is drawn as a part of the board, with places of its own. */
  isBoard(piece: string): boolean {
    return this.placesOfPiece.has(piece);
  }

  /** The piece's title. */
  title(piece: string): string {
    return this.pieces.get(piece)?.title ?? piece;
  }

  /** Whether pieces in a place are out of the game and need not be drawn. */
  isBox(place: string): boolean {
    return this.places.get(place)?.role === PlaceRole.BOX;
  }

  // Of several numbers on a card, such as a value and a number of players, people look for the one
  // that differs most among cards with the same back.
  private findMainNumbers() {
    const seen = new Map<string, Map<string, Set<number>>>();
    for (const piece of this.layout.pieces) {
      for (const facet of piece.facets) {
        if (facet.number === undefined || this.values.has(facet.name)) continue;
        const ofBack = seen.get(kindOf(piece.back)) ?? new Map<string, Set<number>>();
        seen.set(kindOf(piece.back), ofBack);
        ofBack.set(facet.name, (ofBack.get(facet.name) ?? new Set()).add(facet.number));
      }
    }
    const best = new Map<string, string>();
    // A facet that is not the best on some cards is a side note on all, such as the number of
    // players.
    const asides = new Set<string>();
    for (const [kind, facets] of seen) {
      const [first, ...rest] = [...facets].sort((a, b) => b[1].size - a[1].size);
      if (first && first[1].size > 1) best.set(kind, first[0]);
      rest.forEach(([facet]) => asides.add(facet));
    }
    for (const { name } of this.layout.backs) {
      const facet = best.get(kindOf(name));
      if (facet !== undefined && !asides.has(facet)) this.mainNumber.set(name, facet);
    }
  }
}

/** The part of a name before the first slash: `unit` of `unit/energy`. */
export function kindOf(name: string): string {
  return name.split("/")[0] ?? name;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
