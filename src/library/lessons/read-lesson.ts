import { parseQuestion, type ParsedQuestion } from "../decide/request.ts";
import type { AppliedLesson } from "../decide/decide.ts";
import { DecideError } from "../../errors.ts";
import { accuracyAt, thresholdFor, type RiskPoint } from "../statistics/curves.ts";
import { Field, filledString, matching, shapeOf, wholeNumber, type Rule } from "../validation/field.ts";
import { answerBy, fromBase64, idOf, MAX_POINTS, sealOf, type Head } from "./lesson-format.ts";
import type { Lesson } from "./lesson.ts";

/** A lesson that can answer, and where the pack of its model is. */
export interface LoadedLesson {
  readonly lesson: Lesson;
  readonly question: ParsedQuestion;
  readonly taught: AppliedLesson;
  readonly packUrl: string;
}

/** Where a lesson's model is, and its seal; or the model that answers in its place, since a better one than the lesson's was installed. */
export type FoundModel = { readonly packUrl: string; readonly seal: string } | { readonly supersededBy: string };

const FORMAT = 1;
const MAX_FEATURES = 65_536;

/**
 * Reads a lesson for the model that is here.
 * @param findModel finds the model with this id
 * @throws {DecideError} `invalid_request`, also for a lesson of another model; the errors of `findModel`.
 */
export async function loadLesson(value: unknown, findModel: (id: string) => Promise<FoundModel>): Promise<LoadedLesson> {
  const learned = await readLesson(value);
  const { model } = learned.lesson;
  const found = await findModel(model.id);
  if ("supersededBy" in found) {
    // The lesson would answer nobody who names no model, and nobody would notice: a package was installed, and nothing else changed.
    const [id, by] = [model.id, found.supersededBy];
    const now = `The lesson was learned with the model ${id}, but the model here is ${by}, the best that is installed.`;
    const named = `createDecider({ model: "${id}" }), or --model ${id} in a command`;
    throw new DecideError("invalid_request", `${now} Teach the question again with ${by}, or go on with ${id}: ${named}.`);
  }
  const { packUrl, seal } = found;
  const message = `The lesson was learned with another release of the model ${model.id}. Teach the question again with the one that is here.`;
  if (seal !== model.seal) throw new DecideError("invalid_request", message);
  return { ...learned, packUrl };
}

/**
 * Checks a lesson, wherever it comes from.
 * @throws {DecideError} `invalid_request` for what is no lesson, was made by a newer version, is damaged, or was changed.
 */
export async function readLesson(value: unknown): Promise<Omit<LoadedLesson, "packUrl">> {
  const plain = toPlain(value);
  checkFormat(plain);
  const field = new Field(plain, ["lesson"]);
  field.get("kind").mayKeep(A_KIND);
  const question = questionOf(field.get("question"));
  const head = readHead(field.get("head"), question.criteria.length);
  const accuracy = field.get("accuracy");
  const [slope, bias] = [readNumber(accuracy.get("slope"), ABOVE_ZERO), readNumber(accuracy.get("bias"), FINITE)];
  const risk = readRisk(field.get("risk"));
  field.get("sha256").keeps(A_SHA256);
  const model = field.get("model");
  model.get("seal").keeps(A_SHA256);
  model.get("id").keeps(SOME_TEXT);
  checkReport(field, question.criteria.length);
  throwIfInvalid(field);
  const lesson = plain as Lesson;
  const seal = await sealOf(lesson);
  if (lesson.sha256 !== seal || lesson.id !== idOf(seal))
    throw refused(
      "it was changed after it was taught (its sha256 is that of another content). Use it as it was saved, as the text that JSON.stringify makes of it, or teach it again",
    );
  const taught: AppliedLesson = {
    id: lesson.id,
    usesFeatures: head.features !== undefined,
    toProbabilities: answerBy(head, question.criteria),
    accuracyOf: (probability) => accuracyAt({ slope, bias }, probability),
    thresholdFor: (maxErrorRate) => thresholdFor(risk, maxErrorRate),
  };
  return { lesson, question, taught };
}

/** A copy, as JSON: later changes to the caller's object have no effect. */
function toPlain(value: unknown): unknown {
  if (typeof value === "string")
    throw refused(`it must be an object, but is ${shapeOf(value)}. Give what JSON.parse makes of a lesson's file`);
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return JSON.parse(text) as unknown;
  } catch (cause) {
    throw refused("it must be plain JSON, as teach() makes it, but cannot be read", cause);
  }
  throw refused(`it must be an object, but is ${shapeOf(value)}`);
}

function checkFormat(plain: unknown): void {
  const format = new Field(plain, ["lesson"]).get("umpire_lesson").value;
  if (!Number.isSafeInteger(format) || Number(format) < 1)
    throw refused(`it must be an object with umpire_lesson: ${FORMAT}, as teach() makes it, but is ${shapeOf(plain)}`);
  if (format !== FORMAT)
    throw refused(
      `its format is ${Number(format)}, and this version of umpire knows formats up to ${FORMAT}. Update umpire, or teach it again`,
    );
}

function questionOf(question: Field): ParsedQuestion {
  try {
    return parseQuestion(question.value);
  } catch (error) {
    if (!DecideError.isInstance(error)) throw error;
    const { issues, issuesLeftOut } = error;
    const placed = issues?.map((issue) => ({ ...issue, loc: ["lesson", ...issue.loc] }));
    throw new DecideError("invalid_request", `The lesson is not valid: ${error.message}`, { issues: placed, issuesLeftOut });
  }
}

function readHead(head: Field, criteria: number): Head {
  const scale = readNumber(head.get("scale"), FINITE);
  const biases = readNumbers(head.get("biases"), criteria);
  const features = head.get("features");
  if (features.isMissing) return { scale, biases };
  const size = readNumber(features.get("size"), wholeNumber(1, MAX_FEATURES));
  const mean = readFloats(features.get("mean"), size);
  return { scale, biases, features: { mean, weights: readFloats(features.get("weights"), size * criteria) } };
}

function readNumber(field: Field, rule: Rule): number {
  return field.keeps(rule) ? Number(field.value) : 0;
}

function readNumbers(field: Field, count: number): number[] {
  const rule: Rule = {
    isKept: (value) => Array.isArray(value) && value.length === count && value.every(Number.isFinite),
    words: `an array of ${count} finite numbers`,
  };
  return field.keeps(rule) ? (field.value as number[]) : [];
}

function readFloats(field: Field, count: number): Float32Array {
  const { value } = field;
  const floats = typeof value === "string" ? fromBase64(value, count) : undefined;
  if (floats === undefined) field.refuseType(`the Base64 of ${count} finite float32 values`);
  return floats ?? new Float32Array();
}

function readRisk(risk: Field): RiskPoint[] {
  const items = risk.items("an array of points");
  if (items.length > MAX_POINTS) risk.refuse(`must hold at most ${MAX_POINTS} points, but holds ${items.length}`, "too_many");
  const points = items.slice(0, MAX_POINTS).map((item) => ({
    probability: readNumber(item.get("probability"), A_PROBABILITY),
    answers: readNumber(item.get("answers"), wholeNumber(1)),
    errors: readNumber(item.get("errors"), wholeNumber(0)),
  }));
  const isInOrder = points.every(({ probability, answers, errors }, i) => {
    const last = points[i - 1];
    if (errors > answers) return false;
    return last === undefined || (probability < last.probability && answers > last.answers && errors >= last.errors);
  });
  if (!isInOrder) risk.refuse("must have descending probabilities and ascending counts", "unknown_value");
  return points;
}

const FIGURES = ["accuracy", "macroF1", "logLoss", "calibrationError"];

function checkReport(lesson: Field, criteria: number): void {
  const examples = lesson.get("examples");
  for (const name of ["answered", "unanswered"]) examples.get(name).keeps(wholeNumber(0));
  examples.get("byAnswer").isObject("an object");
  const report = lesson.get("report");
  for (const when of ["before", "after"])
    for (const figure of FIGURES) for (const part of ["value", "low", "high"]) report.get(when).get(figure).get(part).keeps(FINITE);
  for (const name of ["suspicious", "automated", "notes"]) report.get(name).items("an array");
  for (const row of report.get("confusion").items("an array of rows")) readNumbers(row, criteria);
}

const FINITE: Rule = { isKept: (value) => Number.isFinite(value), words: "a finite number" };
const ABOVE_ZERO: Rule = { isKept: (value) => Number.isFinite(value) && Number(value) > 0, words: "a number above 0" };
const A_PROBABILITY: Rule = { isKept: (value) => ABOVE_ZERO.isKept(value) && Number(value) <= 1, words: "a number above 0, at most 1" };
const A_SHA256 = matching(/^[0-9a-f]{64}$/, "64 lower-case hexadecimal digits");
const A_KIND: Rule = { isKept: (value) => value === "calibration", words: '"calibration", or absent' };
const SOME_TEXT = filledString("a string");

function throwIfInvalid({ issues }: Field): void {
  const [first] = issues;
  if (first === undefined) return;
  const place = first.loc.slice(1).join(".");
  throw refused(`${place} ${first.msg}. It is damaged: use it as it was saved, or teach it again`, undefined, issues);
}

function refused(why: string, cause?: unknown, issues?: Field["issues"]): DecideError {
  return new DecideError("invalid_request", `The lesson is not valid: ${why}.`, { cause, issues });
}
