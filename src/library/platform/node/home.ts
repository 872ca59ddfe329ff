import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The folder of the models that this user added: `models/` in `UMPIRE_HOME`, else in the platform's folder for a program's data.
 * @returns undefined for a user without a home, such as in some containers
 */
export async function addedModelsFolder(env: NodeJS.ProcessEnv): Promise<URL | undefined> {
  const home = isHomeNamed(env) ? env["UMPIRE_HOME"] : await dataFolder();
  return home === undefined ? undefined : pathToFileURL(join(resolve(home), "models", "/"));
}

/** Whether `UMPIRE_HOME` names a folder. Empty is as good as not set. */
export function isHomeNamed({ UMPIRE_HOME: given = "" }: NodeJS.ProcessEnv): boolean {
  return given !== "";
}

async function dataFolder(): Promise<string | undefined> {
  try {
    // It looks for the user's home when it is loaded, which throws where there is none.
    const { default: envPaths } = await import("env-paths");
    const { data } = envPaths("umpire", { suffix: "" });
    // An empty HOME makes it relative: models would lie wherever the program was started.
    return isAbsolute(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
