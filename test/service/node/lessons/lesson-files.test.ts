import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stampOf } from "../../../../src/service/node/lessons/lesson-files.ts";
import { tempDir } from "../../../support/temp-dir.ts";

it("a file that has just changed may change again without a new time, an old one may not", async () => {
  const folder = tempDir();
  await writeFile(join(folder, "a.json"), "12");
  expect(await stampOf(join(folder, "a.json"))).toMatchObject({ path: join(folder, "a.json"), sizeBytes: 2, isRecent: true });
  expect(await stampOf(join(folder, "b.json"))).toBeUndefined();
  const { execPath } = process;
  expect(await stampOf(execPath)).toMatchObject({ isRecent: false });
});
