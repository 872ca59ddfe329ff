import { parseRequest } from "../../decide/request.ts";
import type { Questions } from "../../decide/types.ts";
import { isPlainObject } from "../../validation/shape.ts";
import { BadInput } from "../bad-input.ts";
import { withSource } from "../failure.ts";
import { readJsonFile } from "../input/read-json.ts";

const EXPECTED =
  'It must hold questions by their ids, such as { "urgent": { "type": "noul", "instructions": "Is it urgent?" } }, a request, or one question.';

/** The id of a question that has none. */
const ONLY = "answer";

/**
 * Reads the questions of a JSON file: by their ids, as those of a request, or a single one.
 * @throws {BadInput}, and the library's own error for a question that is not valid, with the file's name
 */
export async function readQuestions(file: string): Promise<Questions> {
  const value = await readJsonFile(file, EXPECTED);
  if (!isPlainObject(value)) throw new BadInput(`${file} holds no questions. ${EXPECTED}`);
  const questions = questionsIn(value);
  await withSource(`The questions in ${file}`, Promise.resolve({ state: "", questions }).then(parseRequest));
  return questions as Questions;
}

function questionsIn(value: Record<string, unknown>): unknown {
  if (Object.hasOwn(value, "questions")) return value["questions"];
  return typeof value["type"] === "string" ? { [ONLY]: value } : value;
}
