// The modules of `src` in tests.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { texts } from "../texts.js";

const root = fileURLToPath(new URL("..", import.meta.url));

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node18",
  define: { RULES: "undefined" },
  loader: { ".css": "text" },
  plugins: [texts],
  logLevel: "error",
};

/** Loads a TypeScript module: `await load("app/routes.ts")`. */
export async function load(path) {
  const result = await build({ ...options, entryPoints: [`src/${path}`] });
  const code = Buffer.from(result.outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

/** The TypeScript modules that a module begins with: those it imports, and not those that it loads later. */
export async function modulesOf(path) {
  const entryPoint = `src/${path}`;
  const built = await build({ ...options, entryPoints: [entryPoint], splitting: true, outdir: "dist", metafile: true });
  const { outputs } = built.metafile;
  const found = new Set();
  const reach = (file) => {
    if (found.has(file)) return;
    found.add(file);
    const begins = outputs[file].imports.filter(({ kind, external }) => kind === "import-statement" && !external);
    begins.forEach((it) => reach(it.path));
  };
  reach(Object.keys(outputs).find((file) => outputs[file].entryPoint === entryPoint));
  const inputs = [...found].flatMap((file) => Object.keys(outputs[file].inputs));
  return inputs.filter((file) => /^src\/.*\.ts$/.test(file)).map((file) => file.replace(/^src\//, ""));
}
