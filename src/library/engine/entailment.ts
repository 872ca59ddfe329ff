import { DecideError } from "../../errors.ts";
import { elementAt } from "../validation/expect.ts";

/**
 * The log-odds of entailment: e - logsumexp(the others) of a row's logits.
 * @param logits float32 [rows, labels], in the order of `labels`
 * @param labels of which one is "entailment"
 * @throws {DecideError} `backend_failed` for a score that is not finite.
 */
export function entailmentAt(logits: Float32Array, row: number, labels: readonly string[]): number {
  const logitOf = (label: string): number => elementAt(logits, row * labels.length + labels.indexOf(label), "logit");
  const others = labels.filter((label) => label !== "entailment").map(logitOf);
  const largest = Math.max(...others);
  return finite(logitOf("entailment") - (largest + Math.log(others.reduce((sum, logit) => sum + Math.exp(logit - largest), 0))));
}

/** A score or a feature. @throws {DecideError} `backend_failed` if it is not finite as a float32. */
export function finite(value: number): number {
  if (!Number.isFinite(Math.fround(value))) throw new DecideError("backend_failed", "The model gave a score that is not a number.");
  return value;
}
