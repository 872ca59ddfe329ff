import type { ParsedQuestion } from "../decide/request.ts";
import { countWords } from "./words.ts";
import type { CheckWarning } from "./warning.ts";

/** Instructions that people wrote for the model's training have 33 words at most. */
const MAX_WORDS = 80;

const IS_STATEMENT =
  /^(?:you|this|these|the|an?|i|we|it|they|there|here)\b.*\b(?:is|are|was|were|am|has|have|had|will|wrote|contains?|comes?|came)\b/isu;
const IS_ORDER =
  /\b(?:answer|assign|assess|choose|classify|compare|decide|describe|determine|find|give|grade|identify|judge|label|mark|must|name|need|pick|place|put|rank|rate|route|say|score|select|shall|should|sort|state|tag|tell|task|to)\b/iu;

/** Instructions that are missing, ask nothing, or are too long. */
export function checkInstructions({ type, instructions, criteria }: ParsedQuestion): CheckWarning[] {
  const text = instructions.trim();
  if (text === "") {
    if (type === "noul" && criteria.some(({ description }) => description !== null && description.trim() !== "")) return [];
    return [
      {
        code: "empty_instructions",
        message:
          'The instructions are empty, so the model does not know what the criteria are about. Write the question, such as "Which team should answer?".',
      },
    ];
  }
  const warnings: CheckWarning[] = [];
  if (asksNothing(text, type)) {
    warnings.push({
      code: "no_question",
      message:
        'The instructions only state something and ask for nothing. Write a question or an order, such as "Which team should answer?" or "Choose the team.".',
    });
  }
  const words = countWords(text);
  if (words > MAX_WORDS) {
    warnings.push({
      code: "long_instructions",
      message: `The instructions have ${words} words, and the question is lost in them. Ask in one or two sentences, and write what belongs to an option or level into its description.`,
    });
  }
  return warnings;
}

/** Whether it is sentences without a question or an order. A yes/no question may be a statement that is true or not, but not one about the model. */
function asksNothing(text: string, type: ParsedQuestion["type"]): boolean {
  if (/[?:]/u.test(text) || !/[.!]$/u.test(text) || IS_ORDER.test(text)) return false;
  return type === "noul" ? /^you are\b/iu.test(text) : IS_STATEMENT.test(text);
}
