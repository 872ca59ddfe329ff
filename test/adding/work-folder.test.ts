import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WorkFolder } from "../../src/adding/work-folder.ts";

let models: string;

beforeEach(async () => {
  models = await mkdtemp(join(tmpdir(), "umpire-models-"));
});

afterEach(() => rm(models, { recursive: true }));

it("removes what was left days ago, also by a process with the id of a living one, and nothing that is new", async () => {
  const [old, young] = [`.adding-${process.pid}-000000000000`, `.adding-${process.pid}-111111111111`] as const;
  for (const name of [old, young]) await mkdir(join(models, name));
  const daysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
  await utimes(join(models, old), daysAgo, daysAgo);
  const work = await WorkFolder.make(join(models, "new"));
  await work.remove();
  expect(await readdir(models)).toEqual([young]);
});
