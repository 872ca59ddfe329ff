import type { QuestionType, Device, Engine, Precision } from "../../library/engine/engine.ts";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readFile, writeFile } from "node:fs/promises";
import { loadEngine, loadUntested } from "../../library/engine/load.ts";
import { loadNodeEngine, packFiles } from "../../library/platform/node/engine.ts";
import { nodeRuntimes } from "../../library/platform/node/runtimes.ts";
import { usefulThreads } from "../../library/platform/platform.ts";
import { abortable } from "../../library/async/signals.ts";
import type { SelfTest, TestedPrecision } from "../../library/engine/pack/manifest.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import { unlessMissing } from "../../files/system-errors.ts";
import { ToolError } from "../tool-error.ts";
import { counted, elementAt } from "../../library/validation/expect.ts";
import type { ClassifierGraph } from "./graph/graphs.ts";
import type { InstalledModel } from "./installed.ts";
import { firstLine } from "./model-source.ts";

interface Asked {
  readonly type: QuestionType;
  readonly state: string;
  readonly instructions: string;
  readonly options: readonly string[];
}

const SELF_TEST: Asked = {
  type: "choice",
  state:
    "Your parcel was handed to the neighbour at number 14 on Monday because nobody answered the door. If you have not received it by Thursday, reply to this message and we will open an inquiry.",
  instructions: "Where is the parcel now?",
  options: ["with a neighbour", "at the depot", "lost"],
};

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const EVENTS = [
  "the morning shift counted the stock and found two boxes of screws too few",
  "a driver reported that the loading ramp was wet and closed it for an hour",
  "the manager signed the new contract with the cleaning company",
  "visitors from the head office were shown the packing line",
  "the printer in the office ran out of paper twice",
  "a customer collected an order that nobody had prepared",
  "the heating failed in the evening, and the night shift worked in coats",
];

/** Longer than the window of any model, so that its answer is made of two or more. */
const LONG_STATE = Array.from(
  { length: 40 },
  (_, i) => `Entry ${i + 1}, ${DAYS[i % DAYS.length]}: ${EVENTS[(i * 3) % EVENTS.length]}.`,
).join(" ");

const REVIEW =
  "We stayed three nights. The room was clean and the staff could not have been kinder, but the street was so loud that none of us slept before two. Breakfast made up for some of it.";
const CODE = 'TypeError: Cannot read properties of undefined (reading "map") at renderList (app.js:120:14)';

/** Questions of a pack's goldens: of each type, about short and long texts, and odd ones. */
const GOLDEN_QUESTIONS: readonly Asked[] = [
  {
    type: "choice",
    state: "I was charged twice for one ticket.",
    instructions: "Which team should answer?",
    options: ["billing", "technical support", "sales", "other"],
  },
  { type: "choice", state: REVIEW, instructions: "", options: ["noise", "cleanliness", "food", "staff", "price"] },
  { type: "choice", state: LONG_STATE, instructions: "What failed?", options: ["the heating", "the telephone"] },
  { type: "choice", state: CODE, instructions: "What is this?", options: ["an error message", "a poem"] },
  { type: "noul", state: "The meeting is moved to Friday at ten.", instructions: "Is the meeting on Friday?", options: ["yes", "no"] },
  { type: "noul", state: REVIEW, instructions: "Was the guest disturbed by noise?", options: ["yes", "no"] },
  { type: "noul", state: LONG_STATE, instructions: "Was a contract signed?", options: ["yes", "no"] },
  { type: "noul", state: "Grüße aus Zürich! 👋 Bis später.", instructions: "Is this a greeting?", options: ["yes", "no"] },
  {
    type: "score",
    state: REVIEW,
    instructions: "How content is the guest?",
    options: ["not at all", "a little", "mostly", "entirely"],
  },
  { type: "score", state: CODE, instructions: "How urgent is this?", options: ["not urgent", "urgent", "an emergency"] },
  { type: "score", state: LONG_STATE, instructions: "How much went wrong?", options: ["nothing", "nearly everything"] },
  { type: "score", state: "ok", instructions: "How friendly is this?", options: ["cold", "neutral", "warm"] },
];

interface EnginePlace {
  /** Default: the fastest that there is. */
  readonly device?: Device;
  readonly precision?: Precision;
}

/**
 * Loads a pack into this thread, which has nothing else to do meanwhile.
 * @param dist the folder of the built package
 * @param load with its self-test, or without
 * @throws {DecideError} as `loadEngine`
 */
export function loadPack(dist: URL, folder: string, { device, precision }: EnginePlace = {}, load = loadEngine): Promise<Engine> {
  const options = { device: device ?? "auto", precision, threads: usefulThreads(availableParallelism()) } as const;
  return loadNodeEngine(packFiles(pathToFileURL(join(folder, "/")).href), nodeRuntimes(dist), options, load);
}

/**
 * Whether int8 products are exact here: on some processors they saturate. The built-in model has a probe for it, and takes a graph of another name there.
 * @param builtIn folder of a model that came with the package
 * @returns false without one: nobody knows
 */
export async function isInt8Exact(dist: URL, builtIn: string | undefined): Promise<boolean> {
  if (builtIn === undefined) return false;
  const engine = await loadPack(dist, builtIn, { precision: "int8" });
  const isExact = engine.info.graph === engine.info.precision;
  await engine.close();
  return isExact;
}

/** How far scores may be from those that were made here. Devices add in another order, and int8 rounds what comes out of that to another step. */
const TOLERANCE: SelfTest["tolerance"] = { int8: 0.2, fp32: 0.01, fp16: 0.1 };

const { state, instructions, options } = SELF_TEST;
export const UNKNOWN_SELF_TEST: SelfTest = { state, instructions, options, scores: {}, tolerance: TOLERANCE };

/**
 * Runs a pack's model in each of its precisions. Writes goldens.json.
 * @param folder of a pack with an unknown self-test
 * @returns the self-test with the model's scores
 * @throws {ToolError} if the model does not work
 */
export async function makeSelfTest(
  dist: URL,
  folder: string,
  graphs: readonly ClassifierGraph[],
  signal?: AbortSignal,
): Promise<SelfTest> {
  const scores: { [P in TestedPrecision]?: readonly number[] } = {};
  const goldens = GOLDEN_QUESTIONS.map((asked): Golden => ({ ...asked, scores: {} }));
  for (const graph of graphs) {
    const { precision } = graph;
    // It is compared with fp32: no device of Node computes in it.
    if (precision === "fp16") continue;
    const engine = await abortable(loadPack(dist, folder, { precision }, loadUntested), signal).catch((error: unknown) => {
      throw refused(error, graph);
    });
    try {
      scores[precision] = checked(await scoresOf(engine, SELF_TEST, signal), graph);
      for (const golden of goldens) {
        const of = await scoresOf(engine, golden, signal).catch(undefinedIfTooLong);
        if (of !== undefined) golden.scores[precision] = of;
      }
    } catch (error) {
      throw failed(error, graph, signal);
    } finally {
      // The model runs no more: how its end went, nobody needs to know.
      await engine.close().catch(() => undefined);
    }
  }
  const questions = goldens.filter((golden) => Object.keys(golden.scores).length > 0);
  await writeFile(join(folder, GOLDENS), `${JSON.stringify({ questions }, undefined, 2)}\n`, { flush: true });
  return { ...UNKNOWN_SELF_TEST, scores };
}

function checked(scores: readonly number[], { path }: ClassifierGraph): readonly number[] {
  if (!scores.every(Number.isFinite)) throw new ToolError(`${path} gives what is no number. Take another graph with --file.`);
  if (new Set(scores).size === 1) throw new ToolError(`${path} says the same of everything. Take another graph with --file.`);
  return scores;
}

/** Words of onnxruntime for a version of operators that it does not have, with its own version. */
const TOO_NEW = /Opset \d+ is under development|current official support for domain ai\.onnx is till opset (\d+)/iu;

function refused(error: unknown, { path, opset, customOperators }: ClassifierGraph): unknown {
  if (!DecideError.isInstance(error)) return error;
  // Without a cause it is no word of onnxruntime's.
  if (error.code !== "model_invalid" || error.cause === undefined) return new ToolError(error.message, { cause: error });
  const said = textOfCause(error.cause);
  const [isTooNew, supported] = TOO_NEW.exec(said) ?? [];
  if (isTooNew !== undefined) {
    const most = supported ?? /till opset (\d+)/u.exec(said)?.[1];
    return new ToolError(
      `${path} uses version ${opset} of ONNX's operators (opset), and onnxruntime here reads versions${most === undefined ? "" : ` up to ${most}`}. Export it again with an older one.`,
    );
  }
  if (customOperators.length > 0)
    return new ToolError(
      `${path} uses operators that onnxruntime does not have: ${customOperators.slice(0, 5).join(", ")}. Take another graph with --file.`,
    );
  return new ToolError(`onnxruntime refuses ${path}: ${firstLine(said)}`);
}

function failed(error: unknown, { path }: ClassifierGraph, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted || !DecideError.isInstance(error)) return error;
  if (error.code === "input_too_long") return new ToolError("The model takes too few tokens at a time to answer a short question.");
  return new ToolError(`${path} cannot answer: ${firstLine(textOfCause(error.cause ?? error))}`);
}

export const GOLDENS = "goldens.json";

/** A question, and what the model said when it was added, in each of its precisions in which it is not too long. */
interface Golden extends Asked {
  readonly scores: { [P in TestedPrecision]?: readonly number[] };
}

/** Four digits tell apart what is different, and are what people can read. */
const DIGITS = 4;

/**
 * A model's scores for a question, one for each option.
 * @throws {DecideError} `input_too_long`, `backend_failed`
 * @throws `signal.reason`
 */
async function scoresOf(engine: Engine, { type, state, instructions, options }: Asked, signal?: AbortSignal): Promise<number[]> {
  const texts = options.map((text) => ({ text, sent: [], answer: null }));
  const { questions } = await engine.score({ state, questions: [{ type, instructions, options: texts }] }, signal);
  const { scores } = elementAt(counted(questions, 1, "scored questions"), 0, "scored question");
  return Array.from(scores, (score) => Number(score.toFixed(DIGITS)));
}

function undefinedIfTooLong(error: unknown): undefined {
  if (DecideError.isInstance(error) && error.code === "input_too_long") return undefined;
  throw error;
}

/** Outcome of running a model in one place. */
export interface Verified {
  readonly device: Device | undefined;
  readonly precision: Precision | undefined;
  readonly problem?: string;
  readonly asked: number;
  /** The largest difference of a score from that of the goldens. */
  readonly maxDifference: number;
}

/** Loads a model in one place, which checks its seal, its files and its self-test, and asks its golden questions there. */
export async function verifyModel(dist: URL, { folder, manifest }: InstalledModel, place: EnginePlace = {}): Promise<Verified> {
  const found = { device: place.device, precision: place.precision, asked: 0, maxDifference: 0 };
  try {
    const engine = await loadPack(dist, folder, place);
    try {
      const { device, precision } = engine.info;
      Object.assign(found, { device, precision });
      const of = precision === "fp16" ? "fp32" : precision;
      const text = await unlessMissing(readFile(join(folder, GOLDENS), "utf8"));
      const goldens = text === undefined ? [] : (JSON.parse(text) as { readonly questions: readonly Golden[] }).questions;
      for (const golden of goldens) {
        const expected = golden.scores[of];
        if (expected === undefined) continue;
        found.asked += 1;
        const differences = (await scoresOf(engine, golden)).map((score, i) => Math.abs(score - (expected[i] ?? NaN)));
        found.maxDifference = Math.max(found.maxDifference, ...differences);
      }
      // Written so that what is no number is a problem, too.
      if (!(found.maxDifference <= (manifest?.selfTest.tolerance[precision] ?? 0)))
        return { ...found, problem: `its scores differ from those when it was added by up to ${found.maxDifference.toFixed(4)}` };
    } finally {
      await engine.close();
    }
  } catch (error) {
    return { ...found, problem: DecideError.isInstance(error) ? error.message : textOfCause(error) };
  }
  return found;
}
