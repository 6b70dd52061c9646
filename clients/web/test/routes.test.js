import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.js";

const { invitationLink, link, matchLink, parseArrival, parseRoute, seatLink } = await load("app/routes.ts");

test("A page's address leads back to it", () => {
  for (const [path, query] of [
    [[], {}],
    [["matches", "3f1c", "replay"], { position: "7", viewer: "seats/0" }],
    [["players", "ann & bob/é"], {}],
    [["history"], { player: "a=b&c?d#e" }],
  ]) {
    assert.deepEqual(parseRoute(link(path, query)), { path, query });
  }
  assert.equal(link(["history"], { game: "", player: undefined }), "#/history");
  assert.deepEqual(parseRoute("#/players/%E0%A4%A"), { path: ["players", "%E0%A4%A"], query: {} });
});

test("Links that are shared are below the address of the pages", () => {
  const pages = "https://site.example/activity/#/matches/3f1c";
  assert.equal(matchLink("https://play.example/#/matches/3f1c", "matches/3f1c"), "https://play.example/m/3f1c");
  assert.equal(matchLink(pages, "matches/3f1c"), "https://site.example/activity/m/3f1c");
  assert.ok(invitationLink(pages, "games/rigs", "a.b").startsWith("https://site.example/activity/g/rigs#"));
});

test("Only an address that brings a secret is taken for one", () => {
  assert.deepEqual(parseArrival("#sign-in=ab-c_d"), { kind: "sign-in", code: "ab-c_d" });
  const shared = seatLink("https://play.example/#/matches/3f1c", "games/rigs", "matches/3f1c", 1, "a.b+c/d=");
  assert.deepEqual(parseArrival(new URL(shared).hash), {
    kind: "seat",
    token: "a.b+c/d=",
    match: "matches/3f1c",
    seat: 1,
  });
  const invitation = invitationLink("https://play.example/#/matches/3f1c", "games/rigs", "a.b+c/d=");
  // What a server and a preview learn of a link is its game.
  for (const secret of [shared, invitation]) assert.equal(secret.split("#")[0], "https://play.example/g/rigs");
  assert.deepEqual(parseArrival(new URL(invitation).hash), { kind: "invitation", token: "a.b+c/d=" });
  for (const hash of ["", "#", "#/history?player=ann", "#seat=1&match=matches/3f1c", "#seat=x&match=m&token=t"]) {
    assert.equal(parseArrival(hash), undefined, hash);
  }
});
