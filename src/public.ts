/** What every entry exports besides `decide` and `createDecider`. */
export { DecideError } from "./errors.ts";
export type { DecideErrorCode, Issue, IssueType, Location } from "./errors.ts";
export type { DecideOptions, Decider, DeciderInfo, DeciderOptions, DeciderStats, LazyDecider, ModelSummary } from "./decider.ts";
export type { Calibration, Device, Download, Limits, Precision } from "./engine/engine.ts";
export type { OnProgress, Progress } from "./progress.ts";
export type {
  Answer,
  AnswerTo,
  ChoiceAnswer,
  ChoiceQuestion,
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
  Text,
  Usage,
} from "./types.ts";
