import type { Decider, DeciderInfo, DeciderOptions, DeciderStats, LazyDecider, ModelSummary, Reading, ReadOptions } from "./decider.ts";
import { PlatformDecider } from "./platform-decider.ts";
import type { Platform } from "../platform/platform.ts";
import type { ManyOptions, ManyRequest, ManyResult, ManyStatesOptions, Rows } from "../bulk/types.ts";
import type { CheckOptions, QuestionCheck } from "../check/check.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Question, Questions, State, JsonOf } from "../decide/types.ts";
import type { Explanation, ExplainOptions } from "../explain/explain.ts";
import type { Example, Lesson, LessonSummary, SavedLesson, TeachOptions } from "../lessons/lesson.ts";

/** A decider on a platform. Awaiting it loads the model: then a model that cannot be loaded fails there, not at the first call. */
export function createDeciderOn(platform: Platform, options: DeciderOptions = {}): LazyDecider {
  return new Lazy(new PlatformDecider(platform, options));
}

class Lazy implements LazyDecider {
  readonly #decider: PlatformDecider;

  constructor(decider: PlatformDecider) {
    this.#decider = decider;
  }

  decide<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    options?: DecideOptions,
  ): Promise<DecideResponse<Q>> {
    return this.#decider.decide(request, options);
  }

  decideMany<const Q extends Questions>(rows: Rows<State>, options: ManyStatesOptions<Q>): AsyncIterable<ManyResult<Q>>;
  decideMany<const Q extends Questions, S extends State = State>(
    rows: Rows<ManyRequest<Q, S>>,
    options?: ManyOptions,
  ): AsyncIterable<ManyResult<Q>>;
  decideMany(rows: Rows<never>, options?: ManyOptions): AsyncIterable<ManyResult<never>> {
    return this.#decider.decideMany(rows, options);
  }

  read<S extends State = State>(state: S & JsonOf<S>, options?: ReadOptions): Promise<Reading> {
    return this.#decider.read<S>(state, options);
  }

  teach<const Q extends Question>(
    question: Q,
    examples: Iterable<Example<Q>> | AsyncIterable<Example<Q>>,
    options?: TeachOptions,
  ): Promise<Lesson> {
    return this.#decider.teach(question, examples, options);
  }

  learn(lesson: SavedLesson): Promise<void> {
    return this.#decider.learn(lesson);
  }

  forget(id: string): boolean {
    return this.#decider.forget(id);
  }

  lessons(): readonly LessonSummary[] {
    return this.#decider.lessons();
  }

  explain<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    questionId: keyof Q & string,
    options?: ExplainOptions,
  ): Promise<Explanation> {
    return this.#decider.explain(request, questionId, options);
  }

  check(question: Question, options?: CheckOptions): Promise<QuestionCheck> {
    return this.#decider.check(question, options);
  }

  load(): Promise<void> {
    return this.#decider.load();
  }

  info(): Promise<DeciderInfo> {
    return this.#decider.info();
  }

  models(): Promise<readonly ModelSummary[]> {
    return this.#decider.models();
  }

  stats(): DeciderStats {
    return this.#decider.stats();
  }

  pause(): Promise<() => void> {
    return this.#decider.pause();
  }

  close(): Promise<void> {
    return this.#decider.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  then<A = Decider, B = never>(
    loaded?: ((decider: Decider) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const decider: Decider = this.#decider;
    return decider
      .load()
      .then(() => decider)
      .then(loaded, failed);
  }
}
