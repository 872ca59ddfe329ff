import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Lesson } from "umpire";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { learnFolder } from "../../../../src/service/node/lessons/lesson-files.ts";
import { TEAM, lateLesson, shorterTeamLesson, teamLesson } from "../../../support/lessons.ts";
import { decideError } from "../../../support/rejection.ts";
import { sharedDecider as decider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";

describe("a folder of lessons", () => {
  let [team, shorter, late]: Lesson[] = [];
  let folder = "";
  beforeAll(async () => {
    [team, shorter, late] = [await teamLesson(decider), await shorterTeamLesson(decider), await lateLesson(decider)];
  });
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => {
    for (const { id } of decider.lessons()) decider.forget(id);
  });
  const save = (name: string, value: unknown): Promise<void> =>
    writeFile(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));

  it("is learned: its questions are answered by its lessons", async () => {
    await save("team.json", team);
    await save("late.json", `\ufeff${JSON.stringify(late)}\n`);
    await learnFolder(decider, folder);
    expect(decider.lessons().map(({ id }) => id)).toEqual([late?.id, team?.id]);
    const { answers } = await decider.decide({ state: "My card was charged twice.", questions: { team: TEAM } });
    expect(answers.team.x_lesson).toBe(team?.id);
  });

  it("of two lessons for one question uses that of the last name", async () => {
    await save("team-1.json", team);
    await save("team-2.json", shorter);
    await learnFolder(decider, folder);
    expect(decider.lessons().map(({ id }) => id)).toEqual([shorter?.id]);
  });

  it("may hold other files, and nothing at all", async () => {
    await learnFolder(decider, folder);
    await save("README.md", "What is here.");
    await save(".team.json", "of an editor");
    await mkdir(join(folder, "older"));
    await learnFolder(decider, folder);
    expect(decider.lessons()).toEqual([]);
  });

  it.each<[what: string, name: string, content: () => unknown, said: RegExp]>([
    ["is empty", "a.json", () => " ", /^The lesson .*a\.json is empty\.$/u],
    ["was cut off", "a.json", () => JSON.stringify(team).slice(0, 5000), /^The lesson .*a\.json is not valid JSON\.$/u],
    ["is no lesson", "a.json", () => ({ state: "secret text" }), /a\.json cannot be learned\. The lesson is not valid: /u],
    ["was edited", "a.json", () => ({ ...team, accuracy: { slope: 1, bias: 9 } }), /a\.json cannot be learned\. .*changed after/u],
    ["is too large", "a.json", () => " ".repeat(4_194_305), /a\.json has 4194305 bytes\. A lesson has at most 4194304\.$/u],
  ])("names a file that %s, and why", async (_, name, content, said) => {
    await save("0.json", late);
    await save(name, content());
    const error = await decideError(() => learnFolder(decider, folder));
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toMatch(said);
    expect(error.message).toContain(join(folder, name));
    expect(error.message).not.toContain("secret");
  });

  it("names a lesson that is a folder or a link to nothing, and a folder that is not there or is a file", async () => {
    await symlink("nothing", join(folder, "link.json"));
    const link = await decideError(() => learnFolder(decider, folder));
    expect(link.message).toMatch(/link\.json cannot be read: it is a link to a file that is not there\.$/u);
    await rm(join(folder, "link.json"));
    await mkdir(join(folder, "x.json"));
    expect((await decideError(() => learnFolder(decider, folder))).message).toMatch(/x\.json cannot be read: it is a folder\.$/u);
    const none = await decideError(() => learnFolder(decider, join(folder, "none")));
    expect(none.message).toMatch(/none cannot be read: there is no such folder\.$/u);
    await save("file", "");
    expect((await decideError(() => learnFolder(decider, join(folder, "file")))).message).toMatch(/it is not a folder\.$/u);
  });

  it("holds at most 1,000 lessons", async () => {
    await Promise.all(Array.from({ length: 1001 }, (_, i) => save(`${i}.json`, "")));
    const error = await decideError(() => learnFolder(decider, folder));
    expect(error.message).toMatch(/holds 1001 lessons\. A folder may hold at most 1000\.$/u);
  });
});
