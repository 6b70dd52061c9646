import { createServer, request } from "node:http";
import { connect } from "node:net";

/** A proxy between browsers and a service, which may do what proxies do. */
export class Proxy {
  #to;
  #options;
  #server = createServer((asked, answer) => this.#pass(asked, answer));
  #sockets = new Set();

  /**
   * Starts one. `holdsBack`: an answer is passed on once it is complete. `refusesSockets`: no connection
   * is upgraded. `prefix`: the path below which the service is.
   */
  static async start(to, options = {}) {
    const proxy = new Proxy();
    proxy.#to = new URL(to);
    proxy.#options = { prefix: "", ...options };
    proxy.#server.on("upgrade", (asked, socket, head) => proxy.#upgrade(asked, socket, head));
    proxy.#server.on("connection", (socket) => {
      proxy.#sockets.add(socket);
      socket.on("close", () => proxy.#sockets.delete(socket));
    });
    await new Promise((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    proxy.origin = `http://127.0.0.1:${proxy.#server.address().port}`;
    proxy.url = proxy.origin + proxy.#options.prefix;
    return proxy;
  }

  /** Cuts all connections. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop() {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pathOf(asked) {
    const { prefix } = this.#options;
    return asked.url.startsWith(`${prefix}/`) ? asked.url.slice(prefix.length) : undefined;
  }

  #pass(asked, answer) {
    const path = this.#pathOf(asked);
    if (path === undefined) return answer.writeHead(404).end();
    const { hostname, port } = this.#to;
    const { upgrade: _, connection: __, ...headers } = asked.headers;
    const passed = request({ hostname, port, path, method: asked.method, headers }, (answered) => {
      const begin = () => answer.writeHead(answered.statusCode, answered.headers);
      if (!this.#options.holdsBack) {
        begin().flushHeaders();
        return answered.pipe(answer);
      }
      const held = [];
      answered.on("data", (chunk) => held.push(chunk));
      answered.on("end", () => begin().end(Buffer.concat(held)));
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  }

  #upgrade(asked, socket, head) {
    const path = this.#pathOf(asked);
    if (this.#options.refusesSockets || path === undefined) {
      return socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    const lines = [];
    for (let n = 0; n < asked.rawHeaders.length; n += 2) lines.push(`${asked.rawHeaders[n]}: ${asked.rawHeaders[n + 1]}`);
    const service = connect(this.#to.port, this.#to.hostname);
    service.write(`${asked.method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    service.write(head);
    service.pipe(socket).pipe(service);
    for (const [one, other] of [[service, socket], [socket, service]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }
}
