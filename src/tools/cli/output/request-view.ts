import type { DecideRequest, DecideResponse } from "../../../library/decide/types.ts";
import { showAnswer } from "./answer-view.ts";
import type { Screen } from "./screen.ts";
import { showState } from "./state-view.ts";
import { surenessOf } from "./sureness.ts";
import { clip, escapeControls, oneLine, widthOf, wrap } from "./terminal-text.ts";

/** An answered request, to be shown to a person. */
export interface Answered {
  /** The heading; "" for none. */
  readonly title: string;
  readonly request: DecideRequest;
  readonly response: DecideResponse;
  readonly elapsedMs: number;
  /** Whether to show the state. */
  readonly withState: boolean;
}

/** Title and state if wanted, each question with its answer, and the cost. */
export function showAnswered({ title, request, response, elapsedMs, withState }: Answered, screen: Screen): string {
  const { paint, width } = screen;
  const blocks = Object.entries(request.questions).map(([id, question]) => {
    const answer = response.answers[id];
    return answer === undefined ? [] : showAnswer(question, answer, screen);
  });
  if (withState) blocks.unshift(showState(request.state, screen));
  if (title !== "") blocks.unshift([paint("cyan", ruled(oneLine(title), width))]);
  blocks.push(wrap(footer(response, elapsedMs), width).map((line) => paint("dim", line)));
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** A summary of all requests: the number of answers that a person should check, and the cost. */
export function showTotal(answered: readonly Answered[], { paint }: Screen): string {
  const answers = answered.flatMap(({ response }) => Object.values(response.answers));
  const doubtful = answers.filter((answer) => surenessOf(answer).hint !== "").length;
  const sum = (of: (one: Answered) => number): number => answered.reduce((total, one) => total + of(one), 0);
  const read = sum(({ response }) => response.usage.input_tokens);
  const written = sum(({ response }) => response.usage.output_tokens);
  const counts = `${answered.length} requests, ${answers.length} questions`;
  const forPerson = doubtful > 0 ? ` · ${paint("yellow", `${doubtful} for a person to check`)}` : "";
  return `${paint("bold", counts)}${forPerson}\n${tokens(read, written)} · ${milliseconds(sum(({ elapsedMs }) => elapsedMs))}\n`;
}

function ruled(title: string, width: number): string {
  const line = clip(title, width - 6);
  return `── ${line} ${"─".repeat(width - 4 - widthOf(line))}`;
}

function footer({ model, usage }: DecideResponse, elapsedMs: number): string {
  return `${escapeControls(model)} · ${tokens(usage.input_tokens, usage.output_tokens)} · ${milliseconds(elapsedMs)}`;
}

function tokens(read: number, written: number): string {
  return `${read.toLocaleString("en")} tokens in, ${written.toLocaleString("en")} out`;
}

function milliseconds(elapsedMs: number): string {
  return `${Math.round(elapsedMs).toLocaleString("en")} ms`;
}
