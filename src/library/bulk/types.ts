import type { CheckedQuestions, DecideOptions, DecideRequest, DecideResponse, Questions, State } from "../decide/types.ts";
import type { DecideError } from "../../errors.ts";

/** A web stream, as far as it is needed here: in some browsers it is no async iterable. */
export interface StreamOfRows<Row> {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Row | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** Where rows come from: an array, a generator, a Node stream, a web stream. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row> | StreamOfRows<Row>;

/** A row of its own: a request, and an id that its result gives back. */
export interface ManyRequest<Q extends Questions = Questions, S extends State = State> extends DecideRequest<Q, S> {
  /** Yours, to find the row again. The model never sees it. Default: none. */
  readonly id?: string | number | undefined;
}

export interface ManyOptions extends DecideOptions {
  /** Ends the iteration: it throws `signal.reason`. Rows that run are ended, too. */
  readonly signal?: AbortSignal | undefined;
  /** Rows in hand at one time, 1 to 1,000. Default: 2 for each worker, and 1 more: one runs, the next is ready when it ends. */
  readonly concurrency?: number | undefined;
  /** Whether results come in the order of the rows. Default: true. With false they come as they are ready. */
  readonly ordered?: boolean | undefined;
  /** The model that answers rows which name none: a catalogue id, or `latest`. Default: the decider's model. */
  readonly model?: string | undefined;
}

export interface ManyStatesOptions<Q extends Questions = Questions> extends ManyOptions {
  /** Asked about every row: then each row is a state. They are read once, at the start. */
  readonly questions: CheckedQuestions<Q>;
}

interface OfRow {
  /** The row's place among the rows, from 0. */
  readonly index: number;
  /** The row's own; absent if it has none. */
  readonly id?: string | number;
}

/** A row that was answered: what `decide` gives for it. */
export interface ManyAnswered<Q extends Questions = Questions> extends OfRow, DecideResponse<Q> {
  readonly error?: never;
}

/** A row that cannot be answered, whenever it is asked: it breaks a rule, is too long, or names a model that is not here. */
export interface ManyFailed extends OfRow {
  /** `invalid_request`, `input_too_long` or `model_not_found`. */
  readonly error: DecideError;
  readonly model?: never;
  readonly answers?: never;
  readonly usage?: never;
}

export type ManyResult<Q extends Questions = Questions> = ManyAnswered<Q> | ManyFailed;
