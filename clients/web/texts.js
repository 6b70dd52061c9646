// Puts texts into a bundle, in every language: `import texts from "texts:app"` is an object with each
// file `src/texts/app-TAG.ftl` by its tag. The components' own, `texts:components`, have no prefix.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("src/texts/", import.meta.url));

/** The sources of one kind of texts by language, English first. */
export function textsOf(kind) {
  const name = kind === "components" ? /^([a-z]+)\.ftl$/ : new RegExp(`^${kind}-([a-z]+)\\.ftl$`);
  const tags = readdirSync(folder).flatMap((file) => name.exec(file)?.[1] ?? []);
  tags.sort((one, other) => (other === "en") - (one === "en") || (one < other ? -1 : 1));
  const prefix = kind === "components" ? "" : `${kind}-`;
  return Object.fromEntries(tags.map((tag) => [tag, readFileSync(`${folder}${prefix}${tag}.ftl`, "utf8")]));
}

/** The plugin of esbuild. */
export const texts = {
  name: "texts",
  setup(build) {
    build.onResolve({ filter: /^texts:/ }, ({ path }) => ({ path: path.slice("texts:".length), namespace: "texts" }));
    build.onLoad({ filter: /./, namespace: "texts" }, ({ path }) => ({
      contents: JSON.stringify(textsOf(path)),
      loader: "json",
    }));
  },
};
