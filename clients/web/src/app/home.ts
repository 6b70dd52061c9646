/** The address below which these pages and the service are: a proxy may have put both below a path. */
export function home(): string {
  // Every module of the pages lies there.
  return new URL(".", import.meta.url).href;
}

/** The files of the rules, if these pages come with them. */
export function filesOfRules(): typeof RULES {
  return RULES && { wasm: home() + RULES.wasm, worker: home() + RULES.worker };
}

/** Whether the pages have their origin for themselves, and are in no frame of another page. */
export function isOwnSite(): boolean {
  return window.top === window && home() === `${location.origin}/`;
}
