import fc from "fast-check";
import { DecideError, createDecider } from "umpire";
import type { DecideRequest, DecideResponse, Decider } from "umpire";
import { keepsContract } from "../support/contract-oracle.ts";
import { anyRequest, choiceQuestion, validRequest } from "../support/random-requests.ts";
import type { ValidRequest } from "../support/random-requests.ts";
import { brokenRules, same } from "../support/response-rules.ts";

/** Requests generated and checked together. Each batch has its own seed, so that it can be repeated alone. */
const BATCH = 40;
/** A request that takes longer counts as hanging. */
const HANG_MS = 240_000;

type Outcome = { readonly response: DecideResponse } | { readonly error: unknown };

interface Case {
  /** Kind of request, for the counts. */
  readonly kind: string;
  readonly request: unknown;
  /** Aborts the call after this many ms. */
  readonly abortAfterMs?: number;
}

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withBoxedValues: true,
  withNullPrototype: true,
  withObjectString: true,
  maxDepth: 4,
});

const words = (count: number): string => Array.from({ length: count }, (_, i) => ["cat", "parcel", "late", "refund"][i % 4]).join(" ");

/** Long states, many options and many questions. There are few of them, because they are slow. */
const large = fc.record({
  state: fc.integer({ min: 300, max: 2500 }).map(words),
  questions: fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 255 }), choiceQuestion)
    .map(([questions, options, small]) => ({
      small,
      ...Object.fromEntries(
        Array.from({ length: questions }, (_, i) => [`q${i}`, { type: "noul", instructions: `Is it about ${i} cats?` }]),
      ),
      large: {
        type: "choice",
        instructions: "Which?",
        criteria: Object.fromEntries(Array.from({ length: options }, (_, i) => [`number ${i}`, null])),
      },
    })),
});

const cases: fc.Arbitrary<Case> = fc.oneof(
  { weight: 300, arbitrary: anyRequest.map((request) => ({ kind: "valid, mutated or any JSON", request })) },
  { weight: 60, arbitrary: validRequest.map((request) => ({ kind: "valid", request })) },
  { weight: 15, arbitrary: anything.map((request) => ({ kind: "any value", request })) },
  {
    weight: 15,
    arbitrary: fc.tuple(validRequest, anything).map(([request, state]) => ({ kind: "any value as state", request: { ...request, state } })),
  },
  {
    weight: 10,
    arbitrary: fc.tuple(validRequest, fc.nat(60)).map(([request, abortAfterMs]) => ({ kind: "aborted", request, abortAfterMs })),
  },
  { weight: 1, arbitrary: large.map((request) => ({ kind: "large", request })) },
);

/** Sends `count` requests, prints the outcomes and returns the number of failures. */
export async function fuzz(count: number, seed: number): Promise<number> {
  const startMs = performance.now();
  const counts = new Map<string, number>();
  const tally = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  let asked = 0;
  let failures = 0;
  // One thread, because most requests are small, and threads that wait for each other are slow on busy cores.
  const decider = await createDecider({ threads: 1 });
  for (let batch = 0; asked < count; batch++) {
    const batchSeed = seed + batch;
    const batchCases = fc.sample(cases, { numRuns: Math.min(BATCH, count - asked), seed: batchSeed });
    const outcomes = await Promise.all(batchCases.map((one) => outcomeOf(decider, one)));
    for (const [i, one] of batchCases.entries()) {
      const outcome = outcomes[i] ?? { error: "nothing" };
      tally(`${one.kind}: ${nameOf(outcome)}`);
      const complaints = [...complaintsAbout(one, outcome), ...(i % 8 === 0 ? await complaintsAboutVariants(decider, one, outcome) : [])];
      if (complaints.length === 0) continue;
      failures++;
      console.error(
        `FAILED: ${complaints.join("; ")}\n  again: npm run fuzz -- ${BATCH} ${batchSeed}  (request ${i})\n  ${fc.stringify(one.request)}`,
      );
    }
    asked += batchCases.length;
    if (batch % 50 === 49) progress(asked, startMs);
  }
  await decider.close();
  progress(asked, startMs);
  for (const [name, times] of [...counts].sort()) console.log(`${String(times).padStart(7)}  ${name}`);
  console.log(failures === 0 ? `no failure (seed ${seed})` : `${failures} failures (seed ${seed})`);
  return failures;
}

function progress(asked: number, startMs: number): void {
  const seconds = (performance.now() - startMs) / 1000;
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  console.log(`${asked} requests in ${seconds.toFixed(0)} s, ${(asked / seconds).toFixed(0)} a second, ${megabytes} MB resident`);
}

async function outcomeOf(decider: Decider, { request, abortAfterMs }: Case): Promise<Outcome> {
  const signal = abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs);
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => {
      resolve({ error: "it hangs" });
    }, HANG_MS);
  });
  const answered = decider.decide(request as DecideRequest, { signal }).then(
    (response): Outcome => ({ response }),
    (error: unknown): Outcome => ({ error }),
  );
  const outcome = await Promise.race([answered, hang]);
  clearTimeout(timer);
  return outcome;
}

function nameOf(outcome: Outcome): string {
  if ("response" in outcome) return "answer";
  if (outcome.error instanceof DecideError) return outcome.error.code;
  return outcome.error instanceof Error ? outcome.error.name : String(outcome.error);
}

function complaintsAbout({ kind, request }: Case, outcome: Outcome): string[] {
  const name = nameOf(outcome);
  if (kind === "aborted" && name === "TimeoutError") return [];
  if (kind.startsWith("any value")) {
    // Values that JSON cannot hold, which the oracle does not know.
    return ["answer", "invalid_request", "input_too_long", "model_not_found"].includes(name)
      ? located(outcome)
      : [`the outcome is ${name}`];
  }
  if (!keepsContract(request)) return name === "invalid_request" ? located(outcome) : [`the request is wrong, but the outcome is ${name}`];
  if ("response" in outcome) return brokenRules(request as ValidRequest, outcome.response);
  return ["input_too_long", "model_not_found"].includes(name) ? [] : [`the request is right, but the outcome is ${name}`];
}

function located(outcome: Outcome): string[] {
  if ("response" in outcome || !(outcome.error instanceof DecideError) || outcome.error.code !== "invalid_request") return [];
  const { issues = [] } = outcome.error;
  return issues.length > 0 && issues.every(({ loc, msg }) => loc[0] === "body" && msg !== "") ? [] : ["an issue has no place"];
}

/** Checks that answers do not change if ids change, questions and options are reversed, or questions are asked one by one. */
async function complaintsAboutVariants(decider: Decider, { kind, request }: Case, outcome: Outcome): Promise<string[]> {
  if (!("response" in outcome) || kind.startsWith("any value")) return [];
  const { answers } = outcome.response;
  const { questions } = request as ValidRequest;
  const ids = Object.keys(questions);
  const reversed = Object.fromEntries(
    ids.toReversed().map((id, i) => {
      const question = questions[id];
      const criteria =
        question?.type === "choice" ? Object.fromEntries(Object.entries(question.criteria as object).toReversed()) : question?.criteria;
      return [`renamed ${i}`, { ...question, criteria }];
    }),
  );
  const other = await outcomeOf(decider, { kind, request: { ...(request as object), questions: reversed } });
  if (!("response" in other)) return [`another order gives ${nameOf(other)}`];
  const { response } = other;
  return ids
    .toReversed()
    .flatMap((id, i) =>
      same(numbersOf(answers[id]), numbersOf(response.answers[`renamed ${i}`])) ? [] : ["another order gives another answer"],
    );
}

/** The numbers by key, which must not depend on any order. */
function numbersOf(answer: DecideResponse["answers"][string] | undefined): unknown {
  if (answer === undefined) return undefined;
  if (answer.type === "noul") return answer.noul;
  return [answer.confidence, Object.entries(answer.probabilities).sort(([a], [b]) => (a < b ? -1 : 1))];
}
