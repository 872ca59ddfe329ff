import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Lesson } from "umpire";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DecideError } from "../../../../src/errors.ts";
import { watchLessonFolder } from "../../../../src/service/node/lessons/lesson-files.ts";
import type { Watcher } from "../../../../src/files/watch.ts";
import type { Learner } from "../../../../src/service/node/lessons/lesson-files.ts";
import { LATE, TEAM, lateLesson, shorterTeamLesson, teamLesson } from "../../../support/lessons.ts";
import { decideError } from "../../../support/rejection.ts";
import { sharedDecider as decider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const INTERVAL_MS = 20;
const SEVERAL = 7;

describe("watched lessons", () => {
  const problems: string[] = [];
  const sizes: number[] = [];
  let lessons: { readonly team: Lesson; readonly shorter: Lesson; readonly late: Lesson };
  let place = "";
  let folder = "";
  let watched: Watcher;
  beforeAll(async () => {
    lessons = { team: await teamLesson(decider), shorter: await shorterTeamLesson(decider), late: await lateLesson(decider) };
  });
  beforeEach(async () => {
    // The clock stands still unless a test turns it.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    problems.length = sizes.length = 0;
    place = tempDir();
    folder = join(place, "lessons");
    await mkdir(folder);
    await save("team.json", lessons.team);
    watched = await watch();
  });
  afterEach(async () => {
    await watched.close();
    vi.useRealTimers();
    for (const { id } of decider.lessons()) decider.forget(id);
  });

  const watch = (learner: Learner = decider): Promise<Watcher> =>
    watchLessonFolder(folder, learner, {
      intervalMs: INTERVAL_MS,
      onError: ({ code, message }) => problems.push(`${code}: ${message}`),
      onChange: (size) => sizes.push(size),
    });
  /** In one step, so that no half of it is ever read. */
  const save = async (name: string, value: unknown): Promise<void> => {
    const draft = join(place, "draft");
    await writeFile(draft, typeof value === "string" ? value : JSON.stringify(value));
    await rename(draft, join(folder, name));
  };
  const known = (): string[] => decider.lessons().map(({ id }) => id);
  /** Lets so many looks at the folder happen, one after the other. The next one is scheduled when one is over. */
  const looks = async (count: number): Promise<void> => {
    for (let look = 0; look < count; look++) {
      vi.advanceTimersByTime(INTERVAL_MS);
      while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    }
  };
  const soon = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await looks(1);
  };
  /** At the next look, or at the one after it where a file is gone. */
  const soonKnown = async (...expected: readonly Lesson[]): Promise<void> => {
    await looks(2);
    expect(known().toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  };

  it("answer from the start, and so do those of new files", async () => {
    expect(known()).toEqual([lessons.team.id]);
    await save("late.json", lessons.late);
    await soonKnown(lessons.team, lessons.late);
    const state = "The parcel came a week late.";
    const { answers } = await decider.decide({ state, questions: { team: TEAM, late: LATE } });
    expect([answers.team.x_lesson, answers.late.x_lesson]).toEqual([lessons.team.id, lessons.late.id]);
    await soon(() => sizes.length === 1);
    expect(sizes).toEqual([2]);
    expect(problems).toEqual([]);
  });

  it("are learned anew when their file changes, also for another question", async () => {
    await save("team.json", lessons.shorter);
    await soonKnown(lessons.shorter);
    await save("team.json", lessons.late);
    await soonKnown(lessons.late);
  });

  it("are forgotten when their file is gone, and learned again when it is back", async () => {
    await rm(join(folder, "team.json"));
    await soonKnown();
    await soon(() => sizes.length === 1);
    await save("again.json", lessons.team);
    await soonKnown(lessons.team);
  });

  it("bear with a file that one look misses, as programs leave it that delete a file and write it anew", async () => {
    await rm(join(folder, "team.json"));
    await looks(1);
    expect(known()).toEqual([lessons.team.id]);
    await looks(1);
    expect(known()).toEqual([]);
  });

  it("leave running requests alone", async () => {
    const asked = decider.decide({ state: "My card was charged twice. ".repeat(60), questions: { team: TEAM } });
    await save("team.json", lessons.shorter);
    await soonKnown(lessons.shorter);
    expect((await asked).answers.team.x_lesson).toBe(lessons.team.id);
  });

  it.each<[what: string, content: () => string, said: RegExp]>([
    [
      "was written by half",
      () => JSON.stringify(lessons.shorter).slice(0, 2000),
      /^invalid_request: The lesson .*team\.json is not valid/u,
    ],
    ["is empty", () => "", /^invalid_request: The lesson .*team\.json is empty\.$/u],
    [
      "was edited",
      () => JSON.stringify({ ...lessons.team, accuracy: { slope: 1, bias: 9 } }),
      /team\.json cannot be learned\. .*changed after/u,
    ],
    ["is too large", () => " ".repeat(4_194_305), /team\.json has 4194305 bytes/u],
  ])("stay while their file %s, which is reported once, until it is good again", async (_, content, said) => {
    await save("team.json", content());
    await soon(() => problems.length === 1);
    await looks(SEVERAL);
    expect(problems).toEqual([expect.stringMatching(said)]);
    expect(known()).toEqual([lessons.team.id]);
    expect(sizes).toEqual([]);
    // What is wrong with one file does not keep others from being followed.
    await save("late.json", lessons.late);
    await soonKnown(lessons.team, lessons.late);
    await save("team.json", lessons.shorter);
    await soonKnown(lessons.late, lessons.shorter);
    expect(problems).toHaveLength(1);
  });

  it("report each other problem of a file, and when there is none any more", async () => {
    const good = JSON.stringify(lessons.team);
    await save("team.json", "{");
    await soon(() => problems.length === 1);
    await save("team.json", "");
    await soon(() => problems.length === 2);
    expect(sizes).toEqual([]);
    await save("team.json", good);
    await soon(() => sizes.length === 1);
    expect(sizes).toEqual([1]);
    expect(known()).toEqual([lessons.team.id]);
  });

  it.each([
    ["is gone", "there is no such folder", () => rename(folder, join(place, "away"))],
    ["became a file", "it is not a folder", () => rename(folder, join(place, "away")).then(() => writeFile(folder, ""))],
    ["is a link to itself", "the system reports ELOOP", () => rename(folder, join(place, "away")).then(() => symlink(folder, folder))],
  ])("stay while the folder %s, which is reported once, until it is back", async (_, why, change) => {
    await change();
    await soon(() => problems.length === 1);
    await looks(SEVERAL);
    expect(problems).toEqual([expect.stringContaining(why)]);
    expect(known()).toEqual([lessons.team.id]);
    await rm(folder, { force: true });
    await rename(join(place, "away"), folder);
    await soon(() => sizes.length === 1);
    await save("late.json", lessons.late);
    await soonKnown(lessons.team, lessons.late);
    expect(problems).toHaveLength(1);
  });

  it("of two files for one question are those of the last name, also once that is gone", async () => {
    await save("a.json", lessons.shorter);
    await soon(() => sizes.length === 1);
    expect(known()).toEqual([lessons.team.id]);
    await rm(join(folder, "team.json"));
    await soonKnown(lessons.shorter);
  });

  it("follow a folder that is redirected, as in containers", async () => {
    await watched.close();
    const inside = folder;
    folder = join(place, "linked");
    await symlink(inside, folder);
    watched = await watch();
    await mkdir(join(place, "two"));
    await writeFile(join(place, "two", "team.json"), JSON.stringify(lessons.shorter));
    await symlink(join(place, "two"), join(place, "linked.new"));
    await rename(join(place, "linked.new"), folder);
    await soonKnown(lessons.shorter);
  });

  it("notice a change that leaves the file's size and time the same", async () => {
    const path = join(folder, "team.json");
    const { atime, mtime } = await stat(path);
    const text = JSON.stringify(lessons.team);
    await writeFile(path, text.replace('"umpire_lesson":1', '"umpire_lesson":2'));
    await utimes(path, atime, mtime);
    await soon(() => problems.length === 1);
    expect(problems[0]).toContain("its format is 2");
  });

  it("are tried again when what failed was not the lesson", async () => {
    await watched.close();
    let failures = 2;
    const learner: Learner = {
      learn: (lesson) => (failures-- > 0 ? Promise.reject(new DecideError("worker_lost", "The worker was lost.")) : decider.learn(lesson)),
      forget: (id) => decider.forget(id),
      lessons: () => decider.lessons(),
    };
    expect(await decideError(() => watch(learner))).toMatchObject({ code: "worker_lost" });
    failures = 0;
    watched = await watch(learner);
    failures = 2;
    await save("late.json", lessons.late);
    await looks(failures);
    await soonKnown(lessons.team, lessons.late);
    expect(problems).toEqual(["worker_lost: The worker was lost."]);
  });

  it("are not followed when the first look finds a bad file", async () => {
    await watched.close();
    await save("z.json", "{");
    expect((await decideError(() => watch())).message).toMatch(/z\.json is not valid JSON\.$/u);
    expect(vi.getTimerCount()).toBe(0);
    expect(known()).toEqual([lessons.team.id]);
  });

  it("do not change after they are closed", async () => {
    await watched.close();
    await rm(join(folder, "team.json"));
    vi.advanceTimersByTime(SEVERAL * INTERVAL_MS);
    expect(vi.getTimerCount()).toBe(0);
    expect(known()).toEqual([lessons.team.id]);
    expect(sizes).toEqual([]);
  });
});
