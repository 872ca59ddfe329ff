import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Device, Engine, Precision } from "../../library/engine/engine.ts";
import { loadEngine, loadUntested } from "../../library/engine/load.ts";
import { loadNodeEngine, packFiles } from "../../library/platform/node/engine.ts";
import { runtimesOfCaller } from "../../library/platform/node/runtimes.ts";
import { usefulThreads } from "../../library/platform/platform.ts";

/** Where an engine runs. */
export interface EnginePlace {
  /** Default: the fastest that there is. */
  readonly device?: Device;
  readonly precision?: Precision;
}

/** Loads packs into this thread, which has nothing else to do meanwhile. */
export class Engines {
  readonly #dist: URL;
  readonly #builtIn: string | undefined;

  /**
   * @param dist the folder of the built package
   * @param builtIn folder of a model that came with it
   */
  constructor(dist: URL, builtIn?: string) {
    this.#dist = dist;
    this.#builtIn = builtIn;
  }

  /**
   * Whether int8 products are exact here: on some processors they saturate. The built-in model has a probe for it, and takes a graph of another name there.
   * @returns false if nobody knows
   */
  async isInt8Exact(): Promise<boolean> {
    if (this.#builtIn === undefined) return false;
    const engine = await this.load(this.#builtIn, { precision: "int8" });
    const isExact = engine.info.graph === engine.info.precision;
    await engine.close();
    return isExact;
  }

  /** With its self-test. @param folder of the pack @throws {DecideError} as `loadEngine` */
  load(folder: string, place: EnginePlace = {}): Promise<Engine> {
    return this.#load(folder, place, loadEngine);
  }

  /** A pack whose scores nobody knows yet. @throws {DecideError} as `loadUntested` */
  loadUntested(folder: string, place: EnginePlace = {}): Promise<Engine> {
    return this.#load(folder, place, loadUntested);
  }

  #load(folder: string, { device, precision }: EnginePlace, load: typeof loadEngine): Promise<Engine> {
    const options = { device: device ?? "auto", precision, threads: usefulThreads(availableParallelism()) } as const;
    return loadNodeEngine(packFiles(pathToFileURL(join(folder, "/")).href), runtimesOfCaller(this.#dist), options, load);
  }
}
