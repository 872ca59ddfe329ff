import type { Question } from "../../../library/decide/types.ts";
import { parseQuestion } from "../../../library/decide/request.ts";
import { isPlainObject } from "../../../library/validation/shape.ts";
import { BadInput } from "../bad-input.ts";
import { withSource } from "../failure.ts";
import { readJsonFile } from "./read-json.ts";

/** What a file with a question holds, for messages. */
export const A_QUESTION = 'It must hold a question, such as { "type": "noul", "instructions": "Is it urgent?" }, or a request.';

/**
 * Reads a question from a JSON file, which holds one, or a request with questions.
 * @param id which question of a request is meant. Default: its only one
 * @throws {BadInput}, and the library's own error for a question that is not valid, with the file's name
 */
export async function readQuestion(file: string, id: string | undefined): Promise<Question> {
  const value = await readJsonFile(file, A_QUESTION);
  if (!isPlainObject(value)) throw new BadInput(`${file} holds no question. ${A_QUESTION}`);
  const question = isPlainObject(value["questions"]) ? chosen(file, value["questions"], id) : value;
  if (question === value && id !== undefined) throw new BadInput(`${file} holds one question, without an id: leave out --question.`);
  // By the library's rules, before a model is loaded.
  await withSource(`The question in ${file}`, Promise.resolve(question).then(parseQuestion));
  return question as Question;
}

function chosen(file: string, questions: Record<string, unknown>, id: string | undefined): unknown {
  const ids = Object.keys(questions);
  if (id !== undefined) {
    if (Object.hasOwn(questions, id)) return questions[id];
    throw new BadInput(`${file} has no question of the id that --question names. It has: ${ids.join(", ")}.`);
  }
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return questions[only];
  throw new BadInput(
    only === undefined
      ? `${file} holds no question. ${A_QUESTION}`
      : `${file} holds ${ids.length} questions. Name one with --question: ${ids.join(", ")}.`,
  );
}
