import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Croupier, Refusal } from "@croupier/client";
import { Service } from "../../clients/typescript/test/support/service.js";
import { Program } from "./program.js";

const folder = mkdtempSync(path.join(tmpdir(), "web-lobby-"));
let service;
let lobby;
let site;

async function startLobby() {
  lobby = new Program("web-lobby/server.js", [], {
    CROUPIER_ADDRESS: service.url,
    CROUPIER_KEY: service.key,
    PLAYERS: path.join(folder, "players.json"),
    PORT: "0",
  });
  [, site] = await lobby.line(/the lobby is at (http:\S+)\/$/);
}

before(async () => {
  service = await Service.start();
  await startLobby();
});
after(async () => {
  await lobby?.stop();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a browser of a person who is signed in does. */
class Person {
  constructor(cookie) {
    this.cookie = cookie;
  }

  static async signIn(name) {
    const response = await fetch(`${site}/api/sign-in`, { method: "POST", body: JSON.stringify({ name }) });
    assert.equal(response.status, 200);
    const cookie = response.headers.get("set-cookie");
    assert.match(cookie, /; HttpOnly; SameSite=Strict$/);
    return new Person(cookie.split(";")[0]);
  }

  async call(route, body, expected = 200) {
    const [method, pathname] = route.split(" ");
    const headers = this.cookie ? { cookie: this.cookie } : {};
    const response = await fetch(site + pathname, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = await response.json();
    assert.equal(response.status, expected, JSON.stringify(answer));
    return answer;
  }

  /** The match as the token that this site gives sees it, which is all that a browser has. */
  async sit(match) {
    const { token, seat } = await this.call("POST /api/token", { match });
    return { seat, match: Croupier.connect(service.url, { credentials: token }).match(match) };
  }
}

/** Plays whatever the token may play, by random legal actions, until the match has ended. */
async function play({ match }) {
  for await (const _ of match.watch()) {
    try {
      const { actions, position } = await match.legalActions();
      const any = actions[Math.floor(Math.random() * actions.length)];
      if (any) await match.submit(any.action, { expectedPosition: position });
    } catch (error) {
      if (!(error instanceof Refusal) || !["POSITION_MOVED", "MATCH_ENDED", "NOT_ASKED"].some((it) => error.is(it))) throw error;
    }
  }
}

test("two people meet, play a match by their seats' tokens, and play again", async () => {
  const [ann, bob] = [await Person.signIn("Ann"), await Person.signIn("Bob")];
  const games = await ann.call("GET /api/games");
  assert.ok(games.length >= 5 && games.every((it) => it.title && it.description));

  const table = { game: "games/mountebank", seats: 2, bots: false, requestId: "one" };
  const { match } = await ann.call("POST /api/tables", table);
  assert.equal((await ann.call("POST /api/tables", table)).match, match, "a repeated call creates nothing");
  const { open } = await bob.call("GET /api/tables");
  assert.deepEqual(open.map((it) => [it.match, it.isMine]), [[match, false]]);
  await bob.call("POST /api/join", { match });

  const seats = [await ann.sit(match), await bob.sit(match)];
  assert.deepEqual(seats.map((it) => it.seat), [0, 1]);
  await Promise.all(seats.map(play));
  const [ended] = (await ann.call("GET /api/tables")).mine;
  assert.match(ended.summary, /Ann.*Bob/);

  const again = await Promise.all([ann.call("POST /api/again", { match }), bob.call("POST /api/again", { match })]);
  assert.equal(again[0].match, again[1].match);
  assert.notEqual(again[0].match, match);
});

test("a browser gets its own seat, and nothing else", async () => {
  const [ann, cleo] = [await Person.signIn("Ann"), await Person.signIn("Cleo")];
  const { match } = await ann.call("POST /api/tables", { game: "games/mountebank", seats: 2, bots: true, requestId: "two" });
  const mine = await ann.sit(match);
  assert.equal((await mine.match.view()).viewer, "seats/0");
  const theirs = await cleo.sit(match);
  assert.equal(theirs.seat, undefined);
  assert.equal((await theirs.match.view()).viewer, "spectator");
  await assert.rejects(theirs.match.submit({ game: { case: "mountebank", value: { kind: { case: "draw", value: {} } } } }));
  await assert.rejects(theirs.match.at(0).createToken(), (error) => error.is("PLATFORM_ONLY"));

  // Ids of players are for the service only, and the key stays on the server.
  const seen = JSON.stringify([await ann.call("GET /api/tables"), await ann.call("GET /api/me")]);
  assert.doesNotMatch(seen, /p[0-9a-f]{16}|croupier_/);
  await cleo.call("POST /api/again", { match }, 403);
});

test("what cannot be done is said, with the reason of the service", async () => {
  const nobody = new Person("");
  assert.deepEqual(await nobody.call("GET /api/me"), {});
  await nobody.call("GET /api/tables", undefined, 401);
  await nobody.call("POST /api/token", { match: "matches/00000000-0000-4000-8000-000000000000" }, 401);
  const dora = await Person.signIn("Dora");
  assert.equal((await dora.call("POST /api/token", { match: "matches/00000000-0000-4000-8000-000000000000" }, 404)).reason, "MATCH_NOT_FOUND");
  assert.equal((await dora.call("POST /api/tables", { game: "games/none", seats: 2, requestId: "three" }, 400)).reason, "UNKNOWN_GAME");
  await dora.call("POST /api/tables", { game: "games/mountebank", seats: 1e9, bots: true, requestId: "four" }, 400);
  await dora.call("POST /api/token", {}, 400);
  await dora.call("GET /api/none", undefined, 404);
  await nobody.call("POST /api/sign-in", { name: " " }, 400);
});

test("pages load files of this site and of the service only, and players survive a restart", async () => {
  for (const pathname of ["/", "/table?match=matches/some"]) {
    const response = await fetch(site + pathname);
    assert.equal(response.status, 200);
    const policy = response.headers.get("content-security-policy");
    assert.match(policy, new RegExp(`default-src 'none'; script-src 'self' ${service.url};`));
    assert.ok(policy.includes(`connect-src 'self' ${service.url} ${service.url.replace("http", "ws")};`), policy);
    const html = await response.text();
    assert.doesNotMatch(html, /\{\{|<script>|<style|style="|croupier_/);
    for (const [, src] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      assert.equal((await fetch(site + src)).status, 200, src);
    }
  }
  const script = await (await fetch(`${site}/table.js`)).text();
  assert.ok(script.includes(`from "${service.url}/croupier.js"`));

  const before = (await (await Person.signIn("Ann")).call("GET /api/tables")).mine;
  assert.ok(before.length > 0);
  await lobby.stop();
  await startLobby();
  assert.equal((await (await Person.signIn("Ann")).call("GET /api/tables")).mine.length, before.length);
});
