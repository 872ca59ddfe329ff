import { columns } from "../cli/output/drawing.ts";
import type { Screen } from "../cli/output/screen.ts";
import { clip, oneLine } from "../cli/output/terminal-text.ts";
import type { EvalReport, PartReport } from "./report.ts";

/** How many confusions and wrong answers are shown; `--json` has more. */
const SHOWN = 5;
const MAX_NAME_CELLS = 40;

const share = (value: number | null): string => (value === null ? "" : value.toFixed(3));
const percent = (value: number | null): string => (value === null ? "" : `${(100 * value).toFixed(1)}%`);
/** An id or key that a person wrote in their own file. */
const name = (text: string): string => clip(oneLine(text), MAX_NAME_CELLS);

const COLUMNS: readonly (readonly [head: string, cell: (part: PartReport) => string])[] = [
  ["questions", ({ n }) => String(n)],
  ["accuracy", ({ accuracy }) => share(accuracy)],
  ["chance", ({ chance }) => share(chance)],
  ["macro-F1", ({ macroF1 }) => share(macroF1)],
  ["ECE", ({ ece }) => share(ece)],
  ["surest 80%", ({ accuracyAt80 }) => share(accuracyAt80)],
  ["surest 50%", ({ accuracyAt50 }) => share(accuracyAt50)],
  ["said yes", ({ saidYes }) => percent(saidYes)],
  ["truly yes", ({ trulyYes }) => percent(trulyYes)],
];

/** A report for people. */
export function showReport(report: EvalReport, { paint }: Screen): string {
  return [
    figuresTable(report),
    personLine(report),
    ...statedLines(report),
    ...taughtLines(report),
    ...actedLines(report),
    ...confusionLines(report),
    ...wrongLines(report),
  ]
    .join("\n")
    .replace(/^.*$/mu, (head) => paint("bold", head))
    .concat("\n");
}

/** Columns without any figure are left out. */
function figuresTable({ all, types }: EvalReport): string {
  const parts = [["all", all], ...Object.entries(types)] as const;
  const used = COLUMNS.filter(([, cell]) => parts.some(([, part]) => cell(part) !== ""));
  return columns([["", ...used.map(([head]) => head)], ...parts.map(([title, part]) => [title, ...used.map(([, cell]) => cell(part))])]);
}

function personLine({ toPerson: { threshold, share: left, accuracyOfOthers } }: EvalReport): string {
  const others = accuracyOfOthers === null ? "" : ` Of the others, ${percent(accuracyOfOthers)} are right.`;
  return `\nTo a person, if right in fewer than ${Number((100 * threshold).toFixed(1))} of 100: ${percent(left)}.${others}`;
}

function statedLines({ stated }: EvalReport): string[] {
  return stated === null
    ? []
    : [`The answers state that ${percent(stated.accuracy)} of them are right (x_accuracy); ${percent(stated.trueAccuracy)} are.`];
}

function taughtLines({ taught, all }: EvalReport): string[] {
  return taught === 0 ? [] : [`Lessons gave ${taught === all.n ? "all" : taught} of the ${all.n} answers.`];
}

function actedLines({ acted }: EvalReport): string[] {
  if (acted === null) return [];
  const wrong = acted.errorRate === null ? "" : ` Of these, ${percent(acted.errorRate)} are wrong.`;
  return [`To be acted on (x_act): ${percent(acted.share)}.${wrong}`];
}

function confusionLines({ confusions }: EvalReport): string[] {
  if (confusions === null || confusions.length === 0) return [];
  const lines = confusions.slice(0, SHOWN).map(({ truth, said, n }) => [`  ${name(truth)}`, `read as ${name(said)}`, String(n)]);
  return ["\nMost frequent mistakes:", columns(lines)];
}

function wrongLines({ surestWrong }: EvalReport): string[] {
  if (surestWrong.length === 0) return [];
  const hasIds = new Set(surestWrong.map(({ question }) => question)).size > 1;
  const lines = surestWrong
    .slice(0, SHOWN)
    .map(({ line, question, truth, said, probability }) => [
      `  line ${line}`,
      ...(hasIds ? [name(question)] : []),
      `${name(said)}, not ${name(truth)}`,
      share(probability),
    ]);
  return ["\nSurest wrong answers, with their probability:", columns(lines)];
}
