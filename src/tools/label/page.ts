import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { isMade } from "../../files/lock.ts";
import { OWNER_ONLY } from "../../files/replace.ts";
import { withAnySignal } from "../../library/async/signals.ts";
import { HEADERS, HOST, listen, PAGE_FOLDER } from "../playground/page.ts";
import { jsonObjectIn } from "../rows/json-text.ts";
import { ToolError } from "../tool-error.ts";
import { NOTES } from "./files.ts";
import type { LabelSession } from "./session.ts";
import type { LabelView } from "./view.ts";

/** The folder of the page's own files inside dist/. Its styles are the playground's. */
const LABEL_FOLDER = "label/";
const OF_THE_PLAYGROUND = /^\/(?:style\/(?:theme|layout|buttons|fields)\.css|dom\.js|theme\.js|icon\.svg)$/u;
const CHANGES: readonly string[] = ["/answer", "/undo", "/go-on", "/finish"];
const MAX_BODY_BYTES = 100_000;
/** A page that waits for news is answered after so long at the latest: proxies and sleeping machines drop what is silent. */
const WAITS_MS = 20_000;
/** A page that does not take its last reply is not waited for. */
const LAST_REPLIES_MS = 2000;

export interface PageState extends LabelView {
  /** The command that uses the lesson. */
  readonly next: string;
  /** Whether `umpire label` ends now. */
  readonly isOver: boolean;
}

interface LabelServer {
  /** With the page's secret in the fragment, which no browser sends. */
  readonly url: string;
  /** Resolves once somebody has ended it in the page. */
  readonly ended: Promise<void>;
  /** Ends the session, too, and pages that wait are told how. */
  close(): Promise<void>;
}

/**
 * Serves the page and its session on the first of these ports that is free, to this machine and to pages that know the secret.
 *
 * Pages of other origins cannot read replies, as none allows it; a name that is pointed here has the wrong `Host`; and other users of the machine lack the secret. It is
 * kept beside the answers until it ends as it should: after a kill, pages that are open go on with the next process.
 * @throws as `listen`
 */
export async function serveLabelPage(dist: URL, ports: readonly number[], session: LabelSession, next: string): Promise<LabelServer> {
  const secretFile = `${session.view.out}.page`;
  const secret = await keptSecret(secretFile);
  const own = sirv(fileURLToPath(new URL(LABEL_FOLDER, dist)));
  const shared = sirv(fileURLToPath(new URL(PAGE_FOLDER, dist)));
  const ending = new AbortController();
  const replying = new Set<Promise<unknown>>();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let isOver = false;
  const state = (): PageState => ({ ...session.view, next, isOver });

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader("referrer-policy", "no-referrer");
    const [path = "", query] = (request.url ?? "").split("?", 2);
    const refuse = (status: number, problem: string): void => {
      reply(response, status, { problem });
    };
    if (!isOurs(request, (server.address() as AddressInfo | null)?.port)) {
      refuse(421, NOT_OURS);
      return;
    }
    const method = path === "/state" ? "GET" : CHANGES.includes(path) ? "POST" : undefined;
    if (method === undefined) {
      if (request.method !== "GET" && request.method !== "HEAD") return void response.writeHead(405, { allow: "GET, HEAD" }).end();
      delete request.headers.range;
      const notFound = (): void => void response.writeHead(404).end();
      own(request, response, () => {
        if (OF_THE_PLAYGROUND.test(request.url ?? "")) shared(request, response, notFound);
        else notFound();
      });
      return;
    }
    if (request.method !== method) return void response.writeHead(405, { allow: method }).end();
    if (!isSame(request.headers.authorization ?? "", `Bearer ${secret}`)) {
      refuse(401, NO_SECRET);
      return;
    }
    const after = new URLSearchParams(query).get("after");
    void (path === "/state" ? waited(response, after) : posted(path, request, response)).catch((error: unknown) => {
      refuse(500, error instanceof ToolError ? error.message : "Something unexpected failed.");
    });
    // It is closed once all of it is sent.
    const sent = once(response, "close").finally(() => replying.delete(sent));
    replying.add(sent);
  });

  const waited = async (response: ServerResponse, after: string | null): Promise<void> => {
    if (after === String(session.view.revision) && !ending.signal.aborted) {
      const gone = new AbortController();
      response.once("close", () => {
        gone.abort();
      });
      await withAnySignal([ending.signal, gone.signal, AbortSignal.timeout(WAITS_MS)], (any) => session.changed(any));
    }
    reply(response, 200, state());
  };

  const posted = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await jsonOf(request);
    const change = typeof body === "string" ? body : changeOf(path, body);
    if (typeof change === "string") {
      // The rest of it is not read.
      response.setHeader("connection", "close");
      reply(response, 400, { problem: change });
      return;
    }
    isOver ||= path === "/finish";
    const isTaken = await change(session);
    // Another page was first. Its state says what is asked now.
    reply(response, isTaken ? 200 : 409, state());
    if (path === "/finish") end();
  };

  const reply = (response: ServerResponse, status: number, value: PageState | { readonly problem: string }): void => {
    if (response.writableEnded || response.destroyed) return;
    response.writeHead(status, { "content-type": "application/json", ...(ending.signal.aborted && { connection: "close" }) });
    response.end(JSON.stringify(value));
  };

  await listen(server, ports).catch(async (error: unknown) => {
    await rm(secretFile, { force: true });
    throw error;
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/#${secret}`,
    ended,
    close: async () => {
      isOver = true;
      await session.finish();
      const closed = new Promise((resolve) => server.close(resolve));
      ending.abort();
      await Promise.race([Promise.all(replying), sleep(LAST_REPLIES_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await rm(secretFile, { force: true });
    },
  };
}

const NOT_OURS = "This page is for this machine alone. Open the address that umpire label printed.";
const NO_SECRET = "The address lacks its secret, or that is of an earlier time. Open the address that umpire label printed.";

/** Whether a request came by the address that was printed, from its own page or from no page. */
function isOurs({ headers }: IncomingMessage, port: number | undefined): boolean {
  const hosts = [HOST, "localhost"].map((name) => `${name}:${port}`);
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (!hosts.includes(host)) return false;
  return (origin === undefined || origin === `http://${host}`) && (site === "none" || site === "same-origin");
}

/** Takes as long for any two texts. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

async function keptSecret(file: string): Promise<string> {
  const secret = randomBytes(18).toString("base64url");
  if (await isMade(writeFile(file, secret, { flag: "wx", mode: OWNER_ONLY }))) return secret;
  const kept = await readFile(file, "utf8");
  if (!/^[\w-]{24}$/u.test(kept)) throw new ToolError(`${file} was changed, or is no file of "umpire label". Delete it.`);
  return kept;
}

const NO_SUCH_BODY = "The body is not what the page sends. Load the page again.";

/** The object in a body, or what is wrong with it. */
async function jsonOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | string> {
  // A form of another site can send all but this.
  if (!/^application\/json *(?:;|$)/iu.test(request.headers["content-type"] ?? "")) return "The body must be application/json.";
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) return `The body has more than ${MAX_BODY_BYTES} bytes.`;
    pieces.push(piece);
  }
  return jsonObjectIn(Buffer.concat(pieces).toString()) ?? NO_SUCH_BODY;
}

type Change = (session: LabelSession) => Promise<boolean>;

/** Reads what a page asks for, or tells what is wrong with it. A change says whether it was made: another page may have been first. */
function changeOf(path: string, { row, key, note }: Readonly<Record<string, unknown>>): Change | string {
  if (path === "/go-on") return (session) => session.goOn().then(() => true);
  if (path === "/finish") return (session) => session.finish().then(() => true);
  if (typeof row !== "number" || !Number.isSafeInteger(row)) return NO_SUCH_BODY;
  if (path === "/undo") return (session) => session.undo(row);
  const known = NOTES.find((one) => one === note);
  if (typeof key === "string" && note === undefined) return (session) => session.answer(row, { key });
  return known === undefined || key !== undefined ? NO_SUCH_BODY : (session) => session.answer(row, known);
}
