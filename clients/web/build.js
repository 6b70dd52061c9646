// Builds `dist`:
//
//   croupier.js           every component in one module, for pages of any origin to embed
//   index.html            the application, with app-HASH.js, the modules it loads later, and its css
//   docs/                 the guides, rendered from docs/*.md of the repository, and the reference
//
// What a page loads has a hash of its content in its name, so it can be cached for good. The pages
// are served under a Content-Security-Policy that allows only files of the service: no inline
// script, no inline style, nothing of a third party.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));
const dist = path.join(root, "dist");

if (!existsSync(path.join(root, "../typescript/dist/index.js"))) {
  console.error("Build @croupier/client first: npm run build, in the repository's folder");
  process.exit(1);
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  sourcemap: false,
  target: ["es2022"],
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};
const scripts = { ...shared, format: "esm", loader: { ".css": "text", ".ftl": "text" } };

execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve("typescript/bin/tsc"), "--project", root],
  { stdio: "inherit" },
);

rmSync(dist, { recursive: true, force: true });

await esbuild.build({
  ...scripts,
  entryPoints: { croupier: "src/index.ts" },
  outdir: dist,
});

const application = await esbuild.build({
  ...scripts,
  entryPoints: { app: "src/app/main.ts" },
  outdir: dist,
  splitting: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
});

const styles = await esbuild.build({
  ...shared,
  entryPoints: { pages: "src/pages.css" },
  outdir: dist,
  entryNames: "[name]-[hash]",
});

write("index.html", {
  template: "src/app/index.html",
  script: output(application, "src/app/main.ts"),
  style: output(styles, "src/pages.css"),
});

// The name in `dist` of what was made from an entry point.
function output(result, entryPoint) {
  const found = Object.entries(result.metafile.outputs).find(([, made]) => made.entryPoint === entryPoint);
  return path.basename(found[0]);
}

function write(name, { template, ...values }) {
  const text = readFileSync(path.join(root, template), "utf8");
  const page = text.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key]);
  const file = path.join(dist, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}
