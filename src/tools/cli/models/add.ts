import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { addModel } from "../../models/add-model.ts";
import { badInput, ToolError } from "../../tool-error.ts";
import type { DownloadProgress } from "../../models/hub/hub-model.ts";
import { openModelFolder, type ModelSource } from "../../models/model-source.ts";
import { modelId, packBytes } from "../../models/installed.ts";
import type { Manifest } from "../../../library/engine/families/families.ts";
import { latestOf, MODEL_ALIASES } from "../../../library/decider/catalogue.ts";
import { addedModelsFolder } from "../../../library/platform/node/catalogue.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { canAsk, confirm, endBy, onEndSignal, type Io, type OutputStream } from "../io.ts";
import { bytesText, escapeControls, oneLine, wrap } from "../output/terminal-text.ts";
import { progressLine, writeResult, type OutputFlags, type ProgressLine } from "../output/screen.ts";
import { isMissing } from "../../../files/system-errors.ts";

export interface AddFlags extends OutputFlags {
  readonly as?: string;
  readonly file?: readonly string[];
  readonly template?: string;
  readonly labels?: string;
  readonly licence?: string;
  readonly out?: string;
  readonly yes?: true;
}

const LARGE_BYTES = 50e6;

/** @param model a folder, or `org/name` of a hub @throws {ToolError} */
export async function add(io: Io, platform: Platform, dist: URL, model: string, flags: AddFlags): Promise<void> {
  const stop = new AbortController();
  let endedBy: NodeJS.Signals = "SIGINT";
  const ignoreSignals = onEndSignal((signal) => {
    endedBy = signal;
    stop.abort();
  });
  const notice = new Notices(io.stderr);
  try {
    const source = await open(io, model, notice, stop.signal);
    const packs = await platform.catalogue();
    const idsOf = (isOwn: boolean): string[] => packs.filter(({ isBuiltIn }) => isBuiltIn === isOwn).map(({ id }) => id);
    // They may be installed later.
    const packagedIds = (platform.packaged ?? []).map(({ id }) => id);
    const taken = flags.out === undefined ? idsOf(false) : [];
    const id = modelId(flags.as, source.name, taken, [...idsOf(true), ...packagedIds, ...MODEL_ALIASES]);
    const folder = flags.out === undefined ? await ownFolder(io, id) : await newFolder(flags.out);
    const builtIn = latestOf(packs);
    const { template, labels, licence, file: graphs = [] } = flags;
    const manifest = await addModel(
      source,
      { id, folder, graphs, template, labels, licence },
      {
        dist,
        builtIn: builtIn && fileURLToPath(builtIn.url),
        signal: stop.signal,
        confirm: (of, sizeBytes) => confirmDownload(io, of, sizeBytes, licence, flags.yes === true),
        onStep: notice.step,
      },
    );
    notice.clear();
    tell(io, manifest, folder, flags);
  } catch (error) {
    notice.clear();
    if (!stop.signal.aborted) throw error;
    // The work that was begun is cleaned up. The program ends by the signal, as other commands do, and that comes a moment later.
    ignoreSignals();
    endBy(endedBy);
    await new Promise<never>(() => undefined);
  } finally {
    ignoreSignals();
  }
}

/** A folder of this machine, if it looks like one or there is one of that name; else a model of a hub. */
async function open({ env }: Io, model: string, notice: Notices, signal: AbortSignal): Promise<ModelSource> {
  const path = model === "~" || /^~[/\\]/u.test(model) ? join(homedir(), model.slice(1)) : model;
  const looksLikeOne = /^\.{1,2}(?:[/\\]|$)|^[/~]|\\/u.test(model) || resolve(path) === path;
  if (looksLikeOne || existsSync(path)) return openModelFolder(path);
  const [, name, revision] = /^([^/@]+\/[^/@]+)(?:@(.+))?$/u.exec(model) ?? [];
  if (name === undefined) throw badInput("There is no such folder. Give the folder of a model, or its name on a model hub: org/name.");
  // Only who takes a model from a hub needs it.
  const { openHubModel } = await import("../../models/hub/hub-model.ts");
  notice.step("asking the hub");
  return openHubModel(name, { revision, env, signal, onProgress: notice.download, onNotice: notice.say });
}

async function ownFolder({ env }: Io, id: string): Promise<string> {
  const models = await addedModelsFolder(env);
  if (models === undefined)
    throw new ToolError("There is no home folder to keep models in. Set UMPIRE_HOME to a folder, or give one with --out.");
  return join(fileURLToPath(models), id);
}

async function newFolder(out: string): Promise<string> {
  const folder = resolve(out);
  const entries = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw badInput("The folder of --out is a file, or cannot be read.");
  });
  if (entries.length > 0) throw badInput("The folder of --out is there already, and not empty. Give a new one.");
  return folder;
}

/** @throws {ToolError} if a large download is not wanted */
async function confirmDownload(io: Io, source: ModelSource, sizeBytes: number, stated: string | undefined, isWanted: boolean): Promise<void> {
  // A folder's files are there.
  if (source.revision === undefined || sizeBytes <= LARGE_BYTES) return;
  const licence = stated ?? source.licence;
  const facts = `${source.name} has ${bytesText(sizeBytes)} to download. Its licence: ${licence ?? "its card states none"}.`;
  if (isWanted) {
    io.stderr.write(`${escapeControls(facts)}\n`);
    return;
  }
  if (!canAsk(io)) throw new ToolError(`${facts} Say that you want it: --yes.`);
  if (!(await confirm(io, `${facts} Download it`))) throw new ToolError("Nothing was added.");
}

function tell(io: Io, manifest: Manifest, folder: string, flags: AddFlags): void {
  const { id, family, licence, calibration, source, graphs } = manifest;
  const sizeBytes = packBytes(manifest);
  const precisions = Object.keys(graphs);
  if (licence === "unknown")
    io.stderr.write("Its card states no licence. Look it up before you use it; --licence keeps it in the pack.\n");
  const facts = { id, family, folder, sizeBytes, precisions, licence, uncalibrated: calibration.uncalibrated ?? false, source };
  writeResult(io, flags, facts, ({ width, paint }) => {
    const lines = [
      `${paint("green", "✓")} ${paint("bold", id)} is added: ${precisions.join(" and ")}, ${bytesText(sizeBytes)}, licence ${oneLine(licence)}.`,
      ...wrap(oneLine(`It lies in ${folder}.`), width - 2).map((line) => `  ${line}`),
      "  It is not calibrated: its probabilities are as the model states them.",
      flags.out === undefined
        ? `  Try it: umpire decide --model ${id} --state "It rains." --ask "Is it dry?"`
        : `  A page can load it from there; give the folder's URL as the model (${basename(folder)}).`,
    ];
    return `${lines.join("\n")}\n`;
  });
}

/** Progress on standard error: lines on a terminal, and sentences anywhere. */
class Notices {
  readonly #stderr: OutputStream;
  #line: ProgressLine | undefined;
  #file = "";

  constructor(stderr: OutputStream) {
    this.#stderr = stderr;
  }

  readonly step = (step: string): void => {
    this.clear();
    if (this.#stderr.isTTY === true) this.#stderr.write(`\r\u001b[K${step} …`);
  };

  readonly download = ({ file, receivedBytes, totalBytes }: DownloadProgress): void => {
    // Small ones are there before anybody could read of them.
    if (totalBytes < 1e6) return;
    if (file !== this.#file) {
      this.clear();
      this.#line = progressLine(this.#stderr, Math.ceil(totalBytes / 1e6), { unit: "MB" });
      this.#file = file;
    }
    this.#line?.update(Math.floor(receivedBytes / 1e6));
  };

  readonly say = (sentence: string): void => {
    this.clear();
    this.#stderr.write(`${escapeControls(sentence)}\n`);
  };

  clear(): void {
    if (this.#stderr.isTTY === true) this.#stderr.write("\r\u001b[K");
  }
}
