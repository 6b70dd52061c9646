// Builds `dist`: the modules, and `rules.wasm` if `make rules` made it from what the sources are now.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const repository = path.resolve(root, "../..");
const dist = path.join(root, "dist");
rmSync(dist, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve("typescript/bin/tsc"), "--project", root],
  { stdio: "inherit" },
);

const rules = path.resolve(repository, process.env.CARGO_TARGET_DIR ?? "target", "rules/rules.wasm");
if (existsSync(rules)) {
  const later = laterThan(statSync(rules).mtimeMs);
  // Other rules than those of the service would call right matches wrong.
  if (later) console.warn(`${rules} is older than ${later}, so it is left out: \`make rules\` makes it anew`);
  else copyFileSync(rules, path.join(dist, "rules.wasm"));
}

/** A source of the rules that was changed after a time. */
function laterThan(time) {
  const crates = ["answers", "bots", "clocks", "contract", "device", "games", "narration", "positions", "records", "rows", "table", "tlog", "verifier"];
  const folders = crates.map((crate) => path.join(repository, "services", crate, "src"));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => path.join(it.parentPath ?? it.path, it.name)),
  );
  const sources = [...files, path.join(repository, "Cargo.lock")];
  return sources.find((file) => statSync(file).mtimeMs > time);
}
