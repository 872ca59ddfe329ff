/** Everything that each entry exports besides `decide` and `createDecider`. */
export { DecideError } from "./errors.ts";
export type { DecideErrorCode, Issue, IssueType, Location } from "./errors.ts";
export type {
  Decider,
  DeciderInfo,
  DeciderOptions,
  DeciderStats,
  LazyDecider,
  ModelSummary,
  Reading,
  ReadOptions,
} from "./library/decider/decider.ts";
export type { Calibration, Device, Download, KeptBytes, StateWarning, TokenLimits, Precision } from "./library/engine/engine.ts";
export type {
  ManyAnswered,
  ManyFailed,
  ManyOptions,
  ManyRequest,
  ManyResult,
  ManyStatesOptions,
  Rows,
  StreamOfRows,
} from "./library/bulk/types.ts";
export type { CheckCode, CheckOptions, CheckWarning, QuestionCheck } from "./library/check/check.ts";
export type { OnProgress, Progress } from "./library/engine/engine.ts";
export type { Explanation, ExplainOptions } from "./library/explain/explain.ts";
export type {
  Example,
  ExampleReading,
  Lesson,
  LessonReport,
  LessonSummary,
  ReadExampleOptions,
  SavedLesson,
  TeachOptions,
  TeachProgress,
} from "./library/lessons/lesson.ts";
export type {
  ActReason,
  Answer,
  AnswerTo,
  CheckedQuestions,
  ChoiceAnswer,
  ChoiceQuestion,
  DecideOptions,
  DecideRequest,
  DecideResponse,
  Description,
  JsonValue,
  NoulAnswer,
  NoulQuestion,
  Question,
  Questions,
  ScoreAnswer,
  ScoreQuestion,
  State,
  Text,
  Usage,
} from "./library/decide/types.ts";
