/**
 * What a browser stores for these pages. Where it stores nothing, as in some frames of other sites, it is
 * remembered until a reload.
 */
export class Kept {
  readonly #remembered = new Map<string, string>();

  constructor(readonly storage: () => Storage) {}

  read(name: string): string | null {
    try {
      return this.storage().getItem(name) ?? this.#remembered.get(name) ?? null;
    } catch {
      return this.#remembered.get(name) ?? null;
    }
  }

  write(name: string, value: string): void {
    try {
      this.storage().setItem(name, value);
    } catch {
      this.#remembered.set(name, value);
    }
  }

  remove(name: string): void {
    this.#remembered.delete(name);
    try {
      this.storage().removeItem(name);
    } catch {
      // There is nothing to remove.
    }
  }
}
