import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/** A hosted decision API, played by a server of our own: real HTTP, with answers that a test chooses. */
export interface HostedApi extends AsyncDisposable {
  readonly url: string;
  /** What came in, in order. */
  readonly requests: HostedRequest[];
  /** What answers the next requests. */
  behave(behaviour: Behaviour): void;
}

export interface HostedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly text: string;
}

/** Answers a request, in any way. */
export type Behaviour = (request: HostedRequest, response: ServerResponse) => void;

interface AnyQuestion {
  readonly type: string;
  readonly name?: string;
  readonly instructions?: string;
  readonly criteria?: object;
  readonly choices?: readonly { readonly value: string | boolean }[];
  readonly levels?: readonly object[];
}

interface AnyBody {
  readonly state?: unknown;
  readonly input?: unknown;
  readonly questions: Readonly<Record<string, AnyQuestion>> | readonly AnyQuestion[];
}

/** Which option of a question is right for a text: its index. Of yes/no, 0 is yes. */
export type Judge = (text: string, question: AnyQuestion, id: string) => number;

export const USAGE = { input_tokens: 100, output_tokens: 2 };
const P = 0.75;

export async function startHostedApi(behaviour: Behaviour = answering(() => 0)): Promise<HostedApi> {
  const requests: HostedRequest[] = [];
  let now = behaviour;
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    incoming.on("end", () => {
      const request = { path: incoming.url ?? "", headers: incoming.headers, text };
      requests.push(request);
      now(request, outgoing);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    behave: (next) => {
      now = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Replies as the hosted APIs do, in the shape of the request. */
export function answering(judge: Judge): Behaviour {
  return ({ text }, response) => {
    sendJson(response, 200, replyTo(text, judge));
  };
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof value === "string" ? value : JSON.stringify(value));
}

export function replyTo(text: string, judge: Judge): { model: string; answers: unknown; usage: object } {
  const { state, input, questions } = JSON.parse(text) as AnyBody;
  const read = String(state ?? input);
  const answers = Array.isArray(questions)
    ? (questions as readonly AnyQuestion[]).map((question, i) => openAiAnswer(question, judge(read, question, String(i))))
    : Object.fromEntries(
        Object.entries(questions as object as Record<string, AnyQuestion>).map(([id, one]) => [id, ownAnswer(one, judge(read, one, id))]),
      );
  return { model: "hosted-1", answers, usage: USAGE };
}

const sharesOf = (count: number, right: number): number[] =>
  Array.from({ length: count }, (_, i) => (i === right ? P : (1 - P) / (count - 1)));

function ownAnswer({ type, criteria = {} }: AnyQuestion, right: number): object {
  if (type === "noul") return { type, noul: right === 0 ? P : 1 - P };
  const keys = Object.keys(criteria);
  const probabilities = Object.fromEntries(sharesOf(keys.length, right).map((share, i) => [keys[i] ?? "", share]));
  return type === "score"
    ? { type, score: right, legend: criteria, probabilities, confidence: P }
    : { type, choice: keys[right], confidence: P, probabilities };
}

function openAiAnswer({ type, name, choices = [], levels = [] }: AnyQuestion, right: number): object {
  const named = { type, name: name ?? null };
  if (type === "predicate") return { ...named, probability: right === 0 ? P : 1 - P };
  const shares = sharesOf(type === "score" ? levels.length : choices.length, right);
  if (type === "score")
    return {
      ...named,
      score: right,
      confidence: P,
      probabilities: shares.map((probability, value) => ({ label: `level ${value}`, value, probability })),
    };
  const probabilities = shares.map((probability, i) => ({ value: choices[i]?.value, probability }));
  return { ...named, choice: choices[right]?.value, confidence: P, probabilities };
}
