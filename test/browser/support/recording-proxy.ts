import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A proxy that lets nothing through and records the requested hosts. A browser that uses it connects to local servers directly and to all others through
 * it, for every kind of request: from pages, workers, service workers and extensions.
 */
export class RecordingProxy {
  readonly #hosts = new Set<string>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<RecordingProxy> {
    const server = createServer((request, response) => {
      proxy.#hosts.add(new URL(request.url ?? "", "http://unknown").hostname);
      response.writeHead(502).end();
    });
    server.on("connect", (request, socket) => {
      proxy.#hosts.add(request.url?.split(":")[0] ?? "unknown");
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    const proxy = new RecordingProxy(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** The browser's command-line argument. */
  get argument(): string {
    return `--proxy-server=http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All hosts requested so far. */
  get hosts(): readonly string[] {
    return [...this.#hosts].sort();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
