import { TypeSafeClient, choice } from "@typesafe-ai/sdk";
import type { Decider, DecideResponse, Lesson } from "umpire";
import { createHandler, createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LATE, TEAM, lateLesson, teamLesson } from "../../support/lessons.ts";
import { schemaCheck } from "../../support/schema-check.ts";
import { sharedDecider as decider } from "../../support/shared-decider.ts";
import { TEXTS } from "../../support/texts.ts";
import { UNHURRIED } from "../../support/unhurried.ts";
import { document } from "./openapi-document.ts";

const REQUEST = { model: "latest", state: TEXTS.chargedTwice, questions: { team: TEAM, late: LATE } };
const PATHS = ["/decision/v1/model", "/v1/systemone"];

const wrongAsRequest = schemaCheck(document, "DecideRequest");
const wrongAsResponse = schemaCheck(document, "DecideResponse");
const wrongAsModels = schemaCheck(document, "ModelList");

interface Models {
  readonly models: readonly { readonly name: string; readonly x_lessons?: unknown }[];
}

describe("a service that was taught", () => {
  let team: Lesson;
  beforeAll(async () => {
    team = await teamLesson(decider);
    await decider.learn(team);
  });
  afterAll(() => void decider.forget(team.id));

  const observed: Served[] = [];
  const ask = (path: string, init: RequestInit = {}, options: Partial<HandlerOptions> = {}): Promise<Response> =>
    createHandler({ decider, limits: UNHURRIED, onServed: (served) => void observed.push(served), ...options })(
      new Request(`http://umpire.local${path}`, init),
    );
  const post = (body: object, path = "/decision/v1/model"): Promise<Response> =>
    ask(path, { method: "POST", body: JSON.stringify({ ...REQUEST, ...body }) });

  it.each(PATHS)("answers as the library does with the lesson at %s, and says which lesson it was", async (path) => {
    const answered = (await (await post({}, path)).json()) as DecideResponse;
    expect(answered).toEqual(await decider.decide(REQUEST as never));
    expect(answered.answers["team"]?.x_lesson).toBe(team.id);
    expect(answered.answers["late"]).not.toHaveProperty("x_lesson");
    expect(observed.at(-1)).toMatchObject({ answers: { taught: 1, untaught: 1 } });
  });

  it.each(PATHS)("says at %s whether to act on each answer, at the client's error rate", async (path) => {
    for (const maxErrorRate of [0.05, 0.5]) {
      const answered = (await (await post({ x_max_error_rate: maxErrorRate }, path)).json()) as DecideResponse;
      expect(answered).toEqual(await decider.decide(REQUEST as never, { maxErrorRate }));
      expect(Object.values(answered.answers).map(({ x_act }) => typeof x_act)).toEqual(["boolean", "boolean"]);
      expect(wrongAsResponse(answered)).toBeUndefined();
    }
  });

  it.each([[{}], [{ x_max_error_rate: null }], [{ max_error_rate: 0.05 }], [{ x_max_error_rates: 7 }], [{ maxErrorRate: "no" }]])(
    "says nothing of acting to a request with %j",
    async (body) => {
      const response = await post(body);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain("x_act");
    },
  );

  it.each([
    [0, "must be a number above 0 and below 1, but is 0", "unknown_value"],
    [1, "must be a number above 0 and below 1, but is 1", "unknown_value"],
    [-0.1, "must be a number above 0 and below 1, but is -0.1", "unknown_value"],
    ["secret", "must be a number above 0 and below 1, but is a string of 6 characters", "wrong_type"],
    [[0.1], "must be a number above 0 and below 1, but is an array", "wrong_type"],
    [true, "must be a number above 0 and below 1, but is a boolean", "wrong_type"],
  ])("refuses an error rate of %j, and so does the document", async (rate, msg, type) => {
    for (const path of PATHS) {
      const response = await post({ x_max_error_rate: rate }, path);
      expect(response.status).toBe(422);
      const { detail } = (await response.json()) as { readonly detail: unknown };
      expect(detail).toEqual([{ loc: ["body", "x_max_error_rate"], msg: expect.stringContaining(msg) as string, type }]);
    }
    expect(wrongAsRequest({ ...REQUEST, x_max_error_rate: rate })).toContain("x_max_error_rate");
  });

  it("names everything that is wrong with a request at once", async () => {
    const response = await post({ x_max_error_rate: 2, state: undefined });
    const { detail } = (await response.json()) as { readonly detail: readonly { readonly loc: unknown }[] };
    expect(detail.map(({ loc }) => loc)).toEqual([
      ["body", "x_max_error_rate"],
      ["body", "state"],
    ]);
  });

  it.each(["/decision/v1/models", "/v1/models"])(
    "names at %s the lessons of each model, without their criteria and heads",
    async (path) => {
      const late = await lateLesson(decider);
      await decider.learn(late);
      const listed = (await (await ask(path)).json()) as Models;
      decider.forget(late.id);
      expect(listed.models).toEqual([
        expect.objectContaining({
          name: "umpire-2",
          x_lessons: [
            { id: team.id, type: "choice", instructions: TEAM.instructions },
            { id: late.id, type: "noul", instructions: LATE.instructions },
          ],
        }),
      ]);
      expect(wrongAsModels(listed)).toBeUndefined();
    },
  );

  it("hides the lessons of a model from a key that may not use it", async () => {
    const keys = createKeys([await keyFromSecret("narrow", "n", { models: ["umpire-1"] }), await keyFromSecret("wide", "w")]);
    const listed = async (secret: string): Promise<string> =>
      (await ask("/decision/v1/models", { headers: { authorization: `Bearer ${secret}` } }, { keys })).text();
    expect(await listed("w")).toContain(team.id);
    expect(JSON.parse(await listed("n"))).toEqual({ models: [] });
  });

  it("names none without lessons, nor with a decider that knows nothing of them", async () => {
    const plain = { decide: () => Promise.reject(new Error("not asked")), models: () => decider.models() } as unknown as Decider;
    expect(await (await ask("/decision/v1/models", {}, { decider: plain })).text()).not.toContain("x_lessons");
    decider.forget(team.id);
    expect(await (await ask("/decision/v1/models")).text()).not.toContain("x_lessons");
    await decider.learn(team);
  });

  it("cannot be taught over HTTP", async () => {
    for (const path of ["/decision/v1/lessons", "/decision/v1/teach"])
      expect((await ask(path, { method: "POST", body: JSON.stringify(team) })).status).toBe(404);
  });

  it("is read by the hosted service's official client", async () => {
    const handler = createHandler({ decider, limits: UNHURRIED });
    const client = new TypeSafeClient({ apiKey: "none", baseURL: "http://umpire.local", fetch: handler });
    const { answers } = await client.systemOne({ state: REQUEST.state, questions: { team: choice(TEAM.instructions, TEAM.criteria) } });
    expect(answers.team.choice).toBe("north");
    expect(await client.models.list()).toMatchObject([{ name: "umpire-2" }]);
  });
});
