import { Option } from "commander";
import type { Command } from "commander";
import type { DeciderOptions } from "../../../library/decider/decider.ts";
import { NODE_DEVICES } from "../../../library/platform/platform.ts";
import { countFrom } from "./whole-numbers.ts";

export type ModelFlags = Pick<DeciderOptions, "device" | "model" | "precision" | "threads">;

/** Where and how a model runs. */
export type DeviceFlags = Omit<ModelFlags, "model">;

/** Adds --model, --device, --precision and --threads. */
export function addModelFlags(command: Command): Command {
  return addDeviceFlags(
    command.option(
      "-m, --model <model>",
      "id or folder of the model for requests that name none (default: latest, the best that is installed)",
    ),
  );
}

/** Adds --device, --precision and --threads. */
export function addDeviceFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--device <device>", "where the model runs (default: auto, the fastest there is)").choices(["auto", ...NODE_DEVICES]),
    )
    .addOption(
      new Option("--precision <precision>", "arithmetic: int8, or fp32, which is slower but exact (default: int8)").choices([
        "int8",
        "fp32",
      ]),
    )
    .option("--threads <number>", "threads for the model, 1 to 64", countFrom);
}
