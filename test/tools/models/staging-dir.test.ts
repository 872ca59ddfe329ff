import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { StagingDir } from "../../../src/tools/models/staging-dir.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("removes what was left days ago, also by a process with the id of a living one, and nothing that is new", async () => {
  const models = tempDir();
  const [old, young] = [`.adding-${process.pid}-000000000000`, `.adding-${process.pid}-111111111111`] as const;
  for (const name of [old, young]) await mkdir(join(models, name));
  const daysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
  await utimes(join(models, old), daysAgo, daysAgo);
  const work = await StagingDir.make(join(models, "new"));
  await work.remove();
  expect(await readdir(models)).toEqual([young]);
});
