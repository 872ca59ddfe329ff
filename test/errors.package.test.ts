import * as umpire from "umpire";
import { expect, it } from "vitest";
import { DecideError } from "../src/errors.ts";

it("an error is known by instanceof from any copy of the package, as in what is loaded on demand", async () => {
  expect(new umpire.DecideError("closed", "m")).toBeInstanceOf(DecideError);
  await using decider = umpire.createDecider();
  await expect(decider.teach({ type: "choice" } as never, [])).rejects.toBeInstanceOf(umpire.DecideError);
});
