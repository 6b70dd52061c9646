import type { Match } from "@croupier/client/v1";
import { MatchState } from "@croupier/client/v1";
import { html, nothing, type TemplateResult } from "lit";
import { gameTitle, idOf, seatOf, seatTitle, type Context } from "./context.js";
import { renderTime } from "./format.js";
import { link } from "./routes.js";

/** Matches, one per row, each a link to its page. */
export function renderMatches(context: Context, matches: readonly Match[], player = context.player): TemplateResult {
  return html`<ul class="matches">
    ${matches.map((match) => renderMatch(context, match, player))}
  </ul>`;
}

function renderMatch(context: Context, match: Match, player: string) {
  const { say, language } = context;
  return html`<li>
    <a class="match" href=${link(["matches", idOf(match.name)])}>
      <span class="game">${gameTitle(context, match.game)}</span>
      <span class="seats">
        ${match.seats.map(({ seat }) => {
          const won = match.winners.includes(seat);
          const score = match.scores[seat];
          return html`<span class="seat ${match.seats[seat]?.player || match.seats[seat]?.bot ? "" : "open"}">
            ${won ? html`<span class="crown" aria-label=${say("app-won")} role="img">★</span>` : nothing}
            ${seatTitle(context, match, seat)}${score ? html` <span class="score">${score}</span>` : nothing}
          </span>`;
        })}
      </span>
      <span class="state">${renderState(context, match, player)}</span>
      <span class="when">${renderTime(match.updateTime ?? match.createTime, language)}</span>
    </a>
  </li>`;
}

/** The state of a match, in a badge; the turn of a player, if one is given, takes precedence. */
export function renderState(context: Context, match: Match, player = "") {
  const { say } = context;
  const mine = player ? seatOf(match, player) : undefined;
  const badge = (kind: string, text: string) => html`<span class="badge ${kind}">${text}</span>`;
  if (match.unreadable) return badge("problem", say("app-state-unreadable"));
  if (match.state === MatchState.OPEN) return badge("open", say("app-state-open"));
  if (match.state === MatchState.ENDED) {
    if (match.abandoned) return badge("ended", say("app-state-abandoned"));
    if (mine === undefined || match.winners.length === 0) return badge("ended", say("app-state-ended"));
    if (!match.winners.includes(mine)) return badge("ended", say("app-state-lost"));
    return badge("won", say(match.winners.length > 1 ? "app-state-shared" : "app-state-won"));
  }
  if (match.paused) return badge("waiting", say("app-state-paused"));
  if (mine !== undefined && match.waitingFor.includes(mine)) {
    return badge("turn", say(player === context.player ? "app-state-your-turn" : "app-state-at-turn"));
  }
  return badge("running", say("app-state-running"));
}
