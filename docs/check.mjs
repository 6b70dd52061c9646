// Checks the documentation:
//
//   node docs/check.mjs links    every link, anchor and path in a Markdown file leads somewhere,
//                                names and versions are those of the code, and decisions have
//                                their form and are there where code cites them
//   node docs/check.mjs code     what the guides tell to run does what they say
//   node docs/check.mjs outside  so do the guides of TypeScript and Python in an empty folder with
//                                nothing but the packages of target/registries; TypeScript in every
//                                runtime, and checked by the strictest rules of each language
//
// A guide's blocks of a language are one program, run in order against a service of its own, as a
// reader runs them: `sh`, `js`, `ts` (also type-checked), `py`, and `rs` as the body of `main`. A block of
// `text` after one shows what it prints, with `…` for anything. A block whose first line is a comment that begins with
// "Not checked:" is shown only. Names of guides as further arguments limit the check to them.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Lexer, walkTokens } from "marked";
import { anchorOf } from "../clients/web/docs.js";

const failures = [];
const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const pages = listed("--cached", "--others", "--exclude-standard", "*.md");
const OTHER_NAMES = new Set(["bash", "shell", "javascript", "mjs", "typescript", "python", "python3", "rust"]);
const languages = { sh, js, ts, py, rs };
// The tests of the Python client run its own page, and tests/tutorial that of games.
const isGuide = (it) => /^docs\/(?!add-a-game)|^clients\/(typescript|rust)\/README\.md$/.test(it);
const guides = pages.filter((it) => isGuide(it) && programsOf(it).size > 0);

// What is a path of the repository in a text.
const PATH = /^(\.ci|clients|deploy|docs|examples|migrations|proto|services|tests)\/[\w./-]+$/;

// How long the compiler may take for a guide, when it has compiled nothing before.
const COMPILE_MS_MAX = 900_000;

// Where READMEs of packages, which are read outside of the repository, find its documentation.
const DOCUMENTATION = "https://croupier.example/docs/";

// What runs the guide of TypeScript outside, and how it is called; `.ci/install registries` installs them.
const RUNTIMES = {
  "Node.js 18": ["node-18/bin/node"],
  [`Node.js ${process.versions.node}`]: [process.execPath],
  "Node.js 22": ["node-22/bin/node"],
  Deno: ["@deno/linux-x64-glibc/deno", "run", "--allow-net", "--allow-env", "--allow-read"],
  Bun: ["@oven/bun-linux-x64/bin/bun"],
};

// Added to the guide of Python, for its checker only: messages, handles and refusals have types, where
// `Any` would be taken for anything.
const TYPED = `
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import grpc
    from typing_extensions import assert_type

    from croupier import v1

    assert_type(table, v1.Table)
    assert_type(table.position, int)
    assert_type(created.create_time.seconds, int)
    assert_type(platform.match(created.name).get().name, str)
    assert_type(platform.games.list().all(), list[v1.Game])
    assert_type(Refusal.code, grpc.StatusCode)
`;

// The headings of a decision.
const DECISION = ["Context", "Decision", "Rejected alternatives", "Consequences"];

const [what, ...only] = process.argv.slice(2);
if (what === "links") checkLinks();
else if (what === "code") await checkCode(only.length === 0 ? guides : only);
else if (what === "outside") await checkOutside();
else failures.push("node docs/check.mjs links | code [GUIDE…] | outside");

for (const it of failures) console.error(it);
process.exitCode = failures.length === 0 ? 0 : 1;

// --- links ---

function checkLinks() {
  const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]));
  let count = 0;
  for (const page of pages) {
    for (const { kind, target } of targetsOf(page)) {
      count += 1;
      const [to, anchor] = decodeURI(target).split("#");
      // Paths in the text are those of the repository; links are relative to their page.
      const file = to === "" ? page : path.join(kind === "link" ? path.dirname(page) : "", to);
      if (!existsSync(path.join(root, file))) {
        failures.push(`${page}: there is no ${file}`);
      } else if (anchor !== undefined && !anchors.get(file)?.has(anchor)) {
        failures.push(`${page}: ${file} has no heading #${anchor}`);
      }
    }
  }
  checkStyling("docs/embed.md");
  checkVersions();
  checkDecisions();
  console.log(`${count} links and paths in ${pages.length} pages`);
}

// A release has one version, and the changelog begins with it.
function checkVersions() {
  const found = {
    "Cargo.toml": /^version = "(.+)"/m,
    "clients/python/pyproject.toml": /^version = "(.+)"/m,
    "clients/typescript/package.json": /"version": "(.+)"/,
    "clients/rules/package.json": /"version": "(.+)"/,
    "clients/web/package.json": /"version": "(.+)"/,
    "docs/changelog.md": /^## ([\d.]+)/m,
  };
  const versions = Object.entries(found).map(([file, pattern]) => [file, read(file).match(pattern)?.[1]]);
  const [, released] = versions[0];
  for (const [file, version] of versions) {
    if (version !== released) failures.push(`${file}: version ${version}, not ${released}`);
  }
}

// A decision is a page of one form, listed in the index, and code cites only those that there are.
function checkDecisions() {
  const folder = "docs/decisions/";
  const decisions = pages.filter((it) => it.startsWith(folder) && it !== `${folder}README.md`).sort();
  const entries = [...read(`${folder}README.md`).matchAll(/^- \[.+\]\((.+)\)$/gm)].map(([, file]) => folder + file);
  if (entries.join() !== decisions.join()) failures.push(`${folder}README.md: it does not list the decisions in their order`);
  decisions.forEach((page, index) => {
    const text = read(page);
    const number = String(index + 1).padStart(4, "0");
    if (!page.startsWith(`${folder}${number}-`)) failures.push(`${page}: the next number is ${number}`);
    if (!text.startsWith(`# ${number}. `)) failures.push(`${page}: its title does not begin with "${number}. "`);
    const headings = text.match(/^## .+$/gm)?.map((it) => it.slice(3)) ?? [];
    if (headings.join() !== DECISION.join()) failures.push(`${page}: its headings are not ${DECISION.join(", ")}`);
    const lines = text.trimEnd().split("\n");
    if (lines.length > 40) failures.push(`${page}: it has ${lines.length} lines, more than 40`);
    const long = lines.findIndex((it) => it.length > 100);
    if (long >= 0) failures.push(`${page}:${long + 1}: more than 100 columns`);
  });
  const sources = listed("*.rs", "*.sql", "*.proto", "*.ts", "*.js", "*.mjs", "*.py", "*.toml", ".ci/*", "Makefile");
  for (const file of sources) {
    for (const [cited] of read(file).matchAll(/docs\/decisions\/\d[\w.-]*\w/g)) {
      if (!decisions.includes(cited)) failures.push(`${file}: there is no ${cited}`);
    }
  }
}

// A page that styles the components relies on these names.
function checkStyling(page) {
  const source = listed("clients/web/src").map(read).join("\n");
  const properties = new Set(read("clients/web/src/theme.css").match(/--croupier-[\w-]+(?=:)/g));
  const named = new Set(read(page).match(/--croupier-[\w-]+/g));
  for (const it of named) if (!properties.has(it)) failures.push(`${page}: there is no ${it}`);
  for (const it of properties) if (!named.has(it)) failures.push(`${page}: it does not tell of ${it}`);
  for (const [, event] of read(page).matchAll(/`(croupier-[a-z]+)`/g)) {
    if (!source.includes(`"${event}"`)) failures.push(`${page}: there is no event ${event}`);
  }
  const given = source.match(/part="[\w -]+"|part=\$\{[^}]*\}/g);
  const parts = new Set(given.flatMap((it) => it.match(/[\w-]+/g)));
  for (const [, part] of read(page).matchAll(/::part\(([\w-]+)\)/g)) {
    if (!parts.has(part)) failures.push(`${page}: there is no part ${part}`);
  }
}

function targetsOf(page) {
  const found = [];
  walkTokens(Lexer.lex(read(page)), (token) => {
    if (token.type === "link" || token.type === "image") {
      if (token.href.startsWith(DOCUMENTATION)) found.push({ kind: "path", target: sourceOf(token.href) });
      else if (!/^[a-z]+:/.test(token.href)) found.push({ kind: "link", target: token.href });
    } else if (token.type === "codespan" && PATH.test(token.text) && !isInvented(token.text)) {
      found.push({ kind: "path", target: token.text });
    }
  });
  return found;
}

// The file from which the service renders a page of its documentation.
function sourceOf(address) {
  const [name, anchor] = address.slice(DOCUMENTATION.length).split("#");
  const file = `docs/${name.replace(/\.html$/, ".md")}`;
  const source = file.startsWith("docs/games/") ? file.replaceAll("-", "_") : file;
  return anchor === undefined ? source : `${source}#${anchor}`;
}

// The guide for a new game follows one that does not exist, and what is built may not be built yet.
function isInvented(file) {
  return file.includes("crazy_eights") || file.includes("/dist");
}

// As GitHub makes them, and the pages of the service.
function anchorsOf(page) {
  const anchors = new Set();
  walkTokens(Lexer.lex(read(page)), (token) => {
    if (token.type === "heading") anchorOf(token.text, anchors);
  });
  return anchors;
}

// --- code ---

async function checkCode(named) {
  await withService(async (service) => {
    for (const page of named) await runGuide(page, service);
  });
}

async function withService(run) {
  const { Service } = await import("../clients/typescript/test/support/service.js");
  const service = await Service.start();
  try {
    await run(service);
  } finally {
    await service.stop();
  }
}

async function runGuide(page, service) {
  // In the workspace, so that packages are found.
  const folder = path.join(root, "examples/.guide");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    for (const [language, blocks] of programsOf(page)) {
      await runProgram(`${page}: ${language}`, blocks, service, (source) => languages[language](folder, source, service));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Runs the blocks as a program, and compares what each prints with what the page says.
async function runProgram(what, blocks, service, run) {
  const source = (print) => blocks.map((it, index) => `${print(mark(index))}\n${here(it.code, service)}\n`).join("");
  const started = Date.now();
  const { status, stdout, stderr } = await run(source);
  const printed = stdout.split(new RegExp(`^${mark("\\d+")}\n`, "m")).slice(1);
  blocks.forEach(({ code, output }, index) => {
    const found = printed[index] ?? "";
    if (output === undefined || matches(found, output)) return;
    failures.push(`${what}: this prints something else:\n${indent(code)}\nnamely:\n${indent(found)}`);
  });
  if (status !== 0) {
    const { code } = blocks[Math.max(0, printed.length - 1)];
    const told = printed.length > 0 ? stderr : stdout + stderr;
    failures.push(`${what}: this ends with ${status}:\n${indent(code)}\n${indent(told)}`);
  }
  console.log(`${what}: ${blocks.length} blocks in ${Date.now() - started} ms`);
}

// --- code outside of the repository ---

async function checkOutside() {
  const packages = path.resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "registries");
  const packed = (pattern) => path.join(packages, readdirSync(packages).find((it) => pattern.test(it)) ?? "nothing");
  const folder = mkdtempSync(path.join(tmpdir(), "croupier-outside-"));
  try {
    await withService(async (service) => {
      await outsideTypeScript(folder, packed(/\.tgz$/), service);
      await outsidePython(folder, packed(/\.whl$/), service);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function outsideTypeScript(folder, packed, service) {
  const page = "docs/integrate-typescript.md";
  const blocks = programsOf(page).get("ts");
  const { version: typescript } = require("typescript/package.json");
  const types = require("@types/node/package.json").version;
  installed(folder, "npm", ["install", "--silent", "--no-audit", "--no-fund", packed, `typescript@${typescript}`, `@types/node@${types}`]);
  // Unlike in the repository, the types of the package are checked, too.
  const options = ["--target", "es2022", "--module", "nodenext", "--strict", "--exactOptionalPropertyTypes", "--types", "node"];
  for (const [index, [runtime, [program, ...args]]] of Object.entries(RUNTIMES).entries()) {
    // Its types are the same in every runtime.
    const compiling = [...options, ...(index > 0 ? ["--noCheck"] : []), "guide.mts"];
    const command = path.resolve(root, ".tools/registries/node_modules", program);
    // A guide's request ids have their effect once.
    const own = blocks.map((it) => ({ ...it, code: it.code.replaceAll('"table-', `"${index}-table-`) }));
    await runProgram(`${page} outside, in ${runtime}`, own, service, async (source) => {
      writeFileSync(path.join(folder, "guide.mts"), source((it) => `console.log("\\n${it}");`));
      const compiled = await outside(folder, path.join(folder, "node_modules/.bin/tsc"), compiling, service);
      return compiled.status === 0 ? outside(folder, command, [...args, "guide.mjs"], service) : compiled;
    });
  }
}

async function outsidePython(folder, packed, service) {
  const page = "docs/integrate-python.md";
  const python = path.join(folder, "venv/bin/python");
  installed(folder, "python3", ["-m", "venv", "venv"]);
  installed(folder, python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", packed, "mypy"]);
  await runProgram(`${page} outside`, programsOf(page).get("py"), service, async (source) => {
    writeFileSync(path.join(folder, "guide.py"), source((it) => `print("\\n${it}", flush=True)`) + TYPED);
    const strict = ["--strict", "--warn-unreachable", "guide.py"];
    const checked = await outside(folder, python, ["-m", "mypy", ...strict], service);
    return checked.status === 0 ? outside(folder, python, ["guide.py"], service) : checked;
  });
}

function installed(folder, command, args) {
  execFileSync(command, args, { cwd: folder, env: bare(), stdio: ["ignore", "inherit", "inherit"] });
}

function outside(folder, command, args, service) {
  return execute(folder, command, args, service, 300_000, bare());
}

// The environment without what leads into the repository.
function bare() {
  const { NODE_PATH: _, PYTHONPATH: __, VIRTUAL_ENV: ___, ...env } = process.env;
  return env;
}

// What is printed before the output of a block.
function mark(index) {
  return `--- block ${index} ---`;
}

// A guide tells the address and the data folder that a service has by default.
function here(code, service) {
  return code.replaceAll("http://127.0.0.1:7710", service.url).replaceAll("/var/lib/croupier", service.data);
}

function programsOf(page) {
  const programs = new Map();
  let last;
  walkTokens(Lexer.lex(read(page)), (token) => {
    if (token.type === "heading") last = undefined;
    if (token.type !== "code") return;
    if (token.lang === "text" && last) last.output = token.text;
    last = undefined;
    if (OTHER_NAMES.has(token.lang)) failures.push(`${page}: a language is sh, js, ts, py or rs, not ${token.lang}`);
    if (!Object.hasOwn(languages, token.lang) || /^(#|\/\/) Not checked: \S/.test(token.text)) return;
    last = { code: token.text, output: undefined };
    if (!programs.has(token.lang)) programs.set(token.lang, []);
    programs.get(token.lang).push(last);
  });
  return programs;
}

function matches(printed, shown) {
  const pattern = shown.split("…").map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*?");
  return new RegExp(`^\\s*${pattern}\\s*$`).test(printed);
}

function sh(folder, source, service) {
  writeFileSync(path.join(folder, "guide.sh"), source((it) => `echo; echo "${it}"`));
  return execute(folder, "bash", ["-eu", "guide.sh"], service);
}

function js(folder, source, service) {
  writeFileSync(path.join(folder, "guide.mjs"), source((it) => `console.log("\\n${it}");`));
  // Node.js before 22 has a WebSocket only if it is asked for.
  const flag = "--experimental-websocket";
  const flags = process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
  return execute(folder, process.execPath, [...flags, "guide.mjs"], service);
}

async function ts(folder, source, service) {
  writeFileSync(path.join(folder, "guide.mts"), source((it) => `console.log("\\n${it}");`));
  const compiler = require.resolve("typescript/bin/tsc");
  const options = ["--target", "es2022", "--module", "nodenext", "--strict", "--skipLibCheck", "--types", "node"];
  const compiled = await execute(folder, process.execPath, [compiler, ...options, "guide.mts"], service);
  return compiled.status === 0 ? execute(folder, process.execPath, ["guide.mjs"], service) : compiled;
}

function py(folder, source, service) {
  writeFileSync(path.join(folder, "guide.py"), source((it) => `print("\\n${it}", flush=True)`));
  return execute(folder, path.join(root, ".tools/venv/bin/python"), ["guide.py"], service);
}

// An example of the package, compiled as a part of the workspace, so that what its tests compiled is used again.
async function rs(folder, source, service) {
  const example = path.join(root, "clients/rust/examples/guide.rs");
  const program = path.resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "debug/examples/guide");
  const body = source((it) => `println!("\\n${it}");`);
  mkdirSync(path.dirname(example), { recursive: true });
  try {
    writeFileSync(example, `#[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {\n${body}\nOk(())\n}\n`);
    const build = ["build", "--quiet", "--locked", "--workspace", "--example", "guide"];
    const compiled = await execute(root, "cargo", build, service, COMPILE_MS_MAX);
    return compiled.status === 0 ? await execute(folder, program, [], service) : compiled;
  } finally {
    rmSync(example);
  }
}

function execute(cwd, command, args, service, timeout = 120_000, given = { ...process.env, PYTHONPATH: path.join(root, "clients/python") }) {
  const env = { ...given, CROUPIER_KEY: service.key };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ status: code ?? signal, stdout, stderr }));
  });
}

function listed(...selection) {
  const files = execFileSync("git", ["ls-files", ...selection], { cwd: root, encoding: "utf8" });
  return files.split("\n").filter((it) => it !== "" && existsSync(path.join(root, it)));
}

function read(page) {
  return readFileSync(path.join(root, page), "utf8");
}

function indent(text) {
  return text.trim().replace(/^/gm, "    ");
}
