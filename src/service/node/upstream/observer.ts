import { sharesOf } from "../../../library/decide/questions/question-kinds.ts";
import type { ParsedQuestion } from "../../../library/decide/request.ts";
import type { Answer } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { asDecideError, DecideError } from "../../../errors.ts";
import type { ExampleReading, Lesson } from "../../../library/lessons/lesson.ts";
import { readLesson } from "../../../library/lessons/read-lesson.ts";
import { sha256Hex } from "../../../library/sha256.ts";
import type { Logger } from "../serve-options.ts";
import { answerBy, canonical, isSure, keyOf, knownOf, type Known, type Learned, type Source } from "./known-question.ts";
import type { PlainAnswer } from "./replies.ts";
import { afterCheck, afterUnsure, dueAt, LEAST_SHARE, NO_EVIDENCE, standingOf, TRIAL, type Verdict } from "./switching.ts";
import { agreementsOf, NO_FACTS, STORE_LIMITS } from "./upstream-store.ts";
import type { Agreements, Changes, StoredQuestion, UpstreamStore } from "./upstream-store.ts";

interface ObserverOptions {
  readonly decider: Pick<Decider, "info" | "readExample" | "teach" | "learn" | "forget">;
  readonly store: UpstreamStore;
  readonly url: string;
  readonly maxDisagreement: number;
  /** Whether questions are answered here once they can be. */
  readonly switches: boolean;
  readonly logger: Logger;
}

/** Answers of the hosted API that wait to be read here, by their number and their states' characters. Beyond, an answer is not learned from. */
const [MAX_WAITING, MAX_WAITING_CHARACTERS] = [256, 16_777_216];
/** How often counts are written that came with no observation. */
const FLUSH_MS = 1000;
/** How many comparisons a question's agreement is of. */
const KEPT_RECENT = 200;

/** An answer of the hosted API that waits to be read here. */
interface Waiting {
  readonly known: Known;
  readonly state: string;
  readonly answer: PlainAnswer;
}

/** Compares a hosted API's answers with this decider's, teaches it, and knows which questions it may answer. */
export class QuestionObserver {
  /** For monitoring. */
  readonly counts = {
    /** Answers that wait or are being read. */
    waiting: 0,
    /** Those that were not learned from: too many waited, or the text could not be read here. */
    dropped: 0,
    unread: 0,
    failedWrites: 0,
  };
  readonly #options: ObserverOptions;
  readonly #seal: string;
  /** By type, instructions, criteria and model, those asked last at the end. */
  readonly #known = new Map<string, Known>();
  readonly #waiting: Waiting[] = [];
  readonly #changed = new Set<Known>();
  readonly #toTeach = new Set<Known>();
  readonly #ending = new AbortController();
  readonly #flushing: ReturnType<typeof setInterval>;
  #reading: Promise<void> | undefined;
  #teaching: Promise<void> | undefined;

  private constructor(options: ObserverOptions, seal: string) {
    this.#options = options;
    this.#seal = seal;
    this.#flushing = setInterval(() => {
      void this.#flush();
    }, FLUSH_MS).unref();
  }

  /** @throws {DecideError} those of loading the model; `backend_unavailable` for the file; `invalid_request` for a file of another hosted API. */
  static async open(options: ObserverOptions): Promise<QuestionObserver> {
    const { decider, store, url, maxDisagreement, logger } = options;
    const { seal } = await decider.info();
    const before = await store.settings();
    if (before !== undefined && before.url !== url)
      throw new DecideError("invalid_request", "The file of observations is of another hosted API. Give another file in --upstream-store.");
    const observer = new QuestionObserver(options, seal);
    const questions = await store.questions();
    // The readings of one model say nothing to another.
    const isStale = before !== undefined && before.seal !== seal;
    if (isStale) logger.warn({ questions: questions.length }, "another model is here now: the questions are observed anew");
    await store.write((changes) => {
      changes.settings({ url, seal, maxDisagreement });
    });
    for (const stored of questions.toSorted((a, b) => a.facts.askedMs - b.facts.askedMs)) await observer.#restore(stored, isStale);
    return observer;
  }

  /** @param model the one that the caller named: another one may answer otherwise */
  async find(question: ParsedQuestion, model: string): Promise<Known> {
    const asked = { model, question: canonical(question) };
    const key = keyOf(asked);
    const known = this.#known.get(key) ?? (await this.#add(key, asked));
    // Those that were asked last stay.
    this.#known.delete(key);
    this.#known.set(key, known);
    return known;
  }

  agreements(): Agreements {
    const { maxDisagreement } = this.#options;
    return { maxDisagreement, questions: agreementsOf([...this.#known.values()], maxDisagreement) };
  }

  /** Whether to try the question here first. */
  isSwitched({ status, evidence }: Known): boolean {
    return this.#options.switches && status === "switched" && evidence.recheck === undefined;
  }

  /**
   * Whether the caller gets an answer of this decider: it is sure enough, and not one of those that are checked with the hosted API. To be asked once for an
   * answer, as the decider is now: a lesson may have come since the question was found.
   */
  answersHere(known: Known, answer: Answer): boolean {
    if (!this.isSwitched(known)) return false;
    const isOurs = answer.x_lesson !== undefined && answer.x_lesson === known.lesson?.id && answer.x_warnings === undefined;
    const isSureOfIt = isOurs && isSure(known, Math.max(...Object.values(sharesOf(answer))));
    known.facts = { ...known.facts, tried: known.facts.tried + 1, sure: known.facts.sure + Number(isSureOfIt) };
    return isSureOfIt && !known.isAudit();
  }

  /** Counts an answer. @param characters those that were sent for it, or would have been: of the question, and its share of the state */
  count(known: Known, source: Source, characters: number, tokens = { input: 0, output: 0 }): void {
    const { facts } = known;
    known.facts = {
      ...facts,
      askedMs: Date.now(),
      [source]: facts[source] + 1,
      sentCharacters: facts.sentCharacters + (source === "upstream" ? characters : 0),
      savedCharacters: facts.savedCharacters + (source === "local" ? characters : 0),
      inputTokens: facts.inputTokens + tokens.input,
      outputTokens: facts.outputTokens + tokens.output,
    };
    this.#changed.add(known);
  }

  /** Takes an answer of the hosted API to learn from, later and elsewhere. It never throws. */
  observe(waiting: Waiting): void {
    if (this.#ending.signal.aborted) return;
    const characters = this.#waiting.reduce((sum, { state }) => sum + state.length, waiting.state.length);
    if (this.#waiting.length >= MAX_WAITING || characters > MAX_WAITING_CHARACTERS) {
      this.counts.dropped++;
      return;
    }
    this.#waiting.push(waiting);
    this.counts.waiting++;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  /** Texts that have yet to be read are left out: nothing keeps a text. */
  async close(): Promise<void> {
    clearInterval(this.#flushing);
    this.#ending.abort(new DecideError("closed", "The service was closed."));
    if (this.#waiting.length > 0)
      this.#options.logger.info({ observations: this.#waiting.length }, "observations that waited are left out");
    this.#waiting.length = 0;
    await Promise.all([this.#reading, this.#teaching]);
    await this.#flush();
    await this.#options.store.close();
  }

  async #restore(stored: StoredQuestion, isStale: boolean): Promise<void> {
    const { decider, store, logger } = this.#options;
    const known = knownOf(stored);
    this.#known.set(keyOf(stored), known);
    try {
      if (isStale) throw new DecideError("invalid_request", "The lesson is of another model.");
      if (stored.lesson === undefined) return;
      // The rate may be another one than before.
      const learned = await this.#learned(stored.lesson);
      await decider.learn(stored.lesson);
      known.learned = learned;
      if (learned.standing.threshold === undefined) known.status = "observing";
      // It may have been observed alone until now.
      if (known.status === "observing" && this.#isEnough(learned)) this.#beginTrial(known);
    } catch (error) {
      if (!isStale)
        logger.warn(
          { question: known.id, problem: asDecideError(error).message },
          "a lesson cannot be used: its question is observed anew",
        );
      known.status = "observing";
      known.evidence = NO_EVIDENCE;
      known.facts = { ...known.facts, observed: 0, taughtAt: 0, recent: "" };
      await store.write((changes) => {
        changes.forget(known.id, Number.MAX_SAFE_INTEGER);
        changes.teach(known.id, undefined);
        changes.update(known);
      });
    }
  }

  async #add(key: string, asked: Pick<StoredQuestion, "question" | "model">): Promise<Known> {
    const id = (await sha256Hex(new TextEncoder().encode(key))).slice(0, 16);
    // Another call may have come first.
    const other = this.#known.get(key);
    if (other !== undefined) return other;
    const known = knownOf({ id, ...asked, status: "observing", facts: NO_FACTS, evidence: NO_EVIDENCE, lesson: undefined });
    this.#known.set(key, known);
    const removed: Known[] = [];
    for (const [oldest, least] of this.#known) {
      if (this.#known.size <= STORE_LIMITS.questions) break;
      this.#known.delete(oldest);
      this.#changed.delete(least);
      this.#toTeach.delete(least);
      this.#forget(least);
      removed.push(least);
    }
    void this.#write((changes) => {
      for (const { id: gone } of removed) changes.remove(gone);
      changes.add(known);
    });
    return known;
  }

  #forget(known: Known): void {
    if (known.lesson !== undefined) this.#options.decider.forget(known.lesson.id);
    known.learned = undefined;
  }

  /** One after the other: requests that wait for the model come first. */
  async #readAll(): Promise<void> {
    // Not before the reply has left.
    await new Promise(setImmediate);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const reading = await this.#read(next);
      if (reading !== undefined && this.#isKnown(next.known)) await this.#learnFrom(next, reading);
      this.counts.waiting = this.#waiting.length;
    }
  }

  #isKnown(known: Known): boolean {
    return this.#known.get(keyOf(known)) === known;
  }

  async #read({ known, state }: Waiting): Promise<ExampleReading | undefined> {
    for (;;) {
      try {
        return await this.#options.decider.readExample(known.question, state, { signal: this.#ending.signal });
      } catch (error) {
        if (this.#ending.signal.aborted) return undefined;
        const { code, retryable } = asDecideError(error);
        // A text that is too long for this model, for example.
        if (!retryable) {
          this.counts.unread++;
          this.#options.logger.debug({ question: known.id, code }, "a text could not be read here");
          return undefined;
        }
        await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
      }
    }
  }

  async #learnFrom({ known, answer }: Waiting, reading: ExampleReading): Promise<void> {
    const { maxDisagreement, logger } = this.#options;
    const { id, status, evidence: before, learned } = known;
    const local = answerBy(learned, known.parsed, reading);
    const agreed = local.answer === answer;
    const observed = known.facts.observed + 1;
    known.facts = { ...known.facts, observed };
    let verdict: Verdict = "stays";
    if (status === "switched") {
      const judged = isSure(known, local.probability)
        ? afterCheck(before, agreed, maxDisagreement)
        : afterUnsure(before, agreed, learned?.standing.unsureBound ?? 1);
      ({ evidence: known.evidence, verdict } = judged);
    } else known.facts = { ...known.facts, recent: (known.facts.recent + (agreed ? "." : "x")).slice(-KEPT_RECENT) };
    const begins = before.recheck === undefined && verdict === "recheck";
    const isForgotten = verdict === "back" && !before.isTrial;
    if (verdict === "back") {
      const kept = known.evidence.recheck?.length ?? 0;
      known.status = "observing";
      known.evidence = NO_EVIDENCE;
      if (isForgotten) {
        // Observations before the re-check are of another mind.
        this.#forget(known);
        known.facts = { ...known.facts, back: known.facts.back + 1, observed: kept, taughtAt: 0, recent: "" };
        const lesson = learned?.lesson.id;
        logger.warn({ question: id, lesson }, "question switched back: its answers no longer agree with the hosted API's");
      } else {
        // The lesson of a trial is of the same mind, and not enough.
        logger.info({ question: id }, "question not switched: too many of its answers differed in the trial");
      }
    } else if (begins) logger.info({ question: id }, "question is checked again");
    else if (status === "switched" && before.recheck !== undefined && verdict === "stays")
      logger.info({ question: id, observations: observed }, before.isTrial ? "question switched" : "question stays switched");
    await this.#write((changes) => {
      const number = changes.observe(id, { reading, upstream: answer, local: local.answer });
      if (begins) known.facts = { ...known.facts, recheckFrom: number };
      if (isForgotten) {
        changes.forget(id, known.facts.recheckFrom);
        changes.teach(id, undefined);
      }
      changes.update(known);
      this.#changed.delete(known);
    });
    if (known.facts.observed >= dueAt(known.facts.taughtAt)) this.#teachSoon(known);
  }

  #teachSoon(known: Known): void {
    this.#toTeach.add(known);
    this.#teaching ??= this.#teachAll().finally(() => {
      this.#teaching = undefined;
    });
  }

  async #teachAll(): Promise<void> {
    for (const known of this.#toTeach) {
      this.#toTeach.delete(known);
      if (this.#ending.signal.aborted) return;
      await this.#teach(known).catch((error: unknown) => {
        if (this.#ending.signal.aborted) return;
        const { code, message } = asDecideError(error);
        this.#options.logger.warn({ question: known.id, code, problem: message }, "a question could not be taught");
      });
    }
  }

  async #teach(known: Known): Promise<void> {
    const { decider, store, logger } = this.#options;
    const { back, observed } = known.facts;
    known.facts = { ...known.facts, taughtAt: observed };
    const observations = (await store.observations(known.id)).filter(({ reading }) => reading.model.seal === this.#seal);
    // Once it is switched, unsure answers come in more often than by chance. They differ more often than others, so that makes no bound lower.
    const examples = observations.map(({ reading, upstream: answer }) => ({ reading, answer }));
    const lesson = await decider.teach(known.question, examples, { signal: this.#ending.signal });
    const learned = await this.#learned(lesson);
    // Meanwhile it may have been switched back, or have given way to another.
    if (!this.#isKnown(known) || known.facts.back !== back) return;
    const countSure = (by: Learned | undefined): number => {
      const threshold = by?.standing.threshold ?? Infinity;
      return observations.filter(({ reading }) => answerBy(by, known.parsed, reading).probability >= threshold).length;
    };
    // A lesson that answers gives way to one that answers more.
    if (known.status === "switched" && countSure(learned) <= countSure(known.learned)) return;
    const switches = known.status === "observing" && this.#isEnough(learned);
    await decider.learn(lesson);
    if (known.lesson !== undefined && known.lesson.id !== lesson.id) decider.forget(known.lesson.id);
    // On the disk before it answers.
    const isKept = await this.#write((changes) => {
      changes.teach(known.id, lesson);
      if (switches) changes.update({ ...known, status: "switched", evidence: TRIAL });
    });
    if (!isKept || known.facts.back !== back) return;
    known.learned = learned;
    // With another lesson, other answers are unsure, and other ones of them may differ.
    if (known.status === "switched") known.evidence = { ...known.evidence, unsure: "", unsureBefore: undefined };
    if (!switches) return;
    this.#beginTrial(known);
    logger.info(
      { question: known.id, observations: observed, share: Number(learned.standing.share.toFixed(3)), lesson: lesson.id },
      "question can be switched: a trial begins",
    );
  }

  async #learned(lesson: Lesson): Promise<Learned> {
    return { ...(await readLesson(lesson)), standing: standingOf(lesson.risk, this.#options.maxDisagreement) };
  }

  #isEnough({ standing }: Learned): boolean {
    return this.#options.switches && standing.threshold !== undefined && standing.share >= LEAST_SHARE;
  }

  #beginTrial(known: Known): void {
    known.status = "switched";
    known.evidence = TRIAL;
    known.facts = { ...known.facts, tried: 0, sure: 0 };
  }

  async #flush(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length === 0) return;
    await this.#write((changes) => {
      for (const known of changed) changes.update(known);
    });
  }

  /** @returns whether it was written; what fails is logged and counted. */
  async #write(work: (changes: Changes) => void): Promise<boolean> {
    try {
      await this.#options.store.write(work);
      return true;
    } catch (error) {
      this.counts.failedWrites++;
      this.#options.logger.error({ problem: asDecideError(error).message }, "observations cannot be kept");
      return false;
    }
  }
}
