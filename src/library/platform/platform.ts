import type { Device, Engine, EngineInfo, EngineOptions } from "../engine/engine.ts";
import type { WorkerThread } from "../worker/protocol.ts";

/** A pack that requests may name: one that came with the package, or that the user added. Its facts are read from the manifest, which is checked only when the pack is loaded. */
export interface CataloguedPack {
  readonly id: string;
  /** URL of the pack's folder. */
  readonly url: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly releaseDate: string;
  /** Whether it came with umpire, or in an npm package of its own, and was not added by the user. Only such a pack is `latest`. */
  readonly isBuiltIn: boolean;
  /** The npm package that it came in, if that is not umpire's own. */
  readonly packageName?: string;
  /** Why it cannot be loaded, and what to do, in sentences. Absent where nothing is known to be wrong. */
  readonly damage?: string;
}

/** A model of umpire's makers that is not part of its package. */
export interface PackagedModel {
  readonly id: string;
  /** The npm package that holds it. */
  readonly packageName: string;
  /** Bytes of the pack's files; undefined where the build did not know them. */
  readonly sizeBytes: number | undefined;
}

/** Everything that differs between Node and a browser. */
export interface Platform {
  /** Devices that the option `device` may name here, besides `auto`. */
  readonly devices: readonly Device[];
  /** Threads for one run of the model when the caller does not set `threads`. */
  readonly defaultThreads: number;
  /** Models that a package brings, installed or not. Default: none. */
  readonly packaged?: readonly PackagedModel[];
  /** The packs that came with the package, and those of `packaged` that are installed. */
  builtIn(): Promise<readonly CataloguedPack[]>;
  /** These, and those that the user added. */
  catalogue(): Promise<readonly CataloguedPack[]>;
  /**
   * URL of the pack's folder when `model` names a place, or undefined for a catalogue id.
   * @throws {DecideError} `model_not_found` for a place that this platform cannot read
   */
  placeOf(model: string | URL): string | undefined;
  /**
   * URL of a pack that requests may name although `catalogue` does not list it, since only loading it tells whether it is there: its files then are, or
   * that fails with `model_not_found`. Default: there is none.
   */
  unlisted?(id: string): string | undefined;
  /** `assets`: URL of the folder with the worker's script and the files it needs, if the caller names one. */
  startWorker(assets: string | undefined): WorkerThread;
  /** Loads an engine on the caller's own thread; absent on platforms that always use a worker. */
  loadInline?: ((packUrl: string, options: EngineOptions) => Promise<Engine>) | undefined;
  /** Is told the facts of every engine that was loaded. */
  onLoaded?: ((info: EngineInfo) => void) | undefined;
}

/** With more threads than this, a run spends more time waiting than it saves: the model's matrices are small. */
const MAX_USEFUL_THREADS = 4;

/**
 * Threads for one run: half of the processors, because the program or page needs some, too. On two processors both are used, which is a quarter
 * faster when they are idle. The threads of a run spin while they wait for each other, so on busy processors more of them are slower
 * (bench/speed.mjs of the repository).
 */
export function usefulThreads(processors: number): number {
  return Math.min(processors, Math.max(2, Math.floor(processors / 2)), MAX_USEFUL_THREADS);
}

/** Devices that Node has; `auto` takes the first whose runtime loads. */
export const NODE_DEVICES = ["cpu", "wasm"] as const satisfies readonly Device[];

export type NodeDevice = (typeof NODE_DEVICES)[number];

/** Devices that a browser has. Both sides know the names; what a device needs is the worker's business (browser/engine.ts). */
export const BROWSER_DEVICES = ["webgpu", "wasm"] as const;

export type BrowserDevice = (typeof BROWSER_DEVICES)[number];
