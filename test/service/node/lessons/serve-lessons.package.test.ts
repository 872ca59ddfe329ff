import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DecideResponse, Lesson } from "umpire";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LATE, TEAM, lateLesson, teamLesson } from "../../../support/lessons.ts";
import { decideError } from "../../../support/rejection.ts";
import { sharedDecider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { running } from "../running.ts";

const STATE = "My card was charged twice.";
let [team, late]: Lesson[] = [];
let folder = "";
beforeAll(async () => {
  [team, late] = [await teamLesson(sharedDecider), await lateLesson(sharedDecider)];
});
beforeEach(() => {
  folder = tempDir();
});
afterEach(() => {
  for (const { id } of sharedDecider.lessons()) sharedDecider.forget(id);
});
const save = async (name: string, value: unknown): Promise<void> => {
  await writeFile(join(folder, "draft"), typeof value === "string" ? value : JSON.stringify(value));
  await rename(join(folder, "draft"), join(folder, name));
};

test("a server answers by the lessons of its folder, and follows it; its log and metrics have no text of theirs", async () => {
  await save("team.json", team);
  await using service = await running({ lessons: folder });
  const { server, log, metrics } = service;
  const lessonsOfAnswers = async (): Promise<unknown> => {
    const body = JSON.stringify({ model: "latest", state: STATE, questions: { team: TEAM, late: LATE } });
    const response = await fetch(`${server.url}/decision/v1/model`, { method: "POST", body });
    const { answers } = (await response.json()) as DecideResponse;
    return [answers["team"]?.x_lesson, answers["late"]?.x_lesson];
  };
  expect(await lessonsOfAnswers()).toEqual([team?.id, undefined]);
  expect(await metrics()).toContain('umpire_answers_total{taught="true"} 1');
  await save("late.json", late);
  await expect.poll(lessonsOfAnswers, { interval: 100 }).toEqual([team?.id, late?.id]);
  await save("team.json", JSON.stringify(team).slice(0, 3000));
  await expect.poll(metrics, { interval: 100 }).toContain("umpire_lesson_errors_total 1");
  expect(await lessonsOfAnswers()).toEqual([team?.id, late?.id]);
  await rm(join(folder, "team.json"));
  await expect.poll(lessonsOfAnswers, { interval: 100 }).toEqual([undefined, late?.id]);
  const lines = log.map((line) => JSON.parse(line) as { readonly message: string; readonly level: string; readonly problem?: string });
  expect(lines.filter(({ level }) => level === "error")).toEqual([
    expect.objectContaining({
      message: "lessons cannot be followed: what was learned stays",
      problem: `The lesson ${join(folder, "team.json")} is not valid JSON.`,
    }),
  ]);
  expect(lines).toContainEqual(expect.objectContaining({ message: "lessons changed", lessons: 2 }));
  expect(lines).toContainEqual(expect.objectContaining({ message: "request", taughtAnswers: 1 }));
  expect(log.join("\n")).not.toContain(TEAM.instructions);
});

test("a server with a bad lesson does not start, and says which", async () => {
  await save("team.json", team);
  await save("worse.json", { ...team, id: "lesson-0" });
  const error = await decideError(() => running({ lessons: folder }));
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(error.message).toContain(`${join(folder, "worse.json")} cannot be learned. The lesson is not valid: `);
});
