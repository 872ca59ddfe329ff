import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { binomialCdf } from "../../../../src/library/statistics/curves.ts";
import { randomFrom } from "../../../../src/library/statistics/random.ts";
import { present } from "../../../../src/library/validation/expect.ts";
import { answering, sendJson, startHostedApi } from "./hosted-api.ts";
import { freeFixedPort, ServerProcess } from "../server-process.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** Texts with their right answers to one question. */
export interface LabelledSet {
  readonly name: string;
  readonly question: { readonly type: "choice"; readonly instructions: string; readonly criteria: Readonly<Record<string, string | null>> };
  readonly rows: readonly { readonly text: string; readonly label: string }[];
}

export interface SimulationOptions {
  /** The mind of the hosted API changes about the first, halfway. */
  readonly sets: readonly [LabelledSet, LabelledSet];
  readonly calls: number;
  /** After so many calls the service is killed, while it works on one more, and starts again. */
  readonly kills: readonly number[];
  readonly seed: number;
}

export interface QuestionFigures {
  readonly name: string;
  calls: number;
  /** Answered by the hosted API, and here. */
  upstream: number;
  local: number;
  /** Calls that failed because the hosted API did. */
  failed: number;
  /** Calls of this question until the first answer from here; 0 for none. */
  switchedAfter: number;
  /** Answers from here that the hosted API would not have given, but for a change of mind that was not found yet. */
  differed: number;
  promised: number;
  /** Calls of this question from the change of mind until it was switched back; 0 if it never was. Of these, answered here and otherwise than the hosted API would. */
  backAfter: number;
  wrongMeanwhile: number;
}

const [NOISE, FAILING] = [0.03, 0.05];
export const MAX_DISAGREEMENT = 0.05;
/** After so many calls, what was observed is waited for: callers leave the machine time for it. */
const SETTLED_EVERY = 10;

/** Sends calls about two questions in turn to `umpire serve --upstream --switch`, in a process of its own. */
export async function simulate({
  sets,
  calls,
  kills,
  seed,
}: SimulationOptions): Promise<{ questions: QuestionFigures[]; wrong: string[]; store: string }> {
  const random = randomFrom(seed);
  let isChanged = false;
  const labels = sets.map(
    ({ rows, question }) => new Map(rows.map(({ text, label }) => [text, Object.keys(question.criteria).indexOf(label)])),
  );
  /** What the hosted API says: the label, but for noise, and from the change on the next option for the first question. */
  const says = (of: number, text: string): number => {
    const count = Object.keys(present(sets[of], "set").question.criteria).length;
    const right = present(labels[of]?.get(text), "label") + (isChanged && of === 0 ? 1 : 0);
    return random() < NOISE ? Math.floor(random() * count) : right % count;
  };
  /** The last answer that left the hosted API. */
  let said = "";
  await using api = await startHostedApi((request, response) => {
    if (random() < FAILING) {
      sendJson(response, 503, { error: { message: "busy" } });
      return;
    }
    answering((text, { criteria = {} }, id) => {
      const answer = says(Number(id), text);
      said = Object.keys(criteria)[answer] ?? "";
      return answer;
    })(request, response);
  });
  const store = join(tempDir(), "simulated.db");
  const port = await freeFixedPort();
  const start = (): Promise<ServerProcess> =>
    ServerProcess.start(port, ["--upstream", api.url, "--upstream-store", store, "--switch", "--model", "umpire-2"]);
  let server = await start();
  const ask = (of: number, text: string): Promise<Response> => {
    const { question } = present(sets[of], "set");
    const body = JSON.stringify({ model: "hosted", state: text, questions: { [of]: question } });
    return fetch(`${server.url}/decision/v1/model`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", authorization: "Bearer sk-sim" },
    });
  };
  const settle = async (): Promise<void> => {
    while (!/^umpire_upstream_waiting 0$/mu.test(await (await fetch(`${server.url}/metrics`)).text())) await sleep(5);
  };
  const questions = sets.map(({ name }): QuestionFigures => ({
    name,
    calls: 0,
    upstream: 0,
    local: 0,
    failed: 0,
    switchedAfter: 0,
    differed: 0,
    promised: 0,
    backAfter: 0,
    wrongMeanwhile: 0,
  }));
  const wrong: string[] = [];
  let changedAt = 0;
  for (let call = 0; call < calls; call++) {
    const of = call % 2;
    const { rows, question } = present(sets[of], "set");
    const figures = present(questions[of], "figures");
    const { text } = present(rows[Math.floor(call / 2) % rows.length], "row");
    if (call === calls / 2) {
      isChanged = true;
      changedAt = present(questions[0], "figures").calls;
    }
    if (kills.includes(call)) {
      const dying = ask(of, text).catch(() => undefined);
      await sleep(random() * 30);
      await server.end("SIGKILL");
      await dying;
      server = await start();
    }
    const response = await ask(of, text);
    figures.calls++;
    const body = (await response.json()) as { answers?: Record<string, { choice: string; x_source: string }>; error?: { message: string } };
    const answer = body.answers?.[of];
    if (response.status === 503 && body.error?.message === "busy") figures.failed++;
    else if (answer?.x_source === "upstream") {
      figures.upstream++;
      if (answer.choice !== said) wrong.push(`call ${call}: ${answer.choice}, not ${said}`);
    } else if (answer?.x_source === "local") {
      figures.local++;
      figures.switchedAfter ||= figures.calls;
      const isSame = answer.choice === Object.keys(question.criteria)[says(of, text)];
      if (isChanged && of === 0 && figures.backAfter === 0) figures.wrongMeanwhile += Number(!isSame);
      else {
        figures.promised++;
        figures.differed += Number(!isSame);
      }
    } else wrong.push(`call ${call}: status ${response.status}`);
    if (call % SETTLED_EVERY === SETTLED_EVERY - 1) await settle();
    if (isChanged && of === 0 && figures.backAfter === 0 && server.log.some((line) => line.includes("question switched back")))
      figures.backAfter = figures.calls - changedAt;
  }
  await server.end("SIGTERM");
  return { questions, wrong, store };
}

/** Whether a count of answers that differed is one that the promise allows: were the rate at its limit, so many or more would come in 1 of 1,000 cases or more often. */
export function isWithin(differed: number, answers: number): boolean {
  return differed === 0 || 1 - binomialCdf(differed - 1, answers, MAX_DISAGREEMENT) > 0.001;
}

/** For people who read the log of a test. */
export function figuresText(questions: readonly QuestionFigures[]): string {
  return questions
    .map(
      ({ name, calls, upstream, local, failed, switchedAfter, differed, promised, backAfter, wrongMeanwhile }) =>
        `${name}: ${calls} calls, ${upstream} answered upstream, ${local} here, ${failed} failed upstream; first answered here at call ${switchedAfter || "none"}; ${differed} of ${promised} answers from here differed` +
        (backAfter > 0
          ? `; switched back ${backAfter} calls after the change of mind, ${wrongMeanwhile} of its answers wrong meanwhile`
          : ""),
    )
    .join("\n");
}
