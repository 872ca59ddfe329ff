import { describe, expect, it } from "vitest";
import { Observation } from "../../../src/service/handler/observation.ts";

describe("an observation", () => {
  it("knows the request's id and whatever has been noted, with no other fields", () => {
    const observed = new Observation("r1");
    expect(observed.known).toEqual({ requestId: "r1" });
    observed.note({ key: "desk" });
    observed.note({ queuedMs: 3, model: "umpire-2" });
    expect(Object.keys(observed.known)).toEqual(["requestId", "key", "queuedMs", "model"]);
    expect(observed.known).toMatchObject({ key: "desk", queuedMs: 3, model: "umpire-2" });
  });

  it("does not change what it has already told", () => {
    const observed = new Observation("r1");
    const { known } = observed;
    observed.note({ nanocredits: 0 });
    expect(known).toEqual({ requestId: "r1" });
  });
});
