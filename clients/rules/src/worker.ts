/** The script of a worker: one verification after the other, off the page's thread. */

import { Engine } from "./engine.js";

/** What a page asks, each answered by one message before the next. */
export type Request =
  | { readonly load: string }
  | { readonly begin: string }
  | { readonly piece: Uint8Array }
  | { readonly finish: true }
  | { readonly compare: string }
  | { readonly look: string };

/** The result of a request, or why it failed; `isKept` if what was kept cannot be used. */
export type Answer = { readonly result: unknown } | { readonly failure: string; readonly isKept: boolean };

let engine: Engine | undefined;

async function answer(request: Request): Promise<unknown> {
  if ("load" in request) {
    engine = await Engine.load(request.load);
    return undefined;
  }
  if (!engine) throw new Error("the rules are loaded first");
  if ("begin" in request) return engine.begin(request.begin);
  if ("piece" in request) return engine.take(request.piece);
  if ("compare" in request) return engine.compare(request.compare);
  if ("look" in request) return engine.look(request.look);
  return engine.finish();
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
