import type * as Check from "../check/index.ts";
import { DecideError } from "../errors.ts";
import type * as Explain from "../explain/index.ts";
import type * as Lessons from "../lessons/index.ts";

// What is not deciding. It is loaded when it is first used: a page that only decides never loads it.

export const loadLessons = (): Promise<typeof Lessons> => loaded("lessons", import("../lessons/index.ts"));

export const loadExplain = (): Promise<typeof Explain> => loaded("explain", import("../explain/index.ts"));

export const loadCheck = (): Promise<typeof Check> => loaded("check", import("../check/index.ts"));

function loaded<M>(name: string, module: Promise<M>): Promise<M> {
  return module.catch((cause: unknown) => {
    throw new DecideError("backend_unavailable", `The package's part "${name}" cannot be loaded. Serve the whole folder umpire/.`, {
      cause,
    });
  });
}
