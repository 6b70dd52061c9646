// The package as it is installed: what it weighs in a browser, and what is in it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What a page that has this code loads, in bytes, minified and compressed. */
async function weight(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

test("the whole client is below 63 KB in a browser, and its parts are less", async (t) => {
  const whole = await weight('export * from "@croupier/client"');
  const parts = {
    fold: await weight('export { fold, emptyTable } from "@croupier/client"'),
    refusal: await weight('export { Refusal } from "@croupier/client"'),
    verify: await weight('export { verify } from "@croupier/client/verify"'),
  };
  t.diagnostic(JSON.stringify({ whole, ...parts }));
  assert.ok(whole < 63_000, `${whole} bytes`);
  assert.ok(parts.fold < whole / 1.5, `fold alone: ${parts.fold} bytes`);
  assert.ok(parts.verify < 10_000, `verification needs nothing else: ${parts.verify} bytes`);
});

test("the package holds what is built, and nothing else", () => {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed = JSON.parse(output);
  const [{ files }] = Array.isArray(packed) ? packed : Object.values(packed);
  const paths = files.map((it) => it.path);
  const strays = paths.filter(
    (it) => !/^(package\.json|README\.md|dist\/.*\.(js|d\.ts))$/.test(it),
  );
  assert.deepEqual(strays, []);
  const { exports, dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  for (const { types, default: code } of Object.values(exports)) {
    for (const file of [types, code]) assert.ok(paths.includes(file.slice(2)), file);
  }
  assert.ok(paths.includes("README.md"));
  const expected = ["@bufbuild/protobuf", "@connectrpc/connect", "standardwebhooks"];
  assert.deepEqual(Object.keys(dependencies).sort(), expected);
});
