import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The built command line. */
export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Run {
  /** null when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Written to standard input, which is then closed. Default: nothing. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `umpire` with pipes as its input and output. */
export function umpire(args: readonly string[], { stdin = "", env = {} }: RunOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [CLI, ...args], { env: cleanEnv(env) });
  // A command that does not read its input may end before all of it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  return finished(child);
}

/**
 * Runs a shell command in a pseudo terminal that is `columns` wide, made by util-linux's `script`. Its standard error is part of `stdout`. `typed`
 * is typed once `when` has been printed.
 */
export function inTerminal(command: string, { columns = 80, env = {}, typed = "", when = "" } = {}): Promise<Run> {
  const child = spawn("script", ["-qec", `stty cols ${columns}; ${command}`, "/dev/null"], {
    env: cleanEnv({ TERM: "xterm-256color", ...env }),
  });
  let seen = "";
  let isTyped = typed === "";
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
    if (isTyped || !seen.includes(when)) return;
    isTyped = true;
    child.stdin.write(typed);
  });
  return finished(child);
}

/** `umpire` with its arguments, quoted for a shell. */
export function shell(args: readonly string[]): string {
  return [process.execPath, CLI, ...args].map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
}

export async function finished(child: ChildProcess): Promise<Run> {
  const ended = new Promise<Pick<Run, "code" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal });
    });
  });
  const [{ code, signal }, stdout, stderr] = await Promise.all([
    ended,
    child.stdout ? text(child.stdout) : "",
    child.stderr ? text(child.stderr) : "",
  ]);
  return { code, signal, stdout, stderr };
}

/** An environment that does not depend on who runs the tests: colours, for one, are chosen by variables. */
export function cleanEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", ...env };
}
