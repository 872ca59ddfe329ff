import { EventEmitter, once } from "node:events";
import { parseQuestion, type ParsedQuestion } from "../../library/decide/request.ts";
import type { Question } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { ExampleReading, Lesson } from "../../library/lessons/lesson.ts";
import { featuresIn } from "../../library/lessons/lesson-format.ts";
import { readLesson } from "../../library/lessons/read-lesson.ts";
import { randomFrom, shuffled } from "../../library/statistics/random.ts";
import { elementAt } from "../../library/validation/expect.ts";
import { DecideError } from "../../errors.ts";
import { ANSWER_KINDS } from "../rows/answers.ts";
import type { RowNotes } from "../rows/row-notes.ts";
import { OutputLock } from "../run/output.ts";
import { keepLesson } from "../teach/teach.ts";
import { ToolError } from "../tool-error.ts";
import { drawRow, hasSettled, Likeness, type Round } from "./choose.ts";
import { checkLesson, earlierAnswers, removeDrafts, writeAnswers, type Asked, type NoAnswer, type PoolRow } from "./files.ts";
import { KEYS, messageOf, optionsOf, worthOf, type LabelView } from "./view.ts";

interface Parts {
  readonly decider: Decider;
  readonly question: Question;
  readonly rows: readonly PoolRow[];
  /** The file of answers, and the lesson's. Their folders are there. */
  readonly out: string;
  readonly lesson: string;
  readonly maxErrorRate: number;
  readonly notes: RowNotes;
  readonly seed: number;
  /** Whether nothing is asked before all rows are read: what is asked then depends on the answers alone. Default: false */
  readonly readsAllFirst?: boolean;
}

interface ReadRow {
  readonly reading: ExampleReading;
  /** float32 [features]: those of its reading, decoded once. */
  readonly features: Float32Array | undefined;
  /** float64 [criteria], by the lesson so far. */
  probabilities: Float64Array;
}

/** It is taught again after so many answers, the least that teach. */
const ANSWERS_OF_ROUND = 8;
/** A view tells each so many rows how far reading is. */
const READ_OF_VIEW = 32;
const READ_AT_ONCE = 2;
const ROUNDS_OF_GOING_ON = 5;

/**
 * A person's answers to a question about rows, and what they teach. Every answer is in the file before the next row is asked about, so whatever ends the process
 * loses none; the same command goes on. One process at a time writes the file.
 *
 * Until all rows are read, they are asked about in an order of chance, in which they are read, too; then as `drawRow` says. Were the strategy to choose
 * among the rows that happen to be read, no weight would be right for the others.
 */
export class LabelSession {
  readonly #parts: Parts;
  readonly #parsed: ParsedQuestion;
  readonly #lock: OutputLock;
  readonly #random: () => number;
  readonly #asked: Asked[];
  /** All rows, in an order of chance. */
  readonly #order: readonly number[];
  /** By row. */
  readonly #readings: (ReadRow | undefined)[];
  readonly #unusable = new Set<number>();
  readonly #ending = new AbortController();
  /** Any number of pages may wait. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #rounds: Round[] = [];
  #taught: Awaited<ReturnType<typeof readLesson>>["taught"] | undefined;
  #learned: Lesson["report"]["learned"] | undefined;
  #current: { readonly row: number; readonly weight: number } | undefined;
  /** Undefined until all rows are read. */
  #likeness: Likeness | undefined;
  #reason: string | undefined;
  /** Why there is no lesson of the last answers. */
  #lessonProblem: string | undefined;
  #error: unknown;
  #goesOnUntil = 0;
  #revision = 1;
  /** The change that was asked for last; each begins when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #reading: Promise<void>;

  private constructor(parts: Parts, lock: OutputLock, asked: Asked[]) {
    this.#parts = parts;
    this.#parsed = parseQuestion(parts.question);
    this.#lock = lock;
    this.#asked = asked;
    // A process that goes on does not draw the same numbers again.
    this.#random = randomFrom(parts.seed + asked.length);
    this.#order = shuffled([...parts.rows.keys()], this.#random);
    this.#readings = parts.rows.map(() => undefined);
    this.#reading = this.#readAll().catch((error: unknown) => {
      if (this.#isClosing) return;
      this.#error = error;
      this.#changed();
    });
  }

  /**
   * Opens a file of answers, or begins a new one. Reading the rows goes on while the first are asked about.
   * @throws {ToolError} if another process writes the file, if it is none of these rows and this question, or if a lesson would be overwritten that is not its own
   */
  static async open(parts: Parts): Promise<LabelSession> {
    const { out, lesson, rows, question } = parts;
    const lock = await OutputLock.take(out);
    try {
      await removeDrafts(out);
      const asked = await earlierAnswers(out, rows, question);
      await checkLesson(lesson, out, question, asked.length > 0);
      return new LabelSession(parts, lock, asked);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get view(): LabelView {
    const { question, rows, out, lesson, maxErrorRate, notes } = this.#parts;
    const options = optionsOf(question, this.#parsed);
    const answered = this.#answered();
    const count = (note: NoAnswer): number => this.#asked.filter((one) => one.note === note).length;
    const isFailed = this.#error !== undefined;
    const current = isFailed || this.#reason !== undefined ? undefined : this.#current;
    const last = this.#asked.at(-1);
    return {
      revision: this.#revision,
      question: { type: question.type, instructions: this.#parsed.instructions, options },
      // A level may have the number 0.
      keys: { ...KEYS, none: question.type === "score" ? "x" : "0" },
      state: isFailed ? "failed" : this.#reason !== undefined ? "done" : current ? "asking" : "reading",
      current: current && { row: current.row, place: this.#rowAt(current.row).place, text: this.#rowAt(current.row).text },
      last: last && { row: last.row },
      counts: {
        answered: answered.length,
        noneOfThese: count("none of these"),
        skipped: count("skipped"),
        rows: rows.length - this.#unusable.size,
        read: this.#readings.filter((reading) => reading !== undefined).length,
        leftOut: notes.leftOut,
      },
      byAnswer: Object.fromEntries(options.map(({ key }) => [key, answered.filter(({ answer }) => String(answer) === key).length])),
      maxErrorRate,
      rounds: [...this.#rounds],
      worth: worthOf(this.#rounds, answered.length, this.#left().length, maxErrorRate),
      reason: this.#reason,
      problem: isFailed ? messageOf(this.#error) : this.#lessonProblem,
      out,
      lesson,
      learned: this.#learned,
    };
  }

  /** Why it failed, if it did. Nothing more is asked then. */
  get error(): unknown {
    return this.#error;
  }

  /** @param listener is told that the view is another one @returns what ends it */
  onChange(listener: () => void): () => void {
    this.#changes.on("change", listener);
    return () => void this.#changes.off("change", listener);
  }

  /** Resolves once the view is another one, or the signal is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.#changes, "change", { signal }).catch(() => undefined);
  }

  /**
   * Takes an answer, and asks about another row.
   * @param row the one that is answered: it must be the one that is asked about, or it was answered elsewhere
   * @param answer the key of an option, or why there is none
   * @returns whether it was taken
   * @throws {ToolError} if the file cannot be written. The row is then asked about still.
   */
  answer(row: number, answer: { readonly key: string } | NoAnswer): Promise<boolean> {
    return this.#next(async () => {
      const current = this.#current;
      // While it is taught, the next row is shown. Its answer counts, although it may be that no more was needed.
      if (current?.row !== row || this.#error !== undefined) return false;
      const { question } = this.#parts;
      const [note, key] = typeof answer === "string" ? [answer, undefined] : [undefined, answer.key];
      // Of a score, a key is an index, but the reader takes texts that look like one for levels' texts.
      const isKey = this.#parsed.criteria.some((criterion) => criterion.key === key);
      const stated = isKey ? ANSWER_KINDS[question.type].reader(question)(question.type === "score" ? Number(key) : key) : undefined;
      if (note === undefined && stated === undefined) return false;
      const asked = { row, weight: current.weight, answer: stated, note };
      await this.#save([...this.#asked, asked]);
      this.#asked.push(asked);
      this.#current = undefined;
      this.#likeness?.answered(row);
      this.#choose();
      if (stated !== undefined && this.#answered().length % ANSWERS_OF_ROUND === 0) await this.#teach();
      return true;
    });
  }

  /**
   * Takes the last answer back, and asks about its row again.
   * @param row the one that was answered last, or it was taken back elsewhere
   * @returns whether it was taken back
   * @throws {ToolError} if the file cannot be written
   */
  undo(row: number): Promise<boolean> {
    return this.#next(async () => {
      const last = this.#asked.at(-1);
      if (last?.row !== row || this.#error !== undefined) return false;
      await this.#save(this.#asked.slice(0, -1));
      this.#asked.pop();
      // It is drawn no second time: as it was.
      this.#current = { row: last.row, weight: last.weight };
      this.#reason = undefined;
      const { length } = this.#answered();
      while ((this.#rounds.at(-1)?.answered ?? 0) > length) this.#rounds.pop();
      this.#changed();
      return true;
    });
  }

  /** Asks for more, although it has stopped. */
  goOn(): Promise<void> {
    return this.#next(() => {
      if (this.#reason === undefined) return;
      this.#goesOnUntil = this.#answered().length + ROUNDS_OF_GOING_ON * ANSWERS_OF_ROUND;
      this.#reason = undefined;
      this.#choose();
    });
  }

  /** Teaches with all answers so far, and stops asking. */
  finish(): Promise<void> {
    return this.#next(async () => {
      if (this.#error !== undefined) return;
      if (this.#rounds.at(-1)?.answered !== this.#answered().length || this.#lessonProblem !== undefined) await this.#teach();
      this.#reason ??= "You ended it.";
      this.#changed();
    });
  }

  /** Waits for what was begun, and lets others write the file. Nothing is taken any more. The decider stays open. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
    await this.#last;
    await this.#lock.release();
  }

  get #isClosing(): boolean {
    return this.#ending.signal.aborted;
  }

  #next<T>(task: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(() => {
      if (this.#isClosing) throw new ToolError("umpire label is ending. What was answered is safe: the same command goes on.");
      return task();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  #changed(): void {
    this.#revision++;
    this.#changes.emit("change");
  }

  #rowAt(row: number): PoolRow {
    return elementAt(this.#parts.rows, row, "row");
  }

  #answered(): Asked[] {
    return this.#asked.filter(({ answer }) => answer !== undefined);
  }

  /** The rows that may be asked about, in the order of chance. */
  #left(): number[] {
    const isAsked = new Set(this.#asked.map(({ row }) => row));
    return this.#order.filter((row) => !isAsked.has(row) && !this.#unusable.has(row));
  }

  async #save(asked: readonly Asked[]): Promise<void> {
    const { out, rows, question } = this.#parts;
    await this.#lock.check();
    await writeAnswers(out, rows, question, asked);
  }

  /** Reads all rows, those that are answered first. */
  async #readAll(): Promise<void> {
    const before = this.#asked.map(({ row }) => row);
    const others = this.#left();
    await this.#read(before);
    if (before.length > 0) await this.#next(() => this.#teach());
    await this.#read(others);
    await this.#next(() => {
      this.#likeness = new Likeness(this.#readings.map((one) => one?.features));
      for (const { row } of this.#asked) this.#likeness.answered(row);
      this.#choose();
    });
  }

  async #read(rows: readonly number[]): Promise<void> {
    const { decider, question, notes } = this.#parts;
    const { signal } = this.#ending;
    const order = [...rows];
    let wrong: unknown;
    const readNext = async (): Promise<void> => {
      for (let row = order.shift(); row !== undefined && !signal.aborted; row = order.shift()) {
        try {
          const reading = await decider.readExample(question, this.#rowAt(row).text, { signal });
          const features = featuresIn(reading);
          this.#readings[row] = { reading, features, probabilities: this.#probabilitiesOf(reading, features) };
        } catch (error) {
          if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
          wrong ??= error;
          this.#unusable.add(row);
          notes.leaveOut(this.#rowAt(row), error.message.replace(/\.$/u, ""));
        }
        // While an answer is being saved, its row is still the one that is asked about.
        if (this.#current === undefined) await this.#next(this.#choose.bind(this));
        else if (order.length % READ_OF_VIEW === 0) this.#changed();
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext));
    if (this.#unusable.size === this.#parts.rows.length) throw wrong;
  }

  #probabilitiesOf(reading: ExampleReading, features: Float32Array | undefined): Float64Array {
    const untaught = Float64Array.from(reading.probabilities);
    return this.#taught?.toProbabilities(this.#parsed, untaught, features) ?? untaught;
  }

  /** Asks about a row, unless one is asked about or it is to be waited for. */
  #choose(): void {
    const left = this.#left();
    // Where none can be read, that is told.
    if (left.length === 0 && this.#unusable.size === this.#parts.rows.length) return;
    const [first] = left;
    if (this.#current === undefined) {
      if (first === undefined) this.#reason ??= "All rows have been asked about.";
      else if (this.#likeness) this.#current = this.#drawn(left, this.#likeness);
      // The first of those that are left is any of them: each is it with the same probability.
      else if (this.#readings[first] && this.#parts.readsAllFirst !== true) this.#current = { row: first, weight: 1 };
    }
    this.#changed();
  }

  #drawn(left: readonly number[], likeness: Likeness): { readonly row: number; readonly weight: number } {
    const candidates = left.map((row) => {
      return { probabilities: this.#readings[row]?.probabilities ?? new Float64Array(), likeness: likeness.of(row) };
    });
    const errorOf = (probability: number): number => 1 - (this.#taught?.accuracyOf(probability) ?? probability);
    const { index, weight } = drawRow(candidates, errorOf, this.#parts.maxErrorRate, this.#random);
    return { row: elementAt(left, index, "row"), weight };
  }

  /** Teaches with all answers, sees what that is worth, and keeps the lesson. What fails is told: the answers are safe. */
  async #teach(): Promise<void> {
    const answered = this.#answered();
    const examples = answered.flatMap(({ row, answer, weight }) => {
      const read = this.#readings[row];
      return read === undefined ? [] : [{ reading: read.reading, answer, weight }];
    });
    // A lesson of some of the answers would overwrite that of all.
    const unread = answered.filter(({ row }) => this.#readings[row] === undefined && !this.#unusable.has(row));
    if (examples.length < ANSWERS_OF_ROUND && this.#learned)
      this.#lessonProblem = `The lesson is of answers of which some were taken back. It takes ${ANSWERS_OF_ROUND} to teach another.`;
    if (examples.length < ANSWERS_OF_ROUND || unread.length > 0) return;
    const { decider, question, maxErrorRate } = this.#parts;
    try {
      const lesson = await decider.teach(question, examples, { signal: this.#ending.signal });
      await this.#weigh(lesson, answered.length);
      await keepLesson(this.#parts.lesson, lesson);
      this.#learned = lesson.report.learned;
      this.#lessonProblem = undefined;
    } catch (error) {
      if (this.#isClosing) return;
      this.#lessonProblem = `There is no lesson of the last answers, which are safe. ${messageOf(error)}`;
    }
    if (answered.length > this.#goesOnUntil) this.#reason ??= hasSettled(this.#rounds, maxErrorRate);
    this.#changed();
  }

  async #weigh(lesson: Lesson, answered: number): Promise<void> {
    const taught = (await readLesson(lesson)).taught;
    this.#taught = taught;
    for (const read of this.#readings) if (read) read.probabilities = this.#probabilitiesOf(read.reading, read.features);
    const threshold = taught.thresholdFor(this.#parts.maxErrorRate);
    const rest = this.#left().flatMap((row) => this.#readings[row]?.probabilities ?? []);
    const acted = threshold === undefined ? [] : rest.filter((probabilities) => Math.max(...probabilities) >= threshold);
    while ((this.#rounds.at(-1)?.answered ?? 0) >= answered) this.#rounds.pop();
    this.#rounds.push({
      answered,
      share: rest.length === 0 ? 0 : acted.length / rest.length,
      accuracy: lesson.report.after.accuracy.value,
      learned: lesson.report.learned,
    });
  }
}
