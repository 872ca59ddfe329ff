import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request, as the server got it. */
export interface Seen {
  /** `hub`, or `files` for the server that large files are redirected to. */
  readonly server: "hub" | "files";
  readonly path: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
}

/** Answers a request instead of the server, and says so. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HubModel {
  readonly commit: string;
  /** Branches and tags, besides the commit. */
  readonly revisions: readonly string[];
  readonly cardData?: object;
  /** Files by path. Those of at least 100 bytes are large: listed with their SHA-256, and served by another server. */
  readonly files: Readonly<Record<string, Buffer>>;
}

export interface HubServer {
  readonly url: string;
  /** Of the server that large files are redirected to. */
  readonly filesUrl: string;
  readonly seen: readonly Seen[];
  /** Paths of the files that were asked for, in order. */
  filesAsked(): readonly string[];
  /** What answers first; replaced by the next call. */
  fail(server: "hub" | "files", fault: Fault): void;
  /** Entries of a page of the listing. Default: all. */
  pageSize: number;
  /** Changes what is listed. */
  list: (entries: readonly Entry[]) => readonly unknown[];
  /** Changes where large files are redirected to. */
  redirectTo: (url: string) => string;
  close(): Promise<void>;
}

export interface Entry {
  readonly type: string;
  readonly path: string;
  readonly size: number;
  readonly oid: string;
  readonly lfs?: { readonly oid: string; readonly size: number; readonly pointerSize: number };
}

const LARGE_BYTES = 100;

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
export const gitSha1 = (bytes: Buffer): string => createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

/** A model hub with one model, on two ports: one for the hub, one for large files. */
export async function startHub(id: string, model: HubModel): Promise<HubServer> {
  const seen: Seen[] = [];
  const faults: { hub?: Fault; files?: Fault } = {};
  const start = async (name: "hub" | "files", answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> => {
    const server = createServer((request, response) => {
      seen.push({ server: name, path: request.url ?? "", authorization: request.headers.authorization, range: request.headers.range });
      if (faults[name]?.(request, response) !== true) answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  };
  const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const filesServer = await start("files", (request, response) => {
    const bytes = Object.values(model.files).find((file) => request.url === `/${sha256(file)}`);
    if (bytes === undefined) response.writeHead(404).end();
    else sendBytes(request, response, bytes);
  });
  const hubServer = await start("hub", (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://hub");
    const revision = /^(?:\/api\/models)?\/[^/]+\/[^/]+\/(?:revision|tree|resolve)\/([^/]+)/.exec(pathname)?.[1] ?? "";
    const refuse = (status: number, code: string): void => {
      response.writeHead(status, { "x-error-code": code, "content-type": "application/json" }).end(JSON.stringify({ error: code }));
    };
    if (!pathname.startsWith(`/api/models/${id}/`) && !pathname.startsWith(`/${id}/`)) refuse(401, "RepoNotFound");
    else if (![model.commit, ...model.revisions].includes(decodeURIComponent(revision))) refuse(404, "RevisionNotFound");
    else if (pathname.startsWith(`/api/models/${id}/revision/`)) {
      sendJson(response, { _id: "1", id, sha: model.commit, ...(model.cardData && { cardData: model.cardData }) });
    } else if (pathname.startsWith(`/api/models/${id}/tree/`)) {
      const all = hub.list(entriesOf(model.files));
      const from = Number(searchParams.get("cursor") ?? 0);
      const next = from + hub.pageSize;
      const link = `<${hub.url}${pathname}?recursive=true&cursor=${next}>; rel="next"`;
      sendJson(response, all.slice(from, next), next < all.length ? { link } : {});
    } else {
      const bytes = model.files[decodeURIComponent(pathname.slice(`/${id}/resolve/${revision}/`.length))];
      if (bytes === undefined) refuse(404, "EntryNotFound");
      else if (bytes.length < LARGE_BYTES) sendBytes(request, response, bytes);
      else response.writeHead(302, { location: hub.redirectTo(`${hub.filesUrl}/${sha256(bytes)}`) }).end();
    }
  });
  const servers = [hubServer, filesServer];
  const hub: HubServer = {
    url: urlOf(hubServer),
    filesUrl: urlOf(filesServer),
    seen,
    filesAsked: () =>
      seen.flatMap(({ path }) => /^\/[^/]+\/[^/]+\/resolve\/[^/]+\/(.*)$/.exec(path)?.slice(1) ?? []).map(decodeURIComponent),
    fail(server, fault) {
      faults[server] = fault;
    },
    pageSize: Infinity,
    list: (entries) => entries,
    redirectTo: (url) => url,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  return hub;
}

function entriesOf(files: HubModel["files"]): readonly Entry[] {
  return Object.entries(files).map(([path, bytes]) => {
    const entry = { type: "file", path, size: bytes.length, oid: gitSha1(bytes) };
    return bytes.length < LARGE_BYTES ? entry : { ...entry, lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 130 } };
  });
}

function sendJson(response: ServerResponse, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** With a range, if one is asked for. */
export function sendBytes(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (request.headers.range === undefined) response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  else if (start >= bytes.length) response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
  else {
    const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
    response.writeHead(206, { "content-range": range, "content-length": bytes.length - start }).end(bytes.subarray(start));
  }
}
