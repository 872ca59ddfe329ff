import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { readsApart } from "../suite-models.ts";
import type { Suite } from "../suite.ts";

/** What a decider knows of itself. */
export function info(suite: Suite): void {
  const { model, make } = suite;
  const { id, family, limits, isBuiltIn, precisions } = model;

  describe("knows", () => {
    it("what answers, and where", async () => {
      expect(await suite.decider.info()).toMatchObject({
        model: id,
        family,
        licence: "Apache-2.0",
        device: suite.base.device ?? "cpu",
        precision: precisions[0],
        limits,
      });
      const { graph, threads, calibration, deviceReason, download } = await suite.decider.info();
      expect(deviceReason).toBe(suite.base.device === undefined ? "Node's fastest device" : "asked for");
      expect(download).toBeUndefined();
      expect(precisions[0] === "int8" ? ["int8", "int8-wide"] : [precisions[0]]).toContain(graph);
      expect(threads).toBeGreaterThanOrEqual(1);
      expect(calibration.choice.at(-1)?.maxOptions).toBe(255);
    });

    if (isBuiltIn) {
      it("how often its answers are right", async () => {
        const { calibration } = await suite.decider.info();
        for (const type of ["choice", "noul", "score"] as const) {
          const curves = calibration.accuracy?.[type] ?? [];
          expect(curves.length).toBeGreaterThanOrEqual(1);
          for (const { slope } of curves) expect(slope).toBeGreaterThan(0.5);
        }
      });
    } else {
      it("that nobody has calibrated it, and where it came from", async () => {
        const { calibration, source, features } = await suite.decider.info();
        expect(calibration).toMatchObject({ uncalibrated: true, noul: { temperature: 1, bias: 0 } });
        expect(source?.name).toBeDefined();
        expect(features > 0).toBe(readsApart(model));
        const { answers } = await suite.decider.decide(quickRequest);
        expect(answers.late).not.toHaveProperty("x_accuracy");
      });
    }

    it("its precision and its threads", async () => {
      await using own = await make({ precision: "fp32", threads: 1 });
      expect(await own.info()).toMatchObject({ precision: "fp32", graph: "fp32", threads: 1 });
      const [exact, quick] = await Promise.all([own.decide(quickRequest), suite.decider.decide(quickRequest)]);
      expect(exact.usage).toEqual(quick.usage);
      // Another arithmetic, nearly the same answer.
      expect(exact.answers.late.noul === quick.answers.late.noul).toBe(precisions[0] === "fp32");
      expect(Math.abs(exact.answers.late.noul - quick.answers.late.noul)).toBeLessThan(0.2);
    });
  });
}
