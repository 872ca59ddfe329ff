import { DecideError } from "../../../errors.ts";
import type { Answer, DecideResponse } from "../../../library/decide/types.ts";
import { elementAt, present } from "../../../library/validation/expect.ts";
import { countAnswers, type Upstream, type UpstreamCall, type WholeReply } from "../../handler/answer-decide.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { DEFAULT_MAX_DISAGREEMENT, DEFAULT_STORE, type Logger, type UpstreamOptions } from "../serve-options.ts";
import { askUpstream, Broken, UPSTREAM_LIMITS, type UpstreamLimits } from "./ask-upstream.ts";
import type { Known, Source } from "./known-question.ts";
import { QuestionObserver } from "./observer.ts";
import { MAX_ERROR_RATE, readReply, withQuestions, type Sent, type UpstreamAnswer, type UpstreamReply } from "./replies.ts";
import { UpstreamStore } from "./upstream-store.ts";

/** A question of a call. */
interface Asked extends Sent {
  readonly known: Known;
  /** Who answers. */
  source: Source;
  /** The answer of this decider, and that of the hosted API, where they are known. */
  here: Answer | undefined;
  upstream: UpstreamAnswer | undefined;
}

/** Longer ones say nothing: https://www.rfc-editor.org/rfc/rfc9110#name-retry-after */
const MAX_RETRY_AFTER = 40;

/**
 * Opens everything that a hosted API behind the service takes.
 * @returns what answers requests, with its answers, and with this decider's where the observer says so; and that observer
 * @throws {DecideError} as `UpstreamStore.open` and `QuestionObserver.open`.
 */
export async function openUpstream(
  { url, store: path = DEFAULT_STORE, switch: switches = false, maxDisagreement = DEFAULT_MAX_DISAGREEMENT, fallback }: UpstreamOptions,
  decider: Decider,
  logger: Logger,
  limits?: Partial<UpstreamLimits>,
): Promise<{ readonly answer: Upstream; readonly observer: QuestionObserver }> {
  const store = await UpstreamStore.open(path, { toWrite: true });
  const address = url.replace(/\/+$/u, "");
  try {
    const observer = await QuestionObserver.open({ decider, store, url: address, maxDisagreement, switches, logger });
    return { observer, answer: answerWith(address, observer, fallback === "local", { ...UPSTREAM_LIMITS, ...limits }) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** @param url origin and path, without a slash at its end @param fallsBack whether to answer here what the hosted API fails to answer */
function answerWith(url: string, observer: QuestionObserver, fallsBack: boolean, limits: UpstreamLimits): Upstream {
  let [calls, bytes] = [0, 0];

  /** @throws {Broken} */
  async function askFor(call: UpstreamCall, sent: readonly Sent[], isAll: boolean): Promise<UpstreamReply | WholeReply> {
    const { request, context, body, foreign, observed } = call;
    const { waitingRequests, waitingBytes } = context.limits;
    if (calls >= waitingRequests || bytes + body.sizeBytes > waitingBytes)
      throw new DecideError("overloaded", "Too many requests wait for the hosted API behind this service. Send the request again later.");
    calls++;
    bytes += body.sizeBytes;
    try {
      const { pathname, search } = new URL(request.url);
      const given = await body.bytes();
      const isOurs = Object.hasOwn(body.value as object, MAX_ERROR_RATE);
      const kept = new Set(sent.map(({ index, question }) => (foreign ? index : question.id)));
      const { status, text, value, retryAfter } = await askUpstream(
        {
          url: url + pathname.slice(context.basePath.length) + search,
          // As it came, wherever it can be.
          body: isAll && !isOurs ? (given as Uint8Array<ArrayBuffer>) : withQuestions(new TextDecoder().decode(given), kept),
          authorization: request.headers.get("authorization"),
          requestId: observed.requestId,
          signal: request.signal,
        },
        limits,
      );
      if (status !== 200)
        return { status, text, ...(retryAfter && retryAfter.length <= MAX_RETRY_AFTER && { headers: { "retry-after": retryAfter } }) };
      const reply = readReply(value, sent, foreign);
      if (typeof reply === "string") throw new Broken("wrong_shape", `answered with ${reply}`);
      return reply;
    } finally {
      calls--;
      bytes -= body.sizeBytes;
    }
  }

  return async (call) => {
    const { observed } = call;
    const { state, questions, model = "" } = call.parsed;
    const known = await Promise.all(questions.map((question) => observer.find(question, model)));
    const asked = questions.map((question, index): Asked => {
      return { index, question, known: elementAt(known, index, "question"), source: "local", here: undefined, upstream: undefined };
    });
    // If this decider cannot answer, the hosted API is asked: it is what the caller pays for.
    const tried = asked.filter(({ known }) => observer.isSwitched(known));
    const decided = tried.length > 0 ? await decide(call, tried) : undefined;
    for (const one of tried) {
      const answer = decided?.answers[one.question.id];
      if (answer !== undefined && observer.answersHere(one.known, answer)) one.here = answer;
    }
    const sent = asked.filter(({ here }) => here === undefined);
    if (sent.length === 0) return wholeReply(observer, call, asked, decided?.model);
    const startMs = performance.now();
    const outcome = await askFor(call, sent, sent.length === asked.length).catch((error: unknown) => {
      if (error instanceof Broken) return error;
      throw error;
    });
    observed.upstreamMs = performance.now() - startMs;
    if ("answers" in outcome) {
      for (const [i, one] of sent.entries()) {
        one.source = "upstream";
        one.upstream = outcome.answers[i];
      }
      const reply = wholeReply(observer, call, asked, undefined, outcome);
      for (const { known, upstream } of sent) if (upstream?.plain !== undefined) observer.observe({ known, state, answer: upstream.plain });
      return reply;
    }
    const { status } = outcome;
    const isBroken = outcome instanceof Broken;
    // So the hosted API says that it cannot answer now. All others of 400 and more are about the request, and the caller's.
    const fallsBackNow = fallsBack && (status >= 500 || status === 429);
    if (isBroken || fallsBackNow) observed.upstreamFailure = isBroken ? outcome.reason : "status";
    const instead = fallsBackNow ? await decide(call, sent) : undefined;
    if (instead !== undefined) {
      for (const one of sent) {
        one.source = "fallback";
        one.here = instead.answers[one.question.id];
      }
      return wholeReply(observer, call, asked, instead.model);
    }
    if (isBroken) throw new DecideError("backend_failed", outcome.message, { status, retryable: status >= 500 });
    return outcome;
  };
}

/** Undefined if the decider cannot answer: then what the hosted API says counts. @throws `signal.reason` once the caller has gone. */
async function decide(call: UpstreamCall, asked: readonly Sent[]): Promise<DecideResponse | undefined> {
  const { state, questions } = call.asked;
  const some = Object.fromEntries(asked.map(({ question: { id } }) => [id, present(questions[id], "question")]));
  try {
    return await call.decideHere({ state, questions: some });
  } catch (error) {
    call.request.signal.throwIfAborted();
    if (!DecideError.isInstance(error)) throw error;
    call.observed.localFailure = error.code;
    return undefined;
  }
}

/** The answers of both in the caller's order, counted. @param reply of the hosted API; without one, nothing was billed, and `model` answered all */
function wholeReply(
  observer: QuestionObserver,
  { parsed, foreign, observed }: UpstreamCall,
  asked: readonly Asked[],
  model = "",
  reply?: UpstreamReply,
): WholeReply {
  const local = asked.flatMap(({ here }) => here ?? []);
  observed.sources = { upstream: asked.length - local.length, local: local.length };
  if (local.length > 0) observed.answers = countAnswers(local);
  countAll(observer, asked, parsed.state.length, reply);
  const answers = asked.map(({ question: { id }, here, upstream }): readonly [string, object] => [
    id,
    upstream ? { ...upstream.json, x_source: "upstream" } : { ...present(here, "answer"), x_source: "local" },
  ]);
  if (reply === undefined) {
    const byId = Object.fromEntries(answers) as DecideResponse["answers"];
    const whole = { model, answers: byId, usage: { input_tokens: 0, output_tokens: 0 } };
    return { status: 200, text: JSON.stringify(foreign ? foreign.toReply(whole) : whole) };
  }
  const merged = foreign
    ? answers.map(([, answer], i) => (asked[i]?.upstream ? answer : foreign.toAnswer(i, answer as Answer)))
    : Object.fromEntries(answers);
  return { status: 200, text: JSON.stringify({ ...reply.json, answers: merged }) };
}

/** A call's tokens are shared among its questions by their length in characters, a state's among all that were asked of it. */
function countAll(observer: QuestionObserver, asked: readonly Asked[], stateCharacters: number, reply: UpstreamReply | undefined): void {
  const sent = asked.filter(({ upstream }) => upstream !== undefined);
  const sentCharacters = sent.reduce((sum, { known }) => sum + known.characters, stateCharacters);
  for (const { known, source } of asked) {
    if (source !== "upstream") {
      // Of a state that was sent anyway, nothing is saved.
      observer.count(known, source, known.characters + (sent.length > 0 ? 0 : stateCharacters / asked.length));
      continue;
    }
    const characters = known.characters + stateCharacters / sent.length;
    const input = ((reply?.inputTokens ?? 0) * characters) / sentCharacters;
    observer.count(known, source, characters, { input, output: (reply?.outputTokens ?? 0) / sent.length });
  }
}
