import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import sources from "texts:components";

const english = "en";

/** The tags of the languages that the components have words in, English first. */
export const languages: readonly string[] = Object.keys(sources);

/** Words in one language: `say("table-round", { number: 3 })`. */
export type Texts = (id: string, values?: Record<string, FluentVariable>) => string;

/** The components' words in the language that fits best, by default that of the browser. */
export const texts = textsFrom(sources);

const ids = new FluentResource(sources[english] ?? "").body.map(({ id }) => id);

/** The levels of bots that have a word, from the weakest. */
export const levels = named("level");

/**
 * The levels of a game's bots, from the weakest: those that it names, if it is known and names
 * any.
 */
export function levelsOf(game: { levels: readonly string[] } | undefined): readonly string[] {
  return game && game.levels.length > 0 ? game.levels : levels;
}

/** The level to offer first: the one in the middle, the weaker of two. */
export function middleOf(offered: readonly string[]): string {
  return offered[Math.floor((offered.length - 1) / 2)] ?? "";
}

/** The time controls with a name that have a text. */
export const presets = named("preset");

/** The title of a bot's level; the name for a level of a later release. */
export function levelTitle(level: string, language?: string): string {
  return levels.includes(level) ? texts(language)(`level-${level}`) : level;
}

/** The names that have texts, in order: `level-random` is the `level` `random`. */
function named(kind: string): readonly string[] {
  return ids.filter((id) => id.startsWith(`${kind}-`)).map((id) => id.slice(kind.length + 1));
}

/** Sources in Fluent's syntax, by language. */
type Sources = Readonly<Record<string, string>>;

/**
 * Creates a function that chooses the words of a language. Its `add` takes those of a page that is
 * loaded later.
 */
export function textsFrom(sources: Sources) {
  const all = [sources];
  const made = new Map<string, { bundle: FluentBundle; say: Texts }>();
  const put = (bundle: FluentBundle, tag: string, some: Sources) =>
    bundle.addResource(new FluentResource(some[tag] ?? some[english] ?? ""));
  const make = (tag: string) => {
    // Without marks for the direction of text, because names are separate text nodes.
    const bundle = new FluentBundle(tag, { useIsolating: false });
    all.forEach((some) => put(bundle, tag, some));
    const say: Texts = (id, values) => {
      const message = bundle.getMessage(id);
      // A page with a missing word is better than no page.
      return message?.value ? bundle.formatPattern(message.value, values ?? null) : id;
    };
    return { bundle, say };
  };
  const choose = (language?: string): Texts => {
    const tag = chooseLanguage(language);
    const found = made.get(tag) ?? make(tag);
    made.set(tag, found);
    return found.say;
  };
  const add = (more: Sources) => {
    all.push(more);
    made.forEach(({ bundle }, tag) => put(bundle, tag, more));
  };
  return Object.assign(choose, { add });
}

/** The best supported language for a BCP 47 tag, by default that of the browser. */
export function chooseLanguage(language?: string): string {
  const asked = language || globalThis.navigator?.language || english;
  return languages.find((it) => asked.toLowerCase().split("-")[0] === it) ?? english;
}

/** The name of a language in itself, such as `Deutsch`. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
