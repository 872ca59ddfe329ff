import { answerRequest } from "../decide/decide.ts";
import type { Decider, DeciderInfo, DeciderOptions, DeciderStats, ModelSummary } from "./decider.ts";
import { readDecideOptions, withDefaults } from "./options.ts";
import type { Defaults } from "./options.ts";
import type { Engine } from "../engine/engine.ts";
import { EngineSlot } from "./engine-slot.ts";
import { DecideError, asDecideError } from "../errors.ts";
import type { CataloguedPack, Platform } from "../platform/platform.ts";
import { MODEL_ALIASES } from "./model-aliases.ts";
import { parseRequest } from "../decide/request.ts";
import { shapeOf } from "../validation/shape.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions } from "../decide/types.ts";

/** The decider of every platform. Its engines, one a model, are made when they are first needed. */
export class PlatformDecider implements Decider {
  readonly #platform: Platform;
  readonly #options: Defaults;
  readonly #slots = new Map<string, EngineSlot>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();
  #catalogued: Promise<readonly CataloguedPack[]> | undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, options: DeciderOptions) {
    this.#platform = platform;
    this.#options = withDefaults(options, platform);
    this.#options.signal?.addEventListener("abort", () => void this.close().catch(() => undefined), {
      once: true,
      signal: this.#closed.signal,
    });
  }

  async decide<const Q extends Questions>(request: DecideRequest<Q>, options: DecideOptions = {}): Promise<DecideResponse<Q>> {
    const { signal, maxInputTokens } = readDecideOptions(options);
    signal?.throwIfAborted();
    this.#refuseIfClosed();
    const parsed = parseRequest(request);
    const { maxPending } = this.#options;
    if (this.#running.size >= maxPending) {
      throw new DecideError("overloaded", `${maxPending} calls wait or run already. Wait for some of them, or raise maxPending.`);
    }
    const ended = anyOf(signal, this.#options.signal);
    const answer = (engine: Engine): Promise<DecideResponse> => answerRequest(parsed, engine, { signal: ended, maxInputTokens });
    const response = await this.#tracked(this.#withEngine(parsed.model, ended, answer));
    return response as DecideResponse<Q>;
  }

  async info(): Promise<DeciderInfo> {
    this.#refuseIfClosed();
    return this.#tracked(this.#withEngine(undefined, this.#options.signal, (engine) => Promise.resolve(engine.info)));
  }

  async models(): Promise<readonly ModelSummary[]> {
    this.#refuseIfClosed();
    const { model } = this.#options;
    const catalogue = await this.#catalogue();
    const own = this.#platform.placeOf(model) === undefined ? undefined : await this.info();
    const defaultId = own?.model ?? (MODEL_ALIASES.includes(String(model)) ? latestOf(catalogue)?.id : model);
    const facts = catalogue.map(({ id, description, releaseDate }) => ({ id, description, releaseDate }));
    const ownFacts = own && { id: own.model, description: own.description, releaseDate: own.releaseDate };
    return [...(ownFacts ? [ownFacts] : []), ...facts.filter(({ id }) => id !== ownFacts?.id)]
      .map((model) => ({ ...model, isDefault: model.id === defaultId }))
      .sort((a, b) => (a.releaseDate < b.releaseDate ? 1 : -1));
  }

  stats(): DeciderStats {
    const workersStarted = [...this.#slots.values()].reduce((sum, slot) => sum + slot.workersStarted, 0);
    return { pendingCalls: this.#running.size, workersStarted };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled(this.#running);
    await Promise.all([...this.#slots.values()].map((slot) => slot.close()));
  }

  #refuseIfClosed(): void {
    this.#options.signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "This decider is closed. Make a new one with createDecider().");
  }

  /** Counted until it settles: `close` waits for it. */
  async #tracked<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async #withEngine<T>(model: string | undefined, signal: AbortSignal | undefined, task: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      const slot = await this.#slotOf(model);
      return await slot.use(task, signal);
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw error;
      throw asDecideError(error);
    }
  }

  async #slotOf(model: string | undefined): Promise<EngineSlot> {
    const { device } = this.#options;
    if (device !== "auto" && !this.#platform.devices.includes(device)) {
      throw new DecideError(
        "backend_unavailable",
        `The device asked for is not there. There are: auto, ${this.#platform.devices.join(", ")}.`,
      );
    }
    const packUrl = await this.#packUrlOf(model);
    const slot = this.#slots.get(packUrl) ?? new EngineSlot(this.#platform, packUrl, this.#options);
    this.#slots.set(packUrl, slot);
    return slot;
  }

  /** @throws {DecideError} `model_not_found`, listing what there is. */
  async #packUrlOf(requested: string | undefined): Promise<string> {
    const model = requested === undefined || MODEL_ALIASES.includes(requested) ? this.#options.model : requested;
    // A place is taken from the options alone: a request, which may come from anywhere, names catalogue ids.
    const place = model === this.#options.model ? this.#platform.placeOf(model) : undefined;
    if (place !== undefined) return place;
    const catalogue = await this.#catalogue();
    const named = MODEL_ALIASES.includes(String(model)) ? latestOf(catalogue) : catalogue.find(({ id }) => id === model);
    if (named !== undefined) return named.url;
    const own = await this.#ownPlaceOf(requested);
    if (own !== undefined) return own;
    const there = [...catalogue.map(({ id }) => id), ...MODEL_ALIASES].join(", ");
    throw new DecideError("model_not_found", `There is no model of that name (${shapeOf(model)}). There are: ${there}.`);
  }

  /** The default pack, when it was given by its place and the request names it by its id. */
  async #ownPlaceOf(requested: string | undefined): Promise<string | undefined> {
    const place = this.#platform.placeOf(this.#options.model);
    if (place === undefined || requested === undefined) return undefined;
    const model = await this.#withEngine(undefined, this.#options.signal, (engine) => Promise.resolve(engine.info.model));
    return model === requested ? place : undefined;
  }

  /** Read once: what came with the package stays, and calls keep the order in which they were made. */
  #catalogue(): Promise<readonly CataloguedPack[]> {
    if (this.#catalogued !== undefined) return this.#catalogued;
    const catalogue = this.#platform.catalogue();
    this.#catalogued = catalogue;
    catalogue.catch(() => (this.#catalogued = undefined));
    return catalogue;
  }
}

export function latestOf(catalogue: readonly CataloguedPack[]): CataloguedPack | undefined {
  return catalogue
    .toSorted((a, b) => (a.releaseDate === b.releaseDate ? (a.id < b.id ? -1 : 1) : a.releaseDate < b.releaseDate ? -1 : 1))
    .at(-1);
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
