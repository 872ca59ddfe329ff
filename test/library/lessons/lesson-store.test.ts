import { expect, it } from "vitest";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { LessonStore } from "../../../src/library/lessons/lesson-store.ts";
import { loadLesson } from "../../../src/library/lessons/read-lesson.ts";
import { teach } from "../../../src/library/lessons/teach.ts";
import { COLOURS, coloured, syntheticReader } from "./synthetic-reader.ts";

it("a lesson answers for the model that it was learned with, and for no other", async () => {
  const lesson = await teach(COLOURS, coloured(30), syntheticReader(), {});
  const store = new LessonStore([], (value) =>
    loadLesson(value, ({ length }) => Promise.resolve({ packUrl: `file:///${length}/`, seal: lesson.model.seal })),
  );
  await store.learn(lesson);
  const question = parseQuestion(COLOURS);
  expect(store.of(`file:///${lesson.model.id.length}/`, question)?.id).toBe(lesson.id);
  expect(store.of("file:///another/", question)).toBeUndefined();
});
