import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import type { Io, OutputStream } from "../../src/tools/cli/io.ts";
import { main } from "../../src/tools/cli/main.ts";
import { createDeciderOn } from "../../src/library/decider/create-decider.ts";
import type { Decider, DeciderOptions } from "../../src/library/decider/decider.ts";
import { nodePlatform } from "../../src/library/platform/node/platform.ts";
import { lacks, lacksIf } from "./needs.ts";
import { PACKAGE_ROOT } from "./package-root.ts";

/** Folder of the built package, where the command line finds its models and the script of its workers. */
const DIST = new URL("dist/", PACKAGE_ROOT);

/** The built command line. */
export const CLI = fileURLToPath(new URL("cli.js", DIST));

/** No model of the person who runs the tests is used. */
const NO_HOME = fileURLToPath(new URL("test/no-home", PACKAGE_ROOT));

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

export interface CallOptions extends RunOptions {
  /** All three streams are a terminal of so many columns. Default: they are pipes. */
  readonly terminal?: number;
  /** Folder of the built package. Default: this one's. */
  readonly dist?: URL;
  /** Whether the call loads its model and closes it, as it does in a process of its own. Default: the built-in model stays loaded for later calls. */
  readonly loadsAnew?: boolean;
}

/** Calls `umpire` in this process. Only the arguments and options say what it does: it sees nothing of the process's own streams and environment. */
export async function umpire(args: readonly string[], options: CallOptions = {}): Promise<Run> {
  const { stdin = "", env = {}, terminal, dist = DIST, loadsAnew = false } = options;
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written): OutputStream => {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => {
        written[name] += chunk.toString();
        done();
      },
    });
    return terminal === undefined ? stream : Object.assign(stream, { isTTY: true, columns: terminal, getColorDepth });
  };
  const input = Object.assign(new PassThrough(), { isTTY: terminal !== undefined });
  input.end(stdin);
  const io: Io = {
    stdin: input,
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: { UMPIRE_HOME: NO_HOME, ...cleanEnv(terminal === undefined ? env : { TERM, ...env }) },
  };
  const isKept = !loadsAnew && dist === DIST && env["UMPIRE_HOME"] === undefined;
  await main(args, io, dist, isKept ? keptDecider : undefined);
  return { code: Number(io.exitCode ?? 0), signal: null, ...written };
}

const kept = new Map<string, Decider>();

/** A decider that stays loaded: a call that closes it only makes it forget what it learned. Calls beside each other have the same lessons. */
function keptDecider(options: DeciderOptions): Decider {
  const platform = nodePlatform(DIST, undefined, { UMPIRE_HOME: NO_HOME });
  if (options.model !== undefined) return createDeciderOn(platform, options);
  const key = JSON.stringify(options);
  const decider = kept.get(key) ?? createDeciderOn(platform, options);
  kept.set(key, decider);
  const forgetAll = (): Promise<void> => {
    for (const { id } of decider.lessons()) decider.forget(id);
    return Promise.resolve();
  };
  return new Proxy(decider, {
    get: (target, name) => {
      if (name === "close" || name === Symbol.asyncDispose) return forgetAll;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member as () => unknown).bind(target) : member;
    },
  });
}

const TERM = "xterm-256color";

/** As a terminal has it, by the environment alone. */
function getColorDepth(env: object): number {
  return WriteStream.prototype.getColorDepth.call(undefined as unknown as WriteStream, env);
}

/** Runs `umpire` in a process of its own, with pipes as its input and output. */
export function umpireProcess(args: readonly string[], { stdin = "", env = {} }: RunOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [CLI, ...args], { env: cleanEnv(env) });
  // A command that does not read its input may end before all of it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  return finished(child);
}

/** For `test.skipIf` and `describe.skipIf`: `inTerminal` needs the `script` of util-linux. That of other systems has other flags. */
export const lacksTerminal = (): boolean => (process.platform === "linux" ? lacks("script") : lacksIf(true, "script of util-linux"));

/**
 * Runs a shell command in a pseudo terminal that is `columns` wide, made by util-linux's `script`. Its standard error is part of `stdout`. `typed`
 * is typed once `when` has been printed.
 */
export function inTerminal(command: string, { columns = 80, env = {}, typed = "", when = "" } = {}): Promise<Run> {
  const child = spawn("script", ["-qec", `stty cols ${columns}; ${command}`, "/dev/null"], { env: cleanEnv({ TERM, ...env }) });
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
