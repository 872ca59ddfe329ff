import type { RiskPoint } from "../statistics/curves.ts";
import type { Estimate } from "../statistics/metrics.ts";
import type { ChoiceQuestion, NoulQuestion, Question, ScoreQuestion } from "../decide/types.ts";

/** How well a question is answered. From folds: every example was answered by what was learned of others. */
export interface LessonMetrics {
  /** Share of right answers, 0 to 1. */
  readonly accuracy: Estimate;
  /** Mean of the answers' F1 scores, over the answers that examples have, 0 to 1. */
  readonly macroF1: Estimate;
  /** Mean negative natural logarithm of the right answer's probability, 0 or more. */
  readonly logLoss: Estimate;
  /** Expected calibration error, 15 bins of equal width, 0 to 1. */
  readonly calibrationError: Estimate;
}

export interface LessonReport {
  /** With the model alone. */
  readonly before: LessonMetrics;
  /** With the lesson. */
  readonly after: LessonMetrics;
  /** The kind of head: nothing helps (but perhaps a calibration), biases alone, or biases and features. */
  readonly learned: "nothing" | "biases" | "features";
  /** Examples by right answer (rows) and given answer (columns), in the order of `question`'s criteria; given by the lesson, from folds. */
  readonly confusion: readonly (readonly number[])[];
  /** Examples whose stated answer looks wrong, by index in the order they came, most suspicious first; 100 at most. `answer` is what the lesson says, from folds. */
  readonly suspicious: readonly { readonly index: number; readonly answer: string; readonly probability: number }[];
  /** The share of the examples that could be acted on (`x_act`) for some error rates; 0 if no threshold can promise that rate, with the reason. */
  readonly automated: readonly { readonly maxErrorRate: number; readonly share: number; readonly reason?: string }[];
  /**
   * Where nothing was learned from 64 examples or more: by how much the share of right answers would probably rise with 2 and 4 times as many, with the interval of 90%,
   * from a curve over parts of the examples.
   */
  readonly forecast?: readonly { readonly examples: number; readonly gain: Estimate }[];
  /** Notes about the examples: what to do where nothing was learned, too few of one answer, contradictions, duplicates, ... One sentence each. */
  readonly notes: readonly string[];
}

/**
 * A lesson as it is learned. TypeScript gives a JSON file that is imported wider types than `Lesson` has, such as string in place of "choice", so all else
 * is checked when it is learned.
 */
export type SavedLesson = Pick<Lesson, "id" | "sha256"> & { readonly umpire_lesson: number };

/** The result of teaching: plain JSON that holds none of the examples' text. */
export interface Lesson {
  /** The format: 1. */
  readonly umpire_lesson: 1;
  /** `lesson-` and 16 hexadecimal digits of `sha256`. */
  readonly id: string;
  /**
   * `calibration`: the model's own answers, with probabilities that are true of this question (`calibrate`, or `teach` where nothing was learned). Of a choice or a
   * score the answer stays as it is; of a noul the bias may turn a yes near .5 into a no, and the other way round. Absent: a lesson that was taught.
   * A version without calibrations reads one as such a lesson, and answers the same.
   */
  readonly kind?: "calibration";
  /** The model that it was learned with, and answers with. */
  readonly model: { readonly id: string; readonly seal: string };
  readonly question: Question;
  readonly examples: {
    /** Examples with an answer. */
    readonly answered: number;
    /** Examples without one. */
    readonly unanswered: number;
    /** Of those with an answer: how many have which. Keys are the criteria's: of a noul "true" and "false", of a score "0" to "n-1". */
    readonly byAnswer: { readonly [answer: string]: number };
  };
  readonly head: LessonHead;
  /** sigmoid(slope ln(p / (1 - p)) + bias) of answers with probability p, at most 0.99, were right: what `x_accuracy` is read off. */
  readonly accuracy: { readonly slope: number; readonly bias: number };
  readonly risk: readonly RiskPoint[];
  readonly report: LessonReport;
  /** SHA-256 of the lesson without `id` and `sha256`, as JSON: an edited lesson is refused. */
  readonly sha256: string;
}

/**
 * logits_k = scale ln(p_k) + biases_k + weights_k · (features - mean), p the probabilities by the pack's calibration; the answer is their softmax.
 * By criterion, in the order of `question`.
 */
export interface LessonHead {
  readonly scale: number;
  readonly biases: readonly number[];
  /** Absent if features do not help, or there are none. float32, little-endian, in Base64: `mean` [features], `weights` [criteria, features]. */
  readonly features?: { readonly size: number; readonly mean: string; readonly weights: string };
}

/** A lesson that answers. */
export interface LessonSummary {
  readonly id: string;
  /** As in the lesson. */
  readonly kind?: "calibration";
  /** Id of its model. */
  readonly model: string;
  readonly question: Question;
}

/** An example. */
export type Example<Q extends Question = Question> = AnsweredExample<Q> &
  (
    | { /** As in a request. */ readonly state: unknown; readonly reading?: undefined }
    // Its text was read before, and is not needed again.
    | { /** What `readExample` gave for the same question, with the same model. */ readonly reading: ExampleReading }
  );

interface AnsweredExample<Q extends Question> {
  /**
   * Of a choice: the option's key. Of a noul: true or false. Of a score: the level's index. Absent: an example without an answer. It is checked and counted, but
   * neither read by the model nor learned from: subtracting half of each option's mean log-probability over 100 such texts changed accuracy by less than 0.1
   * points where 16 or 64 others have answers.
   */
  readonly answer?: AnswerOf<Q> | null | undefined;
  /**
   * How many texts this one stands for, where examples were not chosen at random: the inverse of the probability with which it was chosen; 0 if it was chosen
   * because it is hard. Only the counts behind `x_act` heed it, and leave out those of 0. Default: 1.
   */
  readonly weight?: number | undefined;
}

/**
 * The model's probabilities and features of a text, asked a question, as plain JSON without the text: an example that need not be read again. It tells something of the
 * text, though, to whoever has the model.
 */
export interface ExampleReading {
  /** The format: 1. */
  readonly umpire_reading: 1;
  readonly model: { readonly id: string; readonly seal: string };
  /** 64 bits of the question's SHA-256, in hexadecimal digits: of its type, instructions and criteria, in their order. */
  readonly question: string;
  /** Those of the text. */
  readonly text: string;
  /** By criterion, in the question's order, without any lesson. */
  readonly probabilities: readonly number[];
  /** float32, little-endian, in Base64; absent if the model has no features. */
  readonly features?: string;
}

export interface ReadExampleOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A choice's is any string here, as rows of a file have it; `teach` refuses what is none of the options. */
type AnswerOf<Q> = Q extends ChoiceQuestion ? string : Q extends NoulQuestion ? boolean : Q extends ScoreQuestion ? number : never;

/** How far teaching is. */
export interface TeachProgress {
  readonly stage: "reading" | "fitting";
  /** Examples read so far; of fitting, the share done, 0 to 1. */
  readonly done: number;
}

export interface TeachOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TeachProgress) => void) | undefined;
}
