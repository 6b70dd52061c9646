// A site with players of its own, who meet, create matches and play at tables of the service:
//
//   export CROUPIER_KEY=$(cat ~/.local/share/croupier/local.key)
//   PORT=8090 node examples/web-lobby/server.js
//
// It shows what belongs where. This server has the API key: it creates matches and mints a token for
// each player's seat. Browsers get that token only, load <croupier-table> from the service, which is
// another origin, and play with the service directly. No framework, and no database but a file of
// players: matches are found by player in the service.
//
//   CROUPIER_ADDRESS         the service, http://127.0.0.1:7710
//   CROUPIER_PUBLIC_ADDRESS  the same as browsers reach it, if that is another address
//   PLAYERS                  the file of players, players.json

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Code, Croupier, Refusal } from "@croupier/client";
import { Players } from "./players.js";

const { CROUPIER_ADDRESS = "http://127.0.0.1:7710", CROUPIER_KEY, PLAYERS = "players.json", PORT = "8090" } = process.env;
const service = new URL(process.env.CROUPIER_PUBLIC_ADDRESS ?? CROUPIER_ADDRESS).origin;
const croupier = Croupier.connect(CROUPIER_ADDRESS, { credentials: CROUPIER_KEY, language: "en" });
const players = new Players(PLAYERS);

const pages = {
  "/": page("lobby.html", "text/html"),
  "/table": page("table.html", "text/html"),
  "/lobby.js": page("lobby.js", "text/javascript"),
  "/table.js": page("table.js", "text/javascript"),
  "/site.css": page("site.css", "text/css"),
};

// What the pages of this site may load: its own files, and the components of the service.
const policy = [
  "default-src 'none'",
  `script-src 'self' ${service}`,
  // Streams go over a socket where one opens.
  `connect-src 'self' ${service} ${service.replace(/^http/, "ws")}`,
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// Each takes the player who calls, and what the page sent.
const calls = {
  "GET /api/games": async () => {
    const games = await croupier.games.list().all();
    return games.map(({ name, title, description, seatsMin, seatsMax }) => ({ name, title, description, seatsMin, seatsMax }));
  },

  "GET /api/tables": async (player) => ({
    open: (await first(croupier.matches.listOpen(), 20)).map((match) => shown(match, player)),
    mine: (await first(croupier.matches.list({ player: player.id }), 20)).map((match) => shown(match, player)),
  }),

  // The page makes the id when its button is pressed, so a table is created once however often the
  // call is repeated.
  "POST /api/tables": async (player, { game, seats, bots, requestId }) => {
    if (!Number.isInteger(seats) || seats < 1 || seats > 16) throw new Denied(400, "a table has 1 to 16 seats");
    const match = await croupier.matches.create({
      game: text(game),
      seats,
      players: [player.id],
      displayNames: [player.name],
      bots: bots ? ["", ...Array(seats - 1).fill("heuristic")] : [],
      lobby: !bots,
      requestId: `${player.id}-${text(requestId)}`,
    });
    return shown(match, player);
  },

  "POST /api/join": async (player, { match }) => {
    const joined = await croupier.match(text(match)).join({ player: player.id, displayName: player.name });
    return shown(joined.match, player);
  },

  "POST /api/leave": async (player, { match }) => shown(await croupier.match(text(match)).leave(player.id), player),

  // The same players once more. Both may press the button: one match comes of it.
  "POST /api/again": async (player, { match }) => {
    if (seatOf(await croupier.match(text(match)).get(), player) === undefined) throw new Denied(403, "only its players play again");
    return shown(await croupier.matches.create({ previous: text(match), requestId: `again-${match.split("/")[1]}` }), player);
  },

  // A seat's token for its player, and a spectator's for everybody else.
  "POST /api/token": async (player, { match }) => {
    const seat = seatOf(await croupier.match(text(match)).get(), player);
    const { token } = await croupier.match(text(match), { seat }).createToken({ lifetimeS: 3600 });
    return { match, seat, token };
  },
};

const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, "http://site");
    const found = request.method === "GET" && pages[pathname];
    if (found) return send(response, 200, found.type, found.body, { "content-security-policy": policy });
    const json = (status, body, headers) => send(response, status, "application/json", JSON.stringify(body), headers);

    const route = `${request.method} ${pathname}`;
    const player = players.bySession(/\bsession=(\w+)/.exec(request.headers.cookie ?? "")?.[1]);
    const body = request.method === "POST" ? await read(request) : {};
    if (route === "GET /api/me") return json(200, { name: player?.name });
    if (route === "POST /api/sign-in") {
      const session = players.signIn(body.name);
      if (!session) throw new Denied(400, "a name has 1 to 64 characters");
      return json(200, {}, { "set-cookie": `session=${session}; Path=/; HttpOnly; SameSite=Strict` });
    }
    if (!calls[route]) throw new Denied(404, "there is nothing here");
    if (!player) throw new Denied(401, "sign in first");
    return json(200, await calls[route](player, body));
  } catch (error) {
    const { status, reason, message } = explain(error);
    if (status >= 500) console.error(error);
    return send(response, status, "application/json", JSON.stringify({ reason, message }));
  }
});

// What the page needs to know of a match. The ids of players stay here.
function shown(match, player) {
  return {
    match: match.name,
    game: match.game,
    summary: match.summary,
    seats: match.seats.map((it) => it.displayName),
    isOpen: match.seats.some((it) => !it.player && !it.bot),
    isMine: seatOf(match, player) !== undefined,
    isMyTurn: match.waitingFor.includes(seatOf(match, player)),
  };
}

function seatOf(match, player) {
  return match.seats.find((it) => it.player === player.id)?.seat;
}

async function first(list, count) {
  const found = [];
  for await (const it of list) if (found.push(it) === count) break;
  return found;
}

function text(value) {
  if (typeof value !== "string" || value === "") throw new Denied(400, "the body lacks a text");
  return value;
}

class Denied extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function explain(error) {
  if (error instanceof Denied) return { status: error.status, reason: "", message: error.message };
  if (!(error instanceof Refusal)) return { status: 500, reason: "", message: "something went wrong here" };
  const statuses = {
    [Code.InvalidArgument]: 400,
    [Code.NotFound]: 404,
    [Code.AlreadyExists]: 409,
    [Code.FailedPrecondition]: 409,
    [Code.ResourceExhausted]: 429,
    [Code.Unavailable]: 503,
  };
  return { status: statuses[error.code] ?? 502, reason: error.reason, message: error.message };
}

async function read(request) {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 10_000) throw new Denied(413, "that is too much");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Denied(400, "the body is not JSON");
  }
}

function page(name, type) {
  const text = readFileSync(new URL(`pages/${name}`, import.meta.url), "utf8");
  return { type: `${type}; charset=utf-8`, body: text.replaceAll("{{service}}", service) };
}

function send(response, status, type, body, headers = {}) {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", ...headers });
  response.end(body);
}

server.listen(Number(PORT), "127.0.0.1", () => console.log(`the lobby is at http://127.0.0.1:${server.address().port}/`));
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections?.();
});
