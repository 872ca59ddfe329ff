import { mergeShards } from "../../run/merge.ts";
import { formOf } from "../../run/output/forms.ts";
import { whyUnwritable } from "../../../files/system-errors.ts";
import { BadInput } from "../bad-input.ts";
import { CommandFailed } from "../command-failed.ts";
import type { Io } from "../io.ts";
import { checkWritable } from "../output/check-writable.ts";
import { stat } from "node:fs/promises";
import { outOf, STANDARD_OUTPUT } from "./run-flags.ts";
import type { RunFlags } from "./run-flags.ts";
import { tellSummary } from "./summary.ts";

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
    throw ifUnwritable(out, error);
  });
  return tellSummary(io, { input: `${parts.length} shards`, out, plan, tally, answeredNow: 0, seconds: 0 }, flags);
}

/** The failure of a run whose results cannot be written, with what to do next. An error of another kind is returned as it is. */
export function ifUnwritable(out: string, error: unknown): unknown {
  const why = whyUnwritable(error);
  if (why === undefined) return error;
  const message = `${out} cannot be written: ${why}. What is done is safe: once that is mended, the same command goes on.`;
  return new CommandFailed(message, { cause: error });
}
