import { DecideError, type Issue, type Location } from "../../errors.ts";
import { elementAt } from "../validation/expect.ts";
import type { Batch, QuestionText, TokenLimits } from "./engine.ts";

/** Token ids of a text, without special tokens. */
export type Tokenize = (text: string) => readonly number[];

/**
 * Remembers the tokens of each text for as long as it lives: one request needs the same texts several times.
 * @param before texts whose tokens are known already
 */
export function remembering(tokenize: Tokenize, before: Iterable<readonly [string, readonly number[]]> = []): Tokenize {
  const known = new Map(before);
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const ids = tokenize(text);
    known.set(text, ids);
    return ids;
  };
}

type Tokens = readonly number[];

/** Each list of tokens once, in an order of their own: by length, then by ids. So the caller's order has no effect. */
export function distinctInOrder(lists: readonly Tokens[]): Tokens[] {
  return [...new Map(lists.map((tokens) => [String(tokens), tokens])).values()].sort(byLengthThenIds);
}

function byLengthThenIds(a: Tokens, b: Tokens): number {
  if (a.length !== b.length) return a.length - b.length;
  const at = a.findIndex((id, i) => id !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/**
 * Cuts `tokens` tokens into windows of at most `capacity` that overlap by at least `overlap`. All windows have one length, so that a batch
 * of them needs no padding; a text that fits is one window of its own length, an empty one too.
 */
export function toWindows(tokens: number, capacity: number, overlap: number): { readonly start: number; readonly length: number }[] {
  if (tokens <= capacity) return [{ start: 0, length: tokens }];
  const count = Math.ceil((tokens - overlap) / (capacity - overlap));
  return Array.from({ length: count }, (_, i) => ({
    start: Math.floor((i * (tokens - capacity)) / (count - 1)),
    length: capacity,
  }));
}

/** Longer texts are refused before the tokenizer spends seconds on them. English has 4 to 5 characters a token. */
const maxCharacters = (limitTokens: number): number => Math.max(16 * limitTokens, 16_384);

/** @throws {DecideError} `input_too_long` with an issue for every part over its limit, at its path in the batch, with count and limit. */
export function checkLengths(batch: Batch, limits: TokenLimits, tokenize: Tokenize): void {
  const issues: Issue[] = [];
  const refuse = (loc: Location, msg: string): void => void issues.push({ loc, msg, type: "too_long" });
  const check = (loc: Location, text: string, limit: number): void => {
    const isHopeless = text.length > maxCharacters(limit);
    const [count, allowed, unit] = isHopeless
      ? [text.length, maxCharacters(limit), "characters"]
      : [tokenize(text).length, limit, "tokens"];
    if (count > allowed) refuse(loc, `has ${count} ${unit}, more than the model's limit of ${allowed}`);
  };
  check(["state"], batch.state, limits.stateTokens);
  batch.questions.forEach(({ instructions, options }, i) => {
    check(["questions", i, "instructions"], instructions, limits.instructionsTokens);
    options.forEach(({ text }, j) => {
      check(["questions", i, "options", j], text, limits.optionTokens);
    });
  });
  const { maxInputTokens } = batch;
  if (issues.length === 0 && maxInputTokens !== undefined) {
    const count = countInput(batch, tokenize);
    if (count > maxInputTokens) refuse([], `has ${count} input tokens, more than the limit of ${maxInputTokens} for one request`);
  }
  if (issues.length > 0) throw batchTooLong(issues);
}

export function batchTooLong(issues: readonly Issue[]): DecideError {
  return new DecideError("input_too_long", "The batch is too long for the model.", { issues });
}

/** Tokens of what the caller sent, each part once. */
export function countInput({ state, questions }: Batch, tokenize: Tokenize): number {
  const count = (text: string): number => tokenize(text).length;
  const ofQuestion = ({ instructions, options }: QuestionText): number =>
    count(instructions) + options.reduce((sum, { sent }) => sum + sent.reduce((inner, text) => inner + count(text), 0), 0);
  return count(state) + questions.reduce((sum, question) => sum + ofQuestion(question), 0);
}

/** uint32 [options]: tokens of each option's answer; one for an answer without a text. */
export function countAnswers({ options }: QuestionText, tokenize: Tokenize): Uint32Array {
  return Uint32Array.from(options, ({ answer }) => (answer === null ? 1 : tokenize(answer).length));
}

/**
 * The log-odds of entailment: e - logsumexp(the others) of a row's logits.
 * @param logits float32 [rows, labels], in the order of `labels`
 * @param labels of which one is "entailment"
 * @throws {DecideError} `backend_failed` for a score that is not finite.
 */
export function entailmentAt(logits: Float32Array, row: number, labels: readonly string[]): number {
  const logitOf = (label: string): number => elementAt(logits, row * labels.length + labels.indexOf(label), "logit");
  const others = labels.filter((label) => label !== "entailment").map(logitOf);
  const largest = Math.max(...others);
  return finite(logitOf("entailment") - (largest + Math.log(others.reduce((sum, logit) => sum + Math.exp(logit - largest), 0))));
}

/** A score or a feature. @throws {DecideError} `backend_failed` if it is not finite as a float32. */
export function finite(value: number): number {
  if (!Number.isFinite(Math.fround(value))) throw new DecideError("backend_failed", "The model gave a score that is not a number.");
  return value;
}
