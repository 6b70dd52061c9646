/**
 * Messages that the service sends to an endpoint of the platform.
 *
 * @packageDocumentation
 */
import { fromJsonString } from "@bufbuild/protobuf";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { WebhookMessageSchema, type WebhookMessage } from "./gen/croupier/v1/streams_pb.js";

/** A message was not signed by the service with this secret, or it is too old. */
export class Forged extends Error {
  /** The name of the class. */
  override readonly name = "Forged";
}

/** The headers of a request, as `fetch` or Node.js has them. */
export type MessageHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

/**
 * Verifies the signature of a message, and returns its content.
 *
 * The secret is the subscription's; headers and body are the request's, with the body exactly as
 * received. Throws {@link Forged}: answer it with the status 400, and drop it. Accept and ignore a
 * message of an unknown `type`.
 */
export function readMessage(
  secret: string,
  headers: MessageHeaders,
  body: string | Uint8Array,
): WebhookMessage {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  try {
    new Webhook(secret).verify(text, plain(headers));
  } catch (cause) {
    // A body that is signed and no JSON is none of the service, either.
    if (!(cause instanceof WebhookVerificationError || cause instanceof SyntaxError)) throw cause;
    throw new Forged(cause.message, { cause });
  }
  return fromJsonString(WebhookMessageSchema, text, { ignoreUnknownFields: true });
}

function plain(headers: MessageHeaders): Record<string, string> {
  const all =
    "forEach" in headers && typeof headers.forEach === "function"
      ? [...(headers as Headers)]
      : Object.entries(headers as Record<string, string | string[] | undefined>);
  return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), String(value ?? "")]));
}
