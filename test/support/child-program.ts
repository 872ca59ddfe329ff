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
  /** Of the program's source. Default: module. */
  readonly type?: "module" | "commonjs";
  /** Folder in which it runs, and from which `umpire` resolves. Default: the package's. */
  readonly folder?: string;
  /** Then it is killed. Default: 30,000. */
  readonly timeoutMs?: number;
}

/** Runs a source as a program of its own, and waits for it to end by itself. */
export function runProgram(source: string, options: ProgramOptions = {}): Promise<ProgramResult> {
  return run(
    [...(options.nodeArgs ?? []), `--input-type=${options.type ?? "module"}`, "--eval", source, "--", ...(options.args ?? [])],
    options,
  );
}

/** Runs a script of the package as a program of its own. */
export function runScript(script: string, options: ProgramOptions = {}): Promise<ProgramResult> {
  return run([...(options.nodeArgs ?? []), script, ...(options.args ?? [])], options);
}

function run(args: readonly string[], { folder = packageRootPath, timeoutMs = 30_000 }: ProgramOptions): Promise<ProgramResult> {
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
