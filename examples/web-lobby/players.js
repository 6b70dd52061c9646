// The players of this site. A real one has passwords, or somebody who vouches for its players; this
// one believes each name. What the service gets to know is an id that tells nothing about a person.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export class Players {
  #byName;
  #sessions = new Map();

  constructor(file) {
    this.file = file;
    this.#byName = new Map(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
  }

  /** The id of a new session, or undefined for what is no name. */
  signIn(given) {
    const name = typeof given === "string" ? given.trim() : "";
    if (name.length < 1 || name.length > 64) return undefined;
    if (!this.#byName.has(name)) {
      this.#byName.set(name, `p${randomBytes(8).toString("hex")}`);
      writeFileSync(`${this.file}.new`, JSON.stringify([...this.#byName]));
      renameSync(`${this.file}.new`, this.file);
    }
    const session = randomBytes(16).toString("hex");
    this.#sessions.set(session, { id: this.#byName.get(name), name });
    return session;
  }

  bySession(session) {
    return this.#sessions.get(session);
  }
}
