import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DecideRequest } from "../../../src/library/decide/types.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { cleanEnv, finished } from "../../support/command-line.ts";

const example = (name: string): string => fileURLToPath(new URL(`examples/${name}`, PACKAGE_ROOT));

function start(name: string, env: Record<string, string> = {}): ReturnType<typeof spawn> {
  return spawn(process.execPath, [example(name)], { env: cleanEnv(env), stdio: "pipe" });
}

describe("the demo", () => {
  test("prints the answer to every request for people, even into a pipe", async () => {
    const files = (await readdir(new URL("examples/requests/", PACKAGE_ROOT))).filter((file) => file.endsWith(".json"));
    const requests = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(example(`requests/${file}`), "utf8")) as DecideRequest & { title: string }),
    );
    const { code, stdout, stderr } = await finished(start("demo.mjs"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(files.length).toBeGreaterThanOrEqual(10);
    for (const { title } of requests) expect(stdout).toContain(`── ${title} ─`);
    const questions = requests.flatMap((request) => Object.values(request.questions));
    expect(stdout.match(/^ {2}→ /gmu)).toHaveLength(questions.length);
    expect(stdout).toContain(`${files.length} requests, ${questions.length} questions`);
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(["choice", "noul", "score"]));
  });
});

describe("batch.mjs", () => {
  test("answers the lines in order, and continues after a line that fails", async () => {
    const request = (state: string): string =>
      JSON.stringify({ state, questions: { app: { type: "noul", instructions: "Is it about an app?" } } });
    const lines = [
      request("The app crashes."),
      "no json",
      "",
      request("I like soup."),
      '{"state": 1}',
      ...Array.from({ length: 20 }, (_, i) => request(`text ${i}`)),
    ];
    const child = start("batch.mjs");
    child.stdin?.end(lines.join("\n"));
    const { code, stdout } = await finished(child);
    expect(code).toBe(0);
    const results = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { answers?: { app: { noul: number } }; error?: { code: string; issues?: object[] } });
    expect(results).toHaveLength(24);
    expect(results[0]?.answers?.app.noul).toBeGreaterThan(0.5);
    expect(results[1]?.error?.code).toBe("invalid_request");
    expect(results[2]?.answers?.app.noul).toBeLessThan(0.5);
    expect(results[3]?.error?.issues).toHaveLength(2);
    expect(results.slice(4).every(({ answers }) => answers !== undefined)).toBe(true);
  });
});

describe("agent-check.mjs", () => {
  test("lets go on what can be undone, and hands sending, deleting, paying and the unclear step to a person", async () => {
    const { code, stdout } = await finished(start("agent-check.mjs"));
    expect(code).toBe(0);
    const verdicts = stdout.trimEnd().split("\n");
    expect(verdicts.map((line) => line.replace(/\.? {2}\(.*$/u, "").replace(/ {2,}/u, ": "))).toEqual([
      "go on: Read the notes of last week's meeting",
      "go on: Correct the spelling of the draft",
      "go on: Edit the second paragraph of the draft",
      "ask a person: Send the newsletter to all 4,200 customers",
      "ask a person: Delete the list of customers",
      "ask a person: Pay the invoice of 900 euros from the company's account",
      "ask a person: Tidy up the shared folder",
    ]);
    expect(verdicts.slice(0, -1).map((line) => / {2}\((\w+)/u.exec(line)?.[1])).toEqual([
      "reads",
      "edits",
      "edits",
      "sends",
      "deletes",
      "pays",
    ]);
  });
});

describe("openai.mjs", () => {
  test("is answered on this machine, and ends by itself", async () => {
    const { code, stdout, stderr } = await finished(start("openai.mjs"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^team: billing \(9\d% sure, 9\d% of such answers are right\)\nrefund: [89]\d% yes\nmood: 1\.[89]\d of 2\numpire-2, \d+ tokens\n$/u,
    );
  });
});

describe("route-tickets.mjs", () => {
  let child: ReturnType<typeof start>;
  let url = "";

  beforeAll(async () => {
    child = start("route-tickets.mjs", { PORT: "0" });
    if (child.stdout === null) throw new Error("the service's output is not a pipe");
    for await (const line of createInterface({ input: child.stdout })) {
      url = `http://127.0.0.1:${/\d+/u.exec(line)?.[0]}/tickets`;
      break;
    }
  });
  afterAll(() => child.kill("SIGKILL"));

  const send = async (body: string): Promise<{ status: number; reply: Record<string, unknown> }> => {
    const response = await fetch(url, { method: "POST", body });
    return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
  };

  test("routes a clear ticket to its team and an unclear one to a person", async () => {
    const clear = await send(JSON.stringify({ text: "The app crashes whenever I open it." }));
    expect(clear).toMatchObject({ status: 200, reply: { route: "app_errors", guess: "app_errors" } });
    const lost = await send(JSON.stringify({ text: "My parcel never arrived." }));
    expect(lost).toMatchObject({ status: 200, reply: { route: "parcel_delivery" } });
    const unclear = await send(JSON.stringify({ text: "hello?" }));
    expect(unclear).toMatchObject({ status: 200, reply: { route: "front_desk" } });
    expect(unclear.reply["accuracy"]).toBeLessThan(0.8);
  });

  test("answers a bad body with 400 and an unknown path with 404", async () => {
    expect(await send("no json")).toMatchObject({ status: 400 });
    expect(await send('{"text": 5}')).toMatchObject({ status: 400 });
    expect((await fetch(url.replace("tickets", "else"))).status).toBe(404);
  });

  test("ends by itself on SIGTERM", async () => {
    const ended = finished(child);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
