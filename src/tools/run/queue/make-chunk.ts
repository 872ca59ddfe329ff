import type { Tally } from "../tally.ts";
import { chunkIn, chunkName, textOfChunk } from "./chunk.ts";
import type { ChunkJob } from "./chunk.ts";
import { readRunFile } from "./run-file.ts";
import { RunHere } from "./run-here.ts";
import type { WorkerTools } from "./run-here.ts";
import { FolderStore } from "./store.ts";

/** Makes chunks of one run after the other. A model stays loaded as long as chunks are of the same run. */
export class ChunkMaker {
  readonly #tools: WorkerTools;
  #here: RunHere | undefined;

  constructor(tools: WorkerTools) {
    this.#tools = tools;
  }

  /**
   * Makes a chunk and puts it where its run wants it, unless it is there.
   * @returns what was counted in it; undefined if its run is over, or was begun anew
   * @throws why this machine cannot make it; `signal.reason` once that is aborted
   */
  async make(job: ChunkJob, signal: AbortSignal): Promise<Tally | undefined> {
    const store = new FolderStore(job.folder);
    const run = await readRunFile(store, job.run);
    if (run === undefined) return undefined;
    const name = chunkName(job);
    const text = await store.get(name);
    const before = text === undefined ? undefined : chunkIn(text, job);
    if (before !== undefined) return before.tally;
    if (this.#here?.digest !== job.run) {
      await this.close();
      this.#here = await RunHere.open(job.run, run, this.#tools);
    }
    const chunk = await this.#here.answer(job, signal);
    try {
      await store.put(name, textOfChunk(job, chunk));
    } catch (error) {
      // Its run may have ended meanwhile: another worker has made it.
      if ((await readRunFile(store, job.run)) === undefined) return undefined;
      throw error;
    }
    return chunk.tally;
  }

  async close(): Promise<void> {
    const here = this.#here;
    this.#here = undefined;
    await here?.close();
  }
}
