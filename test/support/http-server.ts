import { serve } from "@hono/node-server";
import { createHandler } from "umpire/http";
import type { HandlerOptions } from "umpire/http";
import { UNHURRIED } from "./unhurried.ts";

export interface HttpServer {
  /** Without a trailing slash and without the handler's base path. */
  readonly url: string;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/** Serves a handler on a free local port. Without limits of its own, no request takes too long. */
export async function startServer(options: HandlerOptions): Promise<HttpServer> {
  const handler = createHandler({ ...options, limits: { ...UNHURRIED, ...options.limits } });
  let server: ReturnType<typeof serve> | undefined;
  const port = await new Promise<number>((resolve, reject) => {
    // Keeps Node's globals, which the tests in this process use.
    server = serve({ fetch: handler, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }, (info) => {
      resolve(info.port);
    });
    server.once("error", reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server?.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
        if (server !== undefined && "closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
