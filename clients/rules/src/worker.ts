/** The script of a worker: the rules, off the page's thread. */

import { Engine } from "./engine.js";

/** What a page asks, each answered by one message before the next. */
export type Request =
  | { readonly load: string }
  | { readonly begin: string }
  | { readonly piece: Uint8Array }
  | { readonly finish: true }
  | { readonly compare: string }
  | { readonly look: string }
  | { readonly ask: Uint8Array };

/** The result of a request, or why it failed; `isKept` if what was kept cannot be used. */
export type Answer = { readonly result: unknown } | { readonly failure: string; readonly isKept: boolean };

let engine: Engine | undefined;

async function answer(request: Request): Promise<unknown> {
  if ("load" in request) {
    engine = await Engine.load(request.load);
    return undefined;
  }
  if (!engine) throw new Error("the rules are loaded first");
  return engine.answer(request);
}

addEventListener("message", (event: MessageEvent<Request>) => {
  answer(event.data).then(
    (result) => postMessage({ result } satisfies Answer),
    (error: unknown) => {
      const failure = error instanceof Error ? error.message : String(error);
      postMessage({ failure, isKept: error instanceof TypeError } satisfies Answer);
    },
  );
});
