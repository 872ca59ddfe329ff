import type { Decider } from "../../decider/decider.ts";
import type { SavedLesson } from "../../lessons/lesson.ts";

/** Lets a decider learn, and keeps what it learned, for others that must answer as it does. */
export class KeptLessons implements Pick<Decider, "learn"> {
  /** In the order in which they were learned. */
  readonly all: SavedLesson[] = [];
  readonly #decider: Pick<Decider, "learn">;

  constructor(decider: Pick<Decider, "learn">) {
    this.#decider = decider;
  }

  async learn(lesson: SavedLesson): Promise<void> {
    await this.#decider.learn(lesson);
    this.all.push(lesson);
  }
}
