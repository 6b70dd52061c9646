// The service worker, and messages to this browser that it is the reader's turn: docs/push.md.

import type { Croupier } from "@croupier/client";
import { preferences } from "./preferences.js";
import { isTrafficDear } from "./device.js";
import { isOwnSite } from "./home.js";
import { connect } from "./service.js";
import type { SeatSession } from "./session.js";

/** Whether this browser can be told, as far as it depends on the browser. */
export function canTell(): boolean {
  return isOwnSite() && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/**
 * Starts the service worker. It works over https, and on this machine, and not for pages in frames or below
 * a path, where others decide what is at the origin.
 */
export function startWorker(onOpen: (match: string) => void): void {
  if (!("serviceWorker" in navigator) || !isSecureContext || !isOwnSite()) return;
  navigator.serviceWorker.register("/sw.js").catch(() => {});
  // The rules are a megabyte: not before the page has what it needs, and not where traffic is dear.
  if (!isTrafficDear()) setTimeout(keepRules, KEEP_AFTER_MS);
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (typeof data?.open === "string") onOpen(data.open);
  });
}

/** When the worker keeps the rules after the page was opened. */
const KEEP_AFTER_MS = 3_000;

/** Lets the service worker keep what matches on this device need. */
export function keepRules(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext || !isOwnSite()) return;
  navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ keep: true }), () => {});
}

/** Whether the reader wants to be told in this browser, and the browser allows it. */
export function isTold(): boolean {
  return canTell() && Notification.permission === "granted" && preferences.telling === "yes";
}

/** Whether the reader may be asked. */
export function mayAsk(): boolean {
  return canTell() && isSecureContext && Notification.permission !== "denied" && preferences.telling === "";
}

/** Aborts the calls that register this browser, once the reader stops being told. */
let registering = new AbortController();
let last: Promise<unknown> = Promise.resolve();

/** Runs one change of the browser's subscription after the other. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const acted = last.then(act);
  last = acted.catch(() => {});
  return acted;
}

/**
 * Subscribes this browser, and registers it: with the token of a seat for that seat, otherwise for
 * the player. Again at each visit, which renews what has ended meanwhile.
 */
export function tell(
  croupier: Croupier,
  player: string,
  seat: SeatSession | undefined,
  quiet = preferences.quiet,
): Promise<void> {
  const { signal } = registering;
  return inTurn(async () => {
    signal.throwIfAborted();
    const registration = await navigator.serviceWorker.ready;
    const { publicKey } = await croupier.rpc.push.getPushKey({}, { signal });
    const subscription = await subscribed(registration.pushManager, publicKey);
    const key = (name: PushEncryptionKeyName) => new Uint8Array(subscription.getKey(name) ?? new ArrayBuffer(0));
    const keys = { p256dh: key("p256dh"), auth: key("auth") };
    const { endpoint } = subscription;
    const language = preferences.language;
    const quietHours = quietHoursOf(quiet);
    const request = { endpoint, keys, language, ...(!seat && { player }), ...(quietHours && { quietHours }) };
    await croupier.rpc.push.createPushSubscription(request, { signal });
    signal.throwIfAborted();
    preferences.telling = "yes";
    if (seat) keepSeat(seat);
  });
}

/** Registers this browser with other quiet hours, for every seat, and stores them once the service accepts them. */
export async function setQuietHours(
  quiet: string,
  croupier: Croupier,
  player: string,
  seat: SeatSession | undefined,
): Promise<void> {
  await tell(croupier, player, seat, quiet);
  preferences.quiet = quiet;
  if (!seat) return;
  const others = keptSeats().filter(({ match }) => match !== seat.match);
  // A seat whose link has ended is told of nothing anyway.
  await Promise.allSettled(others.map((it) => tell(connect({ credentials: it.token }), "", it)));
}

/** Quiet hours by the clock of this machine. */
function quietHoursOf(text: string): { timeZone: string; startMinute: number; endMinute: number } | undefined {
  const [startMinute, endMinute] = text.split("-").map((time) => {
    const [hours, minutes] = time.split(":").map(Number);
    return hours! * 60 + minutes!;
  });
  if (!Number.isInteger(startMinute) || !Number.isInteger(endMinute)) return undefined;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { timeZone, startMinute: startMinute!, endMinute: endMinute! };
}

/** Ends the browser's subscription. The service forgets it as soon as it sends the next message. */
export async function stopTelling(): Promise<void> {
  registering.abort();
  registering = new AbortController();
  preferences.telling = "";
  preferences.seats = "[]";
  await inTurn(async () => {
    const registration = await navigator.serviceWorker.ready;
    await (await registration.pushManager.getSubscription())?.unsubscribe();
  });
}

async function subscribed(manager: PushManager, key: Uint8Array): Promise<PushSubscription> {
  const present = await manager.getSubscription();
  const known = present?.options.applicationServerKey;
  if (present && known && `${new Uint8Array(known)}` === `${key}`) return present;
  // Of another installation at this address.
  await present?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: new Uint8Array(key) });
}

/** How many seats a browser keeps. */
const SEATS_MAX = 16;

/**
 * Keeps a seat of a guest who wants to be told, so that a message leads to the match after its tab
 * was closed.
 */
function keepSeat(seat: SeatSession): void {
  const others = keptSeats().filter(({ match }) => match !== seat.match);
  preferences.seats = JSON.stringify([seat, ...others].slice(0, SEATS_MAX));
}

/** The kept seat in a match. */
export function keptSeat(match: string): SeatSession | undefined {
  return isTold() ? keptSeats().find((it) => it.match === match) : undefined;
}

/** Forgets a seat whose token is no longer valid, or whose guest has left. */
export function forgetSeat(match: string): void {
  preferences.seats = JSON.stringify(keptSeats().filter((it) => it.match !== match));
}

function keptSeats(): SeatSession[] {
  try {
    const kept: unknown = JSON.parse(preferences.seats);
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
