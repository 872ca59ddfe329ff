import type { Decider } from "../decider/decider.ts";
import type { LessonSummary } from "../lessons/lesson.ts";
import { authenticate } from "./auth/authenticate.ts";
import { accessibleModels } from "./auth/model-access.ts";
import type { HandlerContext } from "./context.ts";
import { listedModels } from "./listed-models.ts";
import type { ListedModel } from "./listed-models.ts";
import type { Observation } from "./observation.ts";

/**
 * Lists the models that the request's key may use.
 * @throws {DecideError} `unauthorized`, and what the decider throws.
 */
export async function answerModels(
  request: Request,
  { keys, decider }: HandlerContext,
  observed: Observation,
): Promise<{ readonly models: readonly ListedModel[] }> {
  const key = await authenticate(request, keys, observed);
  const models = accessibleModels(await decider.models(), key);
  return { models: listedModels(models, lessonsOf(decider)) };
}

/** A decider may be the caller's own, and know nothing of lessons. */
function lessonsOf(decider: Partial<Pick<Decider, "lessons">>): readonly LessonSummary[] {
  return decider.lessons?.() ?? [];
}
