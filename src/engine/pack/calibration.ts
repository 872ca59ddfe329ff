import type { Field } from "../../validation/field.ts";
import type { AccuracyPoint, Calibration } from "../engine.ts";
import { countOf, ifPresent, listOf, numberAbove0Of, numberOf, shareOf } from "./manifest-fields.ts";

/** The calibration of a manifest. Whatever is wrong becomes an issue of the field. */
export function readCalibration(calibration: Field): Calibration {
  const noul = calibration.get("noul");
  return {
    choice: readBuckets(calibration.get("choice")),
    noul: { temperature: numberAbove0Of(noul.get("temperature")), bias: numberOf(noul.get("bias")) },
    score: { temperature: numberAbove0Of(calibration.get("score").get("temperature")) },
    ...ifPresent("accuracyByConfidence", calibration.get("accuracyByConfidence"), (accuracy) => ({
      choice: readAccuracy(accuracy.get("choice")),
      noul: readAccuracy(accuracy.get("noul")),
      score: readAccuracy(accuracy.get("score")),
    })),
  };
}

function readBuckets(choice: Field): Calibration["choice"] {
  const buckets = listOf(choice, (bucket) => ({
    maxOptions: countOf(bucket.get("maxOptions"), 2),
    temperature: numberAbove0Of(bucket.get("temperature")),
  }));
  if (isList(choice) && (buckets.length === 0 || falls(buckets, (a, b) => a.maxOptions >= b.maxOptions)))
    choice.refuse("must have buckets in ascending order of maxOptions", "unknown_value");
  return buckets;
}

function readAccuracy(curve: Field): AccuracyPoint[] {
  const points = listOf(curve, (point) => ({ confidence: shareOf(point.get("confidence")), accuracy: shareOf(point.get("accuracy")) }));
  if (isList(curve) && (points.length === 0 || falls(points, (a, b) => a.confidence >= b.confidence || a.accuracy > b.accuracy)))
    curve.refuse("must have points in ascending order of confidence and accuracy", "unknown_value");
  return points;
}

/** Anything else has its issue already. */
function isList({ value }: Field): boolean {
  return Array.isArray(value);
}

/** Whether two neighbours are in the wrong order. */
function falls<T>(items: readonly T[], isWrong: (a: T, b: T) => boolean): boolean {
  return items.some((item, i) => {
    const before = items[i - 1];
    return before !== undefined && isWrong(before, item);
  });
}
