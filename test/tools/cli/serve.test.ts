import { describe, expect, test } from "vitest";
import { Command, InvalidArgumentError } from "commander";
import { umpire } from "../../support/command-line.ts";
import { addLimitFlags, hostNameFrom, limitsFrom, originFrom, priceFrom } from "../../../src/tools/cli/serve-command.ts";
import { countFrom, msFrom } from "../../../src/tools/cli/input/flags.ts";
import { DEFAULT_LIMITS } from "../../../src/service/handler/limits.ts";

const SECRET = "sk-marker-of-the-only-key";

describe("a mistake on the command line ends the server with exit code 2", () => {
  test.each([
    [["--port", "70000"], {}, /0 to 65535/u],
    [["--port", "http"], {}, /0 to 65535/u],
    [[], { UMPIRE_PORT: "x" }, /0 to 65535/u],
    [["--threads", "0"], {}, /1 or more/u],
    [["--max-waiting", "-1"], {}, /whole number/u],
    [["--deadline-ms", "1e3"], {}, /whole number/u],
    [["--base-path", "ai/"], {}, /basePath/u],
    [["--host", ""], {}, /host/u],
    [["--log-level", "loud"], {}, /debug/u],
    [["--tls-cert", "cert.pem"], {}, /both --tls-cert and --tls-key/u],
    [["--tls-cert", "no.pem", "--tls-key", "no.pem"], {}, /--tls-cert cannot be read: the system reports ENOENT/u],
    [["--keys", "no-such-keys.json"], {}, /no such file/u],
    [["--lessons", "no-such-folder"], {}, /^umpire: The lessons in no-such-folder cannot be read: there is no such folder\./u],
    [[], { UMPIRE_LESSONS: "no-such-folder" }, /there is no such folder/u],
    [[], { UMPIRE_LESSONS: "" }, /--lessons is empty/u],
    [["--keys", "keys.json"], { UMPIRE_API_KEY: SECRET }, /Use one or the other/u],
    [[], { UMPIRE_API_KEY: "" }, /UMPIRE_API_KEY is empty/u],
    [[], { UMPIRE_API_KEY: `${SECRET} and more` }, /UMPIRE_API_KEY/u],
    [[], { UMPIRE_KEYS: "" }, /--keys is empty/u],
    [[], { UMPIRE_METRICS_SECRET: "" }, /UMPIRE_METRICS_SECRET is empty/u],
    [["--metrics-by-key"], {}, /Set UMPIRE_METRICS_SECRET/u],
    [["--credits", "credits.db", "--price", "1/2"], {}, /Credits need keys/u],
    [["--credits", "credits.db"], { UMPIRE_API_KEY: SECRET }, /--price/u],
    [["--price", "1/2"], { UMPIRE_API_KEY: SECRET }, /--credits/u],
    [["--price", "1"], {}, /<in>\/<out>/u],
    [["--price", "0.0001/1"], {}, /three decimals/u],
    [["--price", "1/2", "--price", "3/4"], {}, /two prices/u],
    [["--cors-origin", "https://app.example/page"], {}, /origin/u],
    [["--alias", "gpt-6-luna"], {}, /<name>=<model>/u],
    [["--alias", "gpt-6-luna=umpire-9"], {}, /names the model "umpire-9", which there is not/u],
    [["--upstream", "http://api.openai.com"], {}, /--upstream must be an https URL/u],
    [["--upstream", "https://user:pass@api.openai.com"], {}, /without a key/u],
    [["--upstream", "https://api.openai.com", "--keys", "keys.json"], {}, /keys and credits are the hosted API's/u],
    [["--upstream", "https://api.openai.com"], { UMPIRE_API_KEY: SECRET }, /keys and credits are the hosted API's/u],
    [["--upstream", "https://api.openai.com", "--lessons", "lessons"], {}, /leave out --lessons/u],
    [["--upstream", "https://api.openai.com", "--max-disagreement", "1"], {}, /below 1/u],
    [["--upstream", "https://api.openai.com", "--fallback", "remote"], {}, /local/u],
    [["--switch"], {}, /--switch needs --upstream/u],
    [["unexpected"], {}, /argument/u],
  ] as const)("%j with %j", async (args, env, message) => {
    const { code, stdout, stderr } = await umpire(["serve", ...args], { env });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(SECRET);
    expect({ code, stdout: stdout.replace(/.*authentication is off.*\n/u, "") }).toEqual({ code: 2, stdout: "" });
  });
});

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
