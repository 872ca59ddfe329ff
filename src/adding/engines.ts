import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import type { Device, Engine, Precision } from "../engine/engine.ts";
import { loadEngine, loadUntested } from "../engine/load.ts";
import { loadNodeEngine, packFiles } from "../platform/node/engine.ts";
import { runtimesOfCaller } from "../platform/node/runtimes.ts";
import { usefulThreads } from "../platform/threads.ts";

/** Where an engine runs. */
export interface EnginePlace {
  /** Default: the fastest that there is. */
  readonly device?: Device;
  readonly precision?: Precision;
}

/** Loads packs into this thread, which has nothing else to do meanwhile. */
export class Engines {
  readonly #dist: URL;

  /** @param dist the folder of the built package */
  constructor(dist: URL) {
    this.#dist = dist;
  }

  /** With its self-test. @param folder of the pack @throws {DecideError} as `loadEngine` */
  load(folder: string, place: EnginePlace = {}): Promise<Engine> {
    return this.#load(folder, place, loadEngine);
  }

  /** A pack whose scores nobody knows yet. @throws {DecideError} as `loadUntested` */
  loadUntested(folder: string, place: EnginePlace = {}): Promise<Engine> {
    return this.#load(folder, place, loadUntested);
  }

  #load(folder: string, { device = "auto" as const, precision }: EnginePlace, load: typeof loadEngine): Promise<Engine> {
    const options = { device, precision, threads: usefulThreads(availableParallelism()) };
    return loadNodeEngine(packFiles(`${pathToFileURL(folder).href}/`), runtimesOfCaller(this.#dist), options, load);
  }
}
