import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { installedModels, packBytes } from "../models/installed.ts";
import { latestOf } from "../../library/decider/catalogue.ts";
import type { DeciderInfo } from "../../library/decider/decider.ts";
import { createDeciderOn } from "../../library/decider/create-decider.ts";
import { DEVICES } from "../../library/engine/devices.ts";
import type { Device, Precision } from "../../library/engine/engine.ts";
import { hasFilesFor, parseManifest } from "../../library/engine/families/families.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { bytesText } from "../cli/output/bytes.ts";
import type { Finding } from "./finding.ts";

export interface Placement {
  readonly device: Device;
  readonly precision: Precision;
}

/** Loads the default model where `auto` takes it. Loading checks every file's SHA-256 and the model's self-test. */
export async function* checkModel(platform: Platform): AsyncGenerator<Finding, void, void> {
  let info: DeciderInfo;
  try {
    await using decider = createDeciderOn(platform);
    info = await decider.info();
  } catch (error) {
    const isDamaged = DecideError.isInstance(error) && error.code === "model_invalid";
    const text = DecideError.isInstance(error) ? error.message : textOfCause(error);
    // What to do about a damaged model, its message says.
    const advice = isDamaged ? {} : { advice: "No device can run the model. The lines above say what each device needs." };
    yield { name: isDamaged ? "model" : "auto", status: "problem", text, ...advice };
    return;
  }
  const { model, releaseDate, device, precision, graph, threads, deviceReason } = info;
  yield {
    name: "model",
    status: "ok",
    text: `${model} of ${releaseDate}, the default: its files match their SHA-256, and its self-test is right`,
    facts: { model, releaseDate },
  };
  yield {
    name: "auto",
    status: "ok",
    text: `takes ${device} with ${precision} (graph ${graph}, ${threads === 1 ? "1 thread" : `${threads} threads`}): ${deviceReason}`,
    facts: { device, precision, graph, threads, deviceReason },
  };
}

/** Bytes of the default model's files; 0 if it is damaged, which `checkModel` says. */
export async function defaultPackBytes(platform: Platform): Promise<number> {
  const latest = latestOf(await platform.builtIn());
  const { manifest } = (await installedModels(platform)).find(({ id }) => id === latest?.id) ?? {};
  return manifest === undefined ? 0 : packBytes(manifest);
}

/** Whether the models of umpire's makers are here that come in packages of their own. */
export async function checkPackages(platform: Platform): Promise<Finding[]> {
  const packs = await platform.builtIn();
  return (platform.packaged ?? []).flatMap(({ id, packageName, sizeBytes }): Finding[] => {
    const pack = packs.find((one) => one.packageName === packageName);
    // The default model is the damaged one then, and what is wrong is said of it.
    if (pack?.damage !== undefined) return [];
    const folder = pack && fileURLToPath(pack.url);
    const size = sizeBytes === undefined ? "" : `, ${bytesText(sizeBytes)}`;
    const text =
      pack === undefined
        ? `not installed; it brings ${id}, a larger and more accurate model (npm install ${packageName}${size})`
        : `${pack.id} is in ${folder}`;
    const facts = { model: pack?.id ?? id, installed: pack !== undefined, folder: folder ?? null };
    return [{ name: packageName, status: "ok", text, facts }];
  });
}

/** Each device with each precision that the device and the model's pack have. */
export async function placementsOf(platform: Platform, model: string, devices: readonly Device[]): Promise<Placement[]> {
  const all = devices.flatMap((device) => DEVICES[device].precisions.map((precision) => ({ device, precision })));
  const pack = (await platform.catalogue()).find(({ id }) => id === model);
  if (pack === undefined) return all;
  try {
    const manifest = await parseManifest(await readFile(new URL("manifest.json", pack.url), "utf8"));
    const has = await Promise.all(all.map((placement) => hasFilesFor(manifest, placement)));
    return all.filter((_, i) => has[i]);
  } catch {
    // Loading it will say what is wrong with it.
    return all;
  }
}
