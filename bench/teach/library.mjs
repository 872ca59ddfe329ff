// Internal parts of the library: what teaching asks of a model can also be asked of readings that were made once, or of another model.
import { fileURLToPath } from "node:url";
import { importBundled } from "../../test/support/bundled.mjs";

const PARTS = `
export { readQuestion } from "./library/decide/decide.ts";
export { toExtensionFields } from "./library/decide/decide.ts";
export { fitLesson, toOutOfFold } from "./library/lessons/fit-lesson.ts";
export { Yielder } from "./library/async/signals.ts";
export { labelIssuesOf } from "./library/lessons/report.ts";
export { parseQuestion } from "./library/decide/request.ts";
export { parseRequest } from "./library/decide/request.ts";
export { thresholdFor } from "./library/statistics/curves.ts";
export { readLesson } from "./library/lessons/read-lesson.ts";
export { calibrate, teach } from "./library/lessons/teach.ts";
export { drawRow, Likeness } from "./tools/label/choose.ts";
export { nodePlatform } from "./library/platform/node/platform.ts";
`;

const stdin = { contents: PARTS, loader: "ts", resolveDir: fileURLToPath(new URL("../../src/", import.meta.url)) };
export const {
  readQuestion,
  toExtensionFields,
  fitLesson,
  toOutOfFold,
  Yielder,
  labelIssuesOf,
  parseQuestion,
  parseRequest,
  thresholdFor,
  readLesson,
  calibrate,
  teach,
  drawRow,
  Likeness,
  nodePlatform,
} = await importBundled({ stdin }, new URL(".", import.meta.url));
