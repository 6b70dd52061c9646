/** Who sat where: the players in the line of a match, and the commitments to them in its entries. */

import { deriveKey } from "./blake3.js";
import type { Body } from "./body.js";
import { concat, hex, require, utf8 } from "./bytes.js";

/** The players who took the seats of a match, by what is known about them. */
export interface PlayerCounts {
  /** Those that the entries commit to. */
  proven: number;
  /** Those who were erased since, so that their commitments cannot be checked. */
  erased: number;
  /** Those to whom no entry commits. */
  notCovered: number;
}

/** A player of a seat, as the line of the match names it. */
export interface Player {
  player: string;
  /** Absent if there is none, as after the player's erasure. */
  key: Uint8Array | undefined;
  isErased: boolean;
  /** The entry with which the next player took over; absent for the last one. */
  until: number | undefined;
}

/** The commitment to the player of a seat. */
export function playerCommitment(
  id: Uint8Array,
  seat: number,
  key: Uint8Array,
  player: string,
): Uint8Array {
  const data = concat(id, Uint8Array.of(seat), key, utf8(player));
  return deriveKey("croupier 2026-11 player of a seat", data);
}

/** The players of each seat, compared with the entries one after another. */
export class Seats {
  readonly counts: PlayerCounts = { proven: 0, erased: 0, notCovered: 0 };
  readonly #id: Uint8Array;
  readonly #players: ReadonlyMap<number, readonly Player[]>;
  /** The index of each seat's current player. */
  readonly #now = new Map<number, number>();

  constructor(id: Uint8Array, players: ReadonlyMap<number, readonly Player[]>) {
    this.#id = id;
    this.#players = players;
  }

  /** Verifies the players who take seats with an entry. */
  entry(position: number, { players, replaced }: Body): void {
    const begun = new Set<number>();
    if (position === 1) [...this.#players.keys(), ...players.keys()].forEach((it) => begun.add(it));
    else if (replaced !== undefined) begun.add(this.#replace(position, replaced));
    const nobody = "it commits to the player of a seat that nobody takes with it";
    require([...players.keys()].every((it) => begun.has(it)), nobody, "BODY_INVALID");
    for (const seat of [...begun].sort((a, b) => a - b)) this.#compare(seat, players.get(seat));
  }

  end(): void {
    for (const [seat, players] of this.#players) {
      const reason = `seat ${seat}: the line has a player who took over with no entry`;
      require(this.#nth(seat) + 1 === players.length, reason, "PLAYER_DIFFERS");
    }
  }

  #nth(seat: number): number {
    return this.#now.get(seat) ?? 0;
  }

  /** The current player of a seat. */
  #player(seat: number): Player | undefined {
    return this.#players.get(seat)?.[this.#nth(seat)];
  }

  /** Goes on to the next player of a seat. */
  #replace(position: number, seat: number): number {
    const reason = `its line does not say who took over seat ${seat} with this entry`;
    require(this.#player(seat)?.until === position, reason, "PLAYER_DIFFERS");
    this.#now.set(seat, this.#nth(seat) + 1);
    return seat;
  }

  /** Compares the current player of a seat with the commitment, if there is one. */
  #compare(seat: number, commitment: Uint8Array | undefined): void {
    if (!commitment) {
      this.counts.notCovered += 1;
      return;
    }
    const player = this.#player(seat);
    const missing = `seat ${seat}: its player is not in the line of the match`;
    require(player, missing, "PLAYER_DIFFERS");
    if (!player.key) {
      const gone = `seat ${seat}: the key of its player is gone, who was not erased`;
      require(player.isErased, gone, "PLAYER_DIFFERS");
      this.counts.erased += 1;
      return;
    }
    const of = playerCommitment(this.#id, seat, player.key, player.player);
    const other = `seat ${seat}: its player is another one than the entry commits to`;
    require(hex(of) === hex(commitment), other, "PLAYER_DIFFERS");
    this.counts.proven += 1;
  }
}
