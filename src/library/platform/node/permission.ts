import { DecideError } from "../../../errors.ts";

/** Rights that Node's permission model may refuse, by the name in its errors, and what allows each. */
const REFUSED: { readonly [permission: string]: string | undefined } = {
  FileSystemRead:
    "reading umpire's files: start Node with --allow-fs-read for the folder node_modules, and for that of a model of your own",
  WorkerThreads:
    "starting the thread in which the model runs: start Node with --allow-worker, or create a decider with the option inline: true",
};

/**
 * Runs a part of the library that needs what Node's permission model may refuse.
 * @throws {DecideError} `backend_unavailable` where it did, however deep that was, with the flag that allows it; or what `run` throws
 */
export async function allowed<T>(run: () => T): Promise<Awaited<T>> {
  try {
    return await run();
  } catch (error) {
    throw asRefusal(error);
  }
}

/** An error that comes from a refusal of the permission model, as one that says what to do; any other unchanged. */
export function asRefusal(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, permission = "" } = cause as NodeJS.ErrnoException & { readonly permission?: string };
    const what = code === "ERR_ACCESS_DENIED" ? REFUSED[permission] : undefined;
    if (what !== undefined)
      return new DecideError("backend_unavailable", `Node's permission model keeps this program from ${what}.`, { cause });
  }
  return error;
}

/** Node's flags for a worker thread that may do no more than the program, and only what it needs: Node itself gives it every right unless it is told otherwise. */
export function permissionFlags(): string[] {
  const isOne = (flag = ""): boolean => /^--(?:(?:experimental-)?permission|allow-(?:fs-read|addons|worker)(?:=.*)?)$/su.test(flag);
  // A value may follow in an argument of its own.
  const flags = process.execArgv.filter((arg, i, all) => isOne(arg) || (!arg.startsWith("-") && isOne(all[i - 1])));
  // The program itself has warned of them.
  return flags.length === 0 ? flags : [...flags, "--disable-warning=SecurityWarning", "--disable-warning=ExperimentalWarning"];
}
