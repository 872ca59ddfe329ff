import type { ParsedQuestion, ParsedRequest } from "../../library/decide/request.ts";
import type { Usage } from "../../library/decide/types.ts";

/**
 * The most tokens that a request can have, as far as that is known without the model: a text has no more tokens than bytes. (Hardly ever more: some
 * models spell out rare characters, such as a ligature for eight words.)
 */
export function greatestUsage({ state, questions }: ParsedRequest): Usage {
  const sent = questions.flatMap(({ type, instructions, criteria }) => [
    instructions,
    // The keys of the others are not the caller's.
    ...criteria.flatMap(({ key, description }) => (type === "choice" ? [key, description ?? ""] : [description ?? ""])),
  ]);
  return {
    input_tokens: bytesOf([state, ...sent].join("")),
    output_tokens: questions.reduce((sum, question) => sum + longestAnswer(question), 0),
  };
}

/** A choice is answered by one of its keys, the others by a number, which counts as one token. */
function longestAnswer({ type, criteria }: ParsedQuestion): number {
  return type === "choice" ? Math.max(...criteria.map(({ key }) => bytesOf(key))) : 1;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
