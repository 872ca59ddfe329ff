import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import type { Keys } from "umpire/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestContext } from "vitest";
import { endOf, runCommand, startCommand } from "../../support/command.ts";
import type { CommandResult } from "../../support/command.ts";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { startLossyProxy } from "../../support/lossy-proxy.ts";
import { lacks, lacksIf } from "../../support/needs.ts";
import { printsAsShown } from "../../support/page-examples.ts";
import type { Example } from "../../support/page-examples.ts";
import { pythonSdk } from "../../support/python-sdk.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { files, marked } from "./examples-page.ts";

const titleOf = ({ heading, language, line }: Example): string => `${heading}: ${language}, line ${line}`;

const KEY = "sk-of-the-examples";
const keys: Keys = {
  find: (secret) => {
    const sha256 = createHash("sha256").update(secret).digest("hex");
    return Promise.resolve(secret === KEY ? { name: "examples", sha256 } : undefined);
  },
};

const folder = tempDir();
let server: HttpServer;
/** Installed when the first example needs it. */
let sdk: ReturnType<typeof pythonSdk> | undefined;

beforeAll(async () => {
  for (const { file = "", code } of files) await writeFile(join(folder, file), code);
  server = await startServer({ decider: sharedDecider, keys });
});
afterAll(() => server.close());

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

/** The commands that an example needs, besides Node. */
function commandsFor({ language, marks, needs }: Example): string[] {
  if (language === "sh") return ["bash", "curl", ...(needs === undefined ? [] : [needs])];
  if (language === "python") return ["python3"];
  return marks.includes("mount") && needs !== undefined ? [needs] : [];
}

async function run({ language, code, needs }: Example, env: Record<string, string>, context: TestContext): Promise<CommandResult> {
  switch (language) {
    case "sh":
      return runCommand("bash", ["-euo", "pipefail", "-c", code], { env });
    case "python": {
      const client = needs === undefined ? undefined : await (sdk ??= pythonSdk());
      if (lacksIf(client?.missing !== undefined, `${needs} (${client?.missing})`)) context.skip();
      return runCommand("python3", ["-c", code], { env: { ...env, PYTHONPATH: [folder, client?.folder ?? folder].join(delimiter) } });
    }
    case "ts":
      return runCommand(process.execPath, nodeArgs(await compile(code)), { env });
    default:
      throw new Error(`no runner for ${language}`);
  }
}

describe.concurrent("prints what the page says:", () => {
  for (const example of marked("run")) {
    test.skipIf(commandsFor(example).some(lacks))(titleOf(example), async (context) => {
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
    test.skipIf(commandsFor(example).some(lacks))(titleOf(example), async () => {
      const script = await compile(example.code);
      const { needs } = example;
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
    await expect
      .poll(() =>
        fetch(url)
          .then((reply) => reply.text())
          .catch(() => "not yet"),
      )
      .toBe("my app");
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Arguments for Bun or Deno, which both find packages from the working directory. */
const runtimeArgs = (runtime: string, script: string): string[] => (runtime === "deno" ? ["eval", script] : ["--eval", script]);
