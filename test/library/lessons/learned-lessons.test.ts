import { expect, it } from "vitest";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { LearnedLessons } from "../../../src/library/lessons/learned-lessons.ts";
import { teach } from "../../../src/library/lessons/teach.ts";
import { COLOURS, coloured, syntheticReader } from "./synthetic-reader.ts";

it("a lesson answers for the model that it was learned with, and for no other", async () => {
  const lesson = await teach(COLOURS, coloured(30), syntheticReader(), {});
  const learned = new LearnedLessons(({ length }) => Promise.resolve({ packUrl: `file:///${length}/`, seal: lesson.model.seal }));
  await learned.learn(lesson);
  const question = parseQuestion(COLOURS);
  expect(learned.of(`file:///${lesson.model.id.length}/`, question)?.id).toBe(lesson.id);
  expect(learned.of("file:///another/", question)).toBeUndefined();
});
