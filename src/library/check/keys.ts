import { saysNothing } from "../decide/hypotheses.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import { named } from "./naming.ts";
import type { CheckWarning } from "./warning.ts";

/** A letter, a number, or a word for "option" with one: such keys count, and mean nothing. */
const IS_COUNTED = /^(?:answer|c|cat|category|choice|class|group|item|key|l|label|opt|option|type)?[\s_.-]*(?:[a-z]|\d{1,3})$/iu;
/** What is asked for is a number, or one of several things that the state itself numbers. */
const ASKS_FOR_NUMBER = /\b(?:how|which|what|when|whose|who|where|number|count|amount|age|year)\b/iu;

/** Keys that stand alone and mean nothing by themselves. */
export function checkKeys({ type, instructions, criteria }: ParsedQuestion): CheckWarning[] {
  if (type !== "choice") return [];
  const alone = criteria.filter(({ description }) => description === null || description.trim() === "").map(({ key }) => key);
  const counted = alone.filter((key) => IS_COUNTED.test(key) && saysNothing(key));
  // One letter alone may be a name, such as that of a language.
  if (counted.length === 0 || (counted.length === 1 && counted[0]?.length === 1)) return [];
  const areNumbers = counted.every((key) => /^\d+$/u.test(key));
  if (areNumbers && ASKS_FOR_NUMBER.test(instructions)) return [];
  const verb = counted.length === 1 ? "says" : "say";
  return [
    {
      code: "keys_say_nothing",
      message: `${named(counted, "keys")} ${verb} nothing without a description, unless the state itself uses such names. Describe each option, or use keys that mean something, such as "billing".`,
      criteria: counted,
    },
  ];
}
