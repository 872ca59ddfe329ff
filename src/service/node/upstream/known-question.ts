import { argmax } from "../../../library/decide/questions/question-kind.ts";
import { sharesOf } from "../../../library/decide/questions/question-kinds.ts";
import { parseQuestion } from "../../../library/decide/request.ts";
import type { ParsedQuestion } from "../../../library/decide/request.ts";
import type { Answer, Question } from "../../../library/decide/types.ts";
import { featuresIn } from "../../../library/lessons/lesson-format.ts";
import type { ExampleReading } from "../../../library/lessons/lesson.ts";
import type { readLesson } from "../../../library/lessons/read-lesson.ts";
import type { PlainAnswer } from "./replies.ts";
import { audits } from "./switching.ts";
import type { Standing } from "./switching.ts";
import type { Facts, StoredQuestion } from "./upstream-store.ts";

/** Who answered: the hosted API; this decider; or this decider because the hosted API failed. */
export type Source = "upstream" | "local" | "fallback";

/** A lesson that can answer, and how far it may. */
export type Learned = Awaited<ReturnType<typeof readLesson>> & { readonly standing: Standing };

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
export class Known {
  readonly id: string;
  readonly model: string;
  /** In an order of options of its own. */
  readonly question: Question;
  readonly parsed: ParsedQuestion;
  /** Of the question, for estimates of tokens. */
  readonly characters: number;
  readonly #keeper: Keeper;
  readonly #isAudit: () => boolean;
  status: StoredQuestion["status"];
  facts: Facts;
  evidence: StoredQuestion["evidence"];
  learned: Learned | undefined;

  constructor(stored: StoredQuestion, keeper: Keeper, random?: () => number) {
    ({ id: this.id, model: this.model, question: this.question, status: this.status, facts: this.facts, evidence: this.evidence } = stored);
    this.parsed = parseQuestion(stored.question);
    this.characters = JSON.stringify(stored.question).length;
    this.#keeper = keeper;
    this.#isAudit = audits(random);
  }

  /** Whether to try it here first. */
  get isSwitched(): boolean {
    return this.#keeper.switches && this.status === "switched" && this.evidence.recheck === undefined;
  }

  /**
   * Whether the caller gets an answer of this decider: it is sure enough, and not one of those that are checked with the hosted API. To be asked once for an
   * answer, as the decider is now: a lesson may have come since the question was found.
   */
  answersHere(answer: Answer): boolean {
    if (!this.isSwitched) return false;
    const isOurs = answer.x_lesson !== undefined && answer.x_lesson === this.learned?.lesson.id && answer.x_warnings === undefined;
    const isSure = isOurs && this.isSure(Math.max(...Object.values(sharesOf(answer))));
    this.facts = { ...this.facts, tried: this.facts.tried + 1, sure: this.facts.sure + Number(isSure) };
    return isSure && !this.#isAudit();
  }

  isSure(probability: number): boolean {
    return probability >= (this.learned?.standing.threshold ?? Infinity);
  }

  /** Counts an answer. @param characters those that were sent for it, or would have been: of the question, and its share of the state */
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

  /** Takes an answer of the hosted API to learn from, later and elsewhere. It never throws. */
  observe(state: string, answer: PlainAnswer): void {
    this.#keeper.queue({ known: this, state, answer });
  }

  stored(): StoredQuestion {
    const { id, model, question, status, facts, evidence } = this;
    return { id, model, question, status, facts, evidence, lesson: this.learned?.lesson };
  }
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
