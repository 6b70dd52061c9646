/** Verifies the lines of one match, one after another. */

import { hash } from "./blake3.js";
import { decodeBody, type Body } from "./body.js";
import {
  field,
  hex,
  integer,
  isObject,
  list,
  optional,
  optionalInteger,
  require,
  unbase64,
  unhex,
} from "./bytes.js";
import { words } from "./chacha8.js";
import {
  chanceKey,
  choose,
  creationDigest,
  digestKey,
  entryDigest,
  matchId,
  micros,
  SEATS_MAX,
} from "./digests.js";
import type { RecordedContribution } from "./outcome.js";
import { Seats, type Player } from "./players.js";

/** The versions of the rules that this release knows, by game. */
export const RULES: Readonly<Record<string, number>> = {
  "among-thieves": 3,
  grifters: 2,
  mountebank: 2,
  rigs: 3,
  "you-dirty-rat": 2,
};

/** A match whose lines are verified one after another. */
export class VerifyingMatch {
  readonly name: string;
  readonly game: string;
  readonly seedCommitment: string;
  entries = 0;
  choices = 0;
  hasEnded = false;
  /** Whether its entries have digests and versions of rules. */
  hasProofs = true;
  /** The first entry of which the rules are not known. */
  later: number | undefined;
  contributions: RecordedContribution[] = [];
  readonly players: Seats;
  readonly #id: Uint8Array;
  readonly #seats: number;
  readonly #seed: Uint8Array | undefined;
  readonly #isRevealed: boolean;
  readonly #digestKey: Uint8Array | undefined;
  #digest: Uint8Array;
  #chanceKey: Uint8Array | undefined;
  /** The time of the last entry; before the first one, of the creation. */
  #time: bigint;

  constructor(line: unknown) {
    const players = readPlayers(line);
    this.#digest = creationDigest(line);
    this.name = field(line, "name", "string");
    this.game = field(line, "game", "string");
    this.seedCommitment = field(line, "seed_commitment", "string");
    this.#id = matchId(this.name);
    this.players = new Seats(this.#id, players);
    this.#seats = field(line, "seats", "number");
    this.#time = micros(field(line, "create_time", "string"));
    const seed = optional(line, "seed", "string");
    const secret = optional(line, "secret_seed", "string");
    const isOnce = seed === undefined || secret === undefined;
    require(isOnce, "it has its seed twice");
    const requested = optional(line, "request_digest", "string") ?? "";
    unhex(requested, Math.ceil(requested.length / 2));
    const known = seed ?? secret;
    this.#isRevealed = seed !== undefined;
    this.#seed = known === undefined ? undefined : unhex(known, 32);
    if (this.#seed) {
      const isPromised = hex(hash(this.#seed)) === this.seedCommitment;
      require(isPromised, "the seed does not match its commitment", "SEED_WRONG");
      this.#digestKey = digestKey(this.#id, this.#seed);
    }
  }

  /** Verifies the next entry. Its digest is as computed, or else as it was recorded. */
  entry(line: unknown): { digest: string | undefined; createTime: string } {
    const position = this.entries + 1;
    const stated = field(line, "position", "number");
    const statedSeat = optionalInteger(line, "seat", 0, 255);
    const statedVerb = field(line, "verb", "string");
    const requestId = optional(line, "request_id", "string");
    const createTime = field(line, "create_time", "string");
    const time = micros(createTime);
    const bytes = unbase64(field(line, "body", "string"));
    const digest = optional(line, "digest", "string");
    if (digest !== undefined) unhex(digest, 32);

    require(stated === position, `position ${position} is next, not ${stated}`, "POSITION_WRONG");
    require(!this.hasEnded, "it follows the end of the match", "ENTRY_AFTER_END");
    const early = "its time is before that of the entry or the creation before it";
    require(time >= this.#time, early, "TIME_BACKWARDS");
    const body = decodeBody(bytes);
    const { seat } = body;
    const isSame = statedSeat === seat && statedVerb === body.verb;
    require(isSame, "its seat or verb differs from its body", "BODY_DIFFERS");
    const hasSeat = seat === undefined || seat < this.#seats;
    require(hasSeat, `the match has no seat ${seat}`, "SEAT_UNKNOWN");
    this.#checkProofs(digest, body);
    let computed = digest;
    if (this.#digestKey) {
      const entry = { position, time, seat, requestId, body: bytes };
      this.#digest = entryDigest(this.#digestKey, this.#digest, entry);
      computed = hex(this.#digest);
      const why = "this entry, one before it, or what the match was created with was altered";
      const isRight = digest === undefined || digest === computed;
      require(isRight, `its digest is wrong: ${why}`, "DIGEST_WRONG");
    }
    this.#contribute(body);
    this.#choose(body);
    this.players.entry(position, body);
    const known = Object.hasOwn(RULES, this.game) ? RULES[this.game] : undefined;
    if (known !== undefined && body.rules > known) this.later ??= position;
    this.entries = position;
    this.choices += body.choices.length;
    this.hasEnded = body.ends;
    this.#time = time;
    return { digest: computed, createTime };
  }

  end(line: unknown): void {
    const name = field(line, "name", "string");
    const counted = integer(line, "entries", 0, Number.MAX_SAFE_INTEGER);
    require(name === this.name, `it ends another match than ${this.name}`, "END_WRONG");
    const count = `the match has ${this.entries} entries, not ${counted}`;
    require(counted === this.entries, count, "END_WRONG");
    const noEnd = "the match has its seed, which is told at the end, but no end";
    require(this.hasEnded || !this.#isRevealed, noEnd, "END_MISSING");
    const noSeed = "the match has ended, and its seed is not in the record";
    require(this.#isRevealed || !this.hasEnded, noSeed, "SEED_MISSING");
    this.players.end();
  }

  /** Either every entry has a digest and a version of rules, or none has any proof. */
  #checkProofs(digest: string | undefined, body: Body): void {
    const { rules, choices, contributions, players } = body;
    const parts = choices.length + contributions.length + players.size;
    const has = digest !== undefined || rules > 0 || parts > 0;
    if (this.entries === 0) this.hasProofs = has;
    const must = this.hasProofs;
    const late = "it has proofs, and the entries before it have none";
    require(must || !has, late, "PROOF_MISSING");
    require(!must || digest !== undefined, "it has no digest", "PROOF_MISSING");
    require(!must || rules > 0, "it has no version of rules", "PROOF_MISSING");
  }

  /** Contributions are only at the start of the first entry, in the order of the seats. */
  #contribute({ contributions, hasLateContribution }: Body): void {
    const isFirst = this.entries === 0;
    const isInPlace = !hasLateContribution && (isFirst || contributions.length === 0);
    const only = "contributions are only at the start of a match";
    require(isInPlace, only, "CONTRIBUTION_INVALID");
    if (!isFirst) return;
    let least = 0;
    for (const { seat } of contributions) {
      const isNext = seat >= least && seat < this.#seats;
      const reason = "its contributions are not one a seat, in the order of the seats";
      require(isNext, reason, "CONTRIBUTION_INVALID");
      least = seat + 1;
    }
    this.contributions = contributions;
    if (this.#seed) this.#chanceKey = chanceKey(this.#id, this.#seed, contributions);
  }

  /** Each choice must follow from the stream of its entry. */
  #choose({ choices }: Body): void {
    if (!this.#chanceKey || choices.length === 0) return;
    const stream = words(this.#chanceKey, this.choices);
    choices.forEach(({ bound, value }, n) => {
      const chosen = choose(stream, bound);
      const reason = `its choice ${n + 1}, below ${bound}, is ${value}; the seed gives ${chosen}`;
      require(value === chosen, reason, "CHOICE_WRONG");
    });
  }
}

/** The players of each seat of a match, in order. */
function readPlayers(line: unknown): Map<number, Player[]> {
  const found = new Map<number, Player[]>();
  const seats = integer(line, "seats", 1, SEATS_MAX);
  let least = 0;
  for (const it of list(line, "players")) {
    const seat = integer(it, "seat", least, seats - 1);
    least = seat + 1;
    micros(field(it, "create_time", "string"));
    optional(it, "request_id", "string");
    const before = isObject(it) && Object.hasOwn(it, "before") ? list(it, "before") : [];
    const earlier = before.map((it) => readPlayer(it, field(it, "until", "number")));
    found.set(seat, [...earlier, readPlayer(it, undefined)]);
  }
  return found;
}

function readPlayer(it: unknown, until: number | undefined): Player {
  const player = field(it, "player", "string");
  optional(it, "display_name", "string");
  const key = optional(it, "speech_key", "string");
  const isErased = isObject(it) && Object.hasOwn(it, "erased") ? it.erased : false;
  require(typeof isErased === "boolean", '"erased" is neither true nor false');
  return { player, key: key === undefined ? undefined : unhex(key, 32), isErased, until };
}
