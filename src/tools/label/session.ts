import type { Question } from "../../library/decide/types.ts";
import { thresholdFor } from "../../library/decide/decide.ts";
import { parseQuestion } from "../../library/decide/request.ts";
import type { ParsedQuestion } from "../../library/decide/request.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { ExampleReading, Lesson } from "../../library/lessons/lesson.ts";
import { fromBase64 } from "../../library/lessons/lesson-format.ts";
import { readLesson } from "../../library/lessons/read-lesson.ts";
import { randomFrom, shuffled } from "../../library/statistics/random.ts";
import { elementAt } from "../../library/validation/expect.ts";
import { DecideError } from "../../errors.ts";
import { ANSWER_KINDS } from "../rows/answers.ts";
import type { StatedAnswer } from "../rows/answers.ts";
import type { RowNotes } from "../rows/row-notes.ts";
import { OutputLock } from "../run/output-lock.ts";
import { keepLesson } from "../teach/teach.ts";
import { drawn, drawProbabilities, hasSettled, Likeness, weightsOf } from "./choose.ts";
import type { Draw, Round } from "./choose.ts";
import { earlierAnswers, writeAnswers } from "./files.ts";
import type { Asked, NoAnswer, PoolRow } from "./files.ts";

/** What a person sees. Plain JSON. */
export interface LabelView {
  /** Grows with each change. */
  readonly revision: number;
  readonly question: {
    readonly type: Question["type"];
    readonly instructions: string;
    readonly options: readonly { readonly key: string; readonly name: string; readonly description?: string }[];
  };
  /** `reading`: no row has been chosen yet. `done`: nothing more is asked, unless somebody goes on. `failed`: see `problem`. */
  readonly state: "reading" | "asking" | "done" | "failed";
  /** The row that is asked about. */
  readonly current?: { readonly row: number; readonly place: string; readonly text: string };
  /** Rows by what became of them. */
  readonly counts: {
    readonly answered: number;
    readonly noneOfThese: number;
    readonly skipped: number;
    /** Those that may be asked about, and how many of them the model has read. */
    readonly rows: number;
    readonly read: number;
    readonly leftOut: number;
  };
  /** By key of the options. */
  readonly byAnswer: { readonly [key: string]: number };
  readonly maxErrorRate: number;
  /** After each time of teaching. */
  readonly rounds: readonly Round[];
  /** Why nothing more is asked, in a sentence. */
  readonly reason?: string;
  readonly problem?: string;
  readonly canUndo: boolean;
  /** The files that are written. */
  readonly out: string;
  readonly lesson: string;
}

interface Parts {
  readonly decider: Decider;
  readonly question: Question;
  readonly rows: readonly PoolRow[];
  /** The file of answers, and the lesson's. */
  readonly out: string;
  readonly lesson: string;
  readonly maxErrorRate: number;
  readonly seed: number;
  readonly notes: RowNotes;
}

/** It is taught again after so many answers. */
const ANSWERS_OF_ROUND = 8;
/** The first row is chosen among so many, or all. */
const FIRST_READ = 32;
const READ_AT_ONCE = 2;

/**
 * A person's answers to a question about rows, and what they teach. Every answer is in the file before the next row is asked about, so whatever ends the process
 * loses none; the same command goes on. One process at a time writes the file.
 */
export class LabelSession {
  readonly #parts: Parts;
  readonly #parsed: ParsedQuestion;
  readonly #lock: OutputLock;
  readonly #random: () => number;
  readonly #asked: Asked[];
  readonly #readings: (ExampleReading | undefined)[];
  /** float64 [criteria] by row, by the lesson so far. */
  readonly #probabilities: (Float64Array | undefined)[] = [];
  readonly #unusable = new Set<number>();
  readonly #likeness = new Likeness();
  readonly #ending = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #rounds: Round[] = [];
  #taught: Awaited<ReturnType<typeof readLesson>>["taught"] | undefined;
  #current: { readonly row: number; readonly draw: Draw } | undefined;
  #reason: string | undefined;
  #problem: string | undefined;
  #goesOnUntil = 0;
  #hasBegun = false;
  #revision = 1;
  /** What was asked for last; each begins when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();

  private constructor(parts: Parts, lock: OutputLock, asked: Asked[]) {
    this.#parts = parts;
    this.#parsed = parseQuestion(parts.question);
    this.#lock = lock;
    this.#asked = asked;
    // Another process continues otherwise, or it would draw the same numbers again.
    this.#random = randomFrom(parts.seed + asked.length);
    this.#readings = parts.rows.map(() => undefined);
    this.#reading = this.#readAll().catch((error: unknown) => {
      if (!this.#ending.signal.aborted) this.#fail(error);
    });
  }

  /**
   * Opens a file of answers, or begins a new one. Reading the rows goes on while the first are asked about.
   * @throws {ToolError} if another process writes the file, or it is none of these rows and this question
   */
  static async open(parts: Parts): Promise<LabelSession> {
    const lock = await OutputLock.take(parts.out);
    try {
      return new LabelSession(parts, lock, await earlierAnswers(parts.out, parts.rows, parts.question));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get view(): LabelView {
    const { question, rows, out, lesson, maxErrorRate, notes } = this.#parts;
    const count = (note: NoAnswer): number => this.#asked.filter((one) => one.note === note).length;
    const current = this.#current && {
      row: this.#current.row,
      place: this.#rowAt(this.#current.row).place,
      text: this.#rowAt(this.#current.row).text,
    };
    const names = ANSWER_KINDS[question.type].options(question);
    const answered = this.#asked.filter(({ answer }) => answer !== undefined);
    return {
      revision: this.#revision,
      question: {
        type: question.type,
        instructions: this.#parsed.instructions,
        options: names.map(([key, name]) => {
          const description = question.type === "choice" ? this.#parsed.criteria.find((one) => one.key === key)?.description : undefined;
          return { key, name, ...(typeof description === "string" && { description }) };
        }),
      },
      state: this.#problem !== undefined ? "failed" : this.#reason !== undefined ? "done" : current ? "asking" : "reading",
      ...(this.#problem === undefined && this.#reason === undefined && current && { current }),
      counts: {
        answered: answered.length,
        noneOfThese: count("none of these"),
        skipped: count("skipped"),
        rows: rows.length,
        read: this.#readings.filter((reading) => reading !== undefined).length,
        leftOut: notes.leftOut,
      },
      byAnswer: Object.fromEntries(names.map(([key]) => [key, answered.filter(({ answer }) => String(answer) === key).length])),
      maxErrorRate,
      rounds: [...this.#rounds],
      ...(this.#reason !== undefined && { reason: this.#reason }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
      canUndo: this.#asked.length > 0,
      out,
      lesson,
    };
  }

  /** @param listener is told that the view is another one @returns what ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
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
      if (current?.row !== row || this.#problem !== undefined) return false;
      const note = typeof answer === "string" ? answer : undefined;
      const stated = typeof answer === "string" ? undefined : this.#stated(answer.key);
      if (note === undefined && stated === undefined) return false;
      const asked = { row, draw: current.draw, answer: stated, note };
      await this.#save([...this.#asked, asked]);
      this.#asked.push(asked);
      this.#likeness.answered(row);
      this.#choose();
      const { answered } = this.view.counts;
      if (stated !== undefined && answered % ANSWERS_OF_ROUND === 0) await this.#teach();
      return true;
    });
  }

  /** Takes the last answer back, and asks about its row again. @returns whether there was one. @throws {ToolError} if the file cannot be written. */
  undo(): Promise<boolean> {
    return this.#next(async () => {
      const last = this.#asked.at(-1);
      if (last === undefined || this.#problem !== undefined) return false;
      await this.#save(this.#asked.slice(0, -1));
      this.#asked.pop();
      // It is drawn no second time: as it was.
      this.#current = { row: last.row, draw: last.draw };
      this.#reason = undefined;
      this.#changed();
      return true;
    });
  }

  /** Asks for more, although it would stop. */
  goOn(): Promise<void> {
    return this.#next(() => {
      this.#goesOnUntil = this.view.counts.answered + 5 * ANSWERS_OF_ROUND;
      this.#reason = undefined;
      this.#choose();
      return Promise.resolve();
    });
  }

  /** Teaches with all answers so far, and stops asking. */
  finish(): Promise<void> {
    return this.#next(async () => {
      if (this.#rounds.at(-1)?.answered !== this.view.counts.answered) await this.#teach();
      this.#reason ??= "You ended it.";
      this.#changed();
    });
  }

  /** Waits for what was begun, and lets others write the file. The decider stays open. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
    await this.#last;
    await this.#lock.release();
  }

  #next<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #changed(): void {
    this.#revision++;
    for (const listener of this.#listeners) listener();
  }

  #fail(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : "It failed.";
    this.#changed();
  }

  #rowAt(row: number): PoolRow {
    return elementAt(this.#parts.rows, row, "row");
  }

  #stated(key: string): StatedAnswer | undefined {
    const { question } = this.#parts;
    return ANSWER_KINDS[question.type].reader(question)(question.type === "score" ? Number(key) : key);
  }

  async #save(asked: readonly Asked[]): Promise<void> {
    await this.#lock.check();
    await writeAnswers(this.#parts.out, this.#parts.rows, asked);
  }

  /** Reads all rows, those that are answered first and the others in an order of chance. */
  async #readAll(): Promise<void> {
    const { decider, question, rows, seed, notes } = this.#parts;
    const isAsked = new Set(this.#asked.map(({ row }) => row));
    const order = [...isAsked, ...shuffled([...rows.keys()], randomFrom(seed)).filter((row) => !isAsked.has(row))];
    const { signal } = this.#ending;
    const readNext = async (): Promise<void> => {
      for (let row = order.shift(); row !== undefined && !signal.aborted; row = order.shift()) {
        try {
          this.#keepReading(row, await decider.readExample(question, this.#rowAt(row).text, { signal }));
        } catch (error) {
          if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
          this.#unusable.add(row);
          notes.leaveOut(this.#rowAt(row), error.message.replace(/\.$/u, ""));
        }
        await this.#afterReading(isAsked.size, order.length);
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext));
  }

  #keepReading(row: number, reading: ExampleReading): void {
    this.#readings[row] = reading;
    this.#probabilities[row] = this.#probabilitiesOf(reading);
    // Those before the first question are told at once.
    if (this.#hasBegun) this.#likeness.add(row, featuresOf(reading));
  }

  /** All rows that were read by now are told, less their mean, and so are the answers. */
  #beginLikeness(): void {
    const features = new Map([...this.#readings.entries()].flatMap(([row, reading]) => (reading ? [[row, featuresOf(reading)]] : [])));
    this.#likeness.center([...features.values()].filter((x) => x !== undefined));
    for (const [row, x] of features) this.#likeness.add(row, x);
    for (const { row } of this.#asked) this.#likeness.answered(row);
    this.#hasBegun = true;
  }

  /** Begins to ask as soon as there is something to choose from, after having been taught what was answered before. */
  async #afterReading(asked: number, left: number): Promise<void> {
    const read = this.#readings.filter((reading) => reading !== undefined).length;
    if (this.#current === undefined && this.#reason === undefined && (left === 0 || read >= Math.max(FIRST_READ, asked + FIRST_READ)))
      await this.#next(async () => {
        if (this.#current !== undefined || this.#reason !== undefined) return;
        this.#beginLikeness();
        if (asked > 0 && this.#rounds.length === 0) await this.#teach();
        this.#choose();
      });
    else if (read % FIRST_READ === 0 || left === 0) this.#changed();
  }

  #probabilitiesOf(reading: ExampleReading): Float64Array {
    const untaught = Float64Array.from(reading.probabilities);
    return this.#taught?.toProbabilities(this.#parsed, untaught, featuresOf(reading)) ?? untaught;
  }

  /** The rows that may be drawn. */
  #left(): number[] {
    const isAsked = new Set(this.#asked.map(({ row }) => row));
    return [...this.#parts.rows.keys()].filter((row) => !isAsked.has(row) && this.#readings[row] !== undefined);
  }

  #choose(): void {
    const left = this.#left();
    this.#current = undefined;
    if (left.length > 0) {
      const candidates = left.map((row) => ({
        probabilities: this.#probabilities[row] ?? new Float64Array(),
        likeness: this.#likeness.of(row),
      }));
      const errorOf = (probability: number): number => 1 - (this.#taught?.accuracyOf(probability) ?? probability);
      const chances = drawProbabilities(candidates, errorOf, this.#parts.maxErrorRate);
      const chosen = drawn(chances, this.#random());
      this.#current = { row: elementAt(left, chosen, "row"), draw: { probability: chances[chosen] ?? 0, from: left.length } };
    } else if (this.#asked.length + this.#unusable.size === this.#parts.rows.length) this.#reason ??= "All rows have been asked about.";
    this.#changed();
  }

  /** Teaches with all answers, and sees what that is worth. */
  async #teach(): Promise<void> {
    const answered = this.#asked.filter(({ answer }) => answer !== undefined);
    const weights = weightsOf(answered.map(({ draw }) => draw));
    const examples = answered.flatMap(({ row, answer }, i) => {
      const reading = this.#readings[row];
      return reading === undefined ? [] : [{ reading, answer, weight: weights[i] }];
    });
    if (examples.length < ANSWERS_OF_ROUND) return;
    const { decider, question, maxErrorRate } = this.#parts;
    const lesson: Lesson = await decider.teach(question, examples);
    this.#taught = (await readLesson(lesson)).taught;
    for (const [row, reading] of this.#readings.entries()) if (reading) this.#probabilities[row] = this.#probabilitiesOf(reading);
    const threshold = thresholdFor(this.#taught.risk, maxErrorRate);
    const rest = this.#left();
    const acted = threshold === undefined ? [] : rest.filter((row) => Math.max(...(this.#probabilities[row] ?? [])) >= threshold);
    const { accuracy } = lesson.report.after;
    this.#rounds.push({
      answered: answered.length,
      share: rest.length === 0 ? 0 : acted.length / rest.length,
      accuracy: accuracy.value,
      learned: lesson.report.learned,
    });
    await keepLesson(this.#parts.lesson, lesson);
    if (answered.length > this.#goesOnUntil) this.#reason ??= hasSettled(this.#rounds, maxErrorRate);
    this.#changed();
  }
}

function featuresOf({ features }: ExampleReading): Float32Array | undefined {
  if (features === undefined) return undefined;
  const padding = features.endsWith("==") ? 2 : features.endsWith("=") ? 1 : 0;
  return fromBase64(features, ((features.length / 4) * 3 - padding) / 4);
}
