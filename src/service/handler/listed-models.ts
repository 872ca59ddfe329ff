import type { Question, Text } from "../../library/decide/types.ts";
import type { ModelSummary } from "../../library/decider/decider.ts";
import type { LessonSummary } from "../../library/lessons/lesson.ts";

/** A model as the hosted API lists it. Fields that the hosted API does not have start with `x_`. */
export interface ListedModel {
  readonly name: string;
  readonly description: string;
  /** For example 2026-11-21. */
  readonly release_date: string;
  /** Whether this is the model that `latest` stands for. */
  readonly x_latest: boolean;
  /** Questions that it was taught; absent if there are none. */
  readonly x_lessons?: readonly ListedLesson[];
}

/** A lesson that answers, as far as it tells a question from others at a glance. Criteria are left out: they may be long. */
export interface ListedLesson {
  /** As `x_lesson` of the answers. */
  readonly id: string;
  readonly type: Question["type"];
  /** Absent if the question has none. */
  readonly instructions?: Text;
}

export function listedModels(models: readonly ModelSummary[], lessons: readonly LessonSummary[] = []): ListedModel[] {
  return models.map(({ id, description, releaseDate, isDefault }) => {
    const own = lessons.filter(({ model }) => model === id);
    return {
      name: id,
      description,
      release_date: releaseDate,
      x_latest: isDefault,
      ...(own.length > 0 && { x_lessons: own.map(listedLesson) }),
    };
  });
}

function listedLesson({ id, question: { type, instructions } }: LessonSummary): ListedLesson {
  return { id, type, ...(instructions !== undefined && instructions !== null && { instructions }) };
}
