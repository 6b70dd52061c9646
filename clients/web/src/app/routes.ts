/** A page of the application and its parameters, as in `#/matches/3f1c?position=7`. */
export interface Route {
  /** The decoded parts of the path: `["matches", "3f1c"]`; empty for the start page. */
  readonly path: readonly string[];
  /** The parameters after the question mark. */
  readonly query: Readonly<Record<string, string>>;
}

/** Reads the part of an address after its `#`. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The address of a page. Empty values are left out. */
export function link(path: readonly string[], query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `#/${path.map(encodeURIComponent).join("/")}${given.length > 0 ? `?${search}` : ""}`;
}

/** Goes to a page with what a form filters by. */
export function filterBy(path: readonly string[], given: FormData): void {
  const query = Object.fromEntries([...given].map(([name, value]) => [name, String(value).trim()]));
  const address = link(path, query);
  if (address !== location.hash) location.hash = address;
}

/** A secret in an address, which must be removed from it at once. */
export type Arrival =
  | { readonly kind: "sign-in"; readonly code: string }
  | { readonly kind: "invitation"; readonly token: string }
  | { readonly kind: "seat"; readonly token: string; readonly match: string; readonly seat: number };

/** The secret in `#sign-in=CODE`, `#invitation=TOKEN` or `#seat=0&match=…&token=…`, if there is one. */
export function parseArrival(hash: string): Arrival | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const code = given.get("sign-in");
  if (code) return { kind: "sign-in", code };
  const invitation = given.get("invitation");
  if (invitation) return { kind: "invitation", token: invitation };
  const [seat, match, token] = ["seat", "match", "token"].map((name) => given.get(name));
  if (match && token && seat && /^\d+$/.test(seat)) return { kind: "seat", token, match, seat: Number(seat) };
  return undefined;
}

/** The address that gives a seat to the person who opens it. */
export function seatLink(page: string, game: string, match: string, seat: number, token: string): string {
  return `${gameLink(page, game)}#${new URLSearchParams({ seat: String(seat), match, token })}`;
}

/** The address on which a guest accepts an invitation. */
export function invitationLink(page: string, game: string, token: string): string {
  return `${gameLink(page, game)}#${new URLSearchParams({ invitation: token })}`;
}

/** The address of a match, whose preview shows what a spectator sees, if its platform wants it. */
export function matchLink(page: string, match: string): string {
  return new URL(`m/${match.replace(/^matches\//, "")}`, page).href;
}

/** The address of a game, whose preview shows the game. It hands its fragment on to the application. */
function gameLink(page: string, game: string): string {
  return new URL(`g/${encodeURIComponent(game.replace(/^games\//, ""))}`, page).href;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
