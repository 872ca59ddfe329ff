import { whyUnwritable } from "../files/system-errors.ts";

interface ToolErrorOptions {
  /** Exit code of the command: 1 failed, 2 bad input. Default: 1 */
  readonly exitCode?: 1 | 2;
  readonly cause?: unknown;
}

/** Why a command ends early, in words for the person at the command line: what was found, and what to do next. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly exitCode: 1 | 2;

  constructor(message: string, { exitCode = 1, cause }: ToolErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** Throws what the file system failed of, by what is to be said of the reason, which follows a colon. An error of another kind is thrown as it is. */
export const inWords =
  (say: (why: string) => string, exitCode: 1 | 2 = 1) =>
  (error: unknown): never => {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new ToolError(say(whyUnwritable(error) ?? `the system reports ${code}`), { exitCode, cause: error });
  };

/** A mistake of that person: the command ends with exit code 2. */
export function badInput(message: string, { cause }: Pick<ToolErrorOptions, "cause"> = {}): ToolError {
  return new ToolError(message, { exitCode: 2, cause });
}
