/** What one request may ask for, and how many may wait. Each limit is answered by a 4xx that names it. */
export interface ServiceLimits {
  /** Size of a request's body. Beyond: 413. Default: 1,048,576. */
  readonly bodyBytes: number;
  /** How deep arrays and objects of a body may nest. Beyond: 422. Default: 64. */
  readonly nesting: number;
  /** Values of a body's arrays and objects. Reading them holds up everybody: 65,536 for some tenths of a second. Beyond: 422. Default: 65,536. */
  readonly values: number;
  /** Questions of one request. Beyond: 422. Default: 256. */
  readonly questions: number;
  /** Options and levels of one request, over all its questions. Beyond: 422. Default: 4,096. */
  readonly criteria: number;
  /** Input tokens of one request. Beyond: 413. Default: 65,536. */
  readonly inputTokens: number;
  /** Requests of one key a minute, in any minute. Beyond: 429. Default: Infinity. */
  readonly requestsPerMinute: number;
  /** Requests that may wait for their turn. Beyond: 429 at once. Default: 1,000. */
  readonly waitingRequests: number;
  /** Bodies of the requests that wait, together, and of those that are being read, together. Beyond: 429 at once. Default: 67,108,864. */
  readonly waitingBytes: number;
  /** How long a request may take from its arrival to its answer, as far as waiting can be foreseen; one that would wait longer is refused at once. Default: 8,000: official clients give up after 10 s. */
  readonly deadlineMs: number;
  /** How long one request may run once it is its turn; longer ones are ended: 413. Default: 8,000. */
  readonly runMs: number;
}

export const DEFAULT_LIMITS: ServiceLimits = {
  bodyBytes: 1_048_576,
  nesting: 64,
  values: 65_536,
  questions: 256,
  criteria: 4096,
  inputTokens: 65_536,
  requestsPerMinute: Infinity,
  waitingRequests: 1000,
  waitingBytes: 67_108_864,
  deadlineMs: 8000,
  runMs: 8000,
};
