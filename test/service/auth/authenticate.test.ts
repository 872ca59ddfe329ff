import { describe, expect, it } from "vitest";
import type { ModelSummary } from "../../../src/library/decider/decider.ts";
import { authenticate, checkModelAccess } from "../../../src/service/auth/authenticate.ts";
import type { ApiKey, Keys } from "../../../src/service/auth/keys.ts";
import type { Observed } from "../../../src/service/handler/observation.ts";
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
    const observed: Observed = { requestId: "r1" };
    expect(await authenticate(requestWith(authorization), keys, observed)).toBe(KEY);
    expect(observed).toEqual({ requestId: "r1", key: "desk" });
  });

  it.each([
    ["no header", undefined, /has no key/u],
    ["another scheme", "Basic czNjcmV0", /not a bearer token/u],
    ["two words after the scheme", "Bearer s3cret s3cret", /not a bearer token/u],
    ["no secret", "Bearer ", /not a bearer token/u],
    ["an unknown secret", "Bearer s3cre", /unknown or has been revoked/u],
  ])("refuses a request with %s and reports no key", async (_, authorization, message) => {
    const observed: Observed = { requestId: "r1" };
    const error = await decideError(() => authenticate(requestWith(authorization), keys, observed));
    expect(error).toMatchObject({ code: "unauthorized", status: 401 });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("s3cre");
    expect(observed).toEqual({ requestId: "r1" });
  });

  it("refuses an expired key, but reports whose it is", async () => {
    const observed: Observed = { requestId: "r1" };
    const error = await decideError(() => authenticate(requestWith("Bearer was-good"), keys, observed));
    expect(error.message).toContain("expired at 2020-01-01T00:00:00Z");
    expect(observed).toEqual({ requestId: "r1", key: "old" });
  });

  it("ignores the header if the service has no keys", async () => {
    const observed: Observed = { requestId: "r1" };
    expect(await authenticate(requestWith("Basic czNjcmV0"), undefined, observed)).toBeUndefined();
    expect(observed).toEqual({ requestId: "r1" });
  });
});

const MODELS = [
  { id: "umpire-1", isDefault: false },
  { id: "umpire-2", isDefault: true, aliases: ["gpt-6-luna"] },
] as unknown as ModelSummary[];
const decider = { models: () => Promise.resolve(MODELS) };
const keyFor = (...models: string[]): ApiKey => ({ name: "k", sha256: "0".repeat(64), models });
const FREE: ApiKey = { name: "k", sha256: "0".repeat(64) };
const asking = (model: string): Parameters<typeof checkModelAccess>[0] => ({ model, state: "", questions: [] });

describe("checkModelAccess", () => {
  it.each([
    ["its own model", "umpire-1", keyFor("umpire-1")],
    ["latest, if that stands for its model", "latest", keyFor("umpire-2")],
    ["the vendor's name of latest", "jev-latest", keyFor("umpire-2")],
    ["a further name of its model", "gpt-6-luna", keyFor("umpire-2")],
    ["any model, if its models are not limited", "umpire-1", FREE],
    ["any model, if the service has no keys", "umpire-1", undefined],
  ])("lets a key use %s", async (_, model, key) => {
    await expect(checkModelAccess(asking(model), key, decider)).resolves.toBeUndefined();
  });

  it.each([
    ["another model", "umpire-2", keyFor("umpire-1")],
    ["latest, if that stands for another model", "latest", keyFor("umpire-1")],
    ["a further name of another model", "gpt-6-luna", keyFor("umpire-1")],
    ["a model that does not exist", "x-secret-x", keyFor("umpire-1")],
  ])("refuses %s, naming the models that the key can use", async (_, model, key) => {
    const error = await decideError(() => checkModelAccess(asking(model), key, decider));
    expect(error).toMatchObject({ code: "model_not_found", status: 404 });
    expect(error.message).toContain("It can use: umpire-1.");
    expect(error.message).not.toContain("secret");
  });
});
