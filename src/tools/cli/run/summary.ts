import type { Io } from "../io.ts";
import { screenFor, writeJson } from "../output/screen.ts";
import type { OutputFlags } from "../output/screen.ts";
import { plain } from "../output/paint.ts";
import { jsonOfTally } from "./counts.ts";
import { STANDARD_OUTPUT } from "./run-flags.ts";
import { showSummary } from "./summary-view.ts";
import type { Summary } from "./summary-view.ts";

const SOME_FAILED = 3;

/** Says what a run has done: on standard output, or on standard error if the answers are there. @returns the exit code */
export function tellSummary(io: Io, summary: Summary, flags: OutputFlags): number {
  if (summary.out === STANDARD_OUTPUT) io.stderr.write(showSummary(summary, { width: 80, paint: plain }));
  else {
    const screen = screenFor(io, flags);
    if (screen === undefined) writeJson(io, jsonOf(summary));
    else io.stdout.write(showSummary(summary, screen));
  }
  return summary.tally.failed > 0 ? SOME_FAILED : 0;
}

function jsonOf({ input, out, plan, tally, answeredNow, seconds }: Summary): unknown {
  const { model, shard } = plan;
  return {
    input,
    out,
    model: model.id,
    device: model.device,
    precision: model.precision,
    ...(shard !== null && { shard: `${shard.index}/${shard.of}` }),
    ...jsonOfTally(plan.questions, tally),
    ...(answeredNow > 0 && { answeredNow, seconds, rowsPerSecond: answeredNow / seconds }),
  };
}
