import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DecideResponse } from "../../../src/library/decide/types.ts";
import { main } from "../../../src/tools/cli/main.ts";
import { cleanEnv, CLI, finished, umpire, umpireProcess } from "../../support/command-line.ts";
import { fakeDecider } from "../../support/fake-decider.ts";
import { fakeEngine } from "../../support/fake-engine.ts";
import { PACKAGE_ROOT, packageRootPath } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { DESK, deskCsv } from "./desk-examples.ts";
import { LONG } from "./started-server.ts";

const STEP = {
  state: "Delete the list of customers.",
  questions: {
    kind: { type: "choice", instructions: "What does this step do?", criteria: { reads: null, edits: null, deletes: null } },
    undone: { type: "noul", instructions: "Can it be undone?" },
  },
};
/** Reads its text once for each of many sentences. */
const ENDLESS = { state: `${LONG}. `.repeat(4), questions: { late: { type: "noul", instructions: "Was it late?" } } };

interface Agent {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  readonly call: (name: string, args: object, options?: { signal: AbortSignal }) => Promise<CallToolResult>;
  /** What the server wrote to standard error so far. */
  readonly said: () => string;
}

/** An agent's client, with a server of its own. */
async function agent(...args: string[]): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", "--model", "umpire-2", "--threads", "1", ...args],
    env: cleanEnv(),
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: "test", version: "1.0.0" });
  // What is no message of the protocol would be told here.
  client.onerror = (error) => {
    throw error;
  };
  await client.connect(transport);
  // The client checks results against the schemas that it has seen.
  await client.listTools();
  const call: Agent["call"] = (name, given, options) =>
    client.callTool({ name, arguments: { ...given } }, CallToolResultSchema, options) as Promise<CallToolResult>;
  return { client, transport, call, said: () => said };
}

const textOf = ({ content }: CallToolResult): string => content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

const lineOf = (id: number, method: string, params: object): string => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const noteOf = (method: string, params: object): string => `${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`;
const callOf = (id: number, name: string, args: object): string => lineOf(id, "tools/call", { name, arguments: args });

let shared: Agent;
beforeAll(async () => {
  shared = await agent();
});
afterAll(() => shared.client.close());

describe("the tools of umpire mcp", () => {
  it("are three, with schemas that an agent can afford to read", async () => {
    const { tools } = await shared.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["decide", "explain", "teach_status"]);
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description).toMatch(/^[A-Z].*\.$/u);
      expect([inputSchema.type, outputSchema?.type, annotations?.readOnlyHint]).toEqual(["object", "object", true]);
    }
    expect(JSON.stringify(tools).length).toBeLessThan(8000);
    expect(shared.client.getInstructions()).toContain("ask a person");
  });

  it("decide: the library's answers, with x_act where a rate is named", async () => {
    const { structuredContent, content, isError } = await shared.call("decide", { ...STEP, max_error_rate: 0.05, model: null });
    const { stdout } = await umpire(["decide", "-", "--max-error-rate", "0.05"], { stdin: JSON.stringify({ ...STEP, model: "umpire-2" }) });
    expect(isError).toBeUndefined();
    expect(structuredContent).toEqual(JSON.parse(stdout));
    expect((structuredContent as unknown as DecideResponse).answers["kind"]).toMatchObject({
      choice: "deletes",
      x_act: expect.any(Boolean) as boolean,
    });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
  });

  it("decide: warns of a text that the model cannot read", async () => {
    const { structuredContent } = await shared.call("decide", { ...STEP, state: "" });
    expect((structuredContent as unknown as DecideResponse).answers["undone"]).toMatchObject({ x_warnings: ["empty_state"] });
  });

  it("explain: the sentences that made the answer, largest change first", async () => {
    const [charged, app] = ["But I was charged twice in March.", "My children love the app."];
    const state = `${app} ${charged}`;
    const teams = { type: "choice", instructions: "Which team?", criteria: { billing: null, technical: null } };
    const { structuredContent } = await shared.call("explain", { state, questions: { team: teams } });
    const { answer, key, passages, readings } = structuredContent as {
      answer: object;
      key: string;
      passages: { text: string; change: number }[];
      readings: number;
    };
    expect({ answer, key, readings }).toMatchObject({ answer: { choice: "billing" }, key: "billing", readings: 3 });
    expect(passages.map(({ text }) => text.trim())).toEqual([charged, app]);
    expect(passages[0]?.change).toBeGreaterThan(passages[1]?.change ?? Infinity);
    const { structuredContent: named } = await shared.call("explain", { ...STEP, question_id: "undone", max_passages: 1 });
    expect(named).toMatchObject({ answer: { type: "noul" }, readings: 2 });
  });

  it("teach_status: no lessons where none were given", async () => {
    expect((await shared.call("teach_status", {})).structuredContent).toEqual({ lessons: [] });
  });

  it("answer several calls at once, each its own", async () => {
    const states = ["Delete the file.", "Read the notes.", "Correct the spelling of the draft."];
    const results = await Promise.all(states.map((state) => shared.call("decide", { ...STEP, state })));
    const kinds = results.map(
      ({ structuredContent }) => (structuredContent as { answers: { kind: { choice: string } } }).answers.kind.choice,
    );
    expect(kinds).toEqual(["deletes", "reads", "edits"]);
  });
});

describe("a call that cannot be answered is an error of the tool", () => {
  const question = { type: "noul", instructions: "Was the secret kept?" };
  it.each<[what: string, tool: string, args: object, message: RegExp]>([
    ["without a question", "decide", { state: "a secret" }, /^The request is not valid: questions is missing: it must be/u],
    [
      "with several mistakes",
      "decide",
      { state: "a secret", questions: { a: { ...question, type: "bool" }, b: { ...question, type: "score", criteria: ["secret"] } } },
      /^The call is not valid:\n {2}questions\.a\.type: must be "choice", "noul" or "score".*\n {2}questions\.b\.criteria: must hold at least 2/u,
    ],
    [
      "with a rate that is none",
      "decide",
      { ...STEP, max_error_rate: 5 },
      /^The options are not valid: max_error_rate must be a number above 0 and below 1/u,
    ],
    [
      "with an argument that there is not",
      "decide",
      { ...STEP, maxErrorRate: 0.05 },
      /^decide takes the arguments state, questions, model, max_error_rate, and no others\.$/u,
    ],
    ["for a model that is not here", "decide", { ...STEP, model: "big" }, /^There is no model .*There are: umpire-2/u],
    ["that is too long", "decide", { ...STEP, state: "secret ".repeat(20_000) }, /too long|tokens/u],
    [
      "about one of several questions",
      "explain",
      STEP,
      /^question_id is missing: it must be the id of a question of the request, such as "kind", "undone"\.$/u,
    ],
    [
      "in no passages",
      "explain",
      { ...STEP, question_id: "kind", max_passages: 0 },
      /max_passages must be a whole number from 1 to 1000, but is 0/u,
    ],
    ["with an argument that is not needed", "teach_status", { folder: "secret" }, /^teach_status takes no arguments\.$/u],
  ])("%s", async (_, tool, args, message) => {
    const result = await shared.call(tool, args);
    expect(textOf(result)).toMatch(message);
    expect(textOf(result)).not.toMatch(/secret|^\s+at /mu);
    expect([result.isError, result.structuredContent, result.content.length]).toEqual([true, undefined, 1]);
  });

  it("of a tool that there is not: one of the protocol", async () => {
    await expect(shared.call("guess", {})).rejects.toThrow("There is no such tool. There are: decide, explain, teach_status.");
  });

  it("an explanation that takes too long is ended, and the next call is answered", async () => {
    const hasty = await agent("--explain-ms", "1");
    onTestFinished(() => hasty.client.close());
    const result = await hasty.call("explain", ENDLESS);
    expect(textOf(result)).toBe("The explanation took more than 1 ms and was ended. Give a smaller max_passages, or a shorter state.");
    expect(result.isError).toBe(true);
    expect((await hasty.call("decide", STEP)).isError).toBeUndefined();
  });
});

describe("a call that is cancelled", () => {
  it("is not waited for, and others go on", async () => {
    const cancelled = new AbortController();
    const explaining = shared.call("explain", ENDLESS, { signal: cancelled.signal });
    const other = shared.call("decide", STEP);
    cancelled.abort(new Error("changed my mind"));
    await expect(explaining).rejects.toThrow("changed my mind");
    expect((await other).isError).toBeUndefined();
    expect(shared.said()).toBe("");
  });

  // A call that went on would keep the process for an hour.
  it("ends where it is, so that the process can end", async () => {
    const child = spawn(process.execPath, [CLI, "mcp", "--threads", "1", "--explain-ms", "999999999"], { env: cleanEnv() });
    const run = finished(child);
    child.stdin.write(callOf(1, "explain", { ...ENDLESS, max_passages: 1000 }) + callOf(2, "decide", STEP));
    // Calls begin in order.
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdin.end(noteOf("notifications/cancelled", { requestId: 1 }));
    const { code, stdout, stderr } = await run;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([2]);
  });

  it("may be a decision", async () => {
    let isAborted = false;
    const waiting = new Proxy(fakeDecider(fakeEngine()), {
      get: (decider, name) => {
        if (name !== "decide") return (Reflect.get(decider, name) as () => unknown).bind(decider);
        return async (_: unknown, { signal }: { signal: AbortSignal }): Promise<void> => {
          io.stdin.end(noteOf("notifications/cancelled", { requestId: 1 }));
          await once(signal, "abort");
          isAborted = true;
        };
      },
    });
    const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
    io.stdin.write(callOf(1, "decide", STEP));
    await main(["mcp"], io, new URL("dist/", PACKAGE_ROOT), () => waiting);
    expect(isAborted).toBe(true);
    expect(io.stdout.read()).toBeNull();
  });
});

it("a last line that lacks its end is answered, too", async () => {
  const child = spawn(process.execPath, [CLI, "mcp", "--threads", "1"], { env: cleanEnv() });
  const run = finished(child);
  child.stdin.end(callOf(1, "decide", STEP).trimEnd());
  const { code, stdout, stderr } = await run;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { structuredContent: { model: "umpire-2" } } });
});

describe("umpire mcp --lessons", () => {
  const folder = tempDir();
  const at = (name: string): string => join(folder, name);
  let id: string;
  beforeAll(async () => {
    await mkdir(at("lessons"));
    await writeFile(at("desk.json"), JSON.stringify(DESK));
    await writeFile(at("desk.csv"), deskCsv());
    const { stdout } = await umpire(["teach", at("desk.json"), at("desk.csv"), "--out", at("lessons/desk.json"), "--model", "umpire-2"]);
    id = (JSON.parse(stdout) as { lesson: string }).lesson;
  });

  it("answers by them, says what they are worth, and follows the folder", async () => {
    const taught = await agent("--lessons", at("lessons"));
    onTestFinished(() => taught.client.close());
    const status = async (): Promise<object[]> =>
      ((await taught.call("teach_status", {})).structuredContent as { lessons: object[] }).lessons;
    const lessons = await status();
    expect(lessons).toMatchObject([{ id, kind: "lesson", model: "umpire-2", question: DESK, examples: 48 }]);
    const [{ accuracy, accuracy_untaught: before }] = lessons as [{ accuracy: { value: number }; accuracy_untaught: { value: number } }];
    expect(accuracy.value).toBeGreaterThan(before.value);
    const { structuredContent } = await taught.call("decide", { state: "The parrot is tired.", questions: { desk: DESK } });
    expect(structuredContent).toMatchObject({ answers: { desk: { choice: "north", x_lesson: id } } });
    await cp(at("lessons/desk.json"), at("kept.json"));
    await rm(at("lessons/desk.json"));
    await expect.poll(status).toEqual([]);
    await cp(at("kept.json"), at("lessons/desk.json"));
  });

  it("ends with exit code 2 and the file's name for one that cannot be learned", async () => {
    await mkdir(at("bad"));
    await writeFile(at("bad/broken.json"), "private words");
    const { code, stdout, stderr } = await umpire(["mcp", "--lessons", at("bad")], { stdin: callOf(1, "teach_status", {}) });
    expect(stderr).toMatch(/^umpire: The lesson .*broken\.json is not valid JSON\./mu);
    expect(`${stdout}${stderr}`).not.toMatch(/private|^\s+at /mu);
    expect(code).toBe(2);
  });
});

describe("the process", () => {
  it("answers what it has read, then ends with its input; standard output holds the protocol alone", async () => {
    const input = [
      callOf(1, "decide", STEP),
      "private words\n",
      callOf(2, "explain", { ...STEP, question_id: "kind" }),
      lineOf(3, "ping", {}),
    ];
    const { code, stdout, stderr } = await umpireProcess(["mcp", "--threads", "1"], { stdin: input.join("") });
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number; result?: object });
    expect(lines.map(({ jsonrpc }) => jsonrpc)).toEqual(["2.0", "2.0", "2.0"]);
    expect(lines.map(({ id, result }) => result && id).sort()).toEqual([1, 2, 3]);
    expect(stderr).toBe("umpire: a line of standard input was passed over: it is no message of the Model Context Protocol.\n");
    expect(code).toBe(0);
  });

  it("ends when its client closes", async () => {
    const { client, transport } = await agent();
    const pid = transport.pid ?? 0;
    const isThere = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(isThere()).toBe(true);
    await client.close();
    await expect.poll(isThere).toBe(false);
  });

  it("ends at SIGTERM, in the middle of a call and with its input open", async () => {
    const child = spawn(process.execPath, [CLI, "mcp", "--threads", "1"], { env: cleanEnv() });
    const run = finished(child);
    child.stdin.write(callOf(1, "explain", ENDLESS) + lineOf(2, "ping", {}));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    const { code, signal, stdout, stderr } = await run;
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" });
    expect(stdout).toBe(`${JSON.stringify({ result: {}, jsonrpc: "2.0", id: 2 })}\n`);
  });

  it("ends with exit code 1 after a message that is too long to be read", async () => {
    const { code, stdout, stderr } = await umpire(["mcp"], { stdin: callOf(1, "decide", { state: "private ".repeat(1_500_000) }) });
    expect(stderr).toMatch(/^umpire: A message on standard input is longer than 10 MB\. Start the server again/mu);
    expect(`${stdout}${stderr}`).not.toContain("private");
    expect([code, stdout]).toEqual([1, ""]);
  });

  it("says to a person in a terminal who starts it", async () => {
    const { code, stdout, stderr } = await umpire(["mcp"], { terminal: 80 });
    expect(stderr).toBe("umpire: an agent's client starts this command, and writes to its standard input. Ctrl-C ends it.\n");
    expect([code, stdout]).toEqual([0, ""]);
  });

  it("ends with exit code 2 for a model that is not here", async () => {
    const { code, stdout, stderr } = await umpire(["mcp", "--model", "big"]);
    expect(stderr).toMatch(/^umpire: There is no model/u);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("says what to install where the protocol's package is not", async () => {
    const folder = tempDir();
    await cp(join(packageRootPath, "dist"), join(folder, "dist"), { recursive: true, filter: (path) => !path.includes("umpire/models") });
    await cp(join(packageRootPath, "package.json"), join(folder, "package.json"));
    await cp(join(packageRootPath, "node_modules/commander"), join(folder, "node_modules/commander"), { recursive: true });
    const run = await finished(spawn(process.execPath, [join(folder, "dist/cli.js"), "mcp"], { env: cleanEnv() }));
    expect(run).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr:
        "umpire: umpire mcp needs the package @modelcontextprotocol/sdk, which is not installed: npm install @modelcontextprotocol/sdk\n",
    });
  });
});
