import type { Calibration } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { counted, elementAt } from "../validation/expect.ts";
import { bucketFor } from "./bucket.ts";
import type { ParsedQuestion } from "./request.ts";

/**
 * Turns the entailment scores of a question's options into calibrated probabilities, in the same order. They sum to 1, give or take rounding.
 * Choice and score: softmax of the scores over the temperature (Guo et al. 2017, "On Calibration of Modern Neural Networks"). Noul: sigmoid of the
 * scaled difference of yes and no, shifted by the bias (Platt scaling).
 * @param scores float32 [options]; of a noul yes and no.
 * @throws {DecideError} `internal` for a noul with other than two scores, or a calibration without a temperature.
 */
export function toProbabilities(type: ParsedQuestion["type"], scores: Float32Array, calibration: Calibration): Float64Array {
  switch (type) {
    case "choice":
      return softmax(scores, temperatureFor(scores.length, calibration));
    case "score":
      return softmax(scores, calibration.score.temperature);
    case "noul": {
      counted(scores, 2, "scores of a noul");
      const difference = elementAt(scores, 0, "score") - elementAt(scores, 1, "score");
      const pYes = sigmoid(difference / calibration.noul.temperature + calibration.noul.bias);
      return Float64Array.of(pYes, 1 - pYes);
    }
  }
}

function temperatureFor(options: number, { choice }: Calibration): number {
  const bucket = bucketFor(choice, options);
  if (bucket === undefined) throw new DecideError("internal", "The calibration holds no temperature for a choice.");
  return bucket.temperature;
}

function softmax(scores: Float32Array, temperature: number): Float64Array {
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = Float64Array.from(scores, (score) => Math.exp((score - largest) / temperature));
  // Summed in ascending order, so that the order of the options cannot change a bit of the sum.
  const sum = weights.toSorted().reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
