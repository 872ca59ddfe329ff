import { mergeShards } from "../../run/merge.ts";
import { formOf } from "../../run/output/forms.ts";
import { BadInput } from "../bad-input.ts";
import type { Io } from "../io.ts";
import { checkWritable } from "../output/check-writable.ts";
import { stat } from "node:fs/promises";
import { outOf, STANDARD_OUTPUT } from "./run-flags.ts";
import type { RunFlags } from "./run-flags.ts";
import { tellSummary } from "./summary.ts";
import { whyNotWritten } from "./why-not-written.ts";

/** Joins the files of shards. @returns the exit code */
export async function merge(io: Io, files: readonly string[], parts: readonly string[], flags: RunFlags): Promise<number> {
  if (files.length > 0) throw new BadInput("--merge needs neither questions nor rows: give only the files of the shards, after it.");
  const out = outOf(flags);
  if (out === STANDARD_OUTPUT) throw new BadInput("--merge writes a file: give one with --out.");
  const form = formOf(out);
  await checkWritable(out);
  if ((await stat(out).catch(() => undefined)) !== undefined)
    throw new BadInput(`${out} exists, and is never overwritten. Name another file with --out, or delete it.`);
  const { plan, tally } = await mergeShards(parts, out, form).catch((error: unknown) => {
    throw whyNotWritten(out, error);
  });
  return tellSummary(io, { input: `${parts.length} shards`, out, plan, tally, answeredNow: 0, seconds: 0 }, flags);
}
