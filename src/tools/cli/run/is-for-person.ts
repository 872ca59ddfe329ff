import type { Answer } from "../../../library/decide/types.ts";
import { surenessOf } from "../output/sureness.ts";

/** Whether a person should give an answer. */
export function isForPerson(answer: Answer): boolean {
  return surenessOf(answer).hint !== "";
}
