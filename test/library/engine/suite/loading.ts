import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { decideError } from "../../../support/rejection.ts";
import type { Suite } from "../suite.ts";

/** A model that cannot be loaded, where the loading is a matter of the thread. */
export function loading({ make }: Suite): void {
  describe("fails to load its model", () => {
    it.each(["./", "a\0b/"])("and says what is wrong with the folder %j", async (model) => {
      await using own = make({ model });
      const error = await decideError(() => own.decide(quickRequest));
      expect(error.code).toBe("model_invalid");
      expect(error.message).toMatch(/manifest\.json/);
    });

    it("and tries anew at the next call", async () => {
      await using own = make({ model: "nothing" });
      await decideError(() => own.decide(quickRequest));
      expect((await own.decide({ ...quickRequest, model: "umpire-2" })).model).toBe("umpire-2");
    });
  });
}
