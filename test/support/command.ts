import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { packageRootPath } from "./package-root.ts";

export interface CommandOptions {
  /** Added to the test's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the package's folder. */
  readonly folder?: string;
  /** Time after which it is killed, in ms. Default: 280,000. */
  readonly timeoutMs?: number;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startCommand(command: string, args: readonly string[], options: CommandOptions = {}): ChildProcess {
  const { env = {}, folder = packageRootPath, timeoutMs = 280_000 } = options;
  return spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
}

/** Waits for a command to end. Rejects if the command does not exist. */
export function endOf(child: ChildProcess): Promise<CommandResult> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name]?.setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, ...texts });
    });
  });
}

export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return endOf(startCommand(command, args, options));
}
