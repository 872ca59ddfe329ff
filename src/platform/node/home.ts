import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The folder of the models that this user added: `models/` in `UMPIRE_HOME`, else in the platform's folder for a program's data.
 * @returns undefined for a user without a home, such as in some containers
 */
export async function addedModelsFolder(env: NodeJS.ProcessEnv): Promise<URL | undefined> {
  const { UMPIRE_HOME: given = "" } = env;
  // Empty is as good as not set.
  const home = given === "" ? await dataFolder() : given;
  return home === undefined ? undefined : pathToFileURL(join(resolve(home), "models", "/"));
}

async function dataFolder(): Promise<string | undefined> {
  try {
    // It looks for the user's home when it is loaded, which throws where there is none.
    const { default: envPaths } = await import("env-paths");
    return envPaths("umpire", { suffix: "" }).data;
  } catch {
    return undefined;
  }
}
