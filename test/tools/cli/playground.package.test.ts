import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatherPage, HOST, pageModels, servePage } from "../../../src/tools/playground/page.ts";
import { nodePlatform } from "../../../src/library/platform/node/platform.ts";
import type { CataloguedPack } from "../../../src/library/platform/platform.ts";
import { cleanEnv, CLI, finished, umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { golden } from "../../support/golden.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { standInForBase } from "../../support/relative-pack.ts";
import { tempDir } from "../../support/temp-dir.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);

interface Running {
  readonly url: string;
  /** Interrupts it, as Ctrl-C does. */
  readonly stop: () => Promise<Run>;
}

async function start(...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, [CLI, "playground", ...args], { env: cleanEnv() });
  const run = finished(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  while (!stdout.includes("\n")) if (await Promise.race([once(child.stdout, "data").then(() => false), run])) break;
  const url = /^Playground: (http:\/\/127\.0\.0\.1:\d+\/)$/mu.exec(stdout)?.[1];
  if (url === undefined) throw new Error(`it printed no address, but: ${stdout}${stderr}`);
  return {
    url,
    stop: () => {
      child.kill("SIGINT");
      return run;
    },
  };
}

/** The packs in umpire's own package. */
async function own(): Promise<readonly CataloguedPack[]> {
  return (await nodePlatform(DIST).builtIn()).filter(({ packageName }) => packageName === undefined);
}

/** Sends a path as it is. `fetch` would remove dots from it. */
async function statusOf(url: string, path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<number> {
  const { port } = new URL(url);
  const sent = request({ host: "127.0.0.1", port, path, ...options });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

describe("the page's server", () => {
  let server: Awaited<ReturnType<typeof servePage>>;
  let url: string;
  beforeAll(async () => {
    server = await servePage(DIST, [0], await pageModels(await own()));
    url = `http://${HOST}:${server.port}/`;
  });
  afterAll(() => server.close());

  test("serves the page with the headers that threads need, and lets it talk to nobody else", async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("<title>");
    const { headers } = response;
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*connect-src 'self'/u);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    "index.html",
    "main.js",
    "style/theme.css",
    "presets.js",
    "golden.json",
    "index.browser.js",
    "umpire/worker.js",
    "umpire/lessons.js",
    "umpire/explain.js",
    "umpire/check.js",
    "umpire/webgpu.js",
    "umpire/pair.js",
    "umpire/gliclass.js",
    "umpire/manifests.js",
    "umpire/models/umpire-2/manifest.json",
  ])("serves %s", async (path) => {
    const response = await fetch(new URL(path, url));
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  test.each([
    "/cli.js",
    "/index.node.js",
    "/types/index.node.d.ts",
    "/umpire/../cli.js",
    "/umpire/%2e%2e/cli.js",
    "/../package.json",
    "/..%2fpackage.json",
    "//etc/passwd",
    "/umpire",
    "/a%zz",
  ])("has no %s", async (path) => {
    expect(await statusOf(url, path)).toBe(404);
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    expect(await statusOf(url, "/", { method })).toBe(405);
  });

  test("continues a broken download, and survives ranges that make no sense", async () => {
    const whole = await (await fetch(new URL("icon.svg", url))).text();
    const rest = await fetch(new URL("icon.svg", url), { headers: { range: "bytes=10-" } });
    expect(rest.status).toBe(206);
    expect(await rest.text()).toBe(whole.slice(10));
    for (const range of ["bytes=5-2", "bytes=-5", "bytes=abc", "lines=1-", "bytes=99999999999999999999-"])
      expect(await statusOf(url, "/icon.svg", { headers: { range } })).toBe(200);
    expect(await statusOf(url, "/icon.svg", { headers: { range: "bytes=1000000-" } })).toBe(416);
  });
});

describe("the models of the page", () => {
  const bytesAt = async (url: string, names: readonly string[]): Promise<number> => {
    const files = await Promise.all(names.map(async (name) => (await fetch(new URL(name, url))).arrayBuffer()));
    return files.reduce((sum, { byteLength }) => sum + byteLength, 0);
  };
  const OF_ANY = ["manifest.json", "tokenizer.json", "int8.onnx", "weights.bin"];

  test("are listed with what a browser fetches of each, and served, also the one of the package umpire-base", async () => {
    const server = await servePage(DIST, [0], await pageModels([...(await own()), await standInForBase()]));
    const url = `http://${HOST}:${server.port}/`;
    const models = (await (await fetch(new URL("models.json", url))).json()) as { id: string; sizeBytes: number }[];
    const place = (id: string): string => `${url}umpire/models/${id}/`;
    expect(models).toEqual([
      { id: "umpire-2", sizeBytes: await bytesAt(place("umpire-2"), [...OF_ANY, "features.bin"]) },
      { id: "umpire-3-base", sizeBytes: await bytesAt(place("umpire-3-base"), OF_ANY) },
    ]);
    for (const path of ["../umpire-3-base/../../../package.json", "%2e%2e/package.json", "none.json", ""])
      expect([path, await statusOf(url, `/umpire/models/umpire-3-base/${path}`)]).toEqual([path, 404]);
    await server.close();
  });

  test("are copied by --out", async () => {
    const out = join(tempDir(), "page");
    await gatherPage(DIST, out, await pageModels([...(await own()), await standInForBase()]));
    expect(await readdir(join(out, "umpire/models"))).toEqual(["umpire-2", "umpire-3-base"]);
    expect(await readdir(join(out, "umpire/models/umpire-3-base"))).toEqual(expect.arrayContaining([...OF_ANY, "manifest.json.sha256"]));
    expect(JSON.parse(await readFile(join(out, "models.json"), "utf8"))).toHaveLength(2);
  });

  test("leave out a package that is damaged, and say why", async () => {
    const models = await pageModels([...(await own()), { ...(await standInForBase()), damage: "It is damaged." }]);
    expect(models).toMatchObject({ base: undefined, damage: "It is damaged." });
    expect(JSON.parse(models.listing)).toEqual([expect.objectContaining({ id: "umpire-2" })]);
  });
});

test("umpire playground ends by Ctrl-C with exit code 0, also in the middle of a request", async () => {
  const running = await start("--port", "0");
  const browser = connect(Number(new URL(running.url).port), "127.0.0.1");
  browser.on("error", () => undefined);
  browser.write("GET / HTTP/1.1\r\n");
  // A whole request afterwards, so that the half one has arrived.
  expect((await fetch(running.url)).status).toBe(200);
  const { code, stdout, stderr } = await running.stop();
  browser.destroy();
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Playground: ${running.url}\n` });
  expect(stderr).toBe("Open it in a browser. What you type stays in the page. Ctrl-C ends it.\n");
});

describe("a port that is in use", () => {
  test("is refused when it was chosen, with advice", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await umpire(["playground", "--port", String(port)]);
    other.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`umpire: Port ${port} of 127.0.0.1 is in use. Choose another one with --port, or stop the program that uses it.\n`);
  });

  test("is left for the next one when none was chosen, and it says so", async () => {
    const all = [await start(), await start()];
    const ports = all.map(({ url }) => new URL(url).port);
    expect(new Set(ports).size).toBe(2);
    const ended = await Promise.all(all.map(({ stop }) => stop()));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended.map(({ stderr }) => stderr.includes("Port 4173 is in use, so this is another one."))).toEqual(
      ports.map((port) => port !== "4173"),
    );
    expect(ports[1]).not.toBe("4173");
  });
});

describe("--out", () => {
  const folder = tempDir();

  test("writes every file of the page to a new folder, and names no source map", async () => {
    const out = join(folder, "a/b");
    const { code, stdout } = await umpire(["playground", "--out", out]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `The playground's files are in ${out}. Serve them with any web server.\n` });
    const names = await readdir(out, { recursive: true });
    expect(names).toEqual(
      expect.arrayContaining([
        "index.html",
        "index.browser.js",
        ...["worker", "lessons", "explain", "check"].map((script) => `umpire/${script}.js`),
        "umpire/models/umpire-2/weights.bin",
      ]),
    );
    expect(names.filter((name) => name.endsWith(".map"))).toEqual([]);
    for (const script of names.filter((name) => name.endsWith("js")))
      expect(await readFile(join(out, script), "utf8")).not.toContain("sourceMappingURL");
  });

  test("overwrites nothing", async () => {
    const [kept, file] = [join(folder, "kept"), join(folder, "file")];
    await umpire(["playground", "--out", kept]);
    await writeFile(join(kept, "index.html"), "mine");
    await writeFile(file, "mine");
    const again = await umpire(["playground", "--out", kept]);
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 2,
      stderr: "umpire: The folder of --out is not empty. Name a new or an empty folder: no file is ever overwritten.\n",
    });
    expect(await readFile(join(kept, "index.html"), "utf8")).toBe("mine");
    const onFile = await umpire(["playground", "--out", file]);
    expect({ code: onFile.code, stderr: onFile.stderr }).toEqual({
      code: 2,
      stderr: "umpire: --out must be a folder, but is a file.\n",
    });
  });
});

describe("the page's golden requests", async () => {
  interface Goldens {
    readonly model: string;
    readonly cases: readonly (typeof golden.cases)[number][];
    readonly timed: unknown;
  }
  const goldens = JSON.parse(await readFile(new URL("dist/playground/golden.json", PACKAGE_ROOT), "utf8")) as Goldens;

  test("are golden vectors, with all question types and one that is timed", () => {
    expect(goldens.model).toBe(golden.madeWith["pack"]);
    for (const goldenCase of goldens.cases) {
      const vector = golden.cases.find(({ name }) => name === goldenCase.name);
      expect(goldenCase.request.state).toEqual(vector?.request.state);
      for (const [id, question] of Object.entries(goldenCase.request.questions)) expect(question).toEqual(vector?.request.questions[id]);
      for (const [id, { probabilities }] of Object.entries(goldenCase.answers))
        expect(probabilities).toEqual(vector?.answers[id]?.probabilities);
      expect(Object.keys(goldenCase.answers)).toEqual(Object.keys(goldenCase.request.questions));
    }
    const questions = goldens.cases.flatMap(({ request: { questions } }) => Object.values(questions));
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(["choice", "noul", "score"]));
    expect(goldens.cases.map(({ request }) => request)).toContainEqual(goldens.timed);
  });
});
