import { expect, it } from "vitest";
import { progressLine, type ProgressLine } from "../../../../src/tools/cli/output/screen.ts";

function onTerminal(isTTY: boolean): { line: ProgressLine; written: string[]; passMs: (ms: number) => void } {
  let nowMs = 5000;
  const written: string[] = [];
  const line = progressLine({ isTTY, write: (text) => written.push(text) }, 200, { now: () => nowMs });
  return { line, written, passMs: (ms) => (nowMs += ms) };
}

it("a progress line says how much is done and how long the rest will take", () => {
  const { line, written, passMs } = onTerminal(true);
  line.update(0);
  passMs(10_000);
  line.update(50);
  passMs(10);
  // Too soon for the eye.
  line.update(51);
  passMs(990_000);
  line.update(100);
  line.clear();
  const bars = written.map((text) => text.replaceAll("\r\u001b[K", ""));
  expect(bars).toEqual([
    `${" ".repeat(24)} 0 of 200`,
    `${"█".repeat(6).padEnd(24)} 50 of 200, 30 s left`,
    `${"█".repeat(12).padEnd(24)} 100 of 200, 17 min left`,
    "",
  ]);
});

it("of a total that nobody knows, it says only how much is done", () => {
  const stream: string[] = [];
  const line = progressLine({ isTTY: true, write: (text) => stream.push(text) }, undefined, { now: () => 5000 });
  line.update(17);
  expect(stream).toEqual(["\r\u001b[K17 done"]);
});

it("nothing is written where no one looks", () => {
  const { line, written } = onTerminal(false);
  line.update(1);
  line.clear();
  expect(written).toEqual([]);
});

it("a log has a line every 30 seconds, and none before", () => {
  let nowMs = 5000;
  const written: string[] = [];
  const log = progressLine({ write: (text) => written.push(text) }, undefined, { isLogged: true, now: () => nowMs });
  for (; nowMs < 5000 + 65_000; nowMs += 1000) log.draw((ms) => `at ${ms}`);
  log.clear();
  expect(written).toEqual(["at 35000\n", "at 65000\n"]);
});
