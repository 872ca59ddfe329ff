import { createDecider } from "umpire";
import type { DecideRequest, Decider, DeciderOptions, LazyDecider } from "umpire";
import { afterAll, beforeAll, describe } from "vitest";
import { BUILT_IN } from "./suite-models.ts";
import type { SuiteModel } from "./suite-models.ts";
import { aborts } from "./suite/aborts.ts";
import { answers } from "./suite/answers.ts";
import { closing } from "./suite/closing.ts";
import { info } from "./suite/info.ts";
import { loading } from "./suite/loading.ts";
import { models } from "./suite/models.ts";
import { places } from "./suite/places.ts";
import { readings } from "./suite/readings.ts";
import { refusals } from "./suite/refusals.ts";
import { stopping } from "./suite/stopping.ts";

/** What a part of the suite is about. */
export interface Suite {
  readonly model: SuiteModel;
  /** Options of all deciders. */
  readonly base: DeciderOptions;
  /** One that no test closes. */
  readonly decider: Decider;
  readonly make: (options?: DeciderOptions) => LazyDecider;
  /** A text of so many tokens. */
  readonly words: (tokens: number) => string;
  /** How many tokens a state has, as the model counts them. */
  readonly inputTokens: (state: DecideRequest["state"]) => Promise<number>;
}

const PARTS = { readings, answers, places, stopping, aborts, closing, info, loading, models, refusals };

type Part = keyof typeof PARTS;

const ALL = Object.keys(PARTS) as readonly Part[];

/** What a thread can change. */
export const OF_A_THREAD: readonly Part[] = ["readings", "stopping", "aborts", "closing", "info", "loading"];

/** All but how the models of the package are found by their names. */
export const OF_ANY_PACK: readonly Part[] = ALL.filter((part) => part !== "models");

/** What a family of models can change. */
export const OF_A_FAMILY: readonly Part[] = ["readings", "answers", "places", "stopping", "info"];

/** What every engine must do, of whatever family its model is, wherever it runs. */
export function engineSuite(name: string, base: DeciderOptions, model = BUILT_IN, parts: readonly Part[] = ALL): void {
  describe(`a decider ${name}`, () => {
    let pack: string;
    let decider: Decider;
    const make = (options: DeciderOptions = {}): LazyDecider =>
      createDecider({ ...base, ...(!model.isBuiltIn && { model: pack }), ...options });
    beforeAll(async () => {
      pack = await model.makePack();
      decider = await make();
    });
    afterAll(() => decider.close());

    const suite: Suite = {
      model,
      base,
      get decider() {
        return decider;
      },
      make,
      words: (tokens) => Array.from({ length: tokens }, () => model.word).join(" "),
      inputTokens: async (state) => {
        const { usage } = await decider.decide({ state, questions: { q: { type: "noul", criteria: { true: "" } } } });
        return usage.input_tokens;
      },
    };
    for (const part of parts) PARTS[part](suite);
  });
}
