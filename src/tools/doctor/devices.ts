import { readFile } from "node:fs/promises";
import { createDeciderOn } from "../../library/decider/create-decider.ts";
import type { Decider, DeciderOptions } from "../../library/decider/decider.ts";
import type { Device } from "../../library/engine/engine.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { PAGE_FOLDER } from "../playground/page-files.ts";
import type { Finding } from "./finding.ts";
import { placementsOf } from "./model.ts";
import type { Placement } from "./model.ts";

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

/**
 * Asks golden requests on each device, in each precision that there is, and times a decision there.
 * @param dist URL of the folder of the built package
 * @param devices those to check
 */
export async function* checkDevices(platform: Platform, dist: URL, devices: readonly Device[]): AsyncGenerator<Finding, void, void> {
  const loaded = await loadCheck(new URL(PAGE_FOLDER, dist)).catch(() => undefined);
  if (loaded === undefined) {
    yield { name: "devices", status: "problem", text: "files of the package are missing or damaged", advice: "Install umpire again." };
    return;
  }
  const { checkDevice, goldens } = loaded;
  const placements = await placementsOf(platform, goldens.model, devices);
  const createDecider = (options: DeciderOptions): Decider => createDeciderOn(platform, options);
  for await (const checked of checkDevice({ createDecider, goldens, placements })) yield findingOf(checked);
}

async function loadCheck(page: URL): Promise<CheckModule & { readonly goldens: Goldens }> {
  const { checkDevice } = (await import(new URL("check-device.js", page).href)) as CheckModule;
  return { checkDevice, goldens: JSON.parse(await readFile(new URL("golden.json", page), "utf8")) as Goldens };
}

function findingOf({ device, precision, ok, maxDifference, msPerDecision, threads, message, code }: Checked): Finding {
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
    return { name, status: "problem", text: message, advice, facts };
  }
  const time = msPerDecision === undefined ? "" : ` A decision among ten options took ${milliseconds(msPerDecision)} ms, measured now.`;
  return { name, status: "ok", text: `${message}${time}`, facts };
}

function milliseconds(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}
