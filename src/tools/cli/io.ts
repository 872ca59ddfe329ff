import type { Readable, Writable } from "node:stream";
import type { Decider, DeciderOptions } from "../../library/decider/decider.ts";

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
