import { describe, expect, it } from "vitest";
import { CheckedRequest } from "../../src/decide/request.ts";
import type { Decider } from "../../src/decider/decider.ts";
import { createHandler } from "../../src/http/handler.ts";

const REQUEST = { model: "latest", state: "It rained.", questions: { wet: { type: "noul", instructions: "Is it wet?" } } };

describe("a decision over HTTP", () => {
  it("hands the decider the request as it was checked, so that it is checked once", async () => {
    const asked: unknown[] = [];
    const answer = { model: "m", answers: { wet: { type: "noul", noul: 0.9 } }, usage: { input_tokens: 1, output_tokens: 1 } };
    const decider = {
      decide: (request: unknown) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    } as unknown as Decider;
    const handler = createHandler({ decider });
    const response = await handler(new Request("http://umpire.local/decision/v1/model", { method: "POST", body: JSON.stringify(REQUEST) }));
    expect(await response.json()).toEqual(answer);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeInstanceOf(CheckedRequest);
    expect(asked[0]).toMatchObject(REQUEST);
  });
});
