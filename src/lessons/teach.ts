import type { QuestionReading } from "../decide/decide.ts";
import type { ParsedRequest } from "../decide/request.ts";
import type { Lesson, TeachOptions } from "./lesson.ts";

/** What teaching asks of a model: a state with one question. */
export interface QuestionReader {
  read(request: ParsedRequest, signal?: AbortSignal): Promise<QuestionReading>;
}

export function teach(question: unknown, examples: unknown, reader: QuestionReader, options: TeachOptions): Promise<Lesson> {
  return Promise.reject(new Error(`not there yet: ${String([question, examples, reader, options])}`));
}
