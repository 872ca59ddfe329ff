import { createHash } from "node:crypto";
import type { SavedLesson } from "../../../library/lessons/lesson.ts";
import type { Plan } from "../plan.ts";
import type { Store } from "./store.ts";

/** What a worker must know of a run. It lies beside the chunks, and says that they are still wanted. */
export interface RunFile {
  readonly plan: Plan;
  /** Absolute path of the rows, the same on all machines. */
  readonly input: string;
  /** The model as a worker finds it: its id, or the URL of its folder. */
  readonly model: string;
  /** In the order in which they are learned. */
  readonly lessons: readonly SavedLesson[];
}

const NAME = "run.json";

/** A run file, and SHA-256 of its text, which stands for it on the queue. */
export interface SealedRunFile {
  readonly run: RunFile;
  readonly digest: string;
}

/** Puts a run file beside the chunks. What was there before is of another run. */
export async function putRunFile(store: Store, run: RunFile): Promise<SealedRunFile> {
  const text = `${JSON.stringify(run)}\n`;
  if ((await store.get(NAME)) !== text) await store.put(NAME, text);
  return { run, digest: sha256(text) };
}

/** The text of the run file if it is that of a digest; undefined if that run is over, or was begun in another way. */
export async function readRunFile(store: Store, digest: string): Promise<RunFile | undefined> {
  const text = await store.get(NAME);
  return text !== undefined && sha256(text) === digest ? (JSON.parse(text) as RunFile) : undefined;
}

/** In hexadecimal digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
