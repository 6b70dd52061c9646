// What a table draws, read from the attributes of its elements, and what it must draw by the API.

import { PlaceRole } from "@croupier/client/v1";

/** At most so many backs, and tokens on a spot, are drawn one by one. */
const MOST_BACKS = 12;
const MOST_TOKENS = 8;

/** Runs in the page: the places that an element draws, by name. */
export function readDrawn(element) {
  const root = element.shadowRoot;
  const places = {};
  for (const place of root.querySelectorAll("[part=table] [data-place]")) {
    const own = (selector) => [...place.querySelectorAll(selector)].filter((it) => it.closest("[data-place]") === place);
    const pile = own(".pile")[0];
    places[place.dataset.place] = {
      isPile: pile !== undefined,
      isSpot: place.classList.contains("spot"),
      pieces: own("[data-piece]").map((it) => it.dataset.piece),
      backs: own("[data-back]").map((it) => it.dataset.back),
      count: pile ? Number.parseInt(own(".count")[0]?.textContent) : undefined,
      coins: Object.fromEntries(own("[data-coin][data-amount]").map((it) => [it.dataset.coin, Number(it.dataset.amount)])),
      tokens: own(".filled").length,
    };
  }
  const scores = [...root.querySelectorAll("[data-score]")].map((it) => Number(it.dataset.score));
  return { position: Number(root.querySelector("[part=table]").dataset.position), places, scores };
}

/** How what is drawn differs from the view of the API: nothing, if it is drawn as it must be. */
export function differences(layout, view, drawn) {
  const found = [];
  const check = (what, expected, actual) => {
    const [a, b] = [expected, actual].map((it) => JSON.stringify(it));
    if (a !== b) found.push(`${what} is drawn as ${b} instead of ${a}`);
  };
  check("the position", view.position, drawn.position);
  if (view.scores.some((it) => it !== 0)) check("the scores", [...view.scores].sort(), [...drawn.scores].sort());
  for (const place of layout.places) {
    if (place.role === PlaceRole.BOX) continue;
    const contents = view.places.find((it) => it.place === place.name);
    const pieces = contents?.pieces ?? [];
    const unseen = contents?.unseen ?? [];
    const isBank = (coin) => place.purses.some((it) => it.coin === coin && it.bank);
    const purses = (contents?.purses ?? []).filter((it) => it.amount !== 0 && !isBank(it.coin));
    const shown = drawn.places[place.name];
    const hidden = unseen.reduce((sum, it) => sum + it.count, 0);
    if (!shown) {
      if (pieces.length + hidden + purses.length > 0) found.push(`${place.name} is not drawn`);
      continue;
    }
    if (shown.isPile) {
      const count = pieces.length + hidden;
      const top = shown.pieces.length + shown.backs.length;
      check(`${place.name}’s top`, Math.min(1, count), top);
      if (count > 1) check(`${place.name}’s count`, count, shown.count);
      if (contents?.top) check(`${place.name}’s top`, [contents.top], shown.pieces);
      for (const it of shown.pieces) if (!pieces.includes(it)) found.push(`${it} is drawn in ${place.name}`);
    } else {
      check(`${place.name}’s pieces`, [...pieces].sort(), [...shown.pieces].sort());
      if (!shown.isSpot) {
        const backs = unseen.flatMap(({ back, count }) => Array(Math.min(count, MOST_BACKS)).fill(back));
        check(`${place.name}’s backs`, backs.sort(), [...shown.backs].sort());
      }
    }
    if (shown.isSpot) {
      const tokens = purses.reduce((sum, it) => sum + Math.min(it.amount, MOST_TOKENS), 0);
      check(`${place.name}’s tokens`, tokens, shown.tokens);
    } else {
      const amounts = Object.entries(shown.coins).filter(([, amount]) => amount !== 0);
      const expected = purses.map((it) => [it.coin, it.amount]);
      check(`${place.name}’s coins`, expected.sort(), amounts.sort());
    }
  }
  return found;
}
