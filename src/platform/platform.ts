import type { PackFiles } from "../engine/model-pack.ts";
import type { Runtime } from "../engine/runtime.ts";
import type { WorkerThread } from "../worker/proxy.ts";

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
  /** Devices that `device` may name here, besides "auto"; the first is what "auto" means. */
  readonly devices: readonly string[];
  /** Threads for one run of the model when the caller names no number. */
  readonly defaultThreads: number;
  /** The packs that came with the package. */
  catalogue(): Promise<readonly CataloguedPack[]>;
  /** URL of the pack's folder when `model` names a place rather than a catalogue id, else undefined. */
  placeOf(model: string | URL): string | undefined;
  packFiles(packUrl: string): PackFiles;
  /** @throws {DecideError} `backend_unavailable` */
  loadRuntime(): Promise<Runtime>;
  startWorker(): WorkerThread;
}
