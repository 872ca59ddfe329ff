import type { ParsedQuestion } from "../decide/request.ts";
import { checkCallOptions } from "../validation/invalid.ts";
import { AN_ABORT_SIGNAL, A_FUNCTION } from "../validation/rules.ts";
import type { RulesOf } from "../validation/rules.ts";
import { toBase64 } from "./base64.ts";
import { Pauses } from "./fit/pauses.ts";
import type { QuestionReader } from "./question-reader.ts";
import { learn } from "./learn.ts";
import type { Head } from "./learned-head.ts";
import type { Lesson, LessonHead, TeachOptions, TeachProgress } from "./lesson.ts";
import { notesOn } from "./notes.ts";
import { parseQuestion, plainQuestion } from "../decide/request.ts";
import { readExamples } from "./read-examples.ts";
import { reportOf } from "./report.ts";
import { idOf, sealOf } from "./seal-lesson.ts";

/**
 * What a question's examples teach. The same examples make the same lesson in any order; only `report.suspicious` names them by the order they came in.
 * @param question as in a request
 * @param examples an iterable or async iterable of `Example`: 8 with an answer or more, 100,000 in all at most
 * @throws {DecideError} `invalid_request`, with the index of the example at fault, never its text; what the reader throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function teach(question: unknown, examples: unknown, reader: QuestionReader, options: TeachOptions): Promise<Lesson> {
  checkCallOptions(options, TEACH_RULES);
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const parsed = parseQuestion(question);
  // What the caller's function throws is an uncaught error of the caller's, not an error of the call.
  const tell = (progress: TeachProgress): void => {
    queueMicrotask(() => {
      onProgress?.(progress);
    });
  };
  const { info, rows, unanswered } = await readExamples(parsed, examples, reader, signal, (done) => {
    tell({ stage: "reading", done });
  });
  const learnedFrom = rows.inOwnOrder();
  const pauses = new Pauses(signal);
  const { head, accuracy, risk, learned, before, after, note } = await learn(learnedFrom, parsed, pauses, (done) => {
    tell({ stage: "fitting", done });
  });
  const notes = [...(note === undefined ? [] : [note]), ...notesOn(learnedFrom, { byAnswer: rows.counts, unanswered }, parsed.criteria)];
  const report = await reportOf({ criteria: parsed.criteria, before, after, risk, learned, notes }, pauses);
  const lesson = {
    umpire_lesson: 1,
    model: { id: info.model, seal: info.seal },
    question: plainQuestion(parsed),
    examples: { answered: rows.added, unanswered, byAnswer: byKey(rows.counts, parsed) },
    head: toPlain(head),
    accuracy,
    risk,
    report,
  } as const;
  const seal = await sealOf(lesson);
  const { umpire_lesson, ...others } = lesson;
  return { umpire_lesson, id: idOf(seal), ...others, sha256: seal };
}

const TEACH_RULES: RulesOf<TeachOptions> = { signal: AN_ABORT_SIGNAL, onProgress: A_FUNCTION };

function byKey(counts: readonly number[], { criteria }: ParsedQuestion): Lesson["examples"]["byAnswer"] {
  return Object.fromEntries(criteria.map(({ key }, k) => [key, counts[k] ?? 0]));
}

function toPlain({ scale, biases, features }: Head): LessonHead {
  return {
    scale,
    biases: Array.from(biases),
    ...(features && { features: { size: features.mean.length, mean: toBase64(features.mean), weights: toBase64(features.weights) } }),
  };
}
