import { expect, test } from "vitest";
import { colored, plain, wantsColors } from "../../../../src/tools/cli/output/screen.ts";

const terminal = { isTTY: true, getColorDepth: () => 8 };
const poorTerminal = { isTTY: true, getColorDepth: () => 1 };
const pipe = {};

test.each([
  ["a terminal", terminal, {}, true],
  ["a terminal without colours", poorTerminal, {}, false],
  ["a pipe", pipe, {}, false],
  ["NO_COLOR", terminal, { NO_COLOR: "1" }, false],
  ["an empty NO_COLOR", terminal, { NO_COLOR: "" }, true],
  ["FORCE_COLOR in a pipe", pipe, { FORCE_COLOR: "1" }, true],
  ["an empty FORCE_COLOR in a pipe", pipe, { FORCE_COLOR: "" }, true],
  ["FORCE_COLOR=0 in a terminal", terminal, { FORCE_COLOR: "0" }, false],
  ["FORCE_COLOR over NO_COLOR", pipe, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
])("%s decides about colours", (_name, stream, env, wanted) => {
  expect(wantsColors(stream, env)).toBe(wanted);
});

test("styled text switches its style off again, even if this process's output has no colours", () => {
  expect(colored("green", "yes")).toBe("\u001b[32myes\u001b[39m");
  expect(plain("green", "yes")).toBe("yes");
});
