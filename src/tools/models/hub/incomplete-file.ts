import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { isRunning } from "../../../files/lock.ts";

// A download goes into a file of its process alone, beside the blob that it becomes, so that processes that download the same never write into one file:
//   <digest>.<machine>-<pid>-<random>.incomplete   somebody writes it, if that process lives
//   <digest>.unfinished.incomplete                 was given up, for anybody to continue
// Whoever continues one takes it by renaming it, which only one can. The hub's own tools write <digest>.incomplete, which is left alone.
const UNFINISHED = "unfinished";
const OWNED = /^([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{12}$/;

/** Paths may be shared by machines, and only those of this one have process ids that say something here. */
function machine(): string {
  return createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
}

/** Takes what an earlier download left of a blob, or a new name. @returns the path to write to; there may be no file yet */
export async function takeIncomplete(blob: string): Promise<string> {
  await mkdir(dirname(blob), { recursive: true });
  const own = `${blob}.${machine()}-${process.pid}-${randomBytes(6).toString("hex")}.incomplete`;
  for (const left of await leftOvers(blob)) {
    const taken = await rename(left, own).then(
      () => true,
      (error: unknown) => {
        // Another process was faster.
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw error;
      },
    );
    if (taken) return own;
  }
  return own;
}

/** Leaves what there is for the next download. */
export async function leaveIncomplete(own: string, blob: string): Promise<void> {
  await rename(own, `${blob}.${UNFINISHED}.incomplete`);
}

/** Makes a finished file the blob, and removes what others left of it. */
export async function finishIncomplete(own: string, blob: string): Promise<void> {
  await rename(own, blob);
  for (const left of await leftOvers(blob)) await rm(left, { force: true });
}

/** What nobody writes any more, the largest first. */
async function leftOvers(blob: string): Promise<readonly string[]> {
  const names = (await readdir(dirname(blob))).filter((name) => isLeftOver(name, basename(blob)));
  const sized = await Promise.all(
    names.map(async (name) => {
      const path = join(dirname(blob), name);
      return {
        path,
        sizeBytes: await stat(path).then(
          ({ size }) => size,
          () => -1,
        ),
      };
    }),
  );
  return sized.sort((a, b) => b.sizeBytes - a.sizeBytes).map(({ path }) => path);
}

function isLeftOver(name: string, digest: string): boolean {
  if (!name.startsWith(`${digest}.`) || !name.endsWith(".incomplete")) return false;
  const owner = name.slice(digest.length + 1, -".incomplete".length);
  const [, owningMachine, pid] = OWNED.exec(owner) ?? [];
  return owner === UNFINISHED || (owningMachine === machine() && !isRunning(Number(pid)));
}
