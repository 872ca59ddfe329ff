// Prints reports as tables with aligned columns and three decimals.
import { columns } from "./library.mjs";

const share = (value) => (value === null || value === undefined ? "" : value.toFixed(3));
const points = (value) => (value === null || value === undefined ? "" : `${value >= 0 ? "+" : ""}${(100 * value).toFixed(1)}`);
const percent = (value) => (value === null || value === undefined ? "" : `${(100 * value).toFixed(1)}%`);

/** All sets of one model, with the accuracy of chance. */
export function setsTable({ sets }, chance) {
  const head = ["set", "n", "accuracy", "chance", "macro-F1", "ECE", "of x_accuracy", "at 80%", "at 50%", "said yes", "truly yes", "flips"];
  const rows = sets.map((set, i) => [
    set.type === undefined ? `${set.kind}: ${set.name}` : `  ${set.type}`,
    String(set.n),
    share(set.accuracy),
    share(chance.sets[i].accuracy),
    share(set.macroF1),
    share(set.ece),
    share(set.accuracyError),
    share(set.accuracyAt80),
    share(set.accuracyAt50),
    percent(set.saidYes),
    percent(set.trulyYes),
    percent(set.flips?.share),
  ]);
  return columns([head, ...rows]);
}

/** The main figures: a column for each model, then recorded figures if there are any, then chance. Rows without figures are left out. */
export function summaryTable(reports, chance, recorded) {
  const all = [...reports, ...(recorded ? [recorded] : []), chance];
  const row = (name, format, value) => [name, ...all.map((report) => format(value(report.summary, report)))];
  const nli = Object.keys(chance.summary.nliAccuracy);
  const sets = chance.summary.classification?.sets;
  const windows = chance.longStates?.byWindow ?? [];
  const rows = [
    row("decisions, all types: accuracy", share, (summary) => summary.decisionsAccuracy),
    row("decisions, yes/no: accuracy", share, (summary) => summary.yesNoAccuracy),
    row("decisions, yes/no: said yes minus truly yes, points", points, (summary) => summary.yesBias),
    row("decisions, choice: accuracy", share, (summary) => summary.choiceAccuracy),
    row("decisions, score: accuracy", share, (summary) => summary.scoreAccuracy),
    row("twins, all types: accuracy", share, (summary) => summary.twinsAccuracy),
    row("twins, both of two whose answers differ: right", share, (summary) => summary.twinsBothRight),
    row(`classification, mean of ${sets}: accuracy`, share, (summary) => summary.classification?.accuracy),
    row(`classification, mean of ${sets}: macro-F1`, share, (summary) => summary.classification?.macroF1),
    row(`classification, mean of ${sets}: ECE`, share, (summary) => summary.classification?.ece),
    row(`classification, mean of ${sets}: ECE of x_accuracy`, share, (summary) => summary.classification?.accuracyError),
    row(`classification, mean of ${sets}: accuracy at 80%`, share, (summary) => summary.classification?.accuracyAt80),
    row(`classification, mean of ${sets}: accuracy at 50%`, share, (summary) => summary.classification?.accuracyAt50),
    ...nli.map((name) => row(`${name}: accuracy`, share, (summary) => summary.nliAccuracy[name])),
    ...nli.map((name) => row(`${name} as a choice: accuracy`, share, (summary) => summary.nliAsChoiceAccuracy?.[name])),
    row("answers that differ in fp32", percent, (summary) => summary.flips?.share),
    ...windows.map((_, i) =>
      row(`long states, in window ${i + 1} of ${windows.length}: accuracy`, share, (_summary, report) => report.longStates?.byWindow[i]),
    ),
    row("long states' texts alone: accuracy", share, (_summary, report) => report.longStates?.alone),
  ];
  const head = ["", ...reports.map(({ model }) => model.id), ...(recorded ? [`${recorded.model.id} (recorded)`] : []), "chance"];
  return columns([head, ...rows.filter(([, ...cells]) => cells.some((cell) => cell !== ""))]);
}

/** By type and number of options: how often answers said that they are right (`x_accuracy`), and how often they were. */
export function promisesTable({ promises }) {
  const head = ["x_accuracy", "n", "stated", "right", "ECE"];
  return columns([
    head,
    ...promises.map(({ name, n, stated, right, error }) => [name, String(n), share(stated), share(right), share(error)]),
  ]);
}
