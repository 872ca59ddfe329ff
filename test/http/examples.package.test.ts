import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { createDecider } from "umpire";
import type { Decider } from "umpire";
import type { Keys } from "umpire/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestContext } from "vitest";
import { endOf, hasCommand, runCommand, startCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { startServer } from "../support/http-server.ts";
import type { HttpServer } from "../support/http-server.ts";
import { startLossyProxy } from "../support/lossy-proxy.ts";
import { PACKAGE_ROOT, packageRootPath } from "../support/package-root.ts";
import { examplesOf, printsAsShown } from "../support/page-examples.ts";
import type { Example } from "../support/page-examples.ts";
import { pythonSdk } from "../support/python-sdk.ts";
import { typeErrorsOf } from "../support/type-errors.ts";

const page = readFileSync(new URL("examples/http/README.md", PACKAGE_ROOT), "utf8");
const examples = examplesOf(page);
const marked = (mark: string): Example[] => examples.filter(({ marks }) => marks.includes(mark));
const files = examples.filter(({ file }) => file !== undefined);
const titleOf = ({ heading, language, line }: Example): string => `${heading}: ${language}, line ${line}`;

const KEY = "sk-of-the-examples";
const keys: Keys = {
  find: (secret) => {
    const sha256 = createHash("sha256").update(secret).digest("hex");
    return Promise.resolve(secret === KEY ? { name: "examples", sha256 } : undefined);
  },
};

let folder: string;
let decider: Decider;
let server: HttpServer;
/** Installed when the first example needs it. */
let sdk: ReturnType<typeof pythonSdk> | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-examples-"));
  for (const { file = "", code } of files) await writeFile(join(folder, file), code);
  decider = await createDecider({ threads: 1 });
  server = await startServer({ decider, keys });
});
afterAll(async () => {
  await server.close();
  await decider.close();
  await rm(folder, { recursive: true, force: true });
});

/** Bundles a block and the files it imports into one script, for the oldest Node that the package supports. */
async function compile(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: "ts", resolveDir: folder },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

const nodeArgs = (script: string): string[] => ["--input-type=module", "--eval", script];

async function run({ language, code, needs }: Example, env: Record<string, string>, context: TestContext): Promise<CommandResult> {
  switch (language) {
    case "sh":
      for (const tool of ["curl", ...(needs === undefined ? [] : [needs])]) {
        if (!(await hasCommand(tool))) context.skip(`${tool} is not installed`);
      }
      return runCommand("bash", ["-euo", "pipefail", "-c", code], { env });
    case "python": {
      const client = needs === undefined ? undefined : await (sdk ??= pythonSdk());
      if (client?.missing !== undefined) context.skip(client.missing);
      return runCommand("python3", ["-c", code], { env: { ...env, PYTHONPATH: [folder, client?.folder ?? folder].join(delimiter) } });
    }
    case "ts":
      return runCommand(process.execPath, nodeArgs(await compile(code)), { env });
    default:
      throw new Error(`no runner for ${language}`);
  }
}

describe("the page of examples", () => {
  test("has an example of each task in each language, and no unused block", () => {
    for (const heading of new Set(marked("run").map((example) => example.heading))) {
      const languages = marked("run").filter((example) => example.heading === heading);
      expect(languages.map(({ language }) => language)).toEqual(expect.arrayContaining(["python", "ts"]));
    }
    const unused = examples.filter(({ marks, file }) => marks.length === 0 && file === undefined);
    expect(unused.map(({ language, heading }) => [language, heading])).toEqual([
      ["sh", "Calling the service"],
      ["sh", "Calling the service"],
    ]);
    expect(marked("run").filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  test("has TypeScript that compiles", () => {
    const sources = examples
      .filter(({ language }) => language === "ts")
      .map(({ file, line, code }): [string, string] => [file ?? `line-${line}.ts`, code]);
    // Packages without types, or with so many that checking takes seconds. The examples that use them are run anyway.
    const globals = `${["hono", "@hono/node-server", "express", "fastify"].map((name) => `declare module "${name}";`).join(" ")} declare const Bun: any; declare const Deno: any;`;
    expect(typeErrorsOf(join(packageRootPath, "examples/http"), [...sources, ["globals.d.ts", globals]])).toEqual([]);
  });
});

describe.concurrent("prints what the page says:", () => {
  for (const example of marked("run")) {
    test(titleOf(example), async (context) => {
      const proxy = example.marks.includes("lossy") ? await startLossyProxy(server.url) : undefined;
      try {
        const env = { UMPIRE_URL: proxy?.url ?? server.url, UMPIRE_KEY: KEY };
        const { code, stdout, stderr } = await run(example, env, context);
        expect({ code, stderr }).toEqual({ code: 0, stderr: proxy === undefined ? "" : stderr });
        if (!printsAsShown(stdout, example.prints ?? "")) expect(stdout).toBe(example.prints);
        expect(proxy?.lostReplies()).toBe(proxy === undefined ? undefined : 1);
      } finally {
        proxy?.close();
      }
    });
  }
});

describe.concurrent("answers when mounted:", () => {
  for (const example of marked("mount")) {
    test(titleOf(example), async (context) => {
      const script = await compile(example.code);
      const { needs } = example;
      if (needs !== undefined && !(await hasCommand(needs))) context.skip(`it compiles, but ${needs} is not installed to run it`);
      const port = await freePort();
      const [command, args] = needs === undefined ? [process.execPath, nodeArgs(script)] : [needs, runtimeArgs(needs, script)];
      const child = startCommand(command, args, { env: { PORT: String(port) } });
      const end = endOf(child);
      try {
        await answersThere(`http://127.0.0.1:${port}`, end);
      } finally {
        child.kill("SIGKILL");
        await end;
      }
    });
  }

  for (const example of marked("module")) {
    test(titleOf(example), async () => {
      const use = `
        const ask = { model: "latest", state: "Thanks!", questions: { thanks: { type: "noul", instructions: "Is it thanks?" } } };
        const url = "http://localhost/ai/v1/";
        const post = () => POST(new Request(url + "systemone", { method: "POST", body: JSON.stringify(ask) }));
        let reply = await post();
        // On a slow machine the first request takes too long, because it loads the model.
        while (reply.status === 413) reply = await post();
        console.log(reply.status, (await reply.json()).answers.thanks.noul > 0.5, (await GET(new Request(url + "models"))).status);`;
      const { code, stdout, stderr } = await runCommand(process.execPath, nodeArgs(await compile(`${example.code}\n${use}`)));
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "200 true 200\n", stderr: "" });
    });
  }
});

async function answersThere(url: string, end: Promise<CommandResult>): Promise<void> {
  const early = end.then(({ stderr }) => {
    throw new Error(`the server ended: ${stderr}`);
  });
  const answered = async (): Promise<void> => {
    await untilItListens(url);
    expect(await (await fetch(url)).text()).toBe("my app");
    const body = JSON.stringify({
      model: "latest",
      state: "Thanks!",
      questions: { thanks: { type: "noul", instructions: "Is it thanks?" } },
    });
    const headers = { "content-type": "application/json", "x-request-id": "mounted" };
    const reply = await fetch(`${url}/ai/decision/v1/model`, { method: "POST", headers, body });
    expect(await reply.json()).toMatchObject({ answers: { thanks: { type: "noul" } } });
    expect([reply.status, reply.headers.get("x-request-id")]).toEqual([200, "mounted"]);
    expect((await fetch(`${url}/ai/openapi.json`)).status).toBe(200);
    const bad = await fetch(`${url}/ai/v1/systemone`, { method: "POST", headers, body: "no json" });
    expect([bad.status, bad.headers.get("x-typesafe-request-id")]).toEqual([422, "mounted"]);
    expect(await bad.json()).toMatchObject({ error: { code: "invalid_request" } });
  };
  await Promise.race([answered(), early]);
}

async function untilItListens(url: string): Promise<void> {
  const endMs = Date.now() + 240_000;
  for (;;) {
    try {
      await (await fetch(url)).body?.cancel();
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await sleep(50);
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Arguments for Bun or Deno, which both find packages from the working directory. */
const runtimeArgs = (runtime: string, script: string): string[] => (runtime === "deno" ? ["eval", script] : ["--eval", script]);
