import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { CLI, cleanEnv, finished } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { UNHURRIED } from "../../support/unhurried.ts";

/** A state that takes a moment to be read. */
export const LONG = "the parcel came late ".repeat(600);

/** `umpire serve` in a process of its own, with one thread, on a free port. */
export interface Server {
  readonly child: ChildProcess;
  readonly run: Promise<Run>;
  readonly url: string;
}

/** Resolves when it is ready, or has ended. */
export async function started(args: readonly string[], env: Readonly<Record<string, string>> = {}, options: object = {}): Promise<Server> {
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0", "--threads", "1", "--run-ms", String(UNHURRIED.runMs), ...args], {
    env: cleanEnv(env),
    ...options,
  });
  const run = finished(child);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", () => {
      if (printed.includes('"ready"')) resolve();
    });
  });
  await Promise.race([run, ready]);
  const [, url = ""] = /"url":"([^"]+)"/u.exec(printed) ?? [];
  return { child, run, url };
}

/** Asks one question. */
export function ask(url: string, state: string, secret?: string): Promise<Response> {
  const body = JSON.stringify({ model: "latest", state, questions: { late: { type: "noul", instructions: "Did it come late?" } } });
  const headers = { "content-type": "application/json", ...(secret !== undefined && { authorization: `Bearer ${secret}` }) };
  return fetch(`${url}/decision/v1/model`, { method: "POST", headers, body });
}
