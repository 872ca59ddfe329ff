import { argmax } from "../../../library/decide/questions/question-kind.ts";
import { plainQuestion } from "../../../library/decide/questions/question-kinds.ts";
import { parseQuestion, type ParsedQuestion } from "../../../library/decide/request.ts";
import type { Question } from "../../../library/decide/types.ts";
import { featuresIn } from "../../../library/lessons/lesson-format.ts";
import type { ExampleReading } from "../../../library/lessons/lesson.ts";
import type { readLesson } from "../../../library/lessons/read-lesson.ts";
import type { PlainAnswer } from "./replies.ts";
import { audits, type Standing } from "./switching.ts";
import type { Facts, StoredQuestion } from "./upstream-store.ts";

/** Who answered: the hosted API; this decider; or this decider because the hosted API failed. */
export type Source = "upstream" | "local" | "fallback";

/** A lesson that can answer, and how far it may. */
export type Learned = Awaited<ReturnType<typeof readLesson>> & { readonly standing: Standing };

/** A question that is observed: what the store keeps of it, which changes here first, and what follows from that. Its options have an order of their own. */
export interface Known extends StoredQuestion {
  readonly parsed: ParsedQuestion;
  /** Of the question, for estimates of tokens. */
  readonly characters: number;
  /** Whether the next answer that would be given here is checked with the hosted API. */
  readonly isAudit: () => boolean;
  status: StoredQuestion["status"];
  facts: Facts;
  evidence: StoredQuestion["evidence"];
  learned: Learned | undefined;
}

/** Without its lesson, which has to be learned first. */
export function knownOf(stored: StoredQuestion): Known {
  const { question } = stored;
  return {
    ...stored,
    parsed: parseQuestion(question),
    characters: JSON.stringify(question).length,
    isAudit: audits(),
    learned: undefined,
    get lesson() {
      return this.learned?.lesson;
    },
  };
}

/** The same question in any order of options, its texts as they are read. */
export function canonical(question: ParsedQuestion): Question {
  const { type, criteria } = question;
  const sorted = type === "choice" ? criteria.toSorted((a, b) => (a.key < b.key ? -1 : 1)) : criteria;
  return plainQuestion({ ...question, criteria: sorted });
}

export function keyOf({ question, model }: Pick<StoredQuestion, "question" | "model">): string {
  return JSON.stringify([model, question]);
}

export function isSure({ learned }: Known, probability: number): boolean {
  return probability >= (learned?.standing.threshold ?? Infinity);
}

/** The answer that this decider would give by a lesson, and how sure it is; 0 for the model alone. */
export function answerBy(
  learned: Learned | undefined,
  question: ParsedQuestion,
  reading: ExampleReading,
): { readonly answer: PlainAnswer; readonly probability: number } {
  const { type, criteria } = question;
  const byModel = Float64Array.from(reading.probabilities);
  const size = learned?.lesson.head.features?.size ?? 0;
  const features = size > 0 ? featuresIn(reading) : undefined;
  // A reading without the features that a lesson needs says nothing about it.
  const isApplied = learned !== undefined && (size === 0 || features?.length === size);
  const probabilities = isApplied ? learned.taught.toProbabilities(question, byModel, features) : byModel;
  const best = argmax(probabilities);
  const key = criteria[best]?.key ?? "";
  const answer = type === "choice" ? key : type === "noul" ? key === "true" : best;
  return { answer, probability: isApplied ? (probabilities[best] ?? 0) : 0 };
}
