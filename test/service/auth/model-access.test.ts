import { describe, expect, it } from "vitest";
import type { ModelSummary } from "../../../src/library/decider/decider.ts";
import type { ApiKey } from "../../../src/service/auth/keys.ts";
import { accessibleModels, checkModelAccess } from "../../../src/service/auth/model-access.ts";
import { decideError } from "../../support/rejection.ts";

const MODELS = [
  { id: "umpire-1", isDefault: false },
  { id: "umpire-2", isDefault: true },
] as ModelSummary[];
const decider = { models: () => Promise.resolve(MODELS) };
const keyFor = (...models: string[]): ApiKey => ({ name: "k", sha256: "0".repeat(64), models });
const FREE: ApiKey = { name: "k", sha256: "0".repeat(64) };
const asking = (model: string): Parameters<typeof checkModelAccess>[0] => ({ model, state: "", questions: [] });

describe("checkModelAccess", () => {
  it.each([
    ["its own model", "umpire-1", keyFor("umpire-1")],
    ["latest, if that stands for its model", "latest", keyFor("umpire-2")],
    ["the vendor's name of latest", "jev-latest", keyFor("umpire-2")],
    ["any model, if its models are not limited", "umpire-1", FREE],
    ["any model, if the service has no keys", "umpire-1", undefined],
  ])("lets a key use %s", async (_, model, key) => {
    await expect(checkModelAccess(asking(model), key, decider)).resolves.toBeUndefined();
  });

  it.each([
    ["another model", "umpire-2", keyFor("umpire-1")],
    ["latest, if that stands for another model", "latest", keyFor("umpire-1")],
    ["a model that does not exist", "x-secret-x", keyFor("umpire-1")],
  ])("refuses %s, naming the models that the key can use", async (_, model, key) => {
    const error = await decideError(() => checkModelAccess(asking(model), key, decider));
    expect(error).toMatchObject({ code: "model_not_found", status: 404 });
    expect(error.message).toContain("It can use: umpire-1.");
    expect(error.message).not.toContain("secret");
  });
});

describe("accessibleModels", () => {
  it("are all models, or those of the key", () => {
    const ids = (key: ApiKey | undefined): string[] => accessibleModels(MODELS, key).map(({ id }) => id);
    expect(ids(undefined)).toEqual(["umpire-1", "umpire-2"]);
    expect(ids(FREE)).toEqual(["umpire-1", "umpire-2"]);
    expect(ids(keyFor("umpire-2", "umpire-9"))).toEqual(["umpire-2"]);
    expect(ids(keyFor("umpire-9"))).toEqual([]);
  });
});
