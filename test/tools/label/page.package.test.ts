import { existsSync } from "node:fs";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serveLabelPage } from "../../../src/tools/label/page.ts";
import type { PageState } from "../../../src/tools/label/page.ts";
import type { LabelSession } from "../../../src/tools/label/session.ts";
import { labelRows } from "../../support/label-rows.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { asked, opened } from "./opened.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);
const TEXTS = [...labelRows(20).keys()];
const JSON_TYPE = "application/json";

let folder: string;
let session: LabelSession;
let server: Awaited<ReturnType<typeof serveLabelPage>>;
let port: string;
let secret: string;

const serve = async (): Promise<void> => {
  server = await serveLabelPage(DIST, [0], session, "umpire run ...");
  const url = new URL(server.url);
  [port, secret] = [url.port, url.hash.slice(1)];
};
beforeEach(async () => {
  folder = tempDir();
  session = await opened({ folder, decider: sharedDecider, texts: TEXTS });
  await asked(session);
  await serve();
});
afterEach(async () => {
  await server.close();
  await session.close();
});

interface Reply {
  readonly status: number;
  readonly state: PageState & { readonly problem?: string };
}

/** Sends what a page may and what it may not: `fetch` would set Host and Origin itself. */
async function send(
  path: string,
  body?: unknown,
  headers: Record<string, string | undefined> = {},
  method = body === undefined ? "GET" : "POST",
): Promise<Reply> {
  const usual = { authorization: `Bearer ${secret}`, ...(body !== undefined && { "content-type": JSON_TYPE }) };
  const all: Record<string, string | undefined> = { ...usual, ...headers };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const sent = request({ host: "127.0.0.1", port, path, method, headers: given as Record<string, string> });
  sent.on("error", () => undefined);
  sent.end(typeof body === "string" ? body : JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const content = await textOf(response);
  return { status: response.statusCode ?? 0, state: (content.startsWith("{") ? JSON.parse(content) : {}) as Reply["state"] };
}

const rowNow = (): number => session.view.current?.row ?? -1;

describe("the server of umpire label", () => {
  test.each([
    "/",
    "/main.js",
    "/server.js",
    "/options.js",
    "/progress.js",
    "/label.css",
    "/dom.js",
    "/theme.js",
    "/icon.svg",
    "/style/theme.css",
  ])("serves %s of its page, under a strict policy", async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self'/u);
  });

  test.each(["/index.browser.js", "/cli.js", "/style/answers.css", "/../cli.js", "/..%2fcli.js", "//", "//x", "/a%zz", "/presets.js"])(
    "has no %s",
    async (path) => {
      expect((await send(path)).status).toBe(404);
    },
  );

  test("tells its state, and waits for another one", async () => {
    const { status, state } = await send("/state");
    expect(status).toBe(200);
    expect(state).toMatchObject({ state: "asking", isOver: false, next: "umpire run ...", counts: { rows: 20 } });
    expect(TEXTS).toContain(state.current?.text);
    while (session.view.counts.read < 20) await new Promise((resolve) => setImmediate(resolve));
    await session.goOn();
    const seen: string[] = [];
    const waiting = send(`/state?after=${session.view.revision}`).finally(() => seen.push("told"));
    await send("/state");
    expect(seen).toEqual([]);
    await send("/answer", { row: rowNow(), note: "skipped" });
    expect((await waiting).state.counts.skipped).toBe(1);
  });

  test("takes answers, undoes one, goes on and ends", async () => {
    const row = rowNow();
    expect(await send("/answer", { row, key: "north" })).toMatchObject({ status: 200, state: { counts: { answered: 1 } } });
    await asked(session);
    expect(await send("/answer", { row, key: "south" })).toMatchObject({ status: 409, state: { counts: { answered: 1 } } });
    expect(await send("/undo", { row })).toMatchObject({ status: 200, state: { current: { row }, counts: { answered: 0 } } });
    expect((await send("/undo", { row })).status).toBe(409);
    expect((await send("/answer", { row, key: "east" })).status).toBe(409);
    expect((await send("/go-on", {})).status).toBe(200);
    expect(await send("/finish", {})).toMatchObject({ status: 200, state: { state: "done", isOver: true, reason: "You ended it." } });
    await server.ended;
  });

  test.each([
    ["no secret", { authorization: undefined }, 401],
    ["another secret", { authorization: "Bearer guessed" }, 401],
    ["another host: a name that was pointed here", { host: "evil.example" }, 421],
    ["no port of ours", { host: "127.0.0.1" }, 421],
    ["another origin", { origin: "https://evil.example" }, 421],
    ["no origin: a sandboxed page", { origin: "null" }, 421],
    ["another site", { "sec-fetch-site": "cross-site" }, 421],
    ["another port's page", { "sec-fetch-site": "same-site" }, 421],
  ])("refuses requests with %s, and says nothing", async (_, headers, status) => {
    for (const reply of [await send("/state", undefined, headers), await send("/answer", { row: rowNow(), key: "north" }, headers)]) {
      expect(reply.status).toBe(status);
      expect(Object.keys(reply.state)).toEqual(["problem"]);
      expect(reply.state.problem).toContain("Open the address that umpire label printed.");
    }
    expect(session.view.counts.answered).toBe(0);
  });

  test("is not read by pages of other origins, and tells none that they may ask", async () => {
    const preflight = await fetch(`http://127.0.0.1:${port}/answer`, { method: "OPTIONS" });
    expect(preflight.status).toBe(405);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    ["no JSON", "{", {}],
    ["none of ours", "[]", {}],
    ["null", "null", {}],
    ["no row", { key: "north" }, {}],
    ["a row that is none", { row: "1", key: "north" }, {}],
    ["an unknown note", { row: 0, note: "later" }, {}],
    ["a key and a note", { row: 0, key: "north", note: "skipped" }, {}],
    ["a key that is none", { row: 0, key: 1 }, {}],
    ["a form's type", '{"row":0,"key":"north"}', { "content-type": "text/plain" }],
    ["no type", '{"row":0,"key":"north"}', { "content-type": undefined }],
    ["far too much", `{"row":0,"key":"${"x".repeat(200_000)}"}`, {}],
  ])("refuses a body that is %s", async (_, body, headers) => {
    const { status, state } = await send("/answer", body, headers);
    expect(status).toBe(400);
    expect(state.problem).toMatch(/^The body /u);
    expect(session.view.counts.answered).toBe(0);
  });

  test.each([
    ["POST", "/state"],
    ["GET", "/answer"],
    ["PUT", "/undo"],
    ["DELETE", "/"],
  ])("refuses %s %s", async (method, path) => {
    expect((await send(path, undefined, {}, method)).status).toBe(405);
  });

  test("a page that leaves while it waits leaves nothing behind, and one that waits is told the end", async () => {
    while (session.view.counts.read < 20) await new Promise((resolve) => setImmediate(resolve));
    const leaving = request({
      host: "127.0.0.1",
      port,
      path: `/state?after=${session.view.revision}`,
      headers: { authorization: `Bearer ${secret}` },
    });
    leaving.on("error", () => undefined);
    leaving.end();
    await send("/state");
    leaving.destroy();
    const waiting = send(`/state?after=${session.view.revision}`);
    await send("/state");
    await server.close();
    expect((await waiting).state).toMatchObject({ isOver: true, state: "done" });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  });

  test("its secret is for its owner alone, outlives a kill, and goes when it ends", async () => {
    const file = join(folder, "labels.csv.page");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toBe(secret);
    // As after a kill: the file is still there.
    const [killed, before] = [server, secret];
    await serve();
    expect(secret).toBe(before);
    await killed.close();
    expect(existsSync(file)).toBe(false);
  });
});
