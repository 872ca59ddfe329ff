import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import type { Decider, DeciderOptions } from "../../library/decider/decider.ts";
import { escapeControls } from "./output/terminal-text.ts";

/** The part of `process` that a command uses: what it reads and writes, its environment, and the exit code that it ends with. */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  exitCode?: NodeJS.Process["exitCode"];
}

export interface InputStream extends Readable {
  readonly isTTY?: boolean | undefined;
}

export interface OutputStream extends Writable {
  readonly isTTY?: boolean | undefined;
  /** Cells in a line of a terminal. */
  readonly columns?: number | undefined;
  /** Its number among the files that this process has open, if it is one of them. */
  readonly fd?: number | undefined;
  getColorDepth?(env?: object): number;
}

/** Makes the decider of a command, which the command closes. */
export type CreateDecider = (options: DeciderOptions) => Decider;

const END_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Listens for Ctrl-C and for the signal by which a system ends a program. Each is heard once: a second one of the same kind ends the process, as it does
 * where nobody listens.
 * @returns what ends the listening
 */
export function onEndSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of END_SIGNALS) process.once(signal, listener);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, listener);
  };
}

/** Ends the process by a signal, so that a shell sees why it ended. */
export function endBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}

export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question on the terminal. @param question without its mark @returns whether the answer is yes */
export async function confirm({ stdin, stderr }: Io, question: string): Promise<boolean> {
  const line = createInterface({ input: stdin, output: stderr });
  // Ctrl-C ends the program as it does elsewhere.
  line.once("SIGINT", () => {
    endBy("SIGINT");
  });
  try {
    const ended = once(line, "close").then(() => "");
    const answer = await Promise.race([line.question(`${escapeControls(question)}? [y/N] `), ended]);
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    line.close();
  }
}
