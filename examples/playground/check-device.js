// @ts-check
// Checks a device: asks golden requests, compares the answers with those of a plain reference, and times a decision. The page uses it, and so does
// `umpire doctor` on Node.

/** @typedef {import("./index.browser.js").Decider} Decider */
/** @typedef {import("./index.browser.js").DeciderOptions} DeciderOptions */
/** @typedef {import("./index.browser.js").DecideRequest} DecideRequest */
/** @typedef {import("./index.browser.js").DecideResponse} DecideResponse */
/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {"cpu" | "wasm" | "webgpu"} Device */
/** @typedef {"int8" | "fp16" | "fp32"} Precision */
/** @typedef {{ readonly device: Device, readonly precision: Precision }} Placement */

/**
 * A request, and for each question the reference's probabilities in the order of the criteria; for a yes/no question, that of yes alone.
 * @typedef {{ readonly name: string, readonly request: DecideRequest, readonly answers: { readonly [id: string]: { readonly probabilities: readonly number[] } } }} GoldenCase
 */

/**
 * golden.json, which the build makes from the golden vectors.
 * @typedef {object} Goldens
 * @property {string} model the id of the model that they are for
 * @property {readonly GoldenCase[]} cases
 * @property {DecideRequest} timed one question with ten options
 */

/**
 * What a check found.
 * @typedef {object} Checked
 * @property {Device} device
 * @property {Precision} precision
 * @property {boolean} ok whether the device answered all golden requests as the reference does
 * @property {number | undefined} maxDifference the largest difference of a probability from the reference's, 0 to 1; undefined without answers
 * @property {number | undefined} msPerDecision the median time of a question with ten options, in milliseconds; undefined without answers
 * @property {number | undefined} threads threads that the model ran in; undefined without answers
 * @property {string} message the outcome as a sentence
 * @property {string | undefined} code the code of the error that ended the check, such as `backend_unavailable` for a device that is not there
 */

/** What a page has. @type {readonly Placement[]} */
const IN_A_PAGE = [
  { device: "wasm", precision: "int8" },
  { device: "wasm", precision: "fp32" },
  { device: "webgpu", precision: "fp16" },
  { device: "webgpu", precision: "fp32" },
];

const MAX_TIMED_RUNS = 20;
/** A slow device is timed for about this long, with fewer runs. */
const MAX_TIMED_MS = 1000;

/**
 * Checks one device and precision after the other, each with a decider of its own, which is closed before the result is yielded.
 * @param {object} options
 * @param {(options: DeciderOptions) => Decider} options.createDecider
 * @param {Goldens} options.goldens
 * @param {readonly Placement[]} [options.placements] default: what a page has
 * @param {AbortSignal | undefined} [options.signal]
 * @returns {AsyncGenerator<Checked, void, void>}
 * @throws `signal.reason` once the signal is aborted; whatever else fails is a result
 */
export async function* checkDevice({ createDecider, goldens, placements = IN_A_PAGE, signal }) {
  for (const placement of placements) {
    signal?.throwIfAborted();
    /** @type {Decider | undefined} */
    let decider;
    /** @type {Checked} */
    let checked;
    try {
      decider = createDecider({ model: goldens.model, ...placement, signal });
      checked = await check(decider, placement, goldens);
    } catch (error) {
      signal?.throwIfAborted();
      checked = failed(placement, error);
    } finally {
      // A decider that could not start has nothing to close.
      await decider?.close().catch(() => undefined);
    }
    yield checked;
  }
}

/**
 * @param {Decider} decider
 * @param {Placement} placement
 * @param {Goldens} goldens
 * @returns {Promise<Checked>}
 */
async function check(decider, placement, { cases, timed }) {
  const differences = [];
  for (const goldenCase of cases) differences.push(...differencesOf(goldenCase, await decider.decide(goldenCase.request)));
  const maxDifference = Math.max(...differences);
  const msPerDecision = await medianMsOf(() => decider.decide(timed));
  // Read last, because another device answers once a GPU has failed.
  const { device, threads } = await decider.info();
  const allowed = allowedDifference(placement);
  // Written so that NaN is a failure, too.
  const isClose = maxDifference <= allowed;
  const ok = isClose && device === placement.device;
  const message =
    device === placement.device
      ? `${isClose ? "Right" : "Wrong"}: the largest difference from the reference is ${rounded(maxDifference)}; ${rounded(allowed)} is allowed.`
      : `It failed, and ${device} answered instead.`;
  return { ...placement, ok, maxDifference, msPerDecision, threads, message, code: undefined };
}

/**
 * @param {Placement} placement
 * @param {unknown} error
 * @returns {Checked}
 */
function failed(placement, error) {
  const { message, code } = /** @type {{ message?: unknown, code?: unknown }} */ (error ?? {});
  return {
    ...placement,
    ok: false,
    maxDifference: undefined,
    msPerDecision: undefined,
    threads: undefined,
    message: typeof message === "string" ? message : "It failed for an unknown reason.",
    code: typeof code === "string" ? code : undefined,
  };
}

/**
 * As in the tests of all golden vectors. A GPU sums floats in an order of its own.
 * @param {Placement} placement
 */
function allowedDifference({ device, precision }) {
  if (precision !== "fp32") return 0.06;
  return device === "webgpu" ? 1e-4 : 1e-5;
}

/**
 * The difference of each probability from the reference's. NaN where there is none.
 * @param {GoldenCase} goldenCase
 * @param {DecideResponse} response
 */
function differencesOf({ answers: expected }, { answers }) {
  return Object.entries(expected).flatMap(([id, { probabilities }]) => {
    const found = probabilitiesOf(answers[id]);
    return found.length === probabilities.length ? probabilities.map((p, i) => Math.abs(p - (found[i] ?? NaN))) : [NaN];
  });
}

/**
 * @param {Answer | undefined} answer
 * @returns {number[]}
 */
function probabilitiesOf(answer) {
  if (answer === undefined) return [];
  return answer.type === "noul" ? [answer.noul] : Object.values(answer.probabilities);
}

/** @param {() => Promise<unknown>} decide */
async function medianMsOf(decide) {
  /** @type {number[]} */
  const times = [];
  let sumMs = 0;
  while (times.length < MAX_TIMED_RUNS && sumMs < MAX_TIMED_MS) {
    const startMs = performance.now();
    await decide();
    const ms = performance.now() - startMs;
    times.push(ms);
    sumMs += ms;
  }
  times.sort((a, b) => a - b);
  const middle = times.length / 2;
  return ((times[Math.ceil(middle) - 1] ?? NaN) + (times[Math.floor(middle)] ?? NaN)) / 2;
}

/** Two digits, like 0.014 or 4.6e-7. @param {number} difference */
function rounded(difference) {
  const number = Number(difference.toPrecision(2));
  return number < 0.001 ? number.toExponential() : String(number);
}
