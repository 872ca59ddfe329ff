import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { abortable } from "../../library/async/signals.ts";
import type { Engine, Precision } from "../../library/engine/engine.ts";
import type { SelfTest } from "../../library/engine/pack/manifest.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import { AddingFailed } from "./adding-failed.ts";
import type { Engines } from "./engines.ts";
import { GOLDEN_QUESTIONS, SELF_TEST } from "./golden-questions.ts";
import { GOLDENS, allScoresOf, scoresOf } from "./goldens.ts";
import type { Golden } from "./goldens.ts";
import type { ClassifierGraph } from "./graph/check-graph.ts";

/** How far scores may be from those that were made here. Devices add in another order, and int8 rounds what comes out of that to another step. */
export const TOLERANCE: SelfTest["tolerance"] = { int8: 0.2, fp32: 0.01, fp16: 0.1 };

type TestedPrecision = keyof SelfTest["scores"];

/** The self-test of a pack that nobody has run yet. */
export const UNKNOWN_SELF_TEST: SelfTest = { ...withoutType(SELF_TEST), scores: {}, tolerance: TOLERANCE };

/**
 * Runs a pack's model in each of its precisions. Writes goldens.json.
 * @param folder of a pack with an unknown self-test
 * @returns the self-test with the model's scores
 * @throws {AddingFailed} if the model does not work
 */
export async function prove(engines: Engines, folder: string, graphs: readonly ClassifierGraph[], signal?: AbortSignal): Promise<SelfTest> {
  const scores: { [P in TestedPrecision]?: readonly number[] } = {};
  const ofGoldens: { [P in TestedPrecision]?: readonly (number[] | undefined)[] } = {};
  for (const graph of graphs) {
    const { precision } = graph;
    // It is compared with fp32: no device of Node computes in it.
    if (precision === "fp16") continue;
    const engine = await abortable(engines.loadUntested(folder, { precision }), signal).catch((error: unknown) => {
      throw refused(error, graph);
    });
    try {
      scores[precision] = checked(await scoresOf(engine, SELF_TEST, signal), graph);
      ofGoldens[precision] = await allScoresOf(engine, GOLDEN_QUESTIONS, signal);
    } catch (error) {
      throw failed(error, graph, signal);
    } finally {
      await close(engine);
    }
  }
  const goldens = GOLDEN_QUESTIONS.map((asked, i): Golden => ({ ...asked, scores: byPrecision(ofGoldens, i) }));
  const questions = goldens.filter((golden) => Object.keys(golden.scores).length > 0);
  await writeFile(join(folder, GOLDENS), `${JSON.stringify({ questions }, undefined, 2)}\n`);
  return { ...UNKNOWN_SELF_TEST, scores };
}

function byPrecision(all: { readonly [P in TestedPrecision]?: readonly (number[] | undefined)[] }, index: number): Golden["scores"] {
  const entries = (Object.entries(all) as [Precision, readonly (number[] | undefined)[]][]).map(([name, scores]) => [name, scores[index]]);
  return Object.fromEntries(entries.filter(([, scores]) => scores !== undefined)) as Golden["scores"];
}

function withoutType({ state, instructions, options }: typeof SELF_TEST): Pick<SelfTest, "state" | "instructions" | "options"> {
  return { state, instructions, options };
}

function checked(scores: readonly number[], { path }: ClassifierGraph): readonly number[] {
  if (!scores.every(Number.isFinite)) throw new AddingFailed(`${path} gives what is no number. Take another graph with --file.`);
  if (new Set(scores).size === 1) throw new AddingFailed(`${path} says the same of everything. Take another graph with --file.`);
  return scores;
}

/** The model runs no more: how its end went, nobody needs to know. */
function close(engine: Engine): Promise<void> {
  return engine.close().catch(() => undefined);
}

/** Words of onnxruntime for a version of operators that it does not have, with its own version. */
const TOO_NEW = /Opset \d+ is under development|current official support for domain ai\.onnx is till opset (\d+)/iu;

/** Why onnxruntime does not load a graph. */
function refused(error: unknown, { path, opset, customOperators }: ClassifierGraph): unknown {
  if (!DecideError.isInstance(error) || error.code !== "model_invalid") return explained(error);
  // Without a cause it is no word of onnxruntime's.
  if (error.cause === undefined) return explained(error);
  const said = textOfCause(error.cause);
  const [isTooNew, supported] = TOO_NEW.exec(said) ?? [];
  if (isTooNew !== undefined) {
    const most = supported ?? /till opset (\d+)/u.exec(said)?.[1];
    return new AddingFailed(
      `${path} uses version ${opset} of ONNX's operators (opset), and onnxruntime here reads versions${most === undefined ? "" : ` up to ${most}`}. Export it again with an older one.`,
    );
  }
  if (customOperators.length > 0)
    return new AddingFailed(
      `${path} uses operators that onnxruntime does not have: ${customOperators.slice(0, 5).join(", ")}. Take another graph with --file.`,
    );
  return new AddingFailed(`onnxruntime refuses ${path}: ${firstLine(said)}`);
}

/** Why a loaded model does not answer. */
function failed(error: unknown, { path }: ClassifierGraph, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted || !DecideError.isInstance(error)) return error;
  if (error.code === "input_too_long") return new AddingFailed("The model takes too few tokens at a time to answer a short question.");
  return new AddingFailed(`${path} cannot answer: ${firstLine(textOfCause(error.cause ?? error))}`);
}

function explained(error: unknown): unknown {
  return DecideError.isInstance(error) ? new AddingFailed(error.message, { cause: error }) : error;
}

const MAX_CHARACTERS = 300;

function firstLine(text: string): string {
  const [line = ""] = text.replace(/^(?:\w*Error: )+/u, "").split("\n");
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}
