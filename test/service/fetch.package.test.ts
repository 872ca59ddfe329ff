import { readFileSync } from "node:fs";
import OpenAI, { NotFoundError } from "openai";
import { TypeSafeClient, noul } from "@typesafe-ai/sdk";
import { createDecider } from "umpire";
import { createFetch } from "umpire/fetch";
import { afterAll, describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { decideError, rejection } from "../support/rejection.ts";
import { sharedDecider } from "../support/shared-decider.ts";

/** Clients that take a fetch, with ours in place of the network's. */

const STATE = "Nobody answers my e-mails.";
const ASKED = { model: "latest", state: STATE, questions: { angry: { type: "noul", instructions: "Is the customer angry?" } } };
const PREDICATE = {
  model: "gpt-6-luna",
  input: STATE,
  questions: [{ type: "predicate" as const, instructions: "Is the customer angry?" }],
};
const fetch = createFetch({ decider: sharedDecider });
const own = createFetch();
afterAll(() => own.close());

describe("createFetch()", () => {
  it("answers both official clients at their own addresses, as the library answers", async () => {
    const { answers } = await sharedDecider.decide({
      state: STATE,
      questions: { angry: { type: "noul", instructions: "Is the customer angry?" } },
    });
    const openai = new OpenAI({ apiKey: "local", fetch: own });
    const [answer] = (await openai.decisions.create(PREDICATE)).answers;
    expect(answer).toMatchObject({ type: "predicate", probability: answers.angry.noul });
    const first = new TypeSafeClient({ apiKey: "local", fetch });
    expect((await first.systemOne({ state: STATE, questions: { angry: noul("Is the customer angry?") } })).answers.angry).toEqual(
      answers.angry,
    );
  });

  it.each([
    "https://openrouter.ai/api/alpha/decisions",
    "https://gateway.example/eu/v1/systemone",
    "https://x.test/ai/decision/v1/model?version=2",
  ])("answers %s, whatever stands before the path", async (url) => {
    const reply = await fetch(url, { method: "POST", body: JSON.stringify(ASKED), headers: { authorization: "Bearer sk-secret" } });
    expect([reply.status, Object.keys((await reply.json()) as object)]).toEqual([200, ["model", "answers", "usage"]]);
  });

  it("takes a Request, too, and says what is wrong as a server does", async () => {
    const reply = await fetch(
      new Request("https://x.test/v1/decisions", { method: "POST", body: JSON.stringify({ ...PREDICATE, model: "latest" }) }),
    );
    expect(reply.status).toBe(200);
    const openai = new OpenAI({ apiKey: "local", fetch, maxRetries: 0 });
    expect(await rejection(() => openai.decisions.create({ ...PREDICATE, model: "gpt-9" }))).toBeInstanceOf(NotFoundError);
  });

  it("sends nothing anywhere: another URL is answered with 404", async () => {
    const reply = await fetch("https://api.openai.com/v1/chat/completions", { method: "POST", body: "{}" });
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain("There is nothing at this path");
  });

  it("hands every other request to passThrough, as it came", async () => {
    const seen: unknown[][] = [];
    const passing = createFetch({
      decider: sharedDecider,
      passThrough: (...given) => {
        seen.push(given);
        return Promise.resolve(new Response("passed"));
      },
    });
    const init = { method: "POST", body: "{}" };
    expect(await (await passing("https://api.openai.com/v1/responses", init)).text()).toBe("passed");
    expect(await (await passing("https://api.openai.com/v1/models")).text()).toBe("passed");
    expect(seen).toEqual([
      ["https://api.openai.com/v1/responses", init],
      ["https://api.openai.com/v1/models", undefined],
    ]);
    expect(
      (await passing("https://api.openai.com/v1/decisions", { method: "POST", body: JSON.stringify({ ...PREDICATE, model: "latest" }) }))
        .status,
    ).toBe(200);
    expect(seen).toHaveLength(2);
  });

  it("rejects with the reason of the caller's signal", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    expect(await rejection(() => fetch("https://x.test/v1/decisions", { method: "POST", body: "{}", signal }))).toBe(reason);
  });

  it("closes the decider of its own, and no other", async () => {
    const closed = createFetch();
    const before = closed("https://x.test/v1/systemone", { method: "POST", body: JSON.stringify(ASKED) });
    await closed.close();
    expect((await before).status).toBe(200);
    expect((await closed("https://x.test/v1/systemone", { method: "POST", body: JSON.stringify(ASKED) })).status).toBe(503);
    const mine = createDecider({ threads: 1 });
    await createFetch({ decider: mine }).close();
    expect(await mine.models()).not.toEqual([]);
    await mine.close();
  });

  it.each([[{ decide: 1 }], [{ decider: {} }], [{ passThrough: "https://x.test" }], [null]])("refuses %j as options", async (options) => {
    expect((await decideError(() => createFetch(options as never))).code).toBe("invalid_request");
  });
});

it("imports nothing of Node, so that a page can have it", () => {
  const found = new Set<string>();
  const follow = (script: URL): void => {
    for (const [, name = ""] of readFileSync(script, "utf8").matchAll(/^(?:import|export|\})[^"\n]*"([^"]+)";$/gmu)) {
      const isKnown = found.has(name);
      found.add(name);
      if (name.startsWith(".") && !isKnown) follow(new URL(name, script));
    }
  };
  follow(new URL("dist/fetch.js", PACKAGE_ROOT));
  expect([...found].filter((name) => !name.startsWith("."))).toEqual(["umpire"]);
  expect(found.size).toBeGreaterThan(2);
});
