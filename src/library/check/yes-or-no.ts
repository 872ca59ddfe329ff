import type { ParsedQuestion } from "../decide/request.ts";
import type { Readings } from "./readings.ts";
import { TEXTS } from "./texts.ts";
import type { CheckWarning } from "./warning.ts";

/** The log-odds of yes differ by less than this between any two texts, the empty one included, in nats. */
const MIN_RANGE = 0.45;
/** Yes is at least this likely whatever the text. There is no such limit for no: a question of things that no built-in text has is rightly denied. */
const MAX_LEAST_YES = 0.68;

/** A yes/no question whose wording alone decides: texts of all kinds, and none at all, change its answer little. */
export async function checkYesOrNo(_question: ParsedQuestion, readings: Readings): Promise<CheckWarning[]> {
  const all = await readings.ofAll(["", ...TEXTS]);
  const logOdds = all.map(([yes = 0, no = 0]) => yes - no);
  const [least, most] = [Math.min(...logOdds), Math.max(...logOdds)];
  const isYes = least > Math.log(MAX_LEAST_YES / (1 - MAX_LEAST_YES));
  if (most - least >= MIN_RANGE && !isYes) return [];
  const what = isYes
    ? "Yes is likely for texts of any kind, even for an empty one"
    : "The answer is nearly the same for texts of any kind, even for an empty one";
  return [
    {
      code: "wording_decides",
      message: `${what}: the wording decides, not the state. Ask for something that a text says, and describe when the answer is yes (true) and when it is no (false).`,
    },
  ];
}
