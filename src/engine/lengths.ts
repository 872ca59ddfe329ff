import { DecideError } from "../errors.ts";
import type { Location } from "../errors.ts";
import { Field } from "../validation/field.ts";
import { firstOf } from "../validation/invalid.ts";
import { placeIn } from "../validation/place.ts";
import type { Batch, QuestionText, TokenLimits } from "./engine.ts";
import type { Tokenize } from "./tokenize.ts";

/** Longer texts are refused before the tokenizer spends seconds on them. English has 4 to 5 characters a token. */
const maxCharacters = (limitTokens: number): number => Math.max(16 * limitTokens, 16_384);

/** @throws {DecideError} `input_too_long` that names every part over its limit, with count and limit. */
export function checkLengths(batch: Batch, limits: TokenLimits, tokenize: Tokenize): void {
  const body = new Field(undefined, ["body"]);
  const check = (part: Field, text: string, limit: number): void => {
    const isHopeless = text.length > maxCharacters(limit);
    const [count, allowed, unit] = isHopeless
      ? [text.length, maxCharacters(limit), "characters"]
      : [tokenize(text).length, limit, "tokens"];
    if (count > allowed) part.refuse(`has ${count} ${unit}, more than the model's limit of ${allowed}`, "too_long");
  };
  check(body.at("state", batch.state), batch.state, limits.stateTokens);
  const questions = body.get("questions");
  for (const { id, instructions, options } of batch.questions) {
    const question = questions.at(id, undefined);
    check(question.get("instructions"), instructions, limits.instructionsTokens);
    const criteria = question.get("criteria");
    for (const { key, text } of options) check(criteria.at(key, text), text, limits.optionTokens);
  }
  const { maxInputTokens = Infinity } = batch;
  if (body.issues.length === 0 && maxInputTokens < Infinity) {
    const count = countInput(batch, tokenize);
    if (count > maxInputTokens)
      body.refuse(`has ${count} input tokens, more than the limit of ${maxInputTokens} for one request`, "too_long");
  }
  if (body.issues.length > 0) throw tooLong(body, batch);
}

/** Tokens of what the caller sent, each part once. */
export function countInput({ state, questions }: Batch, tokenize: Tokenize): number {
  const count = (text: string): number => tokenize(text).length;
  const ofQuestion = ({ instructions, options }: QuestionText): number =>
    count(instructions) + options.reduce((sum, { sent }) => sum + sent.reduce((inner, text) => inner + count(text), 0), 0);
  return count(state) + questions.reduce((sum, question) => sum + ofQuestion(question), 0);
}

function tooLong({ issues }: Field, batch: Batch): DecideError {
  return new DecideError(
    "input_too_long",
    `The request is too long: ${firstOf(issues, (loc) => placeOf(loc, batch))}. Nothing is ever cut, so shorten it.`,
    { issues },
  );
}

/** As for any issue of a request, of which a batch has ids and keys. */
function placeOf(loc: Location, { questions }: Batch): string {
  if (loc.length === 1) return "all of it together";
  const asked = questions.map(({ id, options }) => [id, { criteria: Object.fromEntries(options.map(({ key }) => [key, null])) }] as const);
  return placeIn({ questions: Object.fromEntries(asked) }, loc);
}
