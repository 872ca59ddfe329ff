import { Command, InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import { addLimitFlags, hostNameFrom, limitsFrom, originFrom, priceFrom } from "../../../../src/tools/cli/input/serve-flags.ts";
import { countFrom, msFrom } from "../../../../src/tools/cli/input/flags.ts";
import { DEFAULT_LIMITS } from "../../../../src/service/handler/limits.ts";

describe("whole numbers", () => {
  test("are read exactly", () => {
    expect([countFrom("1"), countFrom("999999999999"), msFrom("0"), msFrom("5000")]).toEqual([1, 999_999_999_999, 0, 5000]);
  });

  test.each(["0", "01", "-1", "1.5", "1e3", "", " 1", "9999999999999"])("%j is not a count", (text) => {
    expect(() => countFrom(text)).toThrow(InvalidArgumentError);
  });

  test.each(["-1", "1.5", "1s", "", "9999999999"])("%j is not a time", (text) => {
    expect(() => msFrom(text)).toThrow(InvalidArgumentError);
  });
});

describe("--price", () => {
  test("is for every model, or for the one it names", () => {
    const all = priceFrom("0.1/0.4");
    expect(priceFrom("umpire-2=0/2.125", all)).toEqual({
      "*": { inputPerMillion: 0.1, outputPerMillion: 0.4 },
      "umpire-2": { inputPerMillion: 0, outputPerMillion: 2.125 },
    });
  });

  test.each(["1", "1/", "a/b", "0.0001/1", "-1/1", "=1/2"])("%j is refused", (text) => {
    expect(() => priceFrom(text)).toThrow("It must be <in>/<out>");
  });

  test("is refused twice for the same model", () => {
    expect(() => priceFrom("3/4", priceFrom("1/2"))).toThrow("two prices for the same model");
  });
});

describe("--cors-origin", () => {
  test("collects origins, and * means all", () => {
    expect(originFrom("http://localhost:3000", originFrom("https://app.example"))).toEqual([
      "https://app.example",
      "http://localhost:3000",
    ]);
    expect(originFrom("*", ["https://app.example"])).toBe("*");
    expect(originFrom("https://app.example", "*")).toBe("*");
  });

  test.each(["app.example", "https://app.example/", "https://app.example/page", ""])("%j is not an origin", (text) => {
    expect(() => originFrom(text)).toThrow(InvalidArgumentError);
  });
});

describe("--host-name", () => {
  test("collects names", () => {
    expect(hostNameFrom("umpire", hostNameFrom("umpire.internal"))).toEqual(["umpire.internal", "umpire"]);
  });

  test.each(["umpire:8780", "http://umpire", "*.internal", "a b", ""])("%j is not a name", (text) => {
    expect(() => hostNameFrom(text)).toThrow("It must be a host's name");
  });
});

describe("limits", () => {
  const parsed = (...args: string[]): ReturnType<typeof limitsFrom> =>
    limitsFrom(addLimitFlags(new Command().exitOverride()).parse(args, { from: "user" }).opts());

  test("are passed on only if they are given", () => {
    expect(parsed()).toStrictEqual({});
    expect(parsed("--max-waiting", "5", "--run-ms", "700")).toEqual({ waitingRequests: 5, runMs: 700 });
  });

  test("each have a flag", () => {
    const flags = addLimitFlags(new Command()).options.map(({ long }) => long ?? "");
    const all = parsed(...flags.flatMap((flag) => [flag, "7"]));
    expect(Object.keys(all).sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
  });
});
