import { argmax } from "../../../library/decide/questions/question-kind.ts";
import { plainQuestion, sharesOf } from "../../../library/decide/questions/question-kinds.ts";
import { parseQuestion } from "../../../library/decide/request.ts";
import type { ParsedQuestion } from "../../../library/decide/request.ts";
import type { Answer, Question } from "../../../library/decide/types.ts";
import { featuresIn } from "../../../library/lessons/lesson-format.ts";
import type { ExampleReading } from "../../../library/lessons/lesson.ts";
import type { readLesson } from "../../../library/lessons/read-lesson.ts";
import type { PlainAnswer } from "../../upstream/replies.ts";
import type { ObservedQuestion, Source } from "../../upstream/upstream.ts";
import type { Audits, Standing } from "./switching.ts";
import type { Facts, StoredQuestion } from "./upstream-store.ts";

type Applied = Awaited<ReturnType<typeof readLesson>>;

/** Who keeps what becomes known of questions. */
interface Keeper {
  /** Whether questions are answered here once they can be. */
  readonly switches: boolean;
  changed(known: Known): void;
  queue(waiting: Waiting): void;
}

/** An answer of the hosted API that waits to be read here. */
export interface Waiting {
  readonly known: Known;
  readonly state: string;
  readonly answer: PlainAnswer;
}

/** What is known of a question, in memory. */
export class Known implements ObservedQuestion {
  readonly id: string;
  readonly model: string;
  /** In an order of options of its own. */
  readonly question: Question;
  readonly parsed: ParsedQuestion;
  readonly characters: number;
  readonly #keeper: Keeper;
  readonly #audits: Audits;
  status: StoredQuestion["status"];
  facts: Facts;
  evidence: StoredQuestion["evidence"];
  applied: Applied | undefined;
  standing: Standing | undefined;

  constructor(stored: StoredQuestion, keeper: Keeper, audits: Audits) {
    ({ id: this.id, model: this.model, question: this.question, status: this.status, facts: this.facts, evidence: this.evidence } = stored);
    this.parsed = parseQuestion(stored.question);
    this.characters = JSON.stringify(stored.question).length;
    this.#keeper = keeper;
    this.#audits = audits;
  }

  get isSwitched(): boolean {
    return this.#keeper.switches && this.status === "switched" && this.evidence.recheck === undefined;
  }

  /** Asked with the answer of this decider as it is now: a lesson may have come since the question was found. */
  answersHere(answer: Answer): boolean {
    const isOurs = answer.x_lesson !== undefined && answer.x_lesson === this.applied?.lesson.id && answer.x_warnings === undefined;
    if (!this.isSwitched) return false;
    const isSure = isOurs && this.isSure(Math.max(...Object.values(sharesOf(answer))));
    this.facts = { ...this.facts, tried: this.facts.tried + 1, sure: this.facts.sure + Number(isSure) };
    return isSure && !this.#audits.next();
  }

  isSure(probability: number): boolean {
    return this.standing?.threshold !== undefined && probability >= this.standing.threshold;
  }

  count(source: Source, characters: number, tokens = { input: 0, output: 0 }): void {
    const { facts } = this;
    this.facts = {
      ...facts,
      askedMs: Date.now(),
      [source]: facts[source] + 1,
      sentCharacters: facts.sentCharacters + (source === "upstream" ? characters : 0),
      savedCharacters: facts.savedCharacters + (source === "local" ? characters : 0),
      inputTokens: facts.inputTokens + tokens.input,
      outputTokens: facts.outputTokens + tokens.output,
    };
    this.#keeper.changed(this);
  }

  observe(state: string, answer: PlainAnswer): void {
    this.#keeper.queue({ known: this, state, answer });
  }

  /** The answer that this decider would give by what it knows, and how sure it is; 0 for the model alone. */
  answerTo(reading: ExampleReading): { readonly answer: PlainAnswer; readonly probability: number } {
    return answerBy(this.applied, this.parsed, reading);
  }

  takeLesson(applied: Applied | undefined, standing: Standing | undefined): void {
    this.applied = applied;
    this.standing = standing;
  }

  stored(): StoredQuestion {
    const { id, model, question, status, facts, evidence } = this;
    return { id, model, question, status, facts, evidence, lesson: this.applied?.lesson };
  }
}

/** The same question in any order of options, its texts as they are read. */
export function canonical(question: ParsedQuestion): Question {
  const { type, criteria } = question;
  const sorted = type === "choice" ? criteria.toSorted((a, b) => (a.key < b.key ? -1 : 1)) : criteria;
  return plainQuestion({ ...question, criteria: sorted });
}

export function keyOf(question: Question, model: string): string {
  return JSON.stringify([model, question]);
}

function answerBy(
  applied: Applied | undefined,
  { type, criteria, ...others }: ParsedQuestion,
  reading: ExampleReading,
): { readonly answer: PlainAnswer; readonly probability: number } {
  const byModel = Float64Array.from(reading.probabilities);
  const size = applied?.lesson.head.features?.size ?? 0;
  const features = size > 0 ? featuresIn(reading) : undefined;
  // A reading without the features that a lesson needs says nothing about it.
  const isApplied = applied !== undefined && (size === 0 || features?.length === size);
  const probabilities = isApplied ? applied.taught.toProbabilities({ type, criteria, ...others }, byModel, features) : byModel;
  const best = argmax(probabilities);
  const key = criteria[best]?.key ?? "";
  const answer = type === "choice" ? key : type === "noul" ? key === "true" : best;
  return { answer, probability: isApplied ? (probabilities[best] ?? 0) : 0 };
}

/** How many readings a lesson is sure enough of. */
export function countSure(
  applied: Applied | undefined,
  threshold: number | undefined,
  question: ParsedQuestion,
  readings: readonly ExampleReading[],
): number {
  if (threshold === undefined) return 0;
  return readings.filter((reading) => answerBy(applied, question, reading).probability >= threshold).length;
}
