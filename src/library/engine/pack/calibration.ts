import type { AccuracyCurve, Calibration, RiskCurve, RiskPoint } from "../engine.ts";
import { countFrom, numberAbove0Of, numberOf, objectOf, optional, orderedListOf, trueOf } from "./manifest-fields.ts";
import type { Reader, Readers } from "./manifest-fields.ts";

type WithMaxOptions = Pick<RiskCurve, "maxOptions">;

/** A list with an entry for each range of numbers of options. */
function bucketsOf<T extends WithMaxOptions>(readers: Readers<Omit<T, "maxOptions">>): Reader<T[]> {
  return orderedListOf(
    objectOf<T>({ maxOptions: countFrom(2), ...readers } as Readers<T>),
    ({ maxOptions }, before) => maxOptions <= (before?.maxOptions ?? 0),
    "buckets in ascending order of maxOptions",
  );
}

type ByType<T> = { readonly [Type in "choice" | "noul" | "score"]?: T };

function byType<T>(read: Reader<T>): Reader<ByType<T>> {
  return objectOf<ByType<T>>({ choice: optional(read), noul: optional(read), score: optional(read) });
}

/** Probabilities are below this one, and so at most 1. */
const BEFORE_THE_FIRST: RiskPoint = { probability: 1 + Number.EPSILON, answers: 0, errors: 0 };

function isMisplaced({ probability, answers, errors }: RiskPoint, before: RiskPoint = BEFORE_THE_FIRST): boolean {
  const [more, wrong] = [answers - before.answers, errors - before.errors];
  return probability >= before.probability || more < 1 || wrong < 0 || wrong > more;
}

const pointsOf = orderedListOf(
  objectOf<RiskPoint>({ probability: numberAbove0Of, answers: countFrom(1), errors: countFrom(0) }),
  isMisplaced,
  "points of falling probability, at most 1, and rising answers, no fewer than errors",
);

/** The calibration of a manifest. */
export const readCalibration = objectOf<Calibration>({
  uncalibrated: optional(trueOf),
  choice: bucketsOf({ temperature: numberAbove0Of }),
  noul: objectOf({ temperature: numberAbove0Of, bias: numberOf }),
  score: objectOf({ temperature: numberAbove0Of }),
  accuracy: optional(byType(bucketsOf<AccuracyCurve>({ slope: numberAbove0Of, bias: numberOf }))),
  risk: optional(byType(bucketsOf<RiskCurve>({ points: pointsOf }))),
});
