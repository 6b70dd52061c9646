// A service of the real program, with a database of its own, for one test file.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Croupier } from "@croupier/client";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
export const program = process.env.CROUPIER_BIN ?? `${repository}target/debug/croupier`;

export class Service {
  #process;
  #listen = "127.0.0.1:0";

  #options;

  constructor(folder, options) {
    this.folder = folder;
    this.#options = options;
    this.data = `${folder}/data`;
  }

  /** Starts one, with further options of `croupier serve`. */
  static async start(...options) {
    // The program gives up root's privileges, and the folder must let it in.
    const folder = mkdtempSync(path.join(tmpdir(), "croupier-typescript-"));
    chmodSync(folder, 0o755);
    const service = new Service(folder, options);
    try {
      await service.#serve();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** A client with the platform's API key. */
  connect(options = {}) {
    return Croupier.connect(this.url, { credentials: this.key, ...options });
  }

  /** Kills the service without a warning; its database stays. */
  async kill() {
    await this.#end("SIGKILL");
  }

  async restart() {
    await this.#serve();
  }

  async killAndRestart() {
    await this.kill();
    await this.restart();
  }

  /** Stops the service and its database as an operator would; the data stays. */
  async halt() {
    await this.#end("SIGTERM");
  }

  /** Stops the service, and removes its data. */
  async stop() {
    await this.halt();
    // Streams that a failed test left open would be resumed forever.
    setTimeout(() => process.exit(process.exitCode || 1), 10_000).unref();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #serve() {
    const options = ["serve", "--data", this.data, "--listen", this.#listen, "--bot-think-ms", "20", ...this.#options];
    const child = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    const said = [];
    const ended = new Promise((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        reject(new Error(`croupier serve ended with ${code ?? signal}:\n${said.join("\n")}`));
      });
    });
    ended.catch(() => {});
    const served = new Promise((resolve) => {
      for (const output of [child.stdout, child.stderr]) {
        createInterface({ input: output }).on("line", (line) => {
          if (said.length < 100) said.push(line);
          const url = /serving on (http:\S+?),? /.exec(`${line} `)?.[1];
          if (url) resolve(url);
        });
      }
    });
    this.url = await Promise.race([served, ended]);
    this.#listen = this.url.replace("http://", "");
    this.key = readFileSync(`${this.data}/local.key`, "utf8").trim();
  }

  async #end(signal) {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await exited;
  }
}
