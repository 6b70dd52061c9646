// Starts a service of its own for a test: `CROUPIER_BIN`, or the debug build of this repository.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const program =
  process.env.CROUPIER_BIN ??
  path.join(fileURLToPath(new URL("../..", import.meta.url)), process.env.CARGO_TARGET_DIR ?? "target", "debug/croupier");

/**
 * @param {string[]} options Further options of `croupier serve`.
 * @returns {Promise<{address: string, data: string, key: string, stop: () => Promise<void>}>}
 */
export async function startService(options = []) {
  if (!existsSync(program)) throw new Error(`build the service first, or set CROUPIER_BIN: there is no ${program}`);
  // The user that Postgres runs as must be able to enter it.
  const folder = await mkdtemp("/var/tmp/croupier-test-");
  await chmod(folder, 0o755);
  const data = path.join(folder, "data");
  const service = spawn(program, ["serve", "--data", data, "--listen", "127.0.0.1:0", "--bot-think-ms", "20", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => service.once("close", resolve));
  let log = "";
  service.stderr.on("data", (text) => (log += text));

  const address = await new Promise((resolve, reject) => {
    service.once("error", reject);
    service.once("close", (code) => reject(new Error(`the service ended with ${code}: ${log}`)));
    createInterface(service.stdout).on("line", (line) => {
      const found = line.match(/is serving on (http:\S+?),/);
      if (found) resolve(found[1]);
    });
  });
  return {
    address,
    data,
    key: (await readFile(path.join(data, "local.key"), "utf8")).trim(),
    async stop() {
      service.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
