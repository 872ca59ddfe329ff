import { abortable } from "../async/abortable.ts";
import type { DecideOptions, DecideRequest, DecideResponse } from "../decide/types.ts";
import type { CheckedRequest } from "../decide/request.ts";
import { DecideError } from "../errors.ts";
import type { ManySettings } from "./options.ts";
import type { CheckedRow } from "./row.ts";
import type { ManyResult } from "./types.ts";

/** What is used of a decider. */
export interface RowDecider {
  decide(request: DecideRequest, options: DecideOptions): Promise<DecideResponse>;
}

/** How long to wait when other calls have taken all the places there are. */
const FULL_PAUSE_MS = 50;

/** What was asked last, and its answers. */
interface Asked {
  readonly request: CheckedRequest;
  readonly response: Promise<DecideResponse>;
}

/** Answers rows, in their order. A row that asks the same about the same state as the one before it shares its answers: they would be the same anyway. */
export class AnswerRow {
  readonly #decider: RowDecider;
  readonly #settings: ManySettings;
  readonly #signal: AbortSignal;
  #last: Asked | undefined;

  /** @param signal ends what runs */
  constructor(decider: RowDecider, settings: ManySettings, signal: AbortSignal) {
    this.#decider = decider;
    this.#settings = settings;
    this.#signal = signal;
  }

  /** @throws what is not the row's own fault: another time its result would be another. */
  async answer({ asked, ...row }: CheckedRow, index: number): Promise<ManyResult> {
    if (DecideError.isInstance(asked)) return { index, ...row, error: asked };
    try {
      return { index, ...row, ...(await this.#answersTo(asked)) };
    } catch (error) {
      if (!DecideError.isInstance(error) || !this.#isOwnFault(error, asked)) throw error;
      return { index, ...row, error };
    }
  }

  async #answersTo(request: CheckedRequest): Promise<DecideResponse> {
    const last = this.#last;
    if (last !== undefined && isSame(last.request, request)) return structuredClone(await last.response);
    const response = this.#decide(request);
    this.#last = { request, response };
    return response;
  }

  /** A call whose worker died is made once more. One that finds no place, since others have taken them all, waits. */
  async #decide(request: CheckedRequest): Promise<DecideResponse> {
    const { maxInputTokens, maxErrorRate } = this.#settings;
    for (let losses = 0; ;) {
      try {
        return await this.#decider.decide(request, { signal: this.#signal, maxInputTokens, maxErrorRate });
      } catch (error) {
        if (!DecideError.isInstance(error) || !error.retryable) throw error;
        if (error.code === "worker_lost" && ++losses > 1) throw error;
        if (error.code === "overloaded") await pause(FULL_PAUSE_MS, this.#signal);
      }
    }
  }

  /** The row itself was checked before: whatever else is invalid is so for every row. */
  #isOwnFault({ code }: DecideError, { model }: CheckedRequest): boolean {
    return code === "input_too_long" || (code === "model_not_found" && model !== this.#settings.model);
  }
}

function isSame({ parsed: a }: CheckedRequest, { parsed: b }: CheckedRequest): boolean {
  return a.state === b.state && a.model === b.model && JSON.stringify(a.questions) === JSON.stringify(b.questions);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await abortable(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}
