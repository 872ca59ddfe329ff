import { withAnySignal } from "../async/any-signal.ts";
import { whenAborted } from "../async/when-aborted.ts";
import { decide } from "../decide/decide.ts";
import type { Scorer } from "../decide/decide.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions, State } from "../decide/types.ts";
import type { EngineInfo } from "../engine/engine.ts";
import { DecideError, asDecideError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { Calls } from "./calls.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decider, DeciderInfo, DeciderOptions, DeciderStats, ModelSummary } from "./decider.ts";
import { EngineSlot } from "./engine-slot.ts";
import { devicesOf, readDecideOptions, readDeciderOptions } from "./options.ts";
import type { DeciderSettings } from "./options.ts";

/** The decider of every platform. Its engines, one for each model, are made when they are first needed. */
export class PlatformDecider implements Decider {
  readonly #platform: Platform;
  readonly #settings: DeciderSettings;
  readonly #catalogue: Catalogue;
  readonly #calls: Calls;
  /** By the URL of the pack. */
  readonly #slots = new Map<string, EngineSlot>();
  #pauses = 0;
  #stopListening = (): void => undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, options: DeciderOptions) {
    this.#platform = platform;
    this.#settings = readDeciderOptions(options, platform);
    this.#catalogue = new Catalogue(platform, this.#settings.model, () => this.#calls.track(this.#ownInfo()));
    this.#calls = new Calls(this.#settings.maxPending);
    const { signal } = this.#settings;
    if (signal !== undefined) this.#stopListening = whenAborted(signal, () => void this.close().catch(() => undefined));
  }

  async decide<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    options: DecideOptions = {},
  ): Promise<DecideResponse<Q>> {
    const { signal, maxInputTokens } = readDecideOptions(options, request);
    signal?.throwIfAborted();
    this.#refuseIfClosed();
    const depth = this.#pauses;
    const answered = withAnySignal([signal, this.#settings.signal], (ended) =>
      withKnownErrors(
        decide(request, (model) => this.#admitted(model, depth), { signal: ended, maxInputTokens }),
        ended,
      ),
    );
    return (await this.#calls.track(answered)) as DecideResponse<Q>;
  }

  async info(): Promise<DeciderInfo> {
    this.#refuseIfClosed();
    return this.#calls.track(withKnownErrors(this.#ownInfo(), this.#settings.signal));
  }

  async models(): Promise<readonly ModelSummary[]> {
    this.#refuseIfClosed();
    return withKnownErrors(this.#catalogue.models(), this.#settings.signal);
  }

  stats(): DeciderStats {
    const workersStarted = [...this.#slots.values()].reduce((sum, slot) => sum + slot.workersStarted, 0);
    return { pendingCalls: this.#calls.pending, workersStarted };
  }

  async pause(): Promise<() => void> {
    const depth = ++this.#pauses;
    const ends = await Promise.all([...this.#slots.values()].map((slot) => slot.pause(depth)));
    return () => {
      this.#pauses--;
      for (const end of ends) end?.();
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#stopListening();
    await this.#calls.settled();
    await Promise.all([...this.#slots.values()].map((slot) => slot.close()));
  }

  #refuseIfClosed(): void {
    this.#settings.signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "This decider is closed. Make a new one with createDecider().");
  }

  /** The slot for a request that has been checked: an invalid one is refused for what is wrong with it, however many calls wait. */
  async #admitted(model: string | undefined, depth: number): Promise<Scorer> {
    this.#calls.refuseIfFull();
    const slot = await this.#slotOf(model);
    return { score: (batch, signal) => slot.score({ ...batch, depth }, signal) };
  }

  async #ownInfo(): Promise<EngineInfo> {
    const slot = await this.#slotOf(undefined);
    return slot.info(this.#settings.signal);
  }

  /** @throws {DecideError} `backend_unavailable` for a device that is not there, `model_not_found`. */
  async #slotOf(model: string | undefined): Promise<EngineSlot> {
    const { device } = this.#settings;
    if (device !== "auto" && !this.#platform.devices.includes(device))
      throw new DecideError("backend_unavailable", `device must be ${devicesOf(this.#platform)}, but is "${device}".`);
    const packUrl = await this.#catalogue.packUrlOf(model);
    const slot = this.#slots.get(packUrl) ?? new EngineSlot(this.#platform, packUrl, this.#settings);
    this.#slots.set(packUrl, slot);
    return slot;
  }
}

/** @throws the signal's reason, if that is why the call failed; any other failure as a DecideError. */
async function withKnownErrors<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error;
    throw asDecideError(error);
  }
}
