// The service worker of the application: what is shown and played without the service, and messages
// that it is the reader's turn.
//
// It keeps files of the application and nothing else: no answer of the service, and no address,
// which may carry a secret.

const CACHE = `croupier-${VERSION}`;
const OFFLINE = "/offline.html";
/** The pages that work without the service: matches on this device, and the check of records. */
const PAGES = ["/", "/check/"];

const STOP = { en: "Stop telling me", de: "Nicht mehr melden", fr: "Ne plus m’avertir" };

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => page(pathname)));
  } else if (SHELL.includes(pathname) || REST.includes(pathname)) {
    event.respondWith(kept(request, pathname));
  }
});
// The page asks once it has all that it needs itself: the rules are large.
addEventListener("message", (event) => {
  if (event.data?.keep === true) event.waitUntil(keepRest());
});
addEventListener("push", (event) => event.waitUntil(show(event.data)));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "stop" ? stop() : open(event.notification.data.match));
});

async function install() {
  const cache = await caches.open(CACHE);
  // The same address answers programs with JSON.
  const pages = PAGES.map((page) => new Request(page, { headers: { accept: "text/html" } }));
  await cache.addAll([OFFLINE, ...pages, ...SHELL]);
  await skipWaiting();
}

/** Keeps what is needed to play without the service. */
async function keepRest() {
  const cache = await caches.open(CACHE);
  for (const file of REST) if (!(await cache.match(file))) await cache.add(file);
}

async function activate() {
  const names = await caches.keys();
  const before = names.filter((name) => name.startsWith("croupier-") && name !== CACHE);
  await Promise.all(before.map((name) => caches.delete(name)));
  await clients.claim();
}

async function page(pathname) {
  return caches.match(PAGES.includes(pathname) ? pathname : OFFLINE, { ignoreVary: true });
}

async function kept(request, pathname) {
  return (await caches.match(pathname)) ?? fetch(request);
}

/** Shows a message, unless the reader looks at the application: it shows the turn by itself. */
async function show(data) {
  const told = data?.json();
  if (told?.type !== "turn") return;
  const windows = await clients.matchAll({ type: "window" });
  if (windows.some((it) => it.focused)) return;
  const { title, body, tag, language, turns } = told;
  await registration.showNotification(title, {
    body,
    tag,
    lang: language,
    icon: "/icon-192.png",
    // Of several matches, the list of the reader's matches is shown.
    data: { match: turns.length > 1 ? "matches" : turns[0].match },
    actions: [{ action: "stop", title: STOP[language] ?? STOP.en }],
  });
}

/** The push service tells the service that this browser unsubscribed. */
async function stop() {
  const subscription = await registration.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

async function open(match) {
  const page = `/#/${match}`;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = windows.find((it) => new URL(it.url).pathname === "/");
  if (!found) return clients.openWindow(page);
  found.postMessage({ open: match });
  return found.focus();
}
