import { Writable } from "node:stream";
import { CommanderError } from "commander";
import { beforeEach, describe, expect, test } from "vitest";
import { ToolError, badInput } from "../../../src/tools/tool-error.ts";
import { report, withSource } from "../../../src/tools/cli/failure.ts";
import { DecideError, fromPlainError, toPlainError } from "../../../src/errors.ts";
import type { Issue, Location } from "../../../src/errors.ts";

let written = "";
const stderr = new Writable({
  decodeStrings: false,
  write: (text: string, _, done) => {
    written += text;
    done();
  },
});
beforeEach(() => {
  written = "";
});

/** The exit code of an error and what is written about it. */
function reported(error: unknown): { code: number; lines: string[] } {
  const code = report({ stderr }, error);
  return { code, lines: written.split("\n").slice(0, -1) };
}

const issue = (loc: Location, msg: string): Issue => ({ loc, msg, type: "unknown_value" });

test.each<[string, unknown, number, string[]]>([
  ["bad input", badInput("There is no question."), 2, ["umpire: There is no question."]],
  ["a failed command", new ToolError("Port 80 is in use."), 1, ["umpire: Port 80 is in use."]],
  ["an invalid request", new DecideError("invalid_request", "It is empty."), 2, ["umpire: It is empty."]],
  [
    "an unknown model",
    new DecideError("model_not_found", "There is no model of that name."),
    2,
    ["umpire: There is no model of that name."],
  ],
  ["a failure of umpire", new DecideError("worker_lost", "The worker ended."), 1, ["umpire: The worker ended."]],
  ["anything else", new TypeError("x is\nundefined"), 1, ["umpire: Something unexpected failed: TypeError: x is"]],
])("%s has its message and exit code", (_, error, code, lines) => {
  expect(reported(error)).toEqual({ code, lines });
});

test("a parser's message is not repeated; help and the version are not errors", () => {
  expect(reported(new CommanderError(1, "commander.unknownOption", "error: unknown option"))).toEqual({ code: 2, lines: [] });
  expect(reported(new CommanderError(0, "commander.helpDisplayed", "(outputHelp)"))).toEqual({ code: 0, lines: [] });
});

test("a failure has its cause, and bad input does not, because the cause may quote the input", () => {
  const cause = new Error("ENOSPC: no space left");
  expect(reported(new DecideError("backend_unavailable", "It cannot be read.", { cause })).lines).toEqual([
    "umpire: It cannot be read.",
    "  because: Error: ENOSPC: no space left",
  ]);
  written = "";
  expect(reported(new DecideError("invalid_request", "It is not JSON.", { cause })).lines).toEqual(["umpire: It is not JSON."]);
});

test("a cause that crossed from a thread has its name once", () => {
  for (const cause of [new Error("ENOSPC: no space left"), new RangeError("too small")]) {
    written = "";
    const crossed = fromPlainError(toPlainError(new DecideError("backend_failed", "It failed.", { cause })));
    expect(reported(crossed).lines).toEqual(["umpire: It failed.", `  because: ${cause.name}: ${cause.message}`]);
  }
});

describe("issues", () => {
  test("are listed with their places, introduced by their source", async () => {
    const issues = [
      issue(["body"], "must be an object"),
      issue(["body", "questions", "a b", "criteria", 2], "is empty"),
      issue(["options", "threads"], "must be a whole number"),
      issue(["keys", 0, "sha256"], "is missing"),
    ];
    const failed = withSource("request.json", Promise.reject(new DecideError("invalid_request", "unused", { issues })));
    const error = await failed.catch((error: unknown) => error);
    expect(reported(error)).toEqual({
      code: 2,
      lines: [
        "umpire: request.json is not valid:",
        "  it: must be an object",
        '  questions["a b"].criteria[2]: is empty',
        "  --threads: must be a whole number",
        "  keys[0].sha256: is missing",
      ],
    });
  });

  test("of an input that is too long say so", () => {
    const issues = [issue(["body", "state"], "has 20,000 tokens")];
    expect(reported(new DecideError("input_too_long", "unused", { issues }))).toEqual({
      code: 2,
      lines: ["umpire: The call is too long. Nothing is ever cut, so shorten it:", "  state: has 20,000 tokens"],
    });
  });

  test("beyond twenty are counted", () => {
    const issues = Array.from({ length: 25 }, (_, i) => issue(["body", i], "is wrong"));
    const { lines } = reported(new DecideError("invalid_request", "unused", { issues }));
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe("  … 5 more");
  });

  test("are counted with those that the error left out", () => {
    const issues = Array.from({ length: 130 }, (_, i) => issue(["body", i], "is wrong"));
    expect(reported(new DecideError("invalid_request", "unused", { issues })).lines.at(-1)).toBe("  … 110 more");
  });
});

test("a task that succeeds, or fails with another error, is not changed by its source", async () => {
  expect(await withSource("The key", Promise.resolve(1))).toBe(1);
  const other = new TypeError("x");
  await expect(withSource("The key", Promise.reject(other))).rejects.toBe(other);
});

test("characters that a terminal would obey are escaped", () => {
  expect(reported(badInput("no file \u001b[2J")).lines).toEqual(["umpire: no file \\u001b[2J"]);
});
