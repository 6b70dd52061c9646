// What a reader last chose to play, kept in this browser.

/** A match against bots, as the start page offers it. */
export interface Choice {
  /** The game, as `games/{game}`. */
  game: string;
  seats: number;
  level: string;
}

const STORED = "croupier.choice";
let remembered: Choice[] = [];

/** The choices, the last one first: one for each game. */
export function choices(): Choice[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isChoice) : [];
  } catch {
    return remembered;
  }
}

export function keepChoice(choice: Choice) {
  remembered = [choice, ...choices().filter(({ game }) => game !== choice.game)].slice(0, 20);
  try {
    localStorage.setItem(STORED, JSON.stringify(remembered));
  } catch {
    // Without storage, it lasts until a reload.
  }
}

function isChoice(it: unknown): it is Choice {
  const { game, seats, level } = (it ?? {}) as Partial<Choice>;
  return typeof game === "string" && Number.isInteger(seats) && typeof level === "string";
}
