import { createServer } from "node:http";
import type { Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { PAGE_FOLDER } from "./page-files.ts";
import { MODELS_FILE } from "./page-models.ts";
import type { PageModels } from "./page-models.ts";

/** Only this machine may connect, because what is typed into the page is private. */
export const HOST = "127.0.0.1";

const HEADERS = {
  // These two allow threads.
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  // The page talks to no other server.
  "content-security-policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  // Another version of the package may be at the same address tomorrow. The library itself keeps the large files, by their hash.
  "cache-control": "no-store",
};

const OF_THE_LIBRARY = /^\/(?:index\.browser\.js|umpire\/)/u;
/** All that the page asks for: the rest of a file whose download broke off. */
const UNDERSTOOD_RANGE = /^bytes=\d{1,15}-$/u;

/** A server of the page's files. It serves what is there when it starts, and nothing else. @param dist URL of the folder of the built package */
function pageServer(dist: URL, { base, listing }: PageModels): Server {
  const page = sirv(fileURLToPath(new URL(PAGE_FOLDER, dist)));
  const library = sirv(fileURLToPath(dist));
  const ofBase = base && { path: `/umpire/models/${base.id}`, files: sirv(fileURLToPath(base.url)) };
  return createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (request.method !== "GET" && request.method !== "HEAD") return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    // A server may ignore a range. sirv throws at some of those that it does not understand.
    if (!UNDERSTOOD_RANGE.test(request.headers.range ?? "")) delete request.headers.range;
    const notFound = (): void => void response.writeHead(404).end();
    if (request.url === `/${MODELS_FILE}`) return void response.setHeader("content-type", "application/json").end(listing);
    page(request, response, () => {
      if (ofBase && request.url?.startsWith(`${ofBase.path}/`)) {
        request.url = request.url.slice(ofBase.path.length);
        ofBase.files(request, response, notFound);
      } else if (OF_THE_LIBRARY.test(request.url ?? "")) library(request, response, notFound);
      else notFound();
    });
  });
}

/**
 * Serves the page on the first of these ports that is free.
 * @param dist URL of the folder of the built package
 * @param models that the page is to offer
 * @throws the system's error for the last port
 */
export async function servePage(
  dist: URL,
  ports: readonly number[],
  models: PageModels,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = pageServer(dist, models);
  await listen(server, ports);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, [port, ...others]: readonly number[]): Promise<void> {
  try {
    server.listen(port, HOST);
    await once(server, "listening");
  } catch (error) {
    if (others.length === 0 || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    await listen(server, others);
  }
}
