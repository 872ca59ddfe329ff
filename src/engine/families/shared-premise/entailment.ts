import { DecideError } from "../../../errors.ts";
import { elementAt } from "../../../validation/expect.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/**
 * The log-odds that the state entails an option: e - logsumexp(n, c) of its logits.
 * @param logits float32 [rows, 3], in the order of `labels`
 * @throws {DecideError} `backend_failed` for a score that is not finite.
 */
export function entailmentAt(logits: Float32Array, row: number, labels: SharedPremiseManifest["labels"]): number {
  const logit = (label: (typeof labels)[number]): number => elementAt(logits, row * labels.length + labels.indexOf(label), "logit");
  const [n, c] = [logit("neutral"), logit("contradiction")];
  const larger = Math.max(n, c);
  return finite(logit("entailment") - (larger + Math.log(Math.exp(n - larger) + Math.exp(c - larger))));
}

/** A score or a feature. @throws {DecideError} `backend_failed` if it is not finite as a float32. */
export function finite(value: number): number {
  if (!Number.isFinite(Math.fround(value))) throw new DecideError("backend_failed", "The model gave a score that is not a number.");
  return value;
}
