import { isNumber, numberFrom, refuseUnknown, type Field } from "../../library/validation/field.ts";

/** Limits of one request, and of all that wait. Exceeding a limit is answered with a 4xx that names it. */
export interface ServiceLimits {
  /** Size of a request's body. Exceeded: 413. Default: 1,048,576. */
  readonly bodyBytes: number;
  /** Input tokens of one request. Exceeded: 413. Default: 65,536. */
  readonly inputTokens: number;
  /** Requests of one key in any minute. Exceeded: 429. Default: Infinity. */
  readonly requestsPerMinute: number;
  /** Requests that may wait in the queue. Exceeded: 429 at once. Default: 1,000. */
  readonly waitingRequests: number;
  /** Time from a request's arrival to its answer. A request that is predicted to take longer is refused at once: 429. Default: 8,000, because official clients give up after 10 s. */
  readonly deadlineMs: number;
  /** Time for which the model may work on one request, pauses and loading not counted; then it is stopped: 413. Default: 8,000. */
  readonly runMs: number;
}

export const DEFAULT_LIMITS: ServiceLimits = {
  bodyBytes: 1_048_576,
  inputTokens: 65_536,
  requestsPerMinute: Infinity,
  waitingRequests: 1000,
  deadlineMs: 8000,
  runMs: 8000,
};

/** Limits that are no options: a body of an honest client comes nowhere near them, and they bound what reading one costs. */
export const FIXED_LIMITS = {
  /** How deep a body may nest arrays and objects: the library takes 100, and the body's own levels come on top. Exceeded: 422. */
  nesting: 64,
  /** Values in a body's arrays and objects. Reading them blocks everything else: some tenths of a second for as many. Exceeded: 422. */
  values: 65_536,
  /** Questions in one request. Exceeded: 422. */
  questions: 400,
  /** Options and levels in one request, over all its questions. Exceeded: 422. */
  criteria: 4096,
  /** Total size of the bodies that are being received, and of those that wait for the model: 64 of the largest. Exceeded: 429 at once. */
  waitingBytes: 67_108_864,
};

export type AllLimits = ServiceLimits & typeof FIXED_LIMITS;

/** A limit of 0 makes sense here: no queue, or a closed service. A request of size 0 does not exist, so other limits are at least 1. */
const MAY_BE_ZERO: readonly string[] = ["waitingRequests", "requestsPerMinute"] satisfies (keyof ServiceLimits)[];

/** The given limits, with the defaults for the others. The result is valid only if the field has no issues. */
export function readLimits(given: Field): ServiceLimits {
  if (!given.isMissing && !given.isObject("an object of limits")) return DEFAULT_LIMITS;
  refuseUnknown(given, Object.keys(DEFAULT_LIMITS));
  const read: { [name: string]: number } = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    const limit = given.get(name);
    const rule = numberFrom(MAY_BE_ZERO.includes(name) ? 0 : 1);
    if (!limit.isMissing && isNumber(limit, rule.words) && limit.keeps(rule)) read[name] = limit.value as number;
  }
  return read as unknown as ServiceLimits;
}
