import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";

/** The messages of a language by their names: `texts("lobby-join", { seats: 2 })`. */
export interface Texts {
  (name: string, values?: Record<string, FluentVariable>): string;
  /** The language, as a BCP 47 tag. */
  readonly language: string;
}

/** Reads the messages of a language, which are in the syntax of Fluent. */
export function readTexts(language: string, source: string): Texts {
  const bundle = new FluentBundle(language, { useIsolating: false });
  const mistakes = bundle.addResource(new FluentResource(source));
  if (mistakes.length > 0) throw mistakes[0];
  const texts = (name: string, values?: Record<string, FluentVariable>) => {
    const pattern = bundle.getMessage(name)?.value;
    if (!pattern) throw new Error(`There is no text ${name} in ${language}`);
    return bundle.formatPattern(pattern, values);
  };
  return Object.assign(texts, { language });
}

/** The first language asked for that is offered, by its tag or its first part; else the first. */
export function chooseLanguage(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split("-");
    for (; parts.length > 0; parts.pop()) {
      const found = offered.find((language) => language.toLowerCase() === parts.join("-"));
      if (found) return found;
    }
  }
  return offered[0] ?? "en";
}
