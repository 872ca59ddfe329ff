import type { Field } from "../../validation/field.ts";
import type { AccuracyCurve, Calibration, RiskCurve } from "../engine.ts";
import { countOf, ifPresent, listOf, numberAbove0Of, numberOf, probabilityOf } from "./manifest-fields.ts";

/** The calibration of a manifest. Whatever is wrong becomes an issue of the field. */
export function readCalibration(calibration: Field): Calibration {
  const noul = calibration.get("noul");
  return {
    choice: readBuckets(calibration.get("choice"), (bucket) => ({ temperature: numberAbove0Of(bucket.get("temperature")) })),
    noul: { temperature: numberAbove0Of(noul.get("temperature")), bias: numberOf(noul.get("bias")) },
    score: { temperature: numberAbove0Of(calibration.get("score").get("temperature")) },
    ...ifPresent("accuracy", calibration.get("accuracy"), (accuracy) => byType(accuracy, readCurves)),
    ...ifPresent("risk", calibration.get("risk"), (risk) => byType(risk, readRisks)),
  };
}

function byType<T>(field: Field, read: (list: Field) => T): { readonly choice: T; readonly noul: T; readonly score: T } {
  return { choice: read(field.get("choice")), noul: read(field.get("noul")), score: read(field.get("score")) };
}

function readCurves(list: Field): AccuracyCurve[] {
  return readBuckets(list, (curve) => ({ slope: numberAbove0Of(curve.get("slope")), bias: numberOf(curve.get("bias")) }));
}

const MAX_POINTS = 64;

function readRisks(list: Field): RiskCurve[] {
  return readBuckets(list, (curve) => {
    const field = curve.get("points");
    const points = listOf(field, (point) => ({
      probability: probabilityOf(point.get("probability")),
      answers: countOf(point.get("answers"), 1),
      errors: countOf(point.get("errors"), 0),
    }));
    const areFit = points.every(({ probability, answers, errors }, i) => {
      const surer = points[i - 1] ?? { probability: Infinity, answers: 0, errors: 0 };
      const [more, wrong] = [answers - surer.answers, errors - surer.errors];
      return !(probability >= surer.probability || more <= 0 || wrong < 0 || wrong > more);
    });
    if (Array.isArray(field.value) && !(areFit && points.length > 0 && points.length <= MAX_POINTS))
      field.refuse(
        `must be 1 to ${MAX_POINTS} points of falling probability, each with more answers and not fewer errors`,
        "unknown_value",
      );
    return { points };
  });
}

/** A list with an entry for each range of numbers of options. */
function readBuckets<T>(list: Field, read: (bucket: Field) => T): (T & { maxOptions: number })[] {
  const buckets = listOf(list, (bucket) => ({ maxOptions: countOf(bucket.get("maxOptions"), 2), ...read(bucket) }));
  const ascend = buckets.every(({ maxOptions }, i) => !(maxOptions <= (buckets[i - 1]?.maxOptions ?? 0)));
  // What is no array has its issue already.
  if (Array.isArray(list.value) && !(ascend && buckets.length > 0))
    list.refuse("must have buckets in ascending order of maxOptions", "unknown_value");
  return buckets;
}
