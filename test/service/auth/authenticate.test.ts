import { describe, expect, it } from "vitest";
import { authenticate } from "../../../src/service/auth/authenticate.ts";
import type { ApiKey, Keys } from "../../../src/service/auth/keys.ts";
import { Observation } from "../../../src/service/handler/observation.ts";
import { decideError } from "../../support/rejection.ts";

const KEY: ApiKey = { name: "desk", sha256: "0".repeat(64) };
const EXPIRED: ApiKey = { name: "old", sha256: "1".repeat(64), expiresAt: "2020-01-01T00:00:00Z" };
const keys: Keys = {
  find: (secret) =>
    Promise.resolve(
      new Map([
        ["s3cret", KEY],
        ["was-good", EXPIRED],
      ]).get(secret),
    ),
};

const requestWith = (authorization?: string): Request =>
  new Request("http://host/", authorization === undefined ? {} : { headers: { authorization } });

describe("authenticate", () => {
  it.each(["Bearer s3cret", "bearer s3cret", "BEARER   s3cret "])("finds and reports the key of %j", async (authorization) => {
    const observed = new Observation("r1");
    expect(await authenticate(requestWith(authorization), keys, observed)).toBe(KEY);
    expect(observed.known).toEqual({ requestId: "r1", key: "desk" });
  });

  it.each([
    ["no header", undefined, /has no key/u],
    ["another scheme", "Basic czNjcmV0", /not a bearer token/u],
    ["two words after the scheme", "Bearer s3cret s3cret", /not a bearer token/u],
    ["no secret", "Bearer ", /not a bearer token/u],
    ["an unknown secret", "Bearer s3cre", /unknown or has been revoked/u],
  ])("refuses a request with %s and reports no key", async (_, authorization, message) => {
    const observed = new Observation("r1");
    const error = await decideError(() => authenticate(requestWith(authorization), keys, observed));
    expect(error).toMatchObject({ code: "unauthorized", status: 401 });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("s3cre");
    expect(observed.known).toEqual({ requestId: "r1" });
  });

  it("refuses an expired key, but reports whose it is", async () => {
    const observed = new Observation("r1");
    const error = await decideError(() => authenticate(requestWith("Bearer was-good"), keys, observed));
    expect(error.message).toContain("expired at 2020-01-01T00:00:00Z");
    expect(observed.known).toEqual({ requestId: "r1", key: "old" });
  });

  it("ignores the header if the service has no keys", async () => {
    const observed = new Observation("r1");
    expect(await authenticate(requestWith("Basic czNjcmV0"), undefined, observed)).toBeUndefined();
    expect(observed.known).toEqual({ requestId: "r1" });
  });
});
