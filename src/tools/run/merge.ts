import { open, type FileHandle } from "node:fs/promises";
import { badInput, ToolError } from "../tool-error.ts";
import { present } from "../../library/validation/expect.ts";
import type { Format } from "./formats.ts";
import { digestOf, journalOf, moveInPlace, readJournal, OutputLock, type Journal } from "./output.ts";
import { answersBlock, differences, type Plan } from "./plan.ts";
import { totalOf, type Tally } from "./tally.ts";

interface Part {
  readonly path: string;
  readonly journal: Journal;
}

interface Place {
  readonly file: FileHandle;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly digest: string;
}

/**
 * Joins the results of all shards, in the order of the rows: the bytes of one run over all rows.
 * @returns the plan without a shard, and what was counted
 * @throws {ToolError} unless these are all shards of one run, each finished, none twice
 */
export async function mergeShards(
  paths: readonly string[],
  out: string,
  format: Format,
): Promise<{ readonly plan: Plan; readonly tally: Tally }> {
  const parts = await Promise.all(paths.map(readPart));
  const plan = checkParts(parts);
  const lock = await OutputLock.take(out);
  const files: FileHandle[] = [];
  try {
    const places: Place[] = [];
    for (const { path, journal } of parts) {
      const file = await open(path, "r");
      files.push(file);
      journal.blocks.forEach(({ block, bytes, output }, i) => {
        places[block] = { file, path, from: journal.blocks[i - 1]?.bytes ?? 0, to: bytes, digest: output };
      });
    }
    await format.write(() => linesIn(places), `${out}.tmp`, plan);
    await lock.check();
    await moveInPlace(`${out}.tmp`, out);
  } finally {
    await Promise.all([...files.map((file) => file.close()), lock.release()]);
  }
  const blocks = parts.flatMap(({ journal }) => journal.blocks).sort((a, b) => a.block - b.block);
  return { plan, tally: totalOf(blocks) };
}

async function readPart(path: string): Promise<Part> {
  const journal = await readJournal(journalOf(path));
  if (journal === undefined)
    throw badInput(`${path} has no journal beside it (${journalOf(path)}). Give what runs with --shard wrote, with their journals.`);
  if (journal.plan.shard === null) throw badInput(`${path} is no shard: it holds all rows.`);
  if (journal.rows === undefined) throw badInput(`${path} is not finished. Run its shard again: it goes on where it stopped.`);
  return { path, journal };
}

function checkParts(parts: readonly Part[]): Plan {
  const [first, ...others] = parts;
  if (first === undefined) throw badInput("There is nothing to merge. Give the files that runs with --shard wrote.");
  const { plan, rows } = first.journal;
  for (const { path, journal } of others) {
    const changed = differences(plan, journal.plan, ["shard"]);
    if (changed.length > 0) throw badInput(`${first.path} and ${path} are of different runs: one has ${changed.join(" and ")}.`);
    if (journal.rows !== rows)
      throw badInput(`${first.path} and ${path} are of different inputs: one has ${rows} rows, the other ${journal.rows}.`);
  }
  const indexes = parts.map(({ journal }) => present(journal.plan.shard ?? undefined, "shard"));
  const of = indexes[0]?.of ?? 0;
  if (indexes.some((shard) => shard.of !== of))
    throw badInput("These are shards of different runs: they do not have the same number of shards.");
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !indexes.some((shard) => shard.index === index));
  if (missing.length > 0) throw badInput(`Of ${of} shards, ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing.`);
  if (parts.length > of) throw badInput(`There are ${parts.length} files for ${of} shards: one is given twice.`);
  parts.forEach(({ path, journal }) => {
    checkBlocks(path, journal, plan.block);
  });
  return { ...plan, shard: null };
}

/** Every block of the shard, from the first to the last. */
function checkBlocks(path: string, { plan, blocks, rows = 0 }: Journal, size: number): void {
  const wanted = Array.from({ length: Math.ceil(rows / size) }, (_, block) => block).filter((block) => answersBlock(plan, block));
  if (wanted.length !== blocks.length || wanted.some((block, i) => blocks[i]?.block !== block))
    throw new ToolError(`${journalOf(path)} is damaged: it does not name all blocks. Run the shard again with --restart.`);
}

async function* linesIn(places: readonly Place[]): AsyncGenerator<string, void, void> {
  for (const { file, path, from, to, digest } of places) {
    if ((await digestOf(file, from, to)) !== digest)
      throw new ToolError(`${path} is damaged: it is not what its shard wrote. Delete it and its journal, and run the shard again.`);
    // Blocks end at line ends, so no character is cut.
    const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    yield buffer.toString();
  }
}
