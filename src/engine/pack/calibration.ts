import type { Field } from "../../validation/field.ts";
import type { AccuracyCurve, Calibration, RiskCurve, RiskPoint } from "../engine.ts";
import { countOf, ifPresent, numberAbove0Of, numberOf, orderedListOf } from "./manifest-fields.ts";

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

/** Probabilities are below this one, and so at most 1. */
const BEFORE_THE_FIRST: RiskPoint = { probability: 1 + Number.EPSILON, answers: 0, errors: 0 };

function readRisks(list: Field): RiskCurve[] {
  return readBuckets(list, (curve) => ({
    points: orderedListOf(curve.get("points"), readPoint, isMisplaced, "points from the surest on, with more answers each"),
  }));
}

function readPoint(point: Field): RiskPoint {
  return {
    probability: numberAbove0Of(point.get("probability")),
    answers: countOf(point.get("answers"), 1),
    errors: countOf(point.get("errors"), 0),
  };
}

function isMisplaced({ probability, answers, errors }: RiskPoint, before: RiskPoint = BEFORE_THE_FIRST): boolean {
  const [more, wrong] = [answers - before.answers, errors - before.errors];
  return probability >= before.probability || more < 1 || wrong < 0 || wrong > more;
}

/** A list with an entry for each range of numbers of options. */
function readBuckets<T>(list: Field, read: (bucket: Field) => T): (T & { maxOptions: number })[] {
  return orderedListOf(
    list,
    (bucket) => ({ maxOptions: countOf(bucket.get("maxOptions"), 2), ...read(bucket) }),
    ({ maxOptions }, before) => maxOptions <= (before?.maxOptions ?? 0),
    "buckets in ascending order of maxOptions",
  );
}
