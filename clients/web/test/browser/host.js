import { createServer } from "node:http";

/** A web site that embeds the service. */
export class Host {
  #pages = new Map();
  #server = createServer((request, response) => {
    const page = this.#pages.get(request.url);
    response.writeHead(page ? 200 : 404, { "content-type": "text/html" });
    response.end(page ? `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">${page}</html>` : "");
  });

  static async start() {
    const host = new Host();
    await new Promise((resolve) => host.#server.listen(0, resolve));
    host.allowed = `http://127.0.0.1:${host.#server.address().port}`;
    return host;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The address of a page with this in it. */
  show(page) {
    const path = `/${this.#pages.size}`;
    this.#pages.set(path, page);
    return `${this.allowed}${path}`;
  }
}
