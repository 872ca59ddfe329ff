import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A proxy that lets nothing through and notes who was asked for. A browser that is sent to it asks this machine's own servers directly, and everybody
 * else through it, whichever of its parts asks: pages, workers, service workers, extensions.
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

  /** The browser's argument. */
  get argument(): string {
    return `--proxy-server=http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Everybody who was asked for so far. */
  get hosts(): readonly string[] {
    return [...this.#hosts].sort();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
