import { readdir } from "node:fs/promises";
import { Engines } from "../models/engines.ts";
import { installedModels } from "../models/installed.ts";
import type { InstalledModel } from "../models/installed.ts";
import { verifyModel } from "../models/verify-model.ts";
import type { Verified } from "../models/verify-model.ts";
import { addedModelsFolder } from "../../library/platform/node/catalogue.ts";
import type { Platform } from "../../library/platform/platform.ts";
import type { Finding } from "./finding.ts";

/** Checks each model that was added where `auto` takes it. @param dist URL of the folder of the built package */
export async function* checkAddedModels(platform: Platform, dist: URL, env: NodeJS.ProcessEnv): AsyncGenerator<Finding, void, void> {
  const unread = await unreadFolder(env);
  if (unread !== undefined) yield unread;
  const engines = new Engines(dist);
  for (const model of await installedModels(platform)) {
    if (!model.isBuiltIn) yield findingOf(await verifyModel(engines, model), model, model.id);
  }
}

/** The catalogue has no models of a folder that it cannot read, so that those of the package can be used. Here it is said. */
async function unreadFolder(env: NodeJS.ProcessEnv): Promise<Finding | undefined> {
  const folder = await addedModelsFolder(env);
  if (folder === undefined) return undefined;
  try {
    await readdir(folder);
    return undefined;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const text = `the folder of the models that you added cannot be read: the system reports ${code}`;
    return { name: "added models", status: "problem", text, advice: "Set UMPIRE_HOME to a folder that is yours.", facts: { code } };
  }
}

/** @param name of the finding */
export function findingOf({ device, precision, problem, asked, maxDifference }: Verified, model: InstalledModel, name: string): Finding {
  const facts = { model: model.id, device: device ?? null, precision: precision ?? null, asked, maxDifference };
  // A report has room for the start of a name only.
  const about = name === model.id ? `${model.id}${device === undefined ? "" : ` on ${device} with ${precision}`}: ` : "";
  if (problem !== undefined) {
    const again = model.manifest?.source?.name ?? "<folder or org/name>";
    const advice = model.isBuiltIn
      ? `Install ${model.packageName ?? "umpire"} again.`
      : `Remove it, and add it again: umpire models remove ${model.id}, then umpire models add ${again}.`;
    return { name, status: "problem", text: `${about}${problem}`, advice, facts };
  }
  const goldens =
    asked === 0
      ? ""
      : `; its ${asked} golden questions are answered as when it was added (scores differ by ${maxDifference.toFixed(4)} at most)`;
  return { name, status: "ok", text: `${about}its files match their SHA-256, and its self-test is right${goldens}`, facts };
}
