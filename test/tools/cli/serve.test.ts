import { describe, expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";

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
    [["unexpected"], {}, /argument/u],
  ] as const)("%j with %j", async (args, env, message) => {
    const { code, stdout, stderr } = await umpire(["serve", ...args], { env });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(SECRET);
    expect({ code, stdout: stdout.replace(/.*authentication is off.*\n/u, "") }).toEqual({ code: 2, stdout: "" });
  });
});
