// Runs an example as a reader does: as a program of its own.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export class Program {
  /** Everything it has printed, by lines. */
  lines = [];
  #process;
  #ended;
  #waiting = new Set();

  constructor(file, args = [], env = {}) {
    const script = fileURLToPath(new URL(`../${file}`, import.meta.url));
    this.#process = spawn(process.execPath, [script, ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        this.lines.push(line);
        for (const look of this.#waiting) look();
      });
    }
    this.#ended = new Promise((resolve) => this.#process.once("close", (code) => resolve(code)));
  }

  /** The match of the first line that has one, printed before or later. */
  async line(pattern) {
    let look;
    const found = new Promise((resolve) => {
      look = () => {
        const match = this.lines.map((line) => line.match(pattern)).find(Boolean);
        if (match) resolve(match);
      };
      this.#waiting.add(look);
      look();
    });
    const ended = this.#ended.then((code) => {
      look();
      throw new Error(`it ended with ${code} before printing ${pattern}:\n${this.lines.join("\n")}`);
    });
    ended.catch(() => {});
    try {
      return await Promise.race([found, ended]);
    } finally {
      this.#waiting.delete(look);
    }
  }

  /** Its exit code, once it has ended. */
  get code() {
    return this.#ended;
  }

  async stop() {
    this.#process.kill("SIGTERM");
    await this.#ended;
  }
}
