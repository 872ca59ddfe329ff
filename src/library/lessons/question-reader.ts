import type { QuestionReading } from "../decide/decide.ts";
import type { ParsedRequest } from "../decide/request.ts";

/** What teaching asks of a model: a state with one question. */
export interface QuestionReader {
  read(request: ParsedRequest, signal?: AbortSignal): Promise<QuestionReading>;
}
