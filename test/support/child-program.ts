import { spawn } from "node:child_process";
import { packageRootPath } from "./package-root.ts";

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** The source's module format. Default: module. */
  readonly type?: "module" | "commonjs";
  /** Working directory, from which `umpire` is resolved. Default: the package's folder. */
  readonly folder?: string;
  /** Time after which it is killed, in ms. Default: 280,000. */
  readonly timeoutMs?: number;
}

/** Runs source code in a new process and waits for its end. */
export function runProgram(source: string, options: ProgramOptions = {}): Promise<ProgramResult> {
  return run(
    [...(options.nodeArgs ?? []), `--input-type=${options.type ?? "module"}`, "--eval", source, "--", ...(options.args ?? [])],
    options,
  );
}

/** Runs one of the package's scripts in a new process. */
export function runScript(script: string, options: ProgramOptions = {}): Promise<ProgramResult> {
  return run([...(options.nodeArgs ?? []), script, ...(options.args ?? [])], options);
}

function run(args: readonly string[], { folder = packageRootPath, timeoutMs = 280_000 }: ProgramOptions): Promise<ProgramResult> {
  const startMs = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal, ...texts, durationMs: performance.now() - startMs });
    });
  });
}
