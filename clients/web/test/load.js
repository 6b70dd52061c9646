// Loads a TypeScript module of `src` in a test: `await load("app/routes.ts")`.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { texts } from "../texts.js";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function load(path) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [`src/${path}`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node18",
    define: { RULES: "undefined" },
    loader: { ".css": "text" },
    plugins: [texts],
    logLevel: "error",
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
