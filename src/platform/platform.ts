import type { Device, Engine, EngineOptions } from "../engine/engine.ts";
import type { WorkerThread } from "../worker/worker-thread.ts";

/** A place that holds a pack, with what its manifest says at first sight: checked only when it is loaded. */
export interface CataloguedPack {
  readonly id: string;
  /** The pack's folder. */
  readonly url: string;
  readonly description: string;
  readonly releaseDate: string;
}

/** All that differs between Node and a browser. */
export interface Platform {
  /** Devices that `device` may name here, besides "auto". */
  readonly devices: readonly Device[];
  /** Threads for one run of the model when the caller names no number. */
  readonly defaultThreads: number;
  /** The packs that came with the package. */
  catalogue(): Promise<readonly CataloguedPack[]>;
  /** URL of the pack's folder when `model` names a place rather than a catalogue id, else undefined. */
  placeOf(model: string | URL): string | undefined;
  /** `assets`: URL of the folder with the worker and what it needs, where the caller names one. */
  startWorker(assets: string | undefined): WorkerThread;
  /** An engine on the caller's own thread; absent where there is none. */
  loadInline?: ((packUrl: string, options: EngineOptions) => Promise<Engine>) | undefined;
}
