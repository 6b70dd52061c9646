// A service that serves the pages, and a browser to look at them, for one test file.

import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Service } from "../../../typescript/test/support/service.js";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

export class Harness {
  /** Starts a service with further options of `croupier serve`, and a browser. */
  static async start(...options) {
    const harness = new Harness();
    try {
      harness.service = await Service.start("--pages", dist, ...options);
      harness.platform = harness.service.connect({ language: "en" });
      harness.browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox"],
      });
    } catch (error) {
      await harness.stop();
      throw error;
    }
    return harness;
  }

  async stop() {
    await this.browser?.close();
    await this.service?.stop();
  }

  get url() {
    return this.service.url;
  }

  /** A page with a session of its own, as another person's browser has. */
  async open({ keepReceived = false, ...options } = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: "en",
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    if (keepReceived) await page.addInitScript(keepWhatIsReceived);
    return new Visit(this, context, page);
  }

  /** A page that is signed in for the platform, by a link as `croupier sign-in` prints it. */
  async signIn(options) {
    const visit = await this.open(options);
    const { code } = await this.platform.rpc.tokens.createSignIn({});
    visit.secret = code;
    await visit.page.goto(`${this.url}/#sign-in=${code}`);
    await visit.page.locator("app-start .game").first().waitFor();
    return visit;
  }

  /** A page of a guest, who was given a seat by a link. */
  async sit(match, seat, options) {
    const visit = await this.open(options);
    await visit.sit(match, seat);
    return visit;
  }
}

/** A page, and everything about it that no page of ours may do. */
class Visit {
  /** Errors on the console, requests to other origins, violations of the policy, failed calls. */
  faults = [];
  /** The calls of the service's methods, and their answers. */
  calls = [];
  /** The sockets that were opened. */
  sockets = [];
  /** While the service is away, calls fail. */
  isServiceAway = false;
  /** Whether the service may refuse calls, as it does what a form made. */
  mayBeRefused = false;
  /** Whether a proxy may refuse sockets. */
  mayRefuseSockets = false;

  constructor(harness, context, page) {
    this.harness = harness;
    this.context = context;
    this.page = page;
    this.origins = new Set([harness.url]);
    page.on("pageerror", (error) => this.faults.push(`page: ${error.stack ?? error}`));
    page.on("console", (message) => {
      const isFault = message.type() === "error" || message.type() === "warning";
      // Failed calls are told by the responses, which say more.
      const isTold = /^Failed to load resource/.test(message.text());
      const isOfSocket = /^WebSocket connection to/.test(message.text());
      const mayBe = isOfSocket && (this.isServiceAway || this.mayRefuseSockets);
      if (isFault && !isTold && !mayBe) {
        this.faults.push(`console: ${message.text()}`);
      }
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && !this.origins.has(url.origin)) this.faults.push(`third party: ${url.origin}`);
      this.calls.push({ method: methodOf(url), answer: request.response().catch(() => null) });
    });
    page.on("websocket", (socket) => {
      this.sockets.push(socket);
      const { origin } = new URL(socket.url().replace(/^ws/, "http"));
      if (!this.origins.has(origin)) this.faults.push(`third party: ${origin}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText;
      // Streams are ended by the page when it closes them.
      if (reason === "net::ERR_ABORTED" || this.isServiceAway) return;
      this.faults.push(`request: ${request.url()} ${reason}`);
    });
    page.on("response", (response) => {
      if (response.status() < 400 || this.isServiceAway || (this.mayBeRefused && response.status() < 500)) return;
      this.faults.push(`response: ${response.status()} of ${response.url()}`);
    });
  }

  /** Opens the link of a seat. */
  async sit(match, seat) {
    const { token } = await this.harness.platform.match(match, { seat }).createToken();
    this.secret = token;
    await this.page.goto(`${this.harness.url}/#${new URLSearchParams({ seat, match, token })}`);
  }

  /** Taps at once: the two halves one after the other may be a long press on a busy machine. */
  async tap({ x, y }) {
    this.devtools ??= await this.context.newCDPSession(this.page);
    const send = (type, touchPoints) => this.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    await Promise.all([send("touchStart", [{ x, y }]), send("touchEnd", [])]);
  }

  /** How often a method was called. */
  count(method) {
    return this.calls.filter((it) => it.method === method).length;
  }

  /** Waits until every call is answered that the page has made by now; streams go on. */
  async answered() {
    await this.page.evaluate(() => new Promise(requestAnimationFrame));
    await Promise.all(this.calls.map((it) => it.answer));
  }

  /** How often a method was called and did what was asked. */
  async countDone(method) {
    const answers = await Promise.all(this.calls.filter((it) => it.method === method).map((it) => it.answer));
    return answers.filter((it) => it?.ok()).length;
  }

  /** Runs a test with the page, closes it, and fails if anything happened that may not. */
  async use(run) {
    try {
      const result = await run(this);
      assert.deepEqual(this.faults, []);
      return result;
    } catch (error) {
      const picture = path.join(tmpdir(), `croupier-failure-${process.pid}-${Date.now()}.png`);
      await this.page.screenshot({ path: picture }).catch(() => {});
      error.message += `\nSee ${picture}. Faults: ${this.faults.join("\n")}`;
      throw error;
    } finally {
      await this.context.close();
    }
  }
}

/** Runs in the page: keeps what calls of the service return, and what comes by sockets, in `window.received`. */
function keepWhatIsReceived() {
  const bytesOf = (chunk) => Array.from(chunk, (byte) => String.fromCharCode(byte)).join("");
  const fetch = window.fetch;
  window.received = [];
  window.fetch = async (...request) => {
    const response = await fetch(...request);
    const kept = { method: new URL(response.url).pathname.split("/").at(-1), bytes: "" };
    window.received.push(kept);
    const keep = new TransformStream({
      transform(chunk, controller) {
        kept.bytes += bytesOf(chunk);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(keep), { status, statusText, headers });
  };
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        window.received.push({ method: "socket", bytes: bytesOf(new Uint8Array(data)) });
      });
    }
  };
}

function methodOf(url) {
  return url.pathname.split("/").at(-1);
}
