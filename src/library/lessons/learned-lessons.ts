import type { ParsedQuestion } from "../decide/request.ts";
import type { AppliedLesson } from "../decide/extension-fields.ts";
import { DecideError } from "../../errors.ts";
import type { LessonSummary } from "./lesson.ts";
import { questionKey } from "./question-key.ts";
import { readLesson } from "./read-lesson.ts";
import type { LearnedLesson } from "./read-lesson.ts";

/** Where a lesson's model is, and its seal; or the model that answers in its place, since a better one than the lesson's was installed. */
export type FoundModel = { readonly packUrl: string; readonly seal: string } | { readonly supersededBy: string };

/** Finds the model with this id. @throws {DecideError} `model_not_found`, and those of loading the model. */
export type FindModel = (id: string) => Promise<FoundModel>;

/** The lessons that answer, by model and question. */
export class LearnedLessons {
  readonly #findModel: FindModel;
  /** By the URL of the model's pack and the question's key. */
  readonly #lessons = new Map<string, LearnedLesson>();

  constructor(findModel: FindModel) {
    this.#findModel = findModel;
  }

  /**
   * Learns a lesson. An earlier one for the same question gives way.
   * @throws {DecideError} `invalid_request`, also for a lesson of another model; the errors of `findModel`.
   */
  async learn(value: unknown): Promise<void> {
    const learned = await readLesson(value);
    const { model } = learned.lesson;
    const found = await this.#findModel(model.id);
    if ("supersededBy" in found) throw superseded(model.id, found.supersededBy);
    const { packUrl, seal } = found;
    if (seal !== model.seal) {
      throw new DecideError(
        "invalid_request",
        `The lesson was learned with another release of the model ${model.id}. Teach the question again with the one that is here.`,
      );
    }
    const place = placeOf(packUrl, learned.key);
    // It comes last, also in place of another.
    this.#lessons.delete(place);
    this.#lessons.set(place, learned);
  }

  /** What the model of a pack was taught of a question. */
  of(packUrl: string, question: ParsedQuestion): AppliedLesson | undefined {
    return this.#lessons.size > 0 ? this.#lessons.get(placeOf(packUrl, questionKey(question)))?.taught : undefined;
  }

  /** @returns whether there was such a lesson. */
  forget(id: string): boolean {
    const places = [...this.#lessons].filter(([, { lesson }]) => lesson.id === id).map(([place]) => place);
    return places.map((place) => this.#lessons.delete(place)).includes(true);
  }

  /** In the order in which they were learned. */
  list(): LessonSummary[] {
    return [...this.#lessons.values()].map(({ lesson: { id, model, question } }) => ({ id, model: model.id, question }));
  }
}

function placeOf(packUrl: string, key: string): string {
  return `${packUrl} ${key}`;
}

/** The lesson would answer nobody who names no model, and nobody would notice: a package was installed, and nothing else changed. */
function superseded(id: string, by: string): DecideError {
  const now = `The lesson was learned with the model ${id}, but the model here is ${by}, the best that is installed.`;
  const named = `createDecider({ model: "${id}" }), or --model ${id} in a command`;
  return new DecideError("invalid_request", `${now} Teach the question again with ${by}, or go on with ${id}: ${named}.`);
}
