import { expect, it } from "vitest";
import { ProgressLog } from "../../../../src/tools/cli/output/progress-log.ts";

it("a log has a line every 30 seconds, and none before", () => {
  let nowMs = 5000;
  const written: string[] = [];
  const log = new ProgressLog({ write: (text) => written.push(text) }, () => nowMs);
  for (; nowMs < 5000 + 65_000; nowMs += 1000) log.draw((ms) => `at ${ms}`);
  log.clear();
  expect(written).toEqual(["at 35000\n", "at 65000\n"]);
});
