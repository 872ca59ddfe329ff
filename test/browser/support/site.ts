import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { PACKAGE_ROOT } from "../../support/package-root.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface SiteOptions {
  /** Folder to serve. Default: the built package's `dist/`. */
  readonly folder?: string;
  /** Whether pages are cross-origin isolated, which allows threads. Default: true. */
  readonly isolated?: boolean;
  /** Default: the strictest policy under which umpire is documented to run. */
  readonly policy?: string;
  /** How long the browser may cache files, in seconds. Default: it revalidates each time. */
  readonly maxAgeS?: number;
  /** More pages and scripts, by path. */
  readonly pages?: Readonly<Record<string, string>>;
}

export const STRICT_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** `window.umpire` is the package's browser entry. */
const PLAIN_PAGES = {
  "/": '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script></html>',
  "/page.js": 'import * as umpire from "/index.browser.js"; globalThis.umpire = umpire;',
};

/** A web server for static files on a free local port. It records requests and can be made to fail. */
export class Site {
  /** Requested paths in order, with ranges. */
  readonly requests: { readonly path: string; readonly range: string | undefined }[] = [];
  /** By path: handlers that answer instead of the file. */
  readonly faults = new Map<string, Handler>();
  /** Whether pages of other origins may read its files. */
  shared = false;
  readonly #server: Server;
  readonly #folder: string;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  static async start(options: SiteOptions = {}): Promise<Site> {
    const { folder = fileURLToPath(new URL("dist/", PACKAGE_ROOT)), isolated = true, policy = STRICT_POLICY } = options;
    const pages: Readonly<Record<string, string>> = options.pages ?? PLAIN_PAGES;
    // sirv sets its own cache header.
    const setHeaders = (response: ServerResponse): void => {
      response.setHeader("cache-control", options.maxAgeS === undefined ? "no-cache" : `max-age=${options.maxAgeS}`);
    };
    const files = sirv(folder, { dev: true, setHeaders });
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://site").pathname;
      site.requests.push({ path, range: request.headers.range });
      response.setHeader("content-security-policy", policy);
      setHeaders(response);
      if (site.shared) {
        response.setHeader("access-control-allow-origin", "*");
        response.setHeader("access-control-allow-headers", "range");
        response.setHeader("cross-origin-resource-policy", "cross-origin");
        if (request.method === "OPTIONS") return void response.writeHead(204).end();
      }
      if (isolated) {
        response.setHeader("cross-origin-opener-policy", "same-origin");
        response.setHeader("cross-origin-embedder-policy", "require-corp");
      }
      const page = pages[path];
      const fault = site.faults.get(path);
      if (fault !== undefined) fault(request, response);
      else if (page !== undefined) response.setHeader("content-type", path.endsWith(".js") ? "text/javascript" : "text/html").end(page);
      else files(request, response, () => void response.writeHead(404).end());
    });
    const site = new Site(server, folder);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  /** `http://localhost:<port>`, which browsers treat as a secure context. */
  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Changes a script's environment: `code` runs before it. */
  async runBefore(path: string, code: string): Promise<void> {
    const script = await readFile(join(this.#folder, path), "utf8");
    this.faults.set(path, (_, response) => {
      response.writeHead(200, { "content-type": "text/javascript" }).end(`${code}\n${script}`);
    });
  }

  /** Serves the files of one more folder. @param path where, with slashes at both ends */
  async serve(path: string, folder: string): Promise<void> {
    for (const name of await readdir(folder)) {
      const bytes = await readFile(join(folder, name));
      this.faults.set(path + name, (_, response) => void response.end(bytes));
    }
  }

  /** How often a path was requested. */
  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
