import { DecideError } from "../../errors.ts";
import { abortable, withAnySignal, Yielder } from "../async/signals.ts";
import { Source } from "../bulk/source.ts";
import type { QuestionReading } from "../decide/decide.ts";
import { readText } from "../decide/questions/question-kind.ts";
import { plainQuestion } from "../decide/questions/question-kinds.ts";
import { parseQuestion, parseState, type ParsedQuestion, type ParsedRequest } from "../decide/request.ts";
import type { EngineInfo } from "../engine/engine.ts";
import { sha256Hex } from "../sha256.ts";
import { counted } from "../validation/expect.ts";
import { AN_ABORT_SIGNAL, checkCallOptions, Field, firstOf, isPlain, shownValue, type Rule } from "../validation/field.ts";
import { fromBase64, toBase64 } from "./lesson-format.ts";
import type { ExampleReading, ReadExampleOptions } from "./lesson.ts";

/** Reads a state with one question, as teaching asks of a model. */
export interface QuestionReader {
  read(request: ParsedRequest, signal?: AbortSignal): Promise<QuestionReading>;
  /** The model that reads. */
  info(): Promise<EngineInfo>;
}

/** 64 bits of a text's SHA-256, in hexadecimal digits. */
async function shortHash(text: string): Promise<string> {
  return (await sha256Hex(new TextEncoder().encode(text))).slice(0, 16);
}

function hashOfQuestion(question: ParsedQuestion): Promise<string> {
  return shortHash(JSON.stringify(plainQuestion(question)));
}

/** @throws {DecideError} `invalid_request` for the question, the state or the options; what the reader throws. */
export async function readExample(
  question: unknown,
  state: unknown,
  reader: Pick<QuestionReader, "read">,
  options: ReadExampleOptions,
): Promise<ExampleReading> {
  checkCallOptions(options, { signal: AN_ABORT_SIGNAL });
  options.signal?.throwIfAborted();
  const parsed = parseQuestion(question);
  const text = parseState(state);
  const { info, probabilities, features } = await reader.read({ model: undefined, state: text, questions: [parsed] }, options.signal);
  return {
    umpire_reading: 1,
    model: { id: info.model, seal: info.seal },
    question: await hashOfQuestion(parsed),
    text: await shortHash(text),
    probabilities: Array.from(probabilities),
    ...(features && { features: toBase64(features) }),
  };
}

/** So many examples with an answer teach a question, and so many calibrate it. */
const MIN_TAUGHT = 8;
export const MIN_CALIBRATED = 30;
export const MAX_EXAMPLES = 100_000;

/** So many states are being read at a time: one runs, the next is ready when it ends. */
const MAX_READING = 3;

/**
 * Reads examples one after the other, and never many ahead of the model.
 * @param onRead is told how many have been read
 * @param minAnswered how many must have an answer
 * @returns those with an answer, and how many there are without one
 * @throws {DecideError} `invalid_request` for examples that are not valid, too few or too many; what the reader throws.
 * @throws `signal.reason` once the signal is aborted. The iterator's `return()` is called then, as by any loop that is left, unless the iterator itself threw or had ended.
 */
export async function readExamples(
  question: ParsedQuestion,
  examples: unknown,
  reader: QuestionReader,
  signal: AbortSignal | undefined,
  onRead: (count: number) => void,
  minAnswered = MIN_TAUGHT,
): Promise<{ readonly info: EngineInfo; readonly rows: Rows; readonly unanswered: number }> {
  const source = new Source(examples, "example", "an array, or any other iterable or async iterable, of { state, answer }");
  const failing = new AbortController();
  const rows = new Rows(question.criteria.length);
  let unanswered = 0;
  let info: EngineInfo | undefined;
  const answerOf = answerReader(question);
  const hash = await hashOfQuestion(question);
  await withAnySignal([signal, failing.signal], async (ended) => {
    const reading = new Set<Promise<void>>();
    const yielder = new Yielder(ended);
    const read = async (index: number, state: string, known: Pick<Row, "answer" | "weight">): Promise<void> => {
      const text = await shortHash(state);
      const { probabilities, features, ...told } = await reader.read({ model: undefined, state, questions: [question] }, ended);
      info ??= told.info;
      if (features !== undefined) counted(features, info.features, "features");
      rows.add({ index, text, ...known, probabilities, features });
      onRead(rows.added + unanswered);
    };
    try {
      for (let index = 0; ; index++) {
        const next = await abortable(source.next(), ended);
        if (next.done) break;
        if (index >= MAX_EXAMPLES) throw invalid(`examples must be at most ${MAX_EXAMPLES}, but there are more. Give a part of them`);
        const { state, reading: earlier, answer, weight } = checkedExample(next.value, index, answerOf);
        if (yielder.isDue) await yielder.toEventLoop();
        if (answer === undefined) {
          // Nothing is learned from it, so it is not read.
          onRead(rows.added + ++unanswered);
          continue;
        }
        if (earlier !== undefined) {
          info ??= await reader.info();
          rows.add({ index, answer, weight, ...rowOf(earlier, question, hash, info) });
          onRead(rows.added + unanswered);
          continue;
        }
        const task = read(index, state, { answer, weight })
          .catch((error: unknown) => {
            failing.abort(ended.aborted && error === ended.reason ? error : atExample(error, index));
          })
          .finally(() => reading.delete(task));
        reading.add(task);
        if (reading.size >= MAX_READING) await abortable(Promise.race(reading), ended);
      }
      await abortable(Promise.all(reading), ended);
      ended.throwIfAborted();
    } catch (error) {
      // Readings under way end, too.
      failing.abort(error);
      void source.close();
      throw error;
    }
  });
  if (info === undefined || rows.added < minAnswered)
    throw invalid(
      `examples must hold at least ${minAnswered} with an answer, but hold ${rows.added}. ${minAnswered === MIN_TAUGHT ? "A lesson needs dozens to learn much" : "Fewer say too little of how often answers are right"}`,
    );
  return { info, rows, unanswered };
}

interface CheckedExample {
  readonly state: string;
  readonly answer: number | undefined;
  readonly weight: number | undefined;
  /** In place of a state. */
  readonly reading: Field | undefined;
}

function checkedExample(value: unknown, index: number, answerOf: (answer: Field) => number): CheckedExample {
  const field = new Field(value, ["examples", index]);
  let checked: CheckedExample = { state: "", answer: undefined, weight: undefined, reading: undefined };
  try {
    if (field.isObject("an object with state and answer")) {
      const [reading, weight, given] = [field.get("reading"), field.get("weight"), field.get("answer")];
      weight.mayKeep(A_WEIGHT);
      checked = {
        state: reading.isMissing ? readText(field.get("state")) : "",
        answer: given.value === undefined || given.value === null ? undefined : answerOf(given),
        weight: weight.value as number | undefined,
        reading: reading.isMissing ? undefined : reading,
      };
    }
  } catch (cause) {
    field.refuse("could not be read: accessing one of its values threw", "not_json");
    throw refused(field, cause);
  }
  if (field.issues.length > 0) throw refused(field);
  return checked;
}

const A_WEIGHT: Rule = { isKept: (value) => Number.isFinite(value) && Number(value) >= 0, words: "a finite number, 0 or more" };

/** The parts of a reading. @throws {DecideError} `invalid_request` for a reading of another model or another question, or one that was changed. */
function rowOf(
  reading: Field,
  { criteria }: ParsedQuestion,
  questionHash: string,
  { model, seal, features: size }: EngineInfo,
): Pick<Row, "text" | "probabilities" | "features"> {
  const [, index] = reading.loc;
  const say = (why: string): DecideError =>
    new DecideError("invalid_request", `The examples are not valid: the reading of examples[${index}] ${why}. Read its text again.`, {
      issues: [{ loc: reading.loc, msg: why, type: "unknown_value" }],
    });
  if (!reading.isObject("what readExample() gave") || reading.get("umpire_reading").value !== 1)
    throw say("is not what readExample() gave");
  const { text, probabilities, features } = reading.value as ExampleReading;
  if (reading.get("model").get("seal").value !== seal) throw say(`was made by another model than ${model}, the one that is here`);
  if (reading.get("question").value !== questionHash)
    throw say("is of another question: type, instructions and criteria must be the same, in the same order");
  const floats = features === undefined ? undefined : fromBase64(features, size);
  const isWhole =
    typeof text === "string" &&
    /^[0-9a-f]{16}$/u.test(text) &&
    Array.isArray(probabilities) &&
    probabilities.length === criteria.length &&
    probabilities.every((p) => typeof p === "number" && p >= 0 && p <= 1) &&
    (size === 0 ? features === undefined : floats !== undefined);
  if (!isWhole) throw say("was changed or damaged");
  return { text, probabilities: Float64Array.from(probabilities), features: floats };
}

function refused({ issues }: Field, cause?: unknown): DecideError {
  const place = ([, index, field, ...inner]: Field["loc"]): string =>
    `examples[${index}]${field === undefined ? "" : `: ${inner.length > 0 ? "a value in " : ""}${field}`}`;
  return new DecideError("invalid_request", `The examples are not valid: ${firstOf(issues, place)}.`, { issues, cause });
}

/** Reads an answer as the index of its criterion. Of what is none, with an issue, 0. */
function answerReader({ type, criteria }: ParsedQuestion): (answer: Field) => number {
  const indexes = new Map(criteria.map((criterion, i) => [criterion.key, i]));
  const key = criteria[0]?.key;
  const wordsOf = {
    choice: `one of the ${criteria.length} options' keys, such as ${isPlain(key) ? `"${key}"` : "the first"}`,
    noul: "true or false",
    score: `the index of a level, a whole number from 0 to ${criteria.length - 1}`,
  };
  const typeOf = { choice: "string", noul: "boolean", score: "number" } as const;
  return (answer) => {
    const { value } = answer;
    if (typeof value === typeOf[type]) {
      const index = indexes.get(String(value));
      if (index !== undefined) return index;
    }
    const shown = type === "choice" && isPlain(value) ? `"${value}"` : shownValue(value);
    answer.refuse(`must be ${wordsOf[type]}, but is ${shown}`, typeof value === typeOf[type] ? "unknown_value" : "wrong_type");
    return 0;
  };
}

/** A state that is too long is told by its example. */
function atExample(error: unknown, index: number): unknown {
  if (!DecideError.isInstance(error) || error.code !== "input_too_long") return error;
  const { issues, issuesLeftOut } = error;
  return new DecideError("input_too_long", `examples[${index}] cannot be read. ${error.message}`, {
    issues: issues?.map((issue) => ({ ...issue, loc: ["examples", index, ...issue.loc.slice(1)] })),
    issuesLeftOut,
    cause: error,
  });
}

function invalid(message: string): DecideError {
  return new DecideError("invalid_request", `${message}.`);
}

/** An example that has been read, without its text. */
export interface Row {
  /** Its place among the examples, in the order they came. */
  readonly index: number;
  /** 64 bits of its text's SHA-256, in hexadecimal digits. */
  readonly text: string;
  /** The index of its answer among the criteria. */
  readonly answer: number;
  /** How many texts it stands for, 0 or more. Default: 1. */
  readonly weight?: number | undefined;
  /** float64 [criteria]: probabilities without a lesson. */
  readonly probabilities: Float64Array;
  /** float32 [features] */
  readonly features: Float32Array | undefined;
}

/** A lesson is learned from so many rows at most. */
const MAX_ROWS = 8000;
/** Where they would hold more products of a feature and an option than this, from fewer, */
const MAX_PRODUCTS = 16_000_000;
/** but still from so many. */
const ENOUGH_ROWS = 2000;

/**
 * The rows that are learned from: all rows, or of more than time and memory allow those whose texts' hashes come first. Which ones these are does not depend on the order
 * in which they came.
 */
export class Rows {
  /** By answer: how many rows have been added. */
  readonly counts: number[];
  readonly #maxRows: (row: Row) => number;
  #kept: Row[] = [];
  /** Rows whose text comes after this are not kept. */
  #end: string | undefined;

  /** @param maxRows how many rows like this one are kept at most */
  constructor(options: number, maxRows = maxRowsOf) {
    this.counts = Array.from({ length: options }, () => 0);
    this.#maxRows = maxRows;
  }

  add(row: Row): void {
    this.counts[row.answer] = (this.counts[row.answer] ?? 0) + 1;
    if (this.#end !== undefined && row.text > this.#end) return;
    this.#kept.push(row);
    const maxRows = this.#maxRows(row);
    if (this.#kept.length < 2 * maxRows) return;
    this.#kept = first(this.#kept, maxRows);
    this.#end = this.#kept.at(-1)?.text;
  }

  /** How many rows have been added. */
  get added(): number {
    return this.counts.reduce((a, b) => a + b, 0);
  }

  /** The rows that are learned from, in the order of their texts' hashes, so that it does not matter in which order they came. */
  inOwnOrder(): Row[] {
    const [row] = this.#kept;
    return row === undefined ? [] : first(this.#kept, this.#maxRows(row));
  }
}

function maxRowsOf({ probabilities, features }: Row): number {
  const products = probabilities.length * Math.max(1, features?.length ?? 0);
  return Math.min(MAX_ROWS, Math.max(ENOUGH_ROWS, Math.floor(MAX_PRODUCTS / products)));
}

/** Rows that compare as equal are equal in all but their index. */
function first(rows: readonly Row[], count: number): Row[] {
  return rows.toSorted((a, b) => compare(a.text, b.text) || a.answer - b.answer || a.index - b.index).slice(0, count);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
