/** A match as the form of the lobby describes it. */
export interface Opening {
  /**
   * Who may join: everybody in the lobby, people with a link, or players who seek the same match.
   */
  readonly who: "lobby" | "link" | "seek";
  readonly seats: number;
  /** Options of the game, by name. */
  readonly options: Record<string, string>;
  /** The player by seat; empty if there is none. */
  readonly players: string[];
  /** The bot's level by seat; empty if there is none. */
  readonly bots: string[];
  /** The name of a time control; empty for a match without clocks. */
  readonly preset: string;
}

/** Reads the form: seats are `me`, a bot's level, or empty for an open one. */
export function readForm(form: FormData, player: string): Opening {
  const text = (name: string) => String(form.get(name) ?? "");
  const seats = Number(text("seats"));
  const taken = Array.from({ length: seats }, (_, seat) => text(`seat-${seat}`));
  // A player has one seat: the first that was chosen.
  const mine = taken.indexOf("me");
  const options = [...form.keys()].filter((name) => name.startsWith("option-"));
  return {
    who: text("who") as Opening["who"],
    seats,
    options: Object.fromEntries(options.map((name) => [name.slice("option-".length), text(name)])),
    players: taken.map((_, seat) => (seat === mine ? player : "")),
    bots: taken.map((by) => (by === "me" ? "" : by)),
    preset: text("time"),
  };
}
