import { DecideError } from "../../errors.ts";

/**
 * A part of the package that is loaded when it is first used: in a page, a script of its own.
 * @param script its name, for the message
 * @throws {DecideError} `backend_unavailable` when it cannot be loaded.
 */
export function onDemand<M>(script: string, module: Promise<M>): Promise<M> {
  return module.catch((cause: unknown) => {
    const message = `The package's script umpire/${script}.js cannot be loaded. Serve the folder umpire/ beside the page's script, also if assets names another.`;
    throw new DecideError("backend_unavailable", message, { cause });
  });
}
