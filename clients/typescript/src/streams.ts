import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ConsumeSubscriptionResponse,
  CreateSubscriptionRequestSchema,
  CreateSubscriptionResponse,
  StreamEntriesResponse,
  StreamFilterSchema,
  Subscription,
} from "./gen/croupier/v1/streams_pb.js";
import { present, type CallOptions } from "./match.js";
import { named, newRequestId, paged, type Init } from "./names.js";
import type { Refusal } from "./refusal.js";
import { resumed, type StreamCall, type StreamOptions } from "./resume.js";
import type { Rpc } from "./rpc.js";

/** Where a stream of many matches begins. */
export interface CursorOptions extends StreamOptions {
  /** The cursor of the last processed message, after which to begin. */
  cursor?: string | undefined;
  /** Whether to begin with new entries, without a cursor; otherwise at the very beginning. */
  live?: boolean | undefined;
  /** The interval of heartbeats on a silent stream, in seconds; 15 if absent. */
  heartbeatS?: number | undefined;
}

/** What the entries of all matches of a platform are streamed by. */
export interface StreamEntriesOptions extends CursorOptions {
  /** The entries to send. */
  filter?: MessageInitShape<typeof StreamFilterSchema> | undefined;
  /** Whether entries of revealed matches are sent unredacted. */
  unredacted?: boolean | undefined;
}

/** How a share of a subscription is consumed. */
export interface ConsumeOptions extends StreamOptions {
  /**
   * The name of the consumer; made when absent. A consumer that returns under its name gets its
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

/** The subscriptions of a platform, and the stream of all its matches. */
export class Streams {
  /** Made by {@link Croupier}. */
  constructor(private readonly rpc: Rpc) {}

  /**
   * The entries of all matches of the platform, without end. Every message has the cursor to begin
   * after next time, also those without entries, the heartbeats: store it together with what the
   * entries led to, and each entry has its effect once.
   */
  entries(
    options: StreamEntriesOptions = {},
  ): AsyncGenerator<StreamEntriesResponse, void, undefined> {
    const { filter, unredacted = false } = options;
    return fromCursor(options, (start, call) =>
      this.rpc.streams.streamEntries({ ...start, ...(filter && { filter }), unredacted }, call),
    );
  }

  /** A handle of a subscription. It calls nothing. */
  subscription(name: string): SubscriptionHandle {
    return new SubscriptionHandle(this.rpc, named("subscriptions", name));
  }

  /** Lists the platform's subscriptions by name. */
  subscriptions(options: CallOptions = {}): AsyncGenerator<Subscription, void, undefined> {
    const list = (pageToken: string) => this.rpc.streams.listSubscriptions({ pageToken }, options);
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
    return this.rpc.streams.createSubscription({ ...subscription, name: this.name }, options);
  }

  /** The subscription and its position. */
  async get(options: CallOptions = {}): Promise<Subscription> {
    const answer = await this.rpc.streams.getSubscription({ name: this.name }, options);
    return present(answer, "subscription");
  }

  /** Deletes it; its streams end. */
  async delete(options: CallOptions = {}): Promise<void> {
    await this.rpc.streams.deleteSubscription({ name: this.name }, options);
  }

  /** Acknowledges everything up to a cursor, as {@link SubscriptionHandle.consume} does. */
  async acknowledge(cursor: string, options: CallOptions = {}): Promise<void> {
    await this.rpc.streams.acknowledgeEntries({ name: this.name, cursor }, options);
  }

  /**
   * A consumer's share of the subscription, without end. A message is acknowledged when the loop
   * comes back for the next one. One whose processing throws, or that the loop leaves by `break`,
   * is not, and is sent again to the next consumer. So each entry is processed at least once.
   */
  async *consume(
    options: ConsumeOptions = {},
  ): AsyncGenerator<ConsumeSubscriptionResponse, void, undefined> {
    const { consumer = newRequestId(), heartbeatS = 0, signal } = options;
    const request = { name: this.name, consumer, heartbeatS };
    const open = (call: StreamCall) => this.rpc.streams.consumeSubscription(request, call);
    for await (const message of resumed({ open, endsByItself: false }, options)) {
      if (message.entries.length > 0 || message.unreadable.length > 0) yield message;
      await this.acknowledge(message.cursor, { signal }).catch((error) => {
        signal?.throwIfAborted();
        throw error;
      });
    }
  }
}

/** A stream that begins, and is resumed, after a cursor. */
export async function* fromCursor<M extends { cursor: string }>(
  options: CursorOptions,
  open: (
    start: { cursor: string; live: boolean; heartbeatS: number },
    call: StreamCall,
  ) => AsyncIterable<M>,
): AsyncGenerator<M, void, undefined> {
  let { cursor = "" } = options;
  const { live = false, heartbeatS = 0 } = options;
  const stream = {
    // Until there is a cursor, a stream of new entries could not be resumed without a gap.
    open: (call: StreamCall) =>
      cursor === "" && live
        ? open({ cursor, live, heartbeatS: 1 }, call)
        : open({ cursor, live: false, heartbeatS }, call),
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
