import type { Field } from "../../validation/field.ts";
import type { AccuracyCurve, Calibration } from "../engine.ts";
import { countOf, ifPresent, listOf, numberAbove0Of, numberOf } from "./manifest-fields.ts";

/** The calibration of a manifest. Whatever is wrong becomes an issue of the field. */
export function readCalibration(calibration: Field): Calibration {
  const noul = calibration.get("noul");
  return {
    choice: readBuckets(calibration.get("choice"), (bucket) => ({ temperature: numberAbove0Of(bucket.get("temperature")) })),
    noul: { temperature: numberAbove0Of(noul.get("temperature")), bias: numberOf(noul.get("bias")) },
    score: { temperature: numberAbove0Of(calibration.get("score").get("temperature")) },
    ...ifPresent("accuracy", calibration.get("accuracy"), (accuracy) => ({
      choice: readCurves(accuracy.get("choice")),
      noul: readCurves(accuracy.get("noul")),
      score: readCurves(accuracy.get("score")),
    })),
  };
}

function readCurves(list: Field): AccuracyCurve[] {
  return readBuckets(list, (curve) => ({ slope: numberAbove0Of(curve.get("slope")), bias: numberOf(curve.get("bias")) }));
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
