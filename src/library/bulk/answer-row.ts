import { abortable } from "../async/signals.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions } from "../decide/types.ts";
import type { ParsedRequest } from "../decide/request.ts";
import { DecideError } from "../../errors.ts";
import { ownQuestions, type CheckedRow, type ManySettings } from "./rows.ts";
import type { ManyResult } from "./types.ts";

/** The part of a decider that answers rows. */
export interface RowDecider {
  decide(request: DecideRequest, options: DecideOptions): Promise<DecideResponse>;
  read(state: string, options: Pick<ManySettings, "model" | "signal">): Promise<RowReading>;
}

interface RowReading {
  decide(questions: Questions, options: DecideOptions): Promise<DecideResponse>;
  /** Finishes the calls made so far. */
  close(): Promise<void>;
}

const FULL_PAUSE_MS = 50;

/** A state that rows beside each other ask about: read once for all of them, and freed after the last. */
interface SharedReading {
  readonly request: ParsedRequest;
  readonly reading: Promise<RowReading>;
}

export interface RowAnswerer {
  /**
   * @param next the row after it, if it is there already
   * @throws what is not the row's own fault: another time its result would be another.
   */
  answer(row: CheckedRow, index: number, next: CheckedRow | undefined): Promise<ManyResult>;
  /** No further row is about the state that is read: there are no more rows, or the next one is about another. */
  end(): void;
}

/**
 * Answers rows, in their order. Rows beside each other that are about the same state have it read once; one that also asks the same as the row before it
 * shares that row's answers, which would be the same anyway.
 * @param signal ends what runs
 */
export function rowAnswerer(decider: RowDecider, settings: ManySettings, signal: AbortSignal): RowAnswerer {
  let last: { readonly request: ParsedRequest; readonly response: Promise<DecideResponse> } | undefined;
  let shared: SharedReading | undefined;
  return {
    async answer({ asked, ...row }, index, next) {
      if (DecideError.isInstance(asked)) return { index, ...row, error: asked };
      try {
        return { index, ...row, ...(await answersTo(asked, next?.asked)) };
      } catch (error) {
        if (!DecideError.isInstance(error) || !isOwnFault(error, asked)) throw error;
        return { index, ...row, error };
      }
    },
    end,
  };

  function end(): void {
    // Where there is no reading, its rows have been told.
    void shared?.reading.then((reading) => reading.close()).catch(() => undefined);
    shared = undefined;
  }

  async function answersTo(request: ParsedRequest, next: CheckedRow["asked"] | undefined): Promise<DecideResponse> {
    const reading = readingFor(request, next);
    if (last === undefined || !isSame(last.request, request)) last = { request, response: decide(request, reading) };
    // A copy for each: what its owner does to it is not seen in another.
    return structuredClone(await last.response);
  }

  /** Undefined for a row whose neighbours are about other states: it costs one message to the model, not three. */
  function readingFor(request: ParsedRequest, next: CheckedRow["asked"] | undefined): SharedReading | undefined {
    if (shared !== undefined && isSameState(shared.request, request)) return shared;
    end();
    const isFirst = next !== undefined && !DecideError.isInstance(next) && isSameState(request, next);
    const { state, model } = request;
    if (isFirst) shared = { request, reading: decider.read(state, { model, signal }) };
    return shared;
  }

  /** A call whose worker died is made once more. One that finds no place, since others have taken them all, waits. */
  async function decide(request: ParsedRequest, reading: SharedReading | undefined): Promise<DecideResponse> {
    const { maxInputTokens, maxErrorRate, countCached } = settings;
    const { model, state } = request;
    // As it was when it was checked, whatever its owner does to the object meanwhile.
    const copy = { model, state, questions: ownQuestions(request) };
    const options = { signal, maxInputTokens, maxErrorRate, countCached };
    // Where the reading fails, the row is asked about by itself, and fails with an error of its own.
    if (reading !== undefined) {
      const answered = await reading.reading.then((read) => read.decide(copy.questions, options)).catch(() => undefined);
      if (answered !== undefined) return answered;
    }
    for (let losses = 0; ;) {
      try {
        return await decider.decide(copy, options);
      } catch (error) {
        if (!DecideError.isInstance(error) || !error.retryable) throw error;
        if (error.code === "worker_lost" && ++losses > 1) throw error;
        if (error.code === "overloaded") await abortable(new Promise((resolve) => setTimeout(resolve, FULL_PAUSE_MS)), signal);
      }
    }
  }

  /** The row itself was checked before: whatever else is invalid is so for every row. */
  function isOwnFault({ code }: DecideError, { model }: ParsedRequest): boolean {
    return code === "input_too_long" || (code === "model_not_found" && model !== settings.model);
  }
}

function isSame(a: ParsedRequest, b: ParsedRequest): boolean {
  return isSameState(a, b) && JSON.stringify(a.questions) === JSON.stringify(b.questions);
}

function isSameState(a: ParsedRequest, b: ParsedRequest): boolean {
  return a.state === b.state && a.model === b.model;
}
