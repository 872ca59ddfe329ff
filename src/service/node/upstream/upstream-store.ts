import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DecideError } from "../../../errors.ts";
import type { Question } from "../../../library/decide/types.ts";
import type { ExampleReading, Lesson } from "../../../library/lessons/lesson.ts";
import { shareWithInterval, type Estimate } from "../../../library/statistics/metrics.ts";
import { nameOf, openDatabase, rollBack, sqliteError, transaction } from "../ledger/sqlite/sqlite-file.ts";
import type { FileKind, Row, SqliteDatabase, Statement } from "../ledger/sqlite/sqlite-file.ts";
import type { PlainAnswer } from "./replies.ts";
import { NO_EVIDENCE, standingOf, type Evidence } from "./switching.ts";

/** Bounds of one file. The oldest observations and the questions that were not asked for the longest time give way. */
export const STORE_LIMITS = { questions: 1000, observationsOfOne: 2000, observations: 200_000 };

const KIND: FileKind = {
  needs: "--upstream",
  name: "file of observations",
  contents: "the observations",
  version: 1,
  schema: `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    question TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('observing', 'switched')),
    facts TEXT NOT NULL,
    evidence TEXT NOT NULL,
    lesson TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE observations (
    id INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    reading TEXT NOT NULL,
    upstream TEXT NOT NULL,
    local TEXT NOT NULL
  ) STRICT;
  CREATE INDEX observations_by_question ON observations (question, id);
`,
};

/** Counts of one question, before anything is counted. Plain JSON. */
export const NO_FACTS = {
  askedMs: 0,
  /** Answers by the hosted API, by this decider, and by this decider because the hosted API failed. */
  upstream: 0,
  local: 0,
  fallback: 0,
  /** Observations so far, kept or not; and when it was last taught. */
  observed: 0,
  taughtAt: 0,
  /** The last answers while it was observed, each answered here by what was known before: "." agreed, "x" did not. */
  recent: "",
  /** Characters that the hosted API was sent and that it was not, and what it counted. */
  sentCharacters: 0,
  savedCharacters: 0,
  inputTokens: 0,
  outputTokens: 0,
  /** Since it was switched: calls that were tried here first, and those whose answer was sure enough. */
  tried: 0,
  sure: 0,
  /** How often it was switched back. */
  back: 0,
  /** The first observation of a re-check. */
  recheckFrom: 0,
};
export type Facts = Readonly<typeof NO_FACTS>;

export type QuestionStatus = "observing" | "switched";

export interface StoredQuestion {
  /** 16 hexadecimal digits of the SHA-256 of the model that the callers named, type, instructions and criteria. */
  readonly id: string;
  readonly model: string;
  readonly question: Question;
  readonly status: QuestionStatus;
  readonly facts: Facts;
  readonly evidence: Evidence;
  readonly lesson: Lesson | undefined;
}

/** An answer of the hosted API beside this decider's. It holds nothing of the text but what the model notices of it. */
export interface StoredObservation {
  readonly reading: ExampleReading;
  readonly upstream: PlainAnswer;
  readonly local: PlainAnswer;
}

export interface StoreSettings {
  readonly url: string;
  /** Seal of the model that read the observations. */
  readonly seal: string;
  readonly maxDisagreement: number;
}

const SQL = {
  setting: "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  add: "INSERT INTO questions (id, model, question, status, facts, evidence, lesson) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
  update: "UPDATE questions SET status = ?, facts = ?, evidence = ? WHERE id = ?",
  teach: "UPDATE questions SET lesson = ? WHERE id = ?",
  remove: "DELETE FROM questions WHERE id = ?",
  observe: "INSERT INTO observations (question, reading, upstream, local) VALUES (?, ?, ?, ?)",
  trim: "DELETE FROM observations WHERE question = ?1 AND id <= (SELECT id FROM observations WHERE question = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
  forget: "DELETE FROM observations WHERE question = ? AND id < ?",
  trimAll: "DELETE FROM observations WHERE id <= (SELECT id FROM observations ORDER BY id DESC LIMIT 1 OFFSET ?)",
} as const;

type Statements = { readonly [Name in keyof typeof SQL]: Statement };

/** So many observations may come in until all are counted. */
const TRIMMED_EVERY = 1000;

/** The changes that one transaction may make. */
export class Changes {
  readonly #statements: Statements;
  #untrimmed = TRIMMED_EVERY;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  settings(settings: StoreSettings): void {
    for (const [name, value] of Object.entries(settings)) this.#statements.setting.run([name, JSON.stringify(value)]);
  }

  /** Keeps a question that is new. */
  add({ id, model, question, status, facts, evidence, lesson }: StoredQuestion): void {
    const [asked, counted, known] = [JSON.stringify(question), JSON.stringify(facts), JSON.stringify(evidence)];
    this.#statements.add.run([id, model, asked, status, counted, known, lesson ? JSON.stringify(lesson) : null]);
  }

  /** All but its lesson. */
  update({ id, status, facts, evidence }: StoredQuestion): void {
    this.#statements.update.run([status, JSON.stringify(facts), JSON.stringify(evidence), id]);
  }

  teach(id: string, lesson: Lesson | undefined): void {
    this.#statements.teach.run([lesson ? JSON.stringify(lesson) : null, id]);
  }

  remove(id: string): void {
    this.#statements.remove.run([id]);
    this.forget(id, Number.MAX_SAFE_INTEGER);
  }

  /** @returns its number, greater than those before it */
  observe(question: string, { reading, upstream, local }: StoredObservation): number {
    const texts = [reading, upstream, local].map((value) => JSON.stringify(value));
    const { lastInsertRowid } = this.#statements.observe.run([question, ...texts]);
    this.#statements.trim.run([question, STORE_LIMITS.observationsOfOne]);
    if (--this.#untrimmed <= 0) {
      this.#statements.trimAll.run([STORE_LIMITS.observations]);
      this.#untrimmed = TRIMMED_EVERY;
    }
    return lastInsertRowid;
  }

  /** Drops observations before a number. */
  forget(question: string, before: number): void {
    this.#statements.forget.run([question, before]);
  }
}

/** Time to wait for another process that reads, or makes a copy. */
const BUSY_MS = 5000;

/** The observations of a service in one file, which one service writes and others may read. */
export class UpstreamStore {
  readonly #database: SqliteDatabase;
  readonly #changes: Changes;
  readonly #lock: SqliteDatabase | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(database: SqliteDatabase, changes: Changes, lock: SqliteDatabase | undefined) {
    this.#database = database;
    this.#changes = changes;
    this.#lock = lock;
  }

  /**
   * @param toWrite whether to make a file that is not there, and to keep other writers out
   * @throws {DecideError} `invalid_request` for no such file; `backend_unavailable`, also where another process writes.
   */
  static async open(path: string, { toWrite }: { readonly toWrite: boolean }): Promise<UpstreamStore> {
    if (!toWrite && !existsSync(path))
      throw new DecideError("invalid_request", 'There is no file of observations at that path: "umpire serve --upstream" makes it.');
    const lock = toWrite ? await locked(path) : undefined;
    let database: SqliteDatabase | undefined;
    try {
      const opened = (database = await openDatabase(resolve(path), BUSY_MS, KIND));
      // A process that is killed loses nothing, and no answer waits for it. A power cut may lose the last observations.
      await opened.exec("PRAGMA synchronous = NORMAL");
      const prepared = await Promise.all(Object.entries(SQL).map(async ([name, sql]) => [name, await opened.prepare(sql)] as const));
      return new UpstreamStore(opened, new Changes(Object.fromEntries(prepared) as unknown as Statements), lock);
    } catch (error) {
      database?.close();
      await unlock(lock);
      throw sqliteError(error, KIND);
    }
  }

  /** Undefined in a new file. */
  async settings(): Promise<StoreSettings | undefined> {
    const rows = await this.#rows("SELECT name, value FROM settings");
    return rows.length > 0 ? (Object.fromEntries(rows.map(({ name, value }) => [name, parsed(value)])) as StoreSettings) : undefined;
  }

  async questions(): Promise<StoredQuestion[]> {
    const rows = await this.#rows("SELECT * FROM questions");
    return rows.map(({ id, model, question, status, facts, evidence, lesson }) => ({
      id: String(id),
      model: String(model),
      question: parsed(question) as Question,
      status: status as QuestionStatus,
      facts: { ...NO_FACTS, ...(parsed(facts) as Facts) },
      evidence: { ...NO_EVIDENCE, ...(parsed(evidence) as Evidence) },
      lesson: lesson === null ? undefined : (parsed(lesson) as Lesson),
    }));
  }

  /** Those of a question, oldest first. */
  async observations(question: string): Promise<StoredObservation[]> {
    const rows = await this.#rows("SELECT reading, upstream, local FROM observations WHERE question = ? ORDER BY id", question);
    return rows.map(({ reading, upstream, local }) => ({
      reading: parsed(reading) as ExampleReading,
      upstream: parsed(upstream) as PlainAnswer,
      local: parsed(local) as PlainAnswer,
    }));
  }

  async #rows(sql: string, ...values: readonly string[]): Promise<Row[]> {
    return (await this.#database.prepare(sql)).all(values);
  }

  /**
   * Runs one transaction, after those before it: all of it is on the disk once this resolves, or nothing.
   * @throws {DecideError} `backend_unavailable` if the file cannot be written.
   */
  write(work: (changes: Changes) => void): Promise<void> {
    const writing = this.#writing
      .then(() =>
        transaction(this.#database, () => {
          work(this.#changes);
        }),
      )
      .catch((error: unknown) => {
        throw sqliteError(error, KIND);
      });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  async close(): Promise<void> {
    await this.#writing;
    // Afterwards the file alone is all there is, and can be copied.
    await this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
    this.#database.close();
    await unlock(this.#lock);
  }
}

function parsed(column: Row[string] | undefined): unknown {
  return JSON.parse(String(column));
}

/**
 * Keeps other servers out for as long as it is open: two would each count for themselves, and judge by half of what there is. The system ends the lock of a process that
 * dies, whatever its number was, so it is SQLite's and not a file of ours.
 */
async function locked(path: string): Promise<SqliteDatabase> {
  let lock: SqliteDatabase | undefined;
  try {
    lock = await openDatabase(`${path}-lock`, 0, { ...KIND, schema: "CREATE TABLE locks (id INTEGER PRIMARY KEY) STRICT" });
    await lock.exec("BEGIN IMMEDIATE");
    return lock;
  } catch (error) {
    lock?.close();
    if (nameOf(error) !== "BUSY") throw sqliteError(error, KIND);
    const message = "Another server writes to this file of observations. Give this one another file in --upstream-store.";
    throw new DecideError("backend_unavailable", message);
  }
}

/** To close it is not enough: libsql does that once nobody holds its statements any more. */
async function unlock(lock: SqliteDatabase | undefined): Promise<void> {
  if (lock === undefined) return;
  await rollBack(lock);
  lock.close();
}

export interface Agreement {
  readonly id: string;
  readonly model: string;
  readonly question: Question;
  readonly status: QuestionStatus | "rechecking";
  /** How often it was switched back. */
  readonly back: number;
  readonly calls: number;
  /** Answers of this decider that the callers got; and those of them where the hosted API had failed. */
  readonly answeredHere: number;
  readonly fallback: number;
  /**
   * The share of answers that both gave, with the interval of 90%; null while there is none. Of a question that is observed: of its last 200, each answered here by
   * what was learned before. Of one that is switched: of the last 100 that would have been answered here and were asked upstream, too.
   */
  readonly agreement: Estimate | null;
  /** How many answers that is of. */
  readonly compared: number;
  /** The share of calls that could be answered here (of a switched question, that can: from its calls), and the bound of disagreement among them at 90% confidence; null if no threshold keeps the rate. */
  readonly share: number;
  readonly bound: number | null;
  /** Estimates: characters that were not sent, at the hosted API's tokens for each that was. */
  readonly savedInputTokens: number;
  readonly savedOutputTokens: number;
}

/** The content of `/agreement`: how far questions are answered here as the hosted API behind the service answers them. */
export interface Agreements {
  readonly maxDisagreement: number;
  readonly questions: readonly Agreement[];
}

/** Fewer calls say less of the share than held-out answers do. */
const LEAST_TRIED = 50;

/** The table of a store, those with the most calls first. @param maxDisagreement the rate that is asked about */
export function agreementsOf(questions: readonly StoredQuestion[], maxDisagreement: number): Agreement[] {
  const total = (name: "inputTokens" | "outputTokens" | "sentCharacters" | "upstream"): number =>
    questions.reduce((sum, { facts }) => sum + facts[name], 0);
  const perCharacter = total("inputTokens") / Math.max(1, total("sentCharacters"));
  const perAnswer = total("outputTokens") / Math.max(1, total("upstream"));
  return questions
    .map(({ id, model, question, status, facts, evidence, lesson }): Agreement => {
      const { upstream, local, fallback, savedCharacters, back } = facts;
      const marks = status === "switched" ? evidence.checks : facts.recent;
      const [compared, agreed] = [marks.length, marks.replaceAll("x", "").length];
      const { threshold, share, bound } = standingOf(lesson?.risk ?? [], maxDisagreement);
      const isMeasured = status === "switched" && facts.tried >= LEAST_TRIED;
      return {
        id,
        model,
        question,
        status: evidence.recheck === undefined ? status : "rechecking",
        back,
        calls: upstream + local + fallback,
        answeredHere: local + fallback,
        fallback,
        agreement: compared > 0 ? shareWithInterval(agreed, compared) : null,
        compared,
        share: threshold === undefined ? 0 : isMeasured ? facts.sure / facts.tried : share,
        bound: bound ?? null,
        savedInputTokens: Math.round(savedCharacters * perCharacter),
        savedOutputTokens: Math.round(local * perAnswer),
      };
    })
    .toSorted((a, b) => b.calls - a.calls || (a.id < b.id ? -1 : 1));
}
