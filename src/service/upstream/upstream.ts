import { DecideError } from "../../errors.ts";
import { CheckedRequest } from "../../library/decide/request.ts";
import type { ParsedQuestion } from "../../library/decide/request.ts";
import type { Answer, DecideResponse } from "../../library/decide/types.ts";
import type { Body } from "../body/body.ts";
import type { ServiceLimits } from "../handler/limits.ts";
import type { AnswerCounts, FailureReason, Observation } from "../handler/observation.ts";
import type { ForeignRequest } from "../wires/openai-decisions.ts";
import { readReply, withQuestions } from "./replies.ts";
import type { PlainAnswer, Sent, UpstreamAnswer, UpstreamReply } from "./replies.ts";

/** What became of one call of the hosted API. */
export type UpstreamOutcome =
  | { readonly kind: "answered"; readonly value: unknown }
  /** An error of its own, to be passed on as it is. */
  | { readonly kind: "refused"; readonly status: number; readonly text: string; readonly retryAfter: string | undefined }
  | Failed;

export interface Failed {
  readonly kind: "failed";
  readonly reason: FailureReason;
  /** For the caller: never a key, never a text of the reply. */
  readonly error: DecideError;
}

export interface UpstreamRequest {
  /** With path and query. */
  readonly url: string;
  /** JSON. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The caller's own `Authorization`. */
  readonly authorization: string | null;
  readonly requestId: string;
  /** The caller's. */
  readonly signal: AbortSignal;
}

/** A question, as far as it was observed so far. */
export interface ObservedQuestion {
  /** Whether to try it here first. */
  readonly isSwitched: boolean;
  /** Characters of the question, for estimates of tokens. */
  readonly characters: number;
  /** Whether the caller gets an answer of this decider: it is sure enough, and not one of those that are checked with the hosted API. To be asked once for an answer. */
  answersHere(answer: Answer): boolean;
  /** Counts an answer. @param characters those that were sent for it, or would have been: of the question, and its share of the state */
  count(source: Source, characters: number, tokens?: { readonly input: number; readonly output: number }): void;
  /** Takes an answer of the hosted API to learn from, later and elsewhere. It never throws. */
  observe(state: string, answer: PlainAnswer): void;
}

/** Who answered: the hosted API; this decider; or this decider because the hosted API failed. */
export type Source = "upstream" | "local" | "fallback";

/** What is known about questions. */
export interface Observer {
  /** @param model the one that the caller named: another one may answer otherwise */
  find(question: ParsedQuestion, model: string): Promise<ObservedQuestion>;
}

/** A request that was received and checked. */
export interface UpstreamCall {
  readonly request: Request;
  /** The request's path below the service's own base path, with its query. */
  readonly path: string;
  readonly body: Body;
  readonly checked: CheckedRequest;
  /** Of a request of another wire. */
  readonly foreign: ForeignRequest | undefined;
  readonly observed: Observation;
  /** Answers questions here, in turn with other requests. */
  decideHere(request: CheckedRequest): Promise<DecideResponse>;
}

/** A reply's status and text, and headers that come with it. */
export interface WholeReply {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A hosted API behind the service. */
export interface Upstream {
  /** @throws {DecideError} what keeps the request from being answered. @throws `signal.reason` once the caller has gone. */
  answer(call: UpstreamCall): Promise<WholeReply>;
}

export interface UpstreamSettings {
  /** Origin and path, without a slash at its end. */
  readonly url: string;
  /** @throws `signal.reason` once the caller has gone. */
  readonly ask: (request: UpstreamRequest) => Promise<UpstreamOutcome>;
  readonly observer: Observer;
  /** Whether to answer here what the hosted API fails to answer. */
  readonly fallsBack: boolean;
  /** Bodies that may be on their way at one time. */
  readonly limits: Pick<ServiceLimits, "waitingRequests"> & { readonly waitingBytes: number };
}

/** @param words after "The hosted API" */
export function failed(reason: FailureReason, words: string, status = 502): Failed {
  const message = `The hosted API behind this service ${words}. Try again; if that does not help, tell the operator of this service.`;
  return { kind: "failed", reason, error: new DecideError("backend_failed", message, { status, retryable: status >= 500 }) };
}

/** Statuses with which the hosted API says that it cannot answer now. All others of 400 and more are about the request, and the caller's. */
const passes = (status: number): boolean => status >= 500 || status === 429;

/** Answers requests with a hosted API's answers, and with this decider's where the observer says so. */
export function createUpstream({ url, ask, observer, fallsBack, limits }: UpstreamSettings): Upstream {
  let [calls, bytes] = [0, 0];
  const asks = async (call: UpstreamCall, parts: Parts): Promise<Answered | WholeReply | Failed> => {
    const { sizeBytes } = call.body;
    if (calls >= limits.waitingRequests || bytes + sizeBytes > limits.waitingBytes)
      throw new DecideError("overloaded", "Too many requests wait for the hosted API behind this service. Send the request again later.");
    calls++;
    bytes += sizeBytes;
    try {
      return await askFor(call, parts, url, ask);
    } finally {
      calls--;
      bytes -= sizeBytes;
    }
  };
  return {
    answer: async (call) => {
      const { parsed } = call.checked;
      const { state, questions, model = "" } = parsed;
      const known = await Promise.all(questions.map((question) => observer.find(question, model)));
      const here = await answerHere(call, known);
      const sent = questions.map((question, index) => ({ index, question })).filter(({ index }) => here.answers[index] === undefined);
      if (sent.length === 0) return wholeReply(call, known, here, undefined, "local");
      const startMs = performance.now();
      const outcome = await asks(call, { sent, isAll: sent.length === questions.length });
      call.observed.note({ upstreamMs: performance.now() - startMs });
      if ("reply" in outcome) {
        const reply = wholeReply(call, known, here, { ...outcome, sent }, "local");
        for (const [i, { index }] of sent.entries()) {
          const plain = outcome.reply.answers[i]?.plain;
          if (plain !== undefined) known[index]?.observe(state, plain);
        }
        return reply;
      }
      const isFailure = "kind" in outcome;
      if (isFailure) call.observed.note({ upstreamFailure: outcome.reason });
      const status = isFailure ? outcome.error.status : outcome.status;
      if (fallsBack && passes(status)) {
        if (!isFailure) call.observed.note({ upstreamFailure: "status" });
        const instead = await fallBack(call, here, sent);
        if (instead !== undefined) return wholeReply(call, known, instead, undefined, "fallback", sent);
      }
      if (isFailure) throw outcome.error;
      return outcome;
    },
  };
}

interface Parts {
  readonly sent: readonly Sent[];
  /** Whether these are all questions of the request. */
  readonly isAll: boolean;
}

interface Answered {
  readonly reply: UpstreamReply;
}

/** Longer ones say nothing: https://www.rfc-editor.org/rfc/rfc9110#name-retry-after */
const MAX_RETRY_AFTER = 40;

async function askFor(
  call: UpstreamCall,
  { sent, isAll }: Parts,
  url: string,
  ask: UpstreamSettings["ask"],
): Promise<Answered | WholeReply | Failed> {
  const { request, path, body, foreign, observed } = call;
  const bytes = await body.bytes();
  const isOurs = Object.hasOwn(body.value as object, "x_max_error_rate");
  const kept = new Set(sent.map(({ index, question }) => (foreign ? index : question.id)));
  const outcome = await ask({
    url: url + path,
    // As it came, wherever it can be.
    body: isAll && !isOurs ? (bytes as Uint8Array<ArrayBuffer>) : withQuestions(new TextDecoder().decode(bytes), kept),
    authorization: request.headers.get("authorization"),
    requestId: observed.requestId,
    signal: request.signal,
  });
  if (outcome.kind === "failed") return outcome;
  if (outcome.kind === "refused") {
    const { status, text, retryAfter = "" } = outcome;
    const isShort = retryAfter !== "" && retryAfter.length <= MAX_RETRY_AFTER;
    return { status, text, ...(isShort && { headers: { "retry-after": retryAfter } }) };
  }
  const reply = readReply(outcome.value, sent, foreign);
  return typeof reply === "string" ? failed("wrong_shape", `answered with ${reply}`) : { reply };
}

/** Answers that are given here, by the index of their question. */
interface Here {
  readonly answers: readonly (Answer | undefined)[];
  readonly model: string;
}

const NOTHING_HERE: Here = { answers: [], model: "" };

/** Asks this decider what is switched. If it cannot answer, the hosted API is asked: it is what the caller pays for. */
async function answerHere(call: UpstreamCall, known: readonly ObservedQuestion[]): Promise<Here> {
  const { questions } = call.checked.parsed;
  const tried = questions.map((question, index) => ({ index, question })).filter(({ index }) => known[index]?.isSwitched);
  if (tried.length === 0) return NOTHING_HERE;
  const decided = await decide(call, tried);
  if (decided === undefined) return NOTHING_HERE;
  const answers = questions.map(({ id }, index) => {
    const answer = Object.hasOwn(decided.answers, id) ? decided.answers[id] : undefined;
    if (answer === undefined || !tried.some((one) => one.index === index)) return undefined;
    return known[index]?.answersHere(answer) ? answer : undefined;
  });
  return { answers, model: decided.model };
}

/** Answers to what was sent in vain, beside those that are given here anyway. Undefined if this decider fails, too. */
async function fallBack(call: UpstreamCall, here: Here, sent: readonly Sent[]): Promise<Here | undefined> {
  const decided = await decide(call, sent);
  if (decided === undefined) return undefined;
  const { questions } = call.checked.parsed;
  return { ...here, model: decided.model, answers: questions.map(({ id }, i) => here.answers[i] ?? decided.answers[id]) };
}

/** Undefined if the decider cannot answer: then what the hosted API says counts. @throws `signal.reason` once the caller has gone. */
async function decide(call: UpstreamCall, asked: readonly Sent[]): Promise<DecideResponse | undefined> {
  const { state, questions } = call.checked;
  const some = Object.fromEntries(asked.map(({ question: { id } }) => [id, questions[id]]));
  try {
    return await call.decideHere(new CheckedRequest({ state, questions: some }));
  } catch (error) {
    call.request.signal.throwIfAborted();
    if (!DecideError.isInstance(error)) throw error;
    call.observed.note({ localFailure: error.code });
    return undefined;
  }
}

/** The answers of both in the caller's order, counted. */
function wholeReply(
  { checked, foreign, observed }: UpstreamCall,
  known: readonly ObservedQuestion[],
  here: Here,
  upstream: (Answered & { readonly sent: readonly Sent[] }) | undefined,
  source: "local" | "fallback",
  inVain: readonly Sent[] = [],
): WholeReply {
  const { state, questions } = checked.parsed;
  const come = new Map(upstream?.sent.map(({ index }, i) => [index, upstream.reply.answers[i]]));
  const answers = questions.map(({ id }, index): readonly [string, object] => {
    const answer = come.get(index);
    return [id, answer ? { ...answer.json, x_source: "upstream" } : localAnswer(here.answers[index])];
  });
  const local = questions.length - come.size;
  const taught = here.answers.filter((answer) => answer?.x_lesson !== undefined).length;
  observed.note({
    sources: { upstream: come.size, local },
    ...(local > 0 && { answers: { taught, untaught: local - taught } satisfies AnswerCounts }),
  });
  countAll(known, come, upstream?.reply, state.length, source, inVain);
  if (upstream === undefined) {
    // Nothing was billed.
    const whole = {
      model: here.model,
      answers: Object.fromEntries(answers) as DecideResponse["answers"],
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return { status: 200, text: JSON.stringify(foreign ? foreign.toReply(whole) : whole) };
  }
  const merged = foreign
    ? answers.map(([, answer], i) => (come.has(i) ? answer : foreign.toAnswer(i, answer as Answer)))
    : Object.fromEntries(answers);
  return { status: 200, text: JSON.stringify({ ...upstream.reply.json, answers: merged }) };
}

function localAnswer(answer: Answer | undefined): object {
  if (answer === undefined) throw new TypeError("a question has no answer");
  return { ...answer, x_source: "local" };
}

/** A call's tokens are shared among its questions by their length in characters, a state's among all that were asked of it. */
function countAll(
  known: readonly ObservedQuestion[],
  come: ReadonlyMap<number, UpstreamAnswer | undefined>,
  reply: UpstreamReply | undefined,
  stateCharacters: number,
  source: "local" | "fallback",
  inVain: readonly Sent[],
): void {
  const lost = new Set(inVain.map(({ index }) => index));
  // Of a state that was sent anyway, nothing is saved.
  const shareOf = (count: number): number => stateCharacters / Math.max(1, count);
  const sentCharacters = [...come.keys()].reduce((sum, i) => sum + (known[i]?.characters ?? 0), stateCharacters);
  for (const [index, question] of known.entries()) {
    if (!come.has(index)) {
      const state = come.size > 0 ? 0 : shareOf(known.length);
      question.count(lost.has(index) ? source : "local", question.characters + state);
      continue;
    }
    const characters = question.characters + shareOf(come.size);
    const share = characters / Math.max(1, sentCharacters);
    question.count("upstream", characters, { input: (reply?.inputTokens ?? 0) * share, output: (reply?.outputTokens ?? 0) / come.size });
  }
}
