import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { createKeys, keyFromSecret } from "../../../src/service/auth/key-ring.ts";
import { isExpired } from "../../../src/service/auth/keys.ts";
import type { ApiKey } from "../../../src/service/auth/keys.ts";
import { decideError } from "../../support/rejection.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const keyOf = (secret: string, i = 0): ApiKey => ({ name: `k${i}`, sha256: sha256(secret) });

const GOOD: ApiKey = {
  name: "Mobile_app-2.0",
  sha256: sha256("good"),
  expiresAt: "2027-01-31T00:00:00.5+01:00",
  models: ["umpire-2"],
  requestsPerMinute: 1,
  paysCredits: false,
  createdAt: "2026-01-31T00:00Z",
};

function refusal(keys: unknown): DecideError {
  try {
    createKeys(keys as ApiKey[]);
  } catch (error) {
    if (DecideError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("the keys were accepted");
}

describe("find", () => {
  it("finds the keys of the listed secrets, and of no others", async () => {
    const secret = fc.oneof(fc.string({ unit: "binary" }), fc.base64String({ minLength: 40, maxLength: 44 }));
    const secrets = fc.uniqueArray(secret, { maxLength: 12, selector: sha256 });
    await fc.assert(
      fc.asyncProperty(secrets, secrets, async (listed, others) => {
        const keys = listed.map(keyOf);
        const ring = createKeys(keys);
        expect(ring.size).toBe(listed.length);
        for (const [i, secret] of listed.entries()) expect(await ring.find(secret)).toEqual(keys[i]);
        const hashes = new Set(listed.map(sha256));
        for (const other of others) if (!hashes.has(sha256(other))) expect(await ring.find(other)).toBeUndefined();
      }),
    );
  });

  it("finds no key whose hash differs in any single bit", async () => {
    const hash = Buffer.from(sha256("secret"), "hex");
    for (let bit = 0; bit < 256; bit++) {
      const other = Buffer.from(hash);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await createKeys([{ name: "near", sha256: other.toString("hex") }]).find("secret")).toBeUndefined();
    }
  });

  it("does not accept the hash in place of the secret", async () => {
    expect(await createKeys([keyOf("secret")]).find(sha256("secret"))).toBeUndefined();
  });

  it("returns every field of the key as it was when the ring was made", async () => {
    const given = { ...GOOD, models: ["umpire-2"] };
    const ring = createKeys([given]);
    given.models.push("umpire-3");
    expect(await ring.find("good")).toEqual(GOOD);
  });
});

describe("replace", () => {
  it("lets the new keys in and locks the old ones out", async () => {
    const ring = createKeys([keyOf("old")]);
    ring.replace([keyOf("new", 1), keyOf("newer", 2)]);
    expect(ring.size).toBe(2);
    expect(await ring.find("old")).toBeUndefined();
    expect(await ring.find("newer")).toEqual(keyOf("newer", 2));
    ring.replace([]);
    expect(await ring.find("newer")).toBeUndefined();
  });

  it("keeps the old keys if the new ones are invalid", async () => {
    const ring = createKeys([keyOf("old")]);
    expect(() => {
      ring.replace([keyOf("new"), { name: "", sha256: "" }]);
    }).toThrow(DecideError);
    expect(ring.size).toBe(1);
    expect(await ring.find("old")).toBeDefined();
    expect(await ring.find("new")).toBeUndefined();
  });
});

describe("invalid keys are refused:", () => {
  it.each<[string, string, unknown]>([
    ["no name", "name", undefined],
    ["an empty name", "name", ""],
    ["a long name", "name", "n".repeat(65)],
    ["a name with a space", "name", "a b"],
    ["a name with a line end", "name", "a\n"],
    ["a name with other letters", "name", "schlüssel"],
    ["no hash", "sha256", undefined],
    ["a secret instead of its hash", "sha256", "ump_secret"],
    ["a hash in upper case", "sha256", sha256("x").toUpperCase()],
    ["a short hash", "sha256", sha256("x").slice(1)],
    ["a time without a zone", "expiresAt", "2027-01-31T00:00:00"],
    ["a day", "expiresAt", "2027-01-31"],
    ["a day that does not exist", "expiresAt", "2027-02-30T00:00:00Z"],
    ["an hour that does not exist", "expiresAt", "2027-01-31T25:00:00Z"],
    ["a number instead of a time", "expiresAt", 1_800_000_000],
    ["null instead of a time", "expiresAt", null],
    ["a string instead of models", "models", "umpire-2"],
    ["an empty list of models", "models", []],
    ["an empty model", "models", ["umpire-2", ""]],
    ["a number instead of a model", "models", [2]],
    ["a rate of 0", "requestsPerMinute", 0],
    ["a rate of 1.5", "requestsPerMinute", 1.5],
    ["a rate of NaN", "requestsPerMinute", NaN],
    ["a rate as a string", "requestsPerMinute", "10"],
    ["yes instead of true", "paysCredits", "yes"],
    ["an invalid time of creation", "createdAt", "yesterday"],
    ["a misspelt limit", "expires", "2027-01-31T00:00:00Z"],
  ])("%s", (_, field, value) => {
    const { code, issues, message } = refusal([GOOD, { ...GOOD, name: "second", sha256: sha256("second"), [field]: value }]);
    expect(code).toBe("invalid_request");
    expect(issues?.map(({ loc }) => loc)).toEqual([["keys", 1, field]]);
    expect(message).toContain("keys[1]");
    expect(message).not.toContain("ump_secret");
  });

  it("a repeated name and a repeated secret", () => {
    const { issues } = refusal([keyOf("a", 1), keyOf("b", 1), keyOf("a", 2)]);
    expect(issues?.map(({ loc }) => loc)).toEqual([
      ["keys", 1, "name"],
      ["keys", 2, "sha256"],
    ]);
  });

  it.each([undefined, null, {}, "keys", [null], [[]], ["key"], new Array(2)])("%j", (keys) => {
    expect(refusal(keys).code).toBe("invalid_request");
  });

  it("with all issues at once", () => {
    const { issues, message } = refusal([{}, GOOD, { ...GOOD, expiresAt: "soon", ump_secret: 1 }, 4]);
    expect(issues?.map(({ loc }) => loc.join("."))).toEqual([
      "keys.0.name",
      "keys.0.sha256",
      "keys.2.ump_secret",
      "keys.2.expiresAt",
      "keys.3",
      "keys.2.name",
      "keys.2.sha256",
    ]);
    expect(message).toContain("the first of 7 issues");
  });

  it("without showing the name of an unknown field", () => {
    expect(refusal([{ ...GOOD, ump_secret: 1 }]).message).not.toContain("ump_secret");
  });
});

describe("keyFromSecret", () => {
  it("makes a key that is found by its secret and does not contain it", async () => {
    const key = await keyFromSecret("env", "s3cret!", { models: ["umpire-2"] });
    expect(key).toEqual({ name: "env", sha256: sha256("s3cret!"), models: ["umpire-2"] });
    expect(await createKeys([key]).find("s3cret!")).toEqual(key);
  });

  it.each(["", " ", "two words", "ends\n", "schlüssel"])("refuses a secret that a header cannot carry: %j", async (secret) => {
    const error: unknown = await keyFromSecret("env", secret).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "invalid_request", issues: [{ loc: ["secret"] }] });
  });

  it("does not show a secret that is a number", async () => {
    const { message, issues } = await decideError(() => keyFromSecret("env", 123456 as unknown as string));
    expect(message).toBe(
      "The secret of a key must be one or more printable ASCII characters without spaces or line ends, but is a number.",
    );
    expect(JSON.stringify(issues)).not.toContain("123456");
  });
});

describe("isExpired", () => {
  const at = (text: string): number => Date.parse(text);

  it("is true from that time on, in any time zone", () => {
    const key = { expiresAt: "2027-01-31T01:00:00+01:00" };
    expect(isExpired(key, at("2027-01-30T23:59:59.999Z"))).toBe(false);
    expect(isExpired(key, at("2027-01-31T00:00:00Z"))).toBe(true);
  });

  it("is never true without a time, and always true with an unreadable one", () => {
    expect(isExpired({}, Infinity)).toBe(false);
    expect(isExpired({ expiresAt: "soon" }, 0)).toBe(true);
  });
});
