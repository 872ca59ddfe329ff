// Turns a model's outcomes into the figures of its report.
import { mean, sum } from "simple-statistics";
import { chanceOf, figuresOf, meansOf, reliabilityBins, riskCoverage } from "./figures.mjs";
import { promisesOf } from "./promises.mjs";

/** The question types of a decisions set. Each gets its own figures. */
const TYPES = ["noul", "choice", "score"];

/**
 * @param {import("./measure.mjs").Measured} measured
 */
export function reportOf({ info, sets, long }) {
  const { model: id, releaseDate, description, device, precision, graph } = info;
  const withFigures = sets.flatMap(partsOf).map(({ outcomes, fp32, labelsShared, ...set }) => ({
    ...set,
    ...figuresOf(outcomes, { labelsShared, fp32 }),
  }));
  return {
    model: { id, releaseDate, description, device, precision, graph },
    summary: summaryOf(withFigures),
    longStates: long && {
      rows: long.rows,
      questions: long.alone.length,
      alone: figuresOf(long.alone).accuracy,
      byWindow: long.byWindow.map((outcomes) => figuresOf(outcomes).accuracy),
    },
    sets: withFigures,
    promises: promisesOf(sets.flatMap(({ outcomes }) => outcomes)),
    curves: curvesOf(sets),
  };
}

/** The figures of blind guessing. @param {import("./measure.mjs").Measured} measured any model's, because chance depends on the questions alone */
export function chanceReportOf({ sets, long }) {
  const withFigures = sets.flatMap(partsOf).map(({ outcomes, labelsShared, kind, name, type }) => ({
    kind,
    name,
    ...(type !== undefined && { type }),
    ...chanceOf(outcomes, { labelsShared }),
  }));
  const alone = long && chanceOf(long.alone).accuracy;
  return {
    summary: summaryOf(withFigures),
    longStates: long && { rows: long.rows, questions: long.alone.length, alone, byWindow: long.byWindow.map(() => alone) },
    sets: withFigures,
  };
}

/** A set as a whole, and for decisions also each question type. */
function partsOf({ kind, name, instructions, seconds, outcomes, fp32, bothRight }) {
  const twins = bothRight && { changed: bothRight.length, bothRight: mean(bothRight.map(Number)) };
  const whole = { kind, name, ...(instructions !== undefined && { instructions }), ...twins, seconds, outcomes, fp32 };
  // Rows of a classification set may offer only some of its labels.
  if (kind !== "decisions" && kind !== "twins") return [{ ...whole, labelsShared: true }];
  const only = (type) => (outcome) => outcome.type === type;
  const types = TYPES.filter((type) => outcomes.some(only(type)));
  return [whole, ...types.map((type) => ({ kind, name, type, outcomes: outcomes.filter(only(type)), fp32: fp32.filter(only(type)) }))];
}

/** The figures by which a model is judged; null for what was not measured. */
function summaryOf(sets) {
  const only = (kind, type) => sets.filter((set) => set.kind === kind && set.type === type);
  const pooled = (chosen, name) =>
    chosen.length === 0 || chosen.some((set) => set[name] === undefined)
      ? null
      : sum(chosen.map((set) => set.n * set[name])) / sum(chosen.map((set) => set.n));
  const yesNo = only("decisions", "noul");
  const classification = only("cls", undefined);
  const asked = sets.filter(({ type, flips }) => type === undefined && flips !== null);
  return {
    decisionsAccuracy: pooled(only("decisions", undefined), "accuracy"),
    yesNoAccuracy: pooled(yesNo, "accuracy"),
    /** Share answered yes minus share whose right answer is yes. */
    yesBias: yesNo.length === 0 ? null : pooled(yesNo, "saidYes") - pooled(yesNo, "trulyYes"),
    choiceAccuracy: pooled(only("decisions", "choice"), "accuracy"),
    scoreAccuracy: pooled(only("decisions", "score"), "accuracy"),
    twinsAccuracy: pooled(only("twins", undefined), "accuracy"),
    /** Share of the questions whose answer differs between twins that were answered rightly for both. */
    twinsBothRight: pooled(only("twins", undefined), "bothRight"),
    classification: classification.length === 0 ? null : meansOf(classification),
    nliAccuracy: Object.fromEntries(only("nli", undefined).map(({ name, accuracy }) => [name, accuracy])),
    nliAsChoiceAccuracy: Object.fromEntries(only("nli as choice", undefined).map(({ name, accuracy }) => [name, accuracy])),
    /** Share of answers that differ in fp32: over all questions asked in both precisions, and as a mean over sets. */
    flips:
      asked.length === 0
        ? null
        : {
            n: sum(asked.map(({ flips }) => flips.n)),
            share: sum(asked.map(({ flips }) => flips.changed)) / sum(asked.map(({ flips }) => flips.n)),
            meanOverSets: mean(asked.map(({ flips }) => flips.share)),
          },
  };
}

/** Reliability and risk curves for each kind of question. */
function curvesOf(sets) {
  const outcomesOf = (kinds, type) =>
    sets.filter(({ kind }) => kinds.includes(kind)).flatMap(({ outcomes }) => outcomes.filter((o) => o.type === type));
  return [
    { name: "choice, classification sets", outcomes: outcomesOf(["cls"], "choice") },
    { name: "choice, decisions", outcomes: outcomesOf(["decisions", "twins"], "choice") },
    { name: "yes/no, decisions", outcomes: outcomesOf(["decisions", "twins"], "noul") },
    { name: "score, decisions", outcomes: outcomesOf(["decisions", "twins"], "score") },
  ]
    .filter(({ outcomes }) => outcomes.length > 0)
    .map(({ name, outcomes }) => ({
      name,
      n: outcomes.length,
      reliability: reliabilityBins(outcomes),
      riskCoverage: riskCoverage(outcomes),
    }));
}
