import type { Match } from "@croupier/client/v1";
import { html, nothing } from "lit";
import { texts } from "../texts/texts.js";
import type { Context } from "./context.js";

/** How a match is played: its clocks, and the options of its game. */
export function renderTerms(context: Context, match: Match) {
  const game = context.games.find(({ name }) => name === match.game);
  const preset = match.timeControl?.preset;
  const options = (game?.options ?? []).filter(({ name }) => match.options[name] !== undefined);
  if (!preset && !match.casual && options.length === 0) return nothing;
  return html`<dl class="facts">
    ${match.timeControl
      ? html`<dt>${context.say("app-clock")}</dt>
          <dd>${preset ? texts(context.language)(`short-preset-${preset}`) : context.say("app-clock-other")}</dd>`
      : nothing}
    ${options.map(({ name, title, values, valueTitles }) => {
      const value = match.options[name]!;
      return html`<dt>${title}</dt>
        <dd>${valueTitles[values.indexOf(value)] || value}</dd>`;
    })}
  </dl>`;
}
