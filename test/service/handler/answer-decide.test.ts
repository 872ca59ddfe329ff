import { describe, expect, it } from "vitest";
import type { Decider } from "../../../src/library/decider/decider.ts";
import type { DecideError } from "../../../src/errors.ts";
import { answerDecide } from "../../../src/service/handler/answer-decide.ts";
import type { BodyChunks } from "../../../src/service/body/body.ts";
import { ByteBudget } from "../../../src/service/body/byte-budget.ts";
import { readHandlerOptions } from "../../../src/service/handler/handler-options.ts";
import { createHandler } from "../../../src/service/handler/handler.ts";
import { Arrival, routeOf } from "../../../src/service/handler/observation.ts";
import { FairQueue } from "../../../src/service/queue/fair-queue.ts";
import { RateLimit } from "../../../src/service/queue/admission.ts";
import { ReadingQueue } from "../../../src/service/queue/reading-queue.ts";
import { present } from "../../../src/library/validation/expect.ts";
import { rejection } from "../../support/rejection.ts";

const REQUEST = { model: "latest", state: "It rained.", questions: { wet: { type: "noul", instructions: "Is it wet?" } } };

describe("a decision over HTTP", () => {
  it("hands the decider what the request asks, and none of its other fields", async () => {
    const asked: unknown[] = [];
    const answer = { model: "m", answers: { wet: { type: "noul", noul: 0.9 } }, usage: { input_tokens: 1, output_tokens: 1 } };
    const decider = {
      decide: (request: unknown) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    } as unknown as Decider;
    const handler = createHandler({ decider });
    const response = await handler(
      new Request("http://umpire.local/decision/v1/model", { method: "POST", body: JSON.stringify({ ...REQUEST, signal: 1 }) }),
    );
    expect(await response.json()).toEqual(answer);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toEqual(REQUEST);
  });

  it("forgets a body that has arrived and waits to be read, once it has to make room", async () => {
    const answer = { model: "m", answers: {}, usage: { input_tokens: 1, output_tokens: 1 } };
    const settings = readHandlerOptions({ decider: { decide: () => Promise.resolve(answer) } as unknown as Decider });
    const wasRead: string[] = [];
    const now = (): number => 0;
    const reading = new ReadingQueue(now, (key) => void wasRead.push(key));
    const context = {
      ...settings,
      now,
      reading,
      queue: new FairQueue(settings.limits, now),
      rateLimit: new RateLimit(),
      bodyBudget: new ByteBudget(3000),
      openApi: "",
    };
    const send = (client: string, length: number): Promise<unknown> => {
      const body = JSON.stringify({ ...REQUEST, state: "x".repeat(length) });
      const request = new Request("http://umpire.local/decision/v1/model", { method: "POST" });
      const chunks: BodyChunks = (onChunk) => {
        onChunk(new TextEncoder().encode(body));
        return Promise.resolve();
      };
      const route = present(routeOf(request.url, ""), "route");
      return answerDecide({ request, context, observed: { requestId: "id" }, route, arrival: new Arrival({ client, chunks }) });
    };
    let endReading = (): void => undefined;
    const busy = reading.run("busy", new AbortController().signal, () => new Promise<void>((resolve) => (endReading = resolve)));
    const heavy = rejection(() => send("heavy", 2000));
    // Its body arrives, and waits.
    await new Promise(setImmediate);
    const light = send("light", 1000);
    expect(await heavy).toMatchObject({ code: "overloaded" } satisfies Partial<DecideError>);
    endReading();
    await busy;
    expect(await light).toEqual({ status: 200, text: JSON.stringify(answer) });
    expect(wasRead).toEqual(["busy", "light"]);
  });
});
