/**
 * Streams over a socket where one can be opened, and over `fetch` elsewhere. Proxies hold answers
 * of `fetch` back until they end, and nothing tells a client that they do: they never hold back
 * frames of a socket.
 */

import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createSocketWire, NoSocket, type WebSocketConstructor } from "./socket.js";

/** Where no socket can be opened, though the service answers: something in between refuses them. */
const refusing = new Set<string>();

/** A transport whose streams go over sockets, or over another transport where there are none. */
export function createEitherWire(
  url: string,
  wire: Transport,
  Socket: WebSocketConstructor,
): Transport {
  const sockets = createSocketWire(url, wire, Socket);
  return {
    unary: wire.unary.bind(wire),

    async stream(method, signal, timeoutMs, header, inputs, contextValues) {
      const over = (it: Transport, sent: typeof inputs) =>
        it.stream(method, signal, timeoutMs, header, sent, contextValues);
      // Requests that are streamed go over sockets or not at all.
      if (method.methodKind !== "server_streaming") return over(sockets, inputs);
      const requests = await all(method.input, inputs);
      if (!refusing.has(url)) {
        try {
          return await over(sockets, again(requests));
        } catch (error) {
          if (!(error instanceof NoSocket) || signal?.aborted) throw error;
        }
      }
      // A stream that brings nothing may be held back, so the next one tries a socket again.
      const forget = () => refusing.delete(url);
      try {
        const answer = await over(wire, again(requests));
        refusing.add(url);
        return { ...answer, message: told(answer.message, forget) };
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

async function all<I extends DescMessage>(
  desc: I,
  inputs: AsyncIterable<MessageInitShape<I>>,
): Promise<MessageInitShape<I>[]> {
  const read = [];
  for await (const input of inputs) read.push(create(desc, input) as MessageInitShape<I>);
  return read;
}

async function* again<M>(messages: M[]): AsyncGenerator<M> {
  yield* messages;
}

/** The messages of a stream; `onNothing` is called if it ends before the first. */
async function* told<M>(messages: AsyncIterable<M>, onNothing: () => void): AsyncGenerator<M> {
  let isEmpty = true;
  try {
    for await (const message of messages) {
      isEmpty = false;
      yield message;
    }
  } finally {
    if (isEmpty) onNothing();
  }
}
