import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import type {
  ConsumeSubscriptionResponse,
  CreateSubscriptionRequestSchema,
  CreateSubscriptionResponse,
  Delivery,
  RotateSecretRequestSchema,
  RotateSecretResponse,
  StreamEntriesResponse,
  StreamFilterSchema,
  Subscription,
} from "./gen/croupier/v1/streams_pb.js";
import { present, sent, type CallOptions, type DeleteOptions } from "./calls.js";
import { seconds } from "./durations.js";
import { named, newRequestId, type Init } from "./names.js";
import { paged, type Pages } from "./pages.js";
import { Refusal } from "./refusal.js";
import { resumed, type StreamCall, type StreamOptions } from "./resume.js";
import type { Rpc } from "./rpc.js";

/** The start of a stream of many matches. */
export interface CursorOptions extends StreamOptions {
  /** The cursor of the last processed message, after which to begin. */
  cursor?: string | undefined;
  /** Whether to begin with new entries; otherwise at the cursor or the very beginning. */
  live?: boolean | undefined;
  /** The interval of heartbeats on a silent stream, in seconds; 15 if absent. */
  heartbeatS?: number | undefined;
}

/** The options of the stream of all matches of a platform. */
export interface StreamEntriesOptions extends CursorOptions {
  /** The entries to send. */
  filter?: MessageInitShape<typeof StreamFilterSchema> | undefined;
  /** Whether entries of revealed matches are sent unredacted. */
  unredacted?: boolean | undefined;
}

/** How a share of a subscription is consumed. */
export interface ConsumeOptions extends StreamOptions {
  /**
   * The name of the consumer; generated if absent. A consumer that returns under its name gets its
   * share back at once.
   */
  consumer?: string | undefined;
  /** The interval of heartbeats on a silent stream, in seconds; 15 if absent. */
  heartbeatS?: number | undefined;
}

/** A subscription to create. */
export type SubscriptionInit = Init<
  MessageInitShape<typeof CreateSubscriptionRequestSchema>,
  "name"
>;

/** How a secret is rotated. */
export interface SecretRotation {
  /** The new secret; generated if absent. */
  secret?: string | undefined;
  /** How long the earlier secrets stay valid, in seconds; a day if absent. */
  overlapS?: number | undefined;
}

/** The subscriptions of a platform, and the stream of all its matches. */
export class Streams {
  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /**
   * The endless stream of the entries of all matches of the platform. Every message, heartbeats
   * included, has the cursor from which to resume: store it in one transaction with the effects of
   * the entries, and each entry is processed exactly once.
   *
   * A message with `wentBack` tells which of the received entries are void, because the database
   * lost them. What the record has instead follows, with other digests.
   */
  entries(
    options: StreamEntriesOptions = {},
  ): AsyncGenerator<StreamEntriesResponse, void, undefined> {
    const { filter, unredacted = false } = options;
    return fromCursor(options, (start, call) =>
      this.rpc.streams.streamEntries({ ...start, ...(filter && { filter }), unredacted }, call),
    );
  }

  /** A handle of a subscription. Makes no call. */
  subscription(name: string): SubscriptionHandle {
    return new SubscriptionHandle(this.rpc, named("subscriptions", name));
  }

  /** Lists the platform's subscriptions by name. */
  subscriptions(options: CallOptions = {}): Pages<Subscription> {
    const list = (pageToken: string) =>
      this.rpc.streams.listSubscriptions({ pageToken }, sent(options));
    return paged(list, (page) => page.subscriptions);
  }
}

/** A named position in the platform's stream, which the service keeps. */
export class SubscriptionHandle {
  /** Made by {@link Streams.subscription}. */
  constructor(
    private readonly rpc: Rpc,
    /** The subscription, as `subscriptions/{subscription}`. */
    readonly name: string,
  ) {}

  /** Creates it; with `push`, the service sends it to an endpoint, and returns its secret. */
  create(
    subscription: SubscriptionInit = {},
    options: CallOptions = {},
  ): Promise<CreateSubscriptionResponse> {
    return this.rpc.streams.createSubscription({ ...subscription, name: this.name }, sent(options));
  }

  /** The subscription and its position. */
  async get(options: CallOptions = {}): Promise<Subscription> {
    const answer = await this.rpc.streams.getSubscription({ name: this.name }, sent(options));
    return present(answer, "subscription");
  }

  /** Deletes it; its streams end. */
  async delete(options: DeleteOptions = {}): Promise<void> {
    const { allowMissing = false } = options;
    const request = { name: this.name, allowMissing };
    await this.rpc.streams.deleteSubscription(request, sent(options));
  }

  /**
   * Acknowledges everything up to a cursor, for those who read the stream by `rpc`;
   * {@link SubscriptionHandle.consume} does it by itself.
   */
  async acknowledge(cursor: string, options: CallOptions = {}): Promise<void> {
    await this.rpc.streams.acknowledgeEntries({ name: this.name, cursor }, sent(options));
  }

  // --- The endpoint of one that the service sends ---

  /** Adds a secret, generated unless given, that signs the messages from now on. */
  rotateSecret(
    rotation: SecretRotation = {},
    options: CallOptions = {},
  ): Promise<RotateSecretResponse> {
    const { secret = "", overlapS } = rotation;
    const overlap = overlapS === undefined ? {} : { overlap: seconds(overlapS) };
    return this.rpc.streams.rotateSecret({ name: this.name, secret, ...overlap }, sent(options));
  }

  /** Changes the URL of the endpoint, and enables a disabled subscription again. */
  async moveWebhook(url: string, options: CallOptions = {}): Promise<Subscription> {
    const answer = await this.rpc.streams.moveWebhook({ name: this.name, url }, sent(options));
    return present(answer, "subscription");
  }

  /**
   * Sends the entries after a cursor again, or skips those before it; without one it goes on where
   * it is. Enables a disabled subscription again.
   */
  async redeliver(cursor = "", options: CallOptions = {}): Promise<Subscription> {
    const request = { name: this.name, cursor };
    const answer = await this.rpc.streams.redeliverEntries(request, sent(options));
    return present(answer, "subscription");
  }

  /** Lists the latest attempts to send messages, newest first. */
  deliveries(options: CallOptions = {}): Pages<Delivery> {
    const list = (pageToken: string) =>
      this.rpc.streams.listDeliveries({ parent: this.name, pageToken }, sent(options));
    return paged(list, (page) => page.deliveries);
  }

  /** Sends one message of type `test` to the endpoint, and returns the outcome. */
  async testWebhook(options: CallOptions = {}): Promise<Delivery> {
    const answer = await this.rpc.streams.testWebhook({ name: this.name }, sent(options));
    return present(answer, "delivery");
  }

  // --- Consuming ---

  /**
   * The endless stream of a consumer's share of the subscription. A message is acknowledged when
   * the loop asks for the next one. If the loop throws or breaks, the current message is not
   * acknowledged and is sent again to the next consumer, so each entry is processed at least once.
   *
   * A message with `wentBack` tells which of the received entries are void, as in
   * {@link Streams.entries}.
   */
  async *consume(
    options: ConsumeOptions = {},
  ): AsyncGenerator<ConsumeSubscriptionResponse, void, undefined> {
    const { consumer = newRequestId(), heartbeatS, signal } = options;
    const request = { name: this.name, consumer, ...heartbeatOf(heartbeatS) };
    const open = (call: StreamCall) => this.rpc.streams.consumeSubscription(request, call);
    for await (const message of resumed({ open, endsByItself: false }, options)) {
      if (message.entries.length + message.unreadable.length > 0 || message.wentBack) yield message;
      await this.acknowledge(message.cursor, { signal }).catch((error) => {
        signal?.throwIfAborted();
        // The entries of the message are lost; the stream tells it next.
        if (!(error instanceof Refusal && error.is("RECORD_WENT_BACK"))) throw error;
      });
    }
  }
}

function heartbeatOf(heartbeatS: number | undefined): { heartbeat?: Duration } {
  return heartbeatS === undefined ? {} : { heartbeat: seconds(heartbeatS) };
}

/** A stream that begins, and is resumed, after a cursor. */
export async function* fromCursor<M extends { cursor: string }>(
  options: CursorOptions,
  open: (
    start: { cursor: string; live: boolean; heartbeat?: Duration },
    call: StreamCall,
  ) => AsyncIterable<M>,
): AsyncGenerator<M, void, undefined> {
  let { cursor = "" } = options;
  const { live = false, heartbeatS } = options;
  const stream = {
    // Before the first cursor, a stream of new entries cannot be resumed without a gap.
    open: (call: StreamCall) =>
      cursor === "" && live
        ? open({ cursor, live, ...heartbeatOf(1) }, call)
        : open({ cursor, live: false, ...heartbeatOf(heartbeatS) }, call),
    resumeAt: (refusal: Refusal) => {
      cursor ||= refusal.facts.cursor ?? "";
    },
    endsByItself: false,
  };
  for await (const message of resumed(stream, options)) {
    cursor = message.cursor;
    yield message;
  }
}
