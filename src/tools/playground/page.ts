import { once } from "node:events";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { filesFor, parseManifest } from "../../library/engine/families/families.ts";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import type { CataloguedPack } from "../../library/platform/platform.ts";
import { whyNotListening } from "../../files/system-errors.ts";
import { badInput, ToolError } from "../tool-error.ts";

/** Only this machine may connect, because what is typed into the page is private. */
export const HOST = "127.0.0.1";

export const HEADERS = {
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

/** A server of the page's files. It serves what is there when it starts, and nothing else. */
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
 * @param models that the page is to offer
 * @throws as `listen`
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

const PORTS = 20;

/** The ports that are tried: the one that was chosen, or the usual one and those after it. */
export function portsFrom(chosen: number | undefined, usual: number): number[] {
  return chosen === undefined ? Array.from({ length: PORTS }, (_, i) => usual + i) : [chosen];
}

/** Listens on the first of these ports that is free. @param ports one or more @throws {ToolError} why the last one cannot be had */
export async function listen(server: Server, [port = 0, ...others]: readonly number[]): Promise<void> {
  try {
    server.listen(port, HOST);
    await once(server, "listening");
  } catch (error) {
    if (others.length > 0 && (error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      await listen(server, others);
      return;
    }
    const why = whyNotListening(error, HOST, port);
    throw why === undefined ? error : new ToolError(why);
  }
}

/** The folder of the page's own files inside dist/. The library's files are beside it. */
export const PAGE_FOLDER = "playground/";

/**
 * Copies everything that the page needs to a folder, which any web server can serve.
 * @param models that the page is to offer
 * @throws {ToolError} if the folder holds files, since one of them could be overwritten
 */
export async function gatherPage(dist: URL, folder: string, { base, listing }: PageModels): Promise<void> {
  await mustBeEmpty(folder);
  await cp(new URL(PAGE_FOLDER, dist), folder, { recursive: true });
  await cp(new URL("umpire/", dist), join(folder, "umpire"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  if (base !== undefined) await cp(new URL(base.url), join(folder, "umpire/models", base.id), { recursive: true });
  await writeFile(join(folder, MODELS_FILE), listing);
  const scripts = (await readdir(new URL("umpire/", dist))).filter((name) => name.endsWith(".js")).map((name) => `umpire/${name}`);
  for (const script of ["index.browser.js", ...scripts]) await copyWithoutMap(dist, script, folder);
}

async function mustBeEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw badInput("--out must be a folder, but is a file.");
    throw error;
  });
  if (names.length > 0) throw badInput("The folder of --out is not empty. Name a new or an empty folder: no file is ever overwritten.");
}

/** Source maps are not copied, so the scripts must not name them. */
async function copyWithoutMap(dist: URL, script: string, folder: string): Promise<void> {
  const text = await readFile(fileURLToPath(new URL(script, dist)), "utf8");
  await mkdir(dirname(join(folder, script)), { recursive: true });
  await writeFile(join(folder, script), text.replace(/^\/\/# sourceMappingURL=.*\n?/mu, ""));
}

/** The page asks for it to know which models it may choose. It lies beside index.html. */
const MODELS_FILE = "models.json";

export interface PageModels {
  /** The one that has a package of its own, if that is installed. Its files are to lie at `umpire/models/<id>/`, as those of the others do. */
  readonly base: CataloguedPack | undefined;
  /** Why a package that is installed is left out, in sentences. */
  readonly damage: string | undefined;
  /** The contents of `MODELS_FILE`. */
  readonly listing: string;
}

/** @param packs those that are installed of umpire's makers */
export async function pageModels(packs: readonly CataloguedPack[]): Promise<PageModels> {
  const base = packs.find(({ packageName }) => packageName !== undefined);
  const models = await Promise.all(packs.filter(({ damage }) => damage === undefined).map(pageModel));
  return { base: base?.damage === undefined ? base : undefined, damage: base?.damage, listing: `${JSON.stringify(models)}\n` };
}

/** Its size is that of the files that a browser fetches, on wasm in int8. */
async function pageModel({ id, url }: CataloguedPack): Promise<{ readonly id: string; readonly sizeBytes: number }> {
  const text = await readFile(new URL(MANIFEST, url), "utf8");
  const manifest = await parseManifest(text);
  const names = await filesFor(manifest, { device: "wasm", precision: "int8" });
  const sizes = names.map((name) => manifest.files[name]?.sizeBytes ?? 0);
  return { id, sizeBytes: sizes.reduce((sum, size) => sum + size, Buffer.byteLength(text)) };
}
