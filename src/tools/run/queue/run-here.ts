import { CommandFailed } from "../../cli/command-failed.ts";
import type { Answer } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { version } from "../../../version.ts";
import { stateOf } from "../block-reader.ts";
import { InputBlocks } from "../input-blocks.ts";
import type { InputBlock } from "../input-blocks.ts";
import { openInput } from "../input/open-input.ts";
import { prepare } from "../input/prepare.ts";
import type { PreparedInput } from "../input/prepare.ts";
import { outcomeOf } from "../row-outcome.ts";
import { NOTHING, sumOf } from "../tally.ts";
import type { Chunk, ChunkJob } from "./chunk.ts";
import type { RunFile } from "./run-file.ts";

/** What a worker brings along. */
export interface WorkerTools {
  /** A decider with the model of a run, on the device and in the precision of its plan. */
  readonly openDecider: (run: RunFile) => Decider;
  /** Whether a person should give an answer, for the counts. */
  readonly isForPerson: (answer: Answer) => boolean;
}

/** A run as a worker has it: the model with its lessons, and the rows, which are read once from start to end as long as blocks come in order. */
export class RunHere {
  /** SHA-256 of the run file. */
  readonly digest: string;
  readonly #run: RunFile;
  readonly #tools: WorkerTools;
  readonly #decider: Decider;
  #rows: { readonly input: PreparedInput; readonly blocks: InputBlocks } | undefined;

  private constructor(digest: string, run: RunFile, tools: WorkerTools, decider: Decider) {
    this.digest = digest;
    this.#run = run;
    this.#tools = tools;
    this.#decider = decider;
  }

  /** @throws {CommandFailed} if this machine would give other answers */
  static async open(digest: string, run: RunFile, tools: WorkerTools): Promise<RunHere> {
    const { plan, lessons } = run;
    if (plan.version !== version)
      throw new CommandFailed(`The run is of umpire ${plan.version}, and this worker is ${version}. Use one version on all machines.`);
    const decider = tools.openDecider(run);
    try {
      const { model, seal, device, precision } = await decider.info();
      if (JSON.stringify({ id: model, seal, device, precision }) !== JSON.stringify(plan.model))
        throw new CommandFailed(
          `The run is answered by ${plan.model.id} (${plan.model.precision}, ${plan.model.device}) with the seal ${plan.model.seal.slice(0, 8)}, and this worker has ${model} (${precision}, ${device}) with ${seal.slice(0, 8)}.`,
        );
      for (const lesson of lessons) await decider.learn(lesson);
      return new RunHere(digest, run, tools, decider);
    } catch (error) {
      await decider.close();
      throw error;
    }
  }

  /**
   * Answers a block, as a run on one machine answers it.
   * @throws {CommandFailed} if its rows are not those that the run began with; {BadInput} if they cannot be read; `signal.reason` once that is aborted
   */
  async answer(job: ChunkJob, signal: AbortSignal): Promise<Chunk> {
    const { plan } = this.#run;
    const { input, block } = await this.#read(job);
    let tally = NOTHING;
    let lines = "";
    const states = block.rows.map(stateOf);
    const { questions } = plan;
    const maxErrorRate = plan.maxErrorRate ?? undefined;
    for await (const result of this.#decider.decideMany(states, { questions, maxErrorRate, signal })) {
      const row = block.rows[result.index];
      if (row === undefined) continue;
      const outcome = outcomeOf(plan, input, row, result, this.#tools.isForPerson);
      tally = sumOf(tally, outcome.tally);
      if (outcome.stops !== "") return { tally, lines, stops: outcome.stops };
      lines += outcome.line;
    }
    return { tally, lines, stops: "" };
  }

  async close(): Promise<void> {
    await this.#rows?.blocks.close();
    this.#rows = undefined;
    await this.#decider.close();
  }

  async #read(job: ChunkJob): Promise<{ readonly input: PreparedInput; readonly block: InputBlock }> {
    if (this.#rows !== undefined && this.#rows.blocks.at > job.block) await this.#closeRows();
    try {
      this.#rows ??= await this.#openRows();
      const { input, blocks } = this.#rows;
      await blocks.skipTo(job.block);
      const block = await blocks.next();
      if (block?.digest.digest() !== job.input || block.block !== job.block)
        throw new CommandFailed(
          `${input.name} is not the same here as where the run was begun, or has changed: ${input.unit}s ${job.firstLine} to ${job.lastLine} are others.`,
        );
      return { input, block };
    } catch (error) {
      // It may be another file the next time.
      await this.#closeRows();
      throw error;
    }
  }

  async #openRows(): Promise<{ readonly input: PreparedInput; readonly blocks: InputBlocks }> {
    const { plan, input: file } = this.#run;
    const input = await prepare(await openInput(file), { state: plan.state, copy: plan.copiesAll ? undefined : plan.columns });
    return { input, blocks: new InputBlocks(plan, input) };
  }

  async #closeRows(): Promise<void> {
    await this.#rows?.blocks.close();
    this.#rows = undefined;
  }
}
