export { check } from "./check.ts";
export type { Decide } from "./readings.ts";
export type { CheckCode, CheckOptions, CheckWarning, QuestionCheck } from "./warning.ts";
