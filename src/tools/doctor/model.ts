import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { verifyModel, type Verified } from "../models/self-test.ts";
import { installedModels, packBytes, type InstalledModel } from "../models/installed.ts";
import { latestOf } from "../../library/decider/catalogue.ts";
import { createDeciderOn } from "../../library/decider/create-decider.ts";
import type { Decider, DeciderInfo, DeciderOptions } from "../../library/decider/decider.ts";
import { DEVICES } from "../../library/engine/devices.ts";
import type { Device, Precision } from "../../library/engine/engine.ts";
import { hasFilesFor } from "../../library/engine/families/families.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import { addedModelsFolder } from "../../library/platform/node/catalogue.ts";
import { findNativeBinding } from "../../library/platform/node/native-binding.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { bytesText } from "../cli/output/terminal-text.ts";
import { PAGE_FOLDER } from "../playground/page.ts";
import type { Finding } from "./machine.ts";
import { isMissing, whyUnreadable } from "../../files/system-errors.ts";

interface Placement {
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
    // The message of a damaged model says what to do.
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
  const { manifest } = (await installedModels(platform)).find(({ id }) => id === model) ?? {};
  // Loading a model without one will say what is wrong with it.
  if (manifest === undefined) return all;
  const has = await Promise.all(all.map((placement) => hasFilesFor(manifest, placement)));
  return all.filter((_, i) => has[i]);
}

/** Whether onnxruntime's native binding can be loaded, and if not, why. It is what the device cpu needs. */
export async function checkNativeBinding(): Promise<Finding> {
  const found = await findNativeBinding();
  const name = "onnxruntime";
  if ("runtime" in found) {
    const { env } = await import("onnxruntime-node");
    const version = env.versions.node ?? null;
    return { name, status: "ok", text: `native binding, version ${version ?? "unknown"}`, facts: { found: true, version } };
  }
  const { reason, advice } = found.missing;
  return { name, status: "note", text: `no native binding: ${reason}`, advice, facts: { found: false, version: null } };
}

/** The devices of this machine: without its binding, cpu is none. */
export function devicesBy({ devices }: Platform, binding: Finding): readonly Device[] {
  return devices.filter((device) => binding.status === "ok" || device !== "cpu");
}

/** The WebAssembly runtime, which is part of the package. Whether it runs, the check of its device says. */
export async function checkWasmRuntime(): Promise<Finding> {
  const { env } = await import("onnxruntime-web");
  const version = env.versions.web ?? null;
  return { name: "onnxruntime-web", status: "ok", text: `WebAssembly, version ${version ?? "unknown"}`, facts: { version } };
}

/** The playground's check-device.js, which says more about each field. The doctor and the page run the same check, over the same requests. */
interface CheckModule {
  readonly checkDevice: (options: {
    readonly createDecider: (options: DeciderOptions) => Decider;
    readonly goldens: Goldens;
    readonly placements: readonly Placement[];
  }) => AsyncIterable<Checked>;
}

interface Goldens {
  readonly model: string;
}

interface Checked extends Placement {
  readonly ok: boolean;
  readonly maxDifference: number | undefined;
  readonly msPerDecision: number | undefined;
  readonly threads: number | undefined;
  readonly message: string;
  readonly code: string | undefined;
}

/** Asks golden requests on each device, in each precision that there is, and times a decision there. @param devices those to check */
export async function* checkDevices(platform: Platform, dist: URL, devices: readonly Device[]): AsyncGenerator<Finding, void, void> {
  const loaded = await loadCheck(new URL(PAGE_FOLDER, dist)).catch(() => undefined);
  if (loaded === undefined) {
    yield { name: "devices", status: "problem", text: "files of the package are missing or damaged", advice: "Install umpire again." };
    return;
  }
  const { checkDevice, goldens } = loaded;
  const placements = await placementsOf(platform, goldens.model, devices);
  const createDecider = (options: DeciderOptions): Decider => createDeciderOn(platform, options);
  for await (const checked of checkDevice({ createDecider, goldens, placements })) yield deviceFinding(checked);
}

async function loadCheck(page: URL): Promise<CheckModule & { readonly goldens: Goldens }> {
  const { checkDevice } = (await import(new URL("check-device.js", page).href)) as CheckModule;
  return { checkDevice, goldens: JSON.parse(await readFile(new URL("golden.json", page), "utf8")) as Goldens };
}

function deviceFinding({ device, precision, ok, maxDifference, msPerDecision, threads, message, code }: Checked): Finding {
  const facts = {
    device,
    precision,
    maxDifference: maxDifference ?? null,
    msPerDecision: msPerDecision ?? null,
    threads: threads ?? null,
    code: code ?? null,
  };
  const name = `${device} ${precision}`;
  if (!ok) {
    const advice =
      "Use another device or precision, and install umpire again. If that does not help, report it with the output of umpire doctor --json.";
    // The message of a device that is not there says what to do.
    return { name, status: "problem", text: message, ...(code !== "backend_unavailable" && { advice }), facts };
  }
  const time =
    msPerDecision === undefined
      ? ""
      : ` A decision among ten options took ${msPerDecision.toFixed(msPerDecision < 10 ? 1 : 0)} ms, measured now.`;
  return { name, status: "ok", text: `${message}${time}`, facts };
}

/** Checks each model that was added where `auto` takes it. */
export async function* checkAddedModels(platform: Platform, dist: URL, env: NodeJS.ProcessEnv): AsyncGenerator<Finding, void, void> {
  const folder = await addedModelsFolder(env);
  const error: unknown =
    folder &&
    (await readdir(folder).then(
      () => undefined,
      (reason: unknown) => reason,
    ));
  // The catalogue has no models of a folder that it cannot read, so that those of the package can be used. Here it is said.
  if (error !== undefined && !isMissing(error)) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const text = `the folder of the models that you added cannot be read: ${whyUnreadable(error)}`;
    const advice =
      code === "ERR_ACCESS_DENIED" ? "Start Node with --allow-fs-read for that folder, too." : "Set UMPIRE_HOME to a folder that is yours.";
    yield { name: "added models", status: "problem", text, advice, facts: { code } };
  }
  for (const model of await installedModels(platform)) {
    if (!model.isBuiltIn) yield modelFinding(await verifyModel(dist, model), model, model.id);
  }
}

export function modelFinding({ device, precision, problem, asked, maxDifference }: Verified, model: InstalledModel, name: string): Finding {
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
