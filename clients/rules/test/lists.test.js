// Legal actions from the tables of a service, listed on this device.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { equals, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ListLegalActionsResponseSchema, TableSchema } from "@croupier/client/v1";
import { Local } from "@croupier/rules";
import { Service } from "../../typescript/test/support/service.js";

const isMade = existsSync(new URL("../dist/rules.wasm", import.meta.url));
const skip = !isMade && "`make rules` makes rules.wasm";

/** How many decisions of a match are compared, at most. */
const DECISIONS_MAX = 120;

describe("lists on this device of a service's matches", { skip }, () => {
  let service;
  let local;
  before(async () => {
    service = await Service.start();
    local = await Local.load();
  });
  after(async () => {
    local?.close();
    await service?.stop();
  });

  /** What is listed here and by the service for the seat of a table, unless somebody acts meanwhile. */
  async function listed(match, live, names, filter) {
    const { game, table } = live;
    const listing = { game: game.name, rulesVersion: game.rulesVersion, language: "de", names, ...filter };
    const [bytes, told] = await Promise.all([
      local.list(listing, toBinary(TableSchema, table)),
      match.legalActions(filter),
    ]);
    if (told.position !== table.position) return undefined;
    return { here: fromBinary(ListLegalActionsResponseSchema, bytes), told };
  }

  test("every list of whole matches is the one of the service", async (t) => {
    const platform = service.connect({ language: "de" });
    for (const { name: game, seatsMax: seats } of await platform.games.list().all()) {
      const bots = ["", ...Array(seats - 1).fill("random")];
      const created = await platform.matches.create({ game, seats, players: ["ann"], displayNames: ["Ann"], bots });
      const { token } = await platform.match(created.name, { seat: 0 }).createToken();
      const match = service.connect({ credentials: token, language: "de" }).match(created.name);
      const live = await match.live();
      const { seats: seated } = await match.get();
      const names = seated.map(({ displayName, player }) => displayName || player);
      let decisions = 0;
      let actions = 0;
      while (!live.ended && decisions < DECISIONS_MAX) {
        const { position } = live.table;
        const isAsked = live.prompts.some((it) => it.seat === 0);
        const lists = isAsked ? await listed(match, live, names, { copies: decisions % 2 === 0 }) : undefined;
        const choice = lists?.told.actions[(decisions * 7) % lists.told.actions.length];
        if (!choice) {
          await Promise.race([live.reach(position + 1), match.get()]);
          continue;
        }
        assert.ok(equals(ListLegalActionsResponseSchema, lists.here, lists.told), `${game} at ${position}`);
        const { verb, pieces } = choice;
        const some = await listed(match, live, names, { verb, pieces: pieces.slice(0, 1), copies: true });
        if (some) assert.ok(equals(ListLegalActionsResponseSchema, some.here, some.told), `${game} at ${position}: ${verb} ${pieces}`);
        decisions += 1;
        actions += lists.told.actions.length;
        const entry = await match.submit(choice.action).catch(() => undefined);
        if (entry) await live.reach(entry.position);
      }
      live.close();
      assert.ok(decisions > 4, `${decisions} decisions`);
      t.diagnostic(`${game}: ${decisions} lists of ${actions} actions`);
    }
  });

  test("other rules are not listed, and what is no table is refused", async () => {
    const listing = { game: "games/mountebank", rulesVersion: 999, language: "en", names: ["Ann", "Bob"] };
    assert.equal(await local.list(listing, new Uint8Array()), undefined);
    assert.equal(await local.list({ ...listing, game: "games/tarock" }, new Uint8Array()), undefined);
    const { rulesVersion } = await service.connect().games.get("mountebank");
    await assert.rejects(local.list({ ...listing, rulesVersion }, new Uint8Array()), /the table has no/);
  });
});
