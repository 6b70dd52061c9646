// Builds `dist`:
//
//   croupier.js           every component in one module, for pages of any origin to embed
//   index.html            the application, with app-HASH.js, the modules it loads later, and its css
//   sw.js                 the service worker, which keeps offline.html and shows messages of turns
//   manifest.webmanifest  what makes the application installable, with its icons
//   check/                the page on which a saved record is checked
//   rules-HASH.wasm       the rules of the games and the worker that uses them, if `make rules` made them
//   docs/                 the guides, rendered from docs/*.md of the repository, and the reference
//   licenses.txt          those of the packages that were built in
//   *.br                  the scripts, styles and pages beside this file as Brotli, smaller than gzip by a tenth
//
// What a page loads has a hash of its content in its name, so it can be cached for good. It is named
// relative to the page, as a proxy may have put all of this below a path. The pages
// are served under a Content-Security-Policy that allows only files of the service: no inline
// script, no inline style, nothing of a third party.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import * as esbuild from "esbuild";
import { createHash } from "node:crypto";
import { descriptors } from "./descriptors.js";
import { escape, renderGuides } from "./docs.js";
import { drawIcon } from "./src/app/worker/icon.js";
import { texts } from "./texts.js";

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
const scripts = { ...shared, format: "esm", loader: { ".css": "text" }, plugins: [descriptors, texts] };

execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve("typescript/bin/tsc"), "--project", root],
  { stdio: "inherit" },
);

rmSync(dist, { recursive: true, force: true });

// Without the rules, pages check the deal only, and say so.
const rules = path.join(root, "../rules/dist/rules.wasm");
const made = existsSync(rules) ? await buildRules() : undefined;

const components = await esbuild.build({
  ...scripts,
  entryPoints: { croupier: "src/index.ts" },
  outdir: dist,
});

const pages = await esbuild.build({
  ...scripts,
  define: { RULES: JSON.stringify(made) ?? "undefined" },
  entryPoints: {
    app: "src/app/main.ts",
    check: "src/check/page.ts",
    guide: "src/docs/guide.ts",
    reference: "src/docs/reference.ts",
  },
  outdir: dist,
  splitting: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
});

const styles = await esbuild.build({
  ...shared,
  entryPoints: { pages: "src/pages.css", reference: "src/docs/reference.css" },
  outdir: dist,
  entryNames: "[name]-[hash]",
  loader: { ".svg": "dataurl" },
});

const icon = "data:image/svg+xml," + encodeURIComponent(read("src/app/icon.svg").trim());
const style = output(styles, "src/pages.css");

const script = output(pages, "src/app/main.ts");
write("index.html", "src/app/index.html", { icon, style, script, preloads: preloads(pages, script, "./") });

const check = output(pages, "src/check/page.ts");
write("check/index.html", "src/check/page.html", { icon, style, script: check, preloads: preloads(pages, check, "../") });

write("offline.html", "src/app/worker/offline.html", { icon, style, here: made ? playHere() : "" });
await buildWorker();
writeManifest();

const guides = renderGuides(path.join(root, "../../docs"));
const guide = { icon, style, head: "", tag: "main", script: output(pages, "src/docs/guide.ts") };
for (const { name, title, html } of guides) {
  const root = name.includes("/") ? "../../" : "../";
  write(`docs/${name}`, "src/docs/page.html", { ...guide, root, title: escape(title), contents: contents(name), content: html });
}

write("docs/reference.html", "src/docs/page.html", {
  ...guide,
  root: "../",
  script: output(pages, "src/docs/reference.ts"),
  // The viewer has a main part of its own.
  tag: "div",
  head: `<link rel="stylesheet" href="../${output(styles, "src/docs/reference.css")}">`,
  title: "API reference",
  contents: contents("reference.html"),
  content: '<h1>API reference</h1>\n<p>Every call, as REST has it.</p>\n<h2>Services</h2>\n<div id="reference"></div>',
});

writeFileSync(path.join(dist, "licenses.txt"), licenses([components, pages, styles]));
compress();

// The rules and their worker, each under a name with the hash of its content.
async function buildRules() {
  const built = await esbuild.build({
    ...scripts,
    entryPoints: ["@croupier/rules/rules.wasm", "@croupier/rules/worker"],
    outdir: dist,
    entryNames: "[name]-[hash]",
    loader: { ".wasm": "copy" },
  });
  const [wasm, worker] = [".wasm", ".js"].map((kind) => Object.keys(built.metafile.outputs).find((file) => file.endsWith(kind)));
  return { wasm: path.basename(wasm), worker: path.basename(worker) };
}

// The service worker. It keeps what the application begins with, and, once the page asks, the rest that it
// needs without the service; another release has another cache.
async function buildWorker() {
  const begins = [...preloads(pages, script, "/").matchAll(/href="([^"]+)"/g)].map(([, file]) => file);
  const shell = [`/${style}`, `/${script}`, ...begins];
  const files = [...reached(script), ...reached(check)].map((file) => `/${file}`);
  const rest = made ? [...new Set([...files, `/${made.worker}`, `/${made.wasm}`])].filter((file) => !shell.includes(file)) : [];
  const version = createHash("sha256").update(JSON.stringify([shell, rest])).digest("hex").slice(0, 12);
  await esbuild.build({
    ...scripts,
    define: { SHELL: JSON.stringify(shell), REST: JSON.stringify(rest), VERSION: JSON.stringify(version) },
    entryPoints: { sw: "src/app/worker/sw.js" },
    outdir: dist,
  });
}

// A script, and every module that it can load.
function reached(script, found = new Set()) {
  if (found.has(script)) return found;
  found.add(script);
  const [, { imports }] = Object.entries(pages.metafile.outputs).find(([file]) => path.basename(file) === script);
  for (const { path: file } of imports) reached(path.basename(file), found);
  return found;
}

// On the page without the service: the matches on this device, in each language.
function playHere() {
  const say = { en: "Play on this device", de: "Auf diesem Gerät spielen", fr: "Jouer sur cet appareil" };
  const links = Object.entries(say).map(([tag, text]) => `<a class="button" lang="${tag}" href="/#/device">${text}</a>`);
  return `<p>${links.join(" ")}</p>\n      `;
}

function writeManifest() {
  const sizes = [192, 512];
  for (const size of sizes) writeFileSync(path.join(dist, `icon-${size}.png`), drawIcon(size));
  const icons = sizes.flatMap((size) =>
    ["any", "maskable"].map((purpose) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png", purpose })),
  );
  const manifest = {
    id: "/",
    name: "Croupier",
    short_name: "Croupier",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#fffdf8",
    theme_color: "#1c6b54",
    icons,
  };
  writeFileSync(path.join(dist, "manifest.webmanifest"), JSON.stringify(manifest));
}

// Compresses once what browsers load often. The guides and the licenses are not.
function compress() {
  for (const file of readdirSync(dist).filter((it) => /\.(js|css|html|wasm)$/.test(it))) {
    writeFileSync(path.join(dist, `${file}.br`), brotliCompressSync(readFileSync(path.join(dist, file))));
  }
}

// The licenses of the packages that were built in.
function licenses(results) {
  const files = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const found = files.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(found)].sort().map(licenseOf).join(`\n${"=".repeat(80)}\n\n`);
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(read(path.join(folder, "package.json")));
  const texts = readdirSync(path.join(root, folder)).filter((file) => /^(licen[cs]e|notice)|\.LICENSE\.txt$/i.test(file));
  return [`${name} ${version}: ${license}\n`, ...texts.map((file) => read(path.join(folder, file)))].join("\n");
}

// The table of contents, in which a page is the present one.
function contents(present) {
  const entry = ({ name, title }) =>
    `<li><a href="${present.includes("/") ? "../" : ""}${name}"${name === present ? ' aria-current="page"' : ""}>${escape(title)}</a></li>`;
  const isGame = ({ name }) => name.startsWith("games/");
  const list = (title, entries) => `<h2>${title}</h2>\n<ul>${entries.map(entry).join("\n")}</ul>`;
  return [
    list("Guides", [...guides.filter((it) => !isGame(it)), { name: "reference.html", title: "API reference" }]),
    list("Rules of the games", guides.filter(isGame)),
  ].join("\n");
}

// Links by which a browser loads the modules that a script begins with while it loads the script.
function preloads({ metafile }, script, root) {
  const [, { imports }] = Object.entries(metafile.outputs).find(([file]) => path.basename(file) === script);
  const begins = imports.filter(({ kind }) => kind === "import-statement").map((it) => path.basename(it.path));
  return begins.map((name) => `<link rel="modulepreload" href="${root}${name}">`).join("\n    ");
}

// The name in `dist` of what was made from an entry point.
function output(result, entryPoint) {
  const [file] = Object.entries(result.metafile.outputs).find(([, made]) => made.entryPoint === entryPoint);
  return path.basename(file);
}

function write(name, template, values) {
  const file = path.join(dist, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, read(template).replace(/\{\{(\w+)\}\}/g, (_, key) => values[key]));
}

function read(file) {
  return readFileSync(path.join(root, file), "utf8");
}
