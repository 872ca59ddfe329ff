// @ts-check
// Before the first answers: what is still to be done.
import { byId } from "./dom.js";

/** @param {import("./draft.js").Draft} draft */
export function showSteps({ text, questions }) {
  const isDone = { "step-text": text.trim() !== "", "step-questions": questions.length > 0 };
  for (const [id, done] of Object.entries(isDone)) byId(id).classList.toggle("done", done);
  byId("no-questions").hidden = questions.length > 0;
}
