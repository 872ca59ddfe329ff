import { answersNeeded, binomialCdf, thresholdFor, type RiskPoint } from "../../../library/statistics/curves.ts";

/*
 * When a question is answered here, and when it goes back: plain functions over counts.
 *
 * Switching. Out-of-fold answers of a lesson give the lowest probability from which at most `maxDisagreement` differ from the hosted API, at 90% confidence (`thresholdFor`).
 *
 * That is tested again whenever it is taught, some ten times, so by chance alone one of them may promise too much. Therefore a switch begins with a trial: as in a
 * re-check, the first answers that would be given here still come from the hosted API.
 *
 * Audits. Of each 50 answers that would be given here, one, at a place chosen by chance, asks the hosted API instead. So two audits are at most 99 apart, and a change of
 * mind cannot hide behind bad luck: independent draws of 1 in 50 would leave 100 answers unaudited in .98^100 = 13% of cases.
 *
 * Re-check. An audit that disagrees says little: where 3% disagree, one in 33 does. So the next answers that would be given here all go to the hosted API, and a test decides: at
 * a limit of .05 by 22 of them, or by 45. It breaks at 3 of 22 (P = .095 at a rate of .05, .027 at .03), and so after 3 calls where all disagree. The worst case of a changed
 * question is then 99 + 3 answers; at a share of .6, which is 170 calls, all others being asked upstream anyway. Where the share is smaller, those others tell sooner:
 *
 * Unsure answers. They go upstream at no extra cost, and held-out answers below the threshold bound how many of them may disagree. If so many of the last 20
 * disagree that it happens in 1 of 1,000 cases, a re-check begins, too.
 */

/** One of so many answers that would be given here asks the hosted API, too. */
export const AUDIT_EVERY = 50;
/** A question is switched if this share of its calls could be answered here. With less, little is saved, and few answers tell of a change. */
export const LEAST_SHARE = 0.2;
/** How often a test may err. */
const ERROR = 0.1;
/** Checks, and unsure answers, that are kept. */
const [KEPT_CHECKS, KEPT_UNSURE] = [100, 20];
const LEAST_UNSURE = 10;
const RARE = 0.001;

/** Evidence about a switched question since it was switched. Plain JSON. */
export interface Evidence {
  /** Answers that would have been given here, and were asked upstream: "." agreed, "x" did not; oldest first. */
  readonly checks: string;
  /** Of a re-check that is going on: its checks so far. */
  readonly recheck?: string;
  /** Whether that is the trial with which a switch begins. */
  readonly isTrial?: true;
  /** Unsure answers, in the same way. */
  readonly unsure: string;
  /** The share of these that disagreed when they began a re-check; one that was passed says that they may. */
  readonly unsureBefore?: number | undefined;
}

export const NO_EVIDENCE: Evidence = { checks: "", unsure: "" };
export const TRIAL: Evidence = { checks: "", recheck: "", isTrial: true, unsure: "" };

/** How sure a lesson must be, and what that gives. */
export interface Standing {
  /** Answers from this probability on may be given; undefined: none may. */
  readonly threshold: number | undefined;
  /** The share of calls that could be answered here, 0 to 1. */
  readonly share: number;
  /** Upper bound of the share of these that differ from the hosted API, at 90% confidence; undefined if there are none. */
  readonly bound: number | undefined;
  /** Upper bound of the share of the others that differ; 1 if there are none. */
  readonly unsureBound: number;
}

/** @param risk held-out answers of a lesson, counted from the surest on */
export function standingOf(risk: readonly RiskPoint[], maxDisagreement: number): Standing {
  const threshold = thresholdFor(risk, maxDisagreement);
  const all = risk.at(-1) ?? { answers: 0, errors: 0 };
  const sure = risk.find(({ probability }) => probability === threshold) ?? { answers: 0, errors: 0 };
  const unsure = all.answers - sure.answers;
  return {
    threshold,
    share: all.answers > 0 ? sure.answers / all.answers : 0,
    bound: sure.answers > 0 ? upperBound(sure.errors, sure.answers) : undefined,
    unsureBound: unsure > 0 ? upperBound(all.errors - sure.errors, unsure) : 1,
  };
}

/** The upper bound of Clopper and Pearson (1934) at 90% confidence, one-sided, by bisection. */
export function upperBound(errors: number, answers: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (middle > 0 && binomialCdf(errors, answers, middle) <= ERROR) high = middle;
    else low = middle;
  }
  return high;
}

export type Verdict = "stays" | "recheck" | "back";

export interface Judged {
  readonly evidence: Evidence;
  readonly verdict: Verdict;
}

/** After an answer that would have been given here was asked upstream: an audit, or one of a re-check. */
export function afterCheck(before: Evidence, agreed: boolean, maxDisagreement: number): Judged {
  const mark = agreed ? "." : "x";
  const checks = (before.checks + mark).slice(-KEPT_CHECKS);
  if (before.recheck === undefined) {
    const evidence = { ...before, checks, ...(!agreed && { recheck: "" }) };
    return { evidence, verdict: agreed ? "stays" : "recheck" };
  }
  const recheck = before.recheck + mark;
  const evidence = { ...before, checks, recheck };
  const passed = { checks, unsure: "", unsureBefore: before.unsureBefore };
  const [n, k] = [recheck.length, disagreements(recheck)];
  const last = answersNeeded(maxDisagreement);
  const first = Math.floor(last / 2);
  const size = n <= first ? first : last;
  // The rest of the test cannot change that any more, so it ends early at no cost.
  if (isAbove(k, size, maxDisagreement)) return { evidence, verdict: "back" };
  if (n < size) return { evidence, verdict: "recheck" };
  if (isAbove(disagreements(checks), checks.length, maxDisagreement)) return { evidence, verdict: "back" };
  // At the first look, it passes with as many as are expected at the limit, or fewer; else at the second.
  return n === last || k <= maxDisagreement * first ? { evidence: passed, verdict: "stays" } : { evidence, verdict: "recheck" };
}

/** After an answer that was not sure enough was asked upstream. @param bound of the share that disagrees, by held-out ones */
export function afterUnsure(before: Evidence, agreed: boolean, bound: number): Judged {
  if (before.recheck !== undefined) return { evidence: before, verdict: "recheck" };
  const unsure = (before.unsure + (agreed ? "." : "x")).slice(-KEPT_UNSURE);
  const evidence = { ...before, unsure };
  const share = disagreements(unsure) / unsure.length;
  const rate = Math.max(bound, before.unsureBefore ?? 0);
  if (unsure.length < LEAST_UNSURE || rate >= 1 || atLeast(disagreements(unsure), unsure.length, rate) >= RARE)
    return { evidence, verdict: "stays" };
  return { evidence: { checks: before.checks, recheck: "", unsure: "", unsureBefore: share }, verdict: "recheck" };
}

function disagreements(marks: string): number {
  return marks.split("x").length - 1;
}

/** Probability of `k` or more of `n`, each with probability `rate`. */
function atLeast(k: number, n: number, rate: number): number {
  return k <= 0 ? 1 : 1 - binomialCdf(k - 1, n, rate);
}

/** Whether more than `rate` disagree, at 90% confidence: the exact binomial test. */
function isAbove(k: number, n: number, rate: number): boolean {
  return atLeast(k, n, rate) <= ERROR;
}

/** Which answers are audited: one of each 50, at a place chosen by chance. @param random 0 to 1 @returns whether the next answer is one */
export function audits(random = Math.random): () => boolean {
  let [place, chosen] = [0, 0];
  return () => {
    if (place === 0) chosen = Math.floor(random() * AUDIT_EVERY);
    const isChosen = place === chosen;
    place = (place + 1) % AUDIT_EVERY;
    return isChosen;
  };
}

/** Teaching again pays when observations have grown by so much. */
const [FIRST_TAUGHT, GROWTH] = [30, 1.5];

/** How many observations it takes to teach a question again. @param last how many there were when it was taught, 0 for never */
export function dueAt(last: number): number {
  return Math.max(FIRST_TAUGHT, Math.ceil(last * GROWTH));
}
