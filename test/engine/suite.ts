import { createDecider } from "umpire";
import type { ChoiceQuestion, DecideRequest, DecideResponse, Decider, DeciderOptions, LazyDecider } from "umpire";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quickRequest } from "../support/long-requests.ts";
import { PACK_URL } from "../support/package-root.ts";
import { decideError, rejection } from "../support/rejection.ts";
import { BUILT_IN, busyRequestFor, longRequestFor, optionsOf } from "./suite-models.ts";
import type { SuiteModel, SuitePack } from "./suite-models.ts";

/** What every engine must do, of whatever family its model is, wherever it runs: one suite for the caller's thread and for a worker. */
export function engineSuite(name: string, base: DeciderOptions, model: SuiteModel = BUILT_IN): void {
  const { id, family, limits, word, isBuiltIn, maxOptions, precisions } = model;
  /** Only the built-in family reads a state apart from its options, and so has something to keep. */
  const readsApart = family === BUILT_IN.family;
  let pack: SuitePack;
  beforeAll(async () => {
    pack = await model.make();
  });
  afterAll(() => pack.remove());
  const make = (options: DeciderOptions = {}): LazyDecider =>
    createDecider({ ...base, ...(!isBuiltIn && { model: pack.url }), ...options });
  /** A text of so many tokens. */
  const words = (tokens: number): string => Array.from({ length: tokens }, () => word).join(" ");
  const longRequest = longRequestFor(model);

  describe(`a decider ${name}`, () => {
    let decider: Decider;
    beforeAll(async () => {
      decider = await make();
    });
    afterAll(() => decider.close());

    describe("a reading", () => {
      it("answers as decide() does, and counts the same tokens", async () => {
        const { state, questions } = quickRequest;
        const expected = await decider.decide(quickRequest);
        await using reading = await decider.read(state);
        expect(await reading.decide(questions)).toEqual(expected);
        expect(reading.bytes > 0).toBe(readsApart);
        expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
        expect(reading.tokens).toBe(await inputTokens(state));
      });

      it("refuses a state that is too long, as decide() does", async () => {
        const state = words(limits.stateTokens + 1);
        const issue = { loc: ["body", "state"], type: "too_long" };
        expect(await decideError(() => decider.read(state))).toMatchObject({ code: "input_too_long", issues: [issue] });
      });
    });

    const inputTokens = async (state: DecideRequest["state"]): Promise<number> => {
      const { usage } = await decider.decide({ state, questions: { q: { type: "noul", criteria: { true: "" } } } });
      return usage.input_tokens;
    };

    describe("answers", () => {
      it("a choice, a noul and a score of one request", async () => {
        const {
          model: answered,
          answers,
          usage,
        } = await decider.decide({
          state: "My card was charged twice for one order. Please pay one of the two back.",
          questions: {
            route: {
              type: "choice",
              instructions: "Which team should handle this?",
              criteria: { billing: "payments, refunds and invoices", shipping: "parcels and delivery", gardening: null },
            },
            refund: { type: "noul", instructions: "Does the customer ask for money back?" },
            mood: { type: "score", instructions: "How upset is the customer?", criteria: ["calm", "annoyed", "furious"] },
          },
        });
        expect(answered).toBe(id);
        expect(Object.keys(answers)).toEqual(["route", "refund", "mood"]);
        if (isBuiltIn) expect(answers.route.choice).toBe("billing");
        expect(Object.keys(answers.route.probabilities)).toEqual(["billing", "shipping", "gardening"]);
        expect(answers.refund.noul).toBeGreaterThan(isBuiltIn ? 0.5 : 0);
        expect(answers.mood.legend).toEqual({ "0": "calm", "1": "annoyed", "2": "furious" });
        for (const { probabilities } of [answers.route, answers.mood]) {
          expect(Math.abs(Object.values<number>(probabilities).reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-6);
        }
        // One for each of the other two.
        expect(usage.output_tokens).toBe((await inputTokens(answers.route.choice)) + 2);
        expect(Number.isInteger(usage.input_tokens)).toBe(true);
      });

      it("that depend on the state", async () => {
        const late = async (state: string): Promise<number> => (await decider.decide({ ...quickRequest, state })).answers.late.noul;
        const [isLate, isNot] = [await late("The parcel arrived two days late."), await late("The parcel arrived on time.")];
        expect(isLate).not.toBe(isNot);
        if (isBuiltIn) expect(isLate).toBeGreaterThan(isNot + 0.2);
      });

      it("about a structured state as about the text that it is read as", async () => {
        const questions = { urgent: { type: "noul", instructions: "Is it urgent?" } } as const;
        const structured = await decider.decide({
          state: { subject: "Outage", lines: ["the site is down", "since 3"], open: true, ticket: 12, owner: null },
          questions,
        });
        const text = await decider.decide({
          state: "subject: Outage\nlines: - the site is down\n- since 3\nopen: true\nticket: 12\nowner: null",
          questions,
        });
        expect(structured).toEqual(text);
      });

      it("about structured instructions and descriptions as about the texts that they are read as", async () => {
        const structured = await decider.decide({
          state: quickRequest.state,
          questions: { q: { type: "choice", instructions: { ask: ["when", "late?"] }, criteria: { soon: { days: 1 }, later: ["more"] } } },
        });
        const text = await decider.decide({
          state: quickRequest.state,
          questions: { q: { type: "choice", instructions: "ask: - when\n- late?", criteria: { soon: "days: 1", later: "- more" } } },
        });
        expect(structured.answers.q.probabilities).toEqual(text.answers.q.probabilities);
      });

      it("to questions without a state, without instructions, and with texts that hold no token", async () => {
        const { answers } = await decider.decide({
          state: "",
          questions: {
            a: { type: "noul", criteria: { true: "it rains" } },
            b: { type: "choice", instructions: "", criteria: Object.fromEntries(model.unread.map((text) => [text, null])) },
            c: { type: "score", instructions: {}, criteria: ["", "", [], {}] },
          },
        });
        expect(answers.a.noul).toBeGreaterThan(0);
        // Three options of which nothing can be read are three even ones, and the first is chosen.
        expect(Object.values(answers.b.probabilities)).toEqual([1 / 3, 1 / 3, 1 / 3]);
        expect(answers.b).toMatchObject({ choice: model.unread[0], confidence: 0 });
        expect(Object.keys(answers.c.probabilities)).toEqual(["0", "1", "2", "3"]);
      });

      it(`to ${maxOptions} options, and to a hundred questions`, async () => {
        const criteria = optionsOf(maxOptions);
        const questions = Object.fromEntries(
          Array.from({ length: 100 }, (_, i) => [`question ${i}`, { type: "noul", criteria: { true: `there are ${i} parcels` } } as const]),
        );
        const { answers } = await decider.decide({
          state: quickRequest.state,
          questions: { q: { type: "choice", instructions: "Which?", criteria } },
        });
        expect(Object.keys(answers.q.probabilities)).toEqual(Object.keys(criteria));
        const many = await decider.decide({ state: quickRequest.state, questions });
        expect(Object.keys(many.answers)).toEqual(Object.keys(questions));
        expect(new Set(Object.values(many.answers).map((answer) => answer.noul)).size).toBeGreaterThan(50);
      });

      it("to ids and keys of any kind, byte for byte", async () => {
        const names = ["__proto__", "constructor", "$&", "a\0b", "\ud800x", "😀", "10", "2", "k".repeat(limits.optionTokens - 1)];
        const criteria = Object.fromEntries(names.map((key) => [key, null]));
        const questions = Object.fromEntries(names.map((id) => [id, { type: "choice", instructions: "?", criteria } as const]));
        const { answers } = await decider.decide({ state: "s", questions });
        expect(Object.keys(answers)).toEqual(Object.keys(questions));
        for (const answer of Object.values(answers)) {
          expect(Object.keys(answer.probabilities)).toEqual(Object.keys(criteria));
          expect(Object.keys(criteria)).toContain(answer.choice);
        }
        expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
      });

      it("that repeat bit for bit", async () => {
        const first = await decider.decide(quickRequest);
        for (let i = 0; i < 5; i++) expect(await decider.decide(quickRequest)).toEqual(first);
      });
    });

    describe("counts", () => {
      it("the tokens that were sent, each part once, without special tokens or words of its own", async () => {
        const joined = await inputTokens(`${word}_${word}`);
        const { usage } = await decider.decide({
          state: words(7),
          questions: {
            // The key and the description both count, the colon between them does not.
            a: {
              type: "choice",
              instructions: words(3),
              criteria: { [`${word}_${word}`]: null, [words(3)]: words(2), L2: words(4) },
            },
            // "yes" and "no" are not the caller's.
            b: { type: "noul", instructions: words(2), criteria: { true: word } },
            // Nor is the number of a level.
            c: { type: "score", instructions: words(2), criteria: ["", words(2)] },
          },
        });
        expect(usage.input_tokens).toBe(7 + 3 + joined + (3 + 2) + 4 + 2 + 1 + 2 + 2);
      });

      it("the tokens of the chosen key, and one for a noul and a score", async () => {
        const { answers, usage } = await decider.decide({
          state: "It is about a cat.",
          questions: {
            a: { type: "choice", instructions: "What is it about?", criteria: { [`${word}_${word}_${word}`]: null, [words(5)]: word } },
            b: { type: "noul", instructions: "Is it about a cat?" },
            c: { type: "score", instructions: "How small?", criteria: ["tiny", "big"] },
          },
        });
        // Either key has five tokens.
        expect(answers.a.choice).toBeDefined();
        expect(usage.output_tokens).toBe(5 + 1 + 1);
      });

      it("a token of a long state once, however many windows hold it", async () => {
        const { windowTokens } = limits;
        for (const tokens of [windowTokens - 2, windowTokens - 1, 3 * windowTokens]) expect(await inputTokens(words(tokens))).toBe(tokens);
      });
    });

    describe("reads long states", () => {
      const questions = { fire: { type: "noul", instructions: "Is there a fire?" } } as const;
      /** Many options: which window counts for one of them, a family may decide. */
      const criteria = optionsOf(20);
      const all = { ...questions, which: { type: "choice", instructions: "Which?", criteria } } as const;
      const answersAt = async (place: number, total: number): Promise<unknown> => {
        const state = `${words(place)} There is a big fire in the building! ${words(total - place)}`;
        return (await decider.decide({ state, questions: all })).answers;
      };

      it("in windows that every question sees: what stands anywhere changes the answers", async () => {
        const total = 2 * limits.windowTokens - 18;
        const { answers: none } = await decider.decide({ state: words(total), questions: all });
        for (const place of [0, Math.round(total / 2), total - 10]) expect(await answersAt(place, total)).not.toEqual(none);
      });

      it("the same whether they are asked about alone or beside others", async () => {
        const state = `${words(500)} There is a fire. ${words(100)}`;
        const alone = await decider.decide({ state, questions });
        const beside = await decider.decide({
          state,
          questions: { ...questions, other: { type: "choice", instructions: "Which?", criteria: { cat: null, dog: "a dog" } } },
        });
        expect(beside.answers.fire).toEqual(alone.answers.fire);
      });

      it("the same in whatever order options and questions stand", async () => {
        const state = `${words(limits.windowTokens)} There is a fire. ${words(10)}`;
        const options = ["cat", "a dog that barks", "the man with the late train", "fire"];
        const question = (criteria: readonly string[]): ChoiceQuestion => ({
          type: "choice",
          instructions: "Which?",
          criteria: Object.fromEntries(criteria.map((key) => [key, null])),
        });
        const { answers } = await decider.decide({ state, questions: { which: question(options), ...questions } });
        const turned = await decider.decide({ state, questions: { ...questions, which: question(options.toReversed()) } });
        expect(turned.answers).toEqual(answers);
        expect(new Set(Object.values(answers.which.probabilities)).size).toBe(options.length);
      });
    });

    describe("refuses what is too long", () => {
      it("state: with the limit, the count and the part", async () => {
        const error = await decideError(() => decider.decide({ ...quickRequest, state: words(limits.stateTokens + 1) }));
        const msg = `has ${limits.stateTokens + 1} tokens, more than the model's limit of ${limits.stateTokens}`;
        expect(error).toMatchObject({
          code: "input_too_long",
          status: 413,
          retryable: false,
          issues: [{ loc: ["body", "state"], msg, type: "too_long" }],
        });
        expect(error.message).toContain(`state ${msg}`);
      });

      it("instructions and criteria: all of them at once, each at its place", async () => {
        const { instructionsTokens: most, optionTokens: mostOfOption } = limits;
        const key = `${word} ${word}`;
        const error = await decideError(() =>
          decider.decide({
            state: "s",
            questions: {
              "secret id": {
                type: "choice",
                instructions: words(most + 1),
                criteria: { [key]: words(mostOfOption - 1), b: words(mostOfOption - 4) },
              },
              n: { type: "noul", instructions: "x", criteria: { true: words(mostOfOption + 1), false: "x" } },
              m: { type: "score", instructions: "x", criteria: ["x", words(mostOfOption + 1), words(mostOfOption)] },
            },
          }),
        );
        const [ofKey, ofYes] = [
          await inputTokens(`${key}: ${words(mostOfOption - 1)}`),
          await inputTokens(`yes: ${words(mostOfOption + 1)}`),
        ];
        expect(error.issues?.map(({ loc, msg }) => [loc.join("/"), msg])).toEqual([
          ["body/questions/secret id/instructions", `has ${most + 1} tokens, more than the model's limit of ${most}`],
          // "yes: " and the key are read with it.
          [`body/questions/secret id/criteria/${key}`, `has ${ofKey} tokens, more than the model's limit of ${mostOfOption}`],
          ["body/questions/n/criteria/true", `has ${ofYes} tokens, more than the model's limit of ${mostOfOption}`],
          ["body/questions/m/criteria/1", `has ${mostOfOption + 1} tokens, more than the model's limit of ${mostOfOption}`],
        ]);
        expect(error.message).toContain(`question 1 of 3: instructions has ${most + 1} tokens`);
        expect(error.message).toContain("the first of 4 issues");
        expect(error.message).not.toContain("secret");
        expect(error.message).not.toContain(key);
      });

      it("but not what just fits", async () => {
        const { instructionsTokens: most, optionTokens: mostOfOption } = limits;
        const { usage } = await decider.decide({
          state: word,
          questions: { m: { type: "score", instructions: words(most), criteria: [words(mostOfOption), words(1)] } },
        });
        expect(usage.input_tokens).toBe(1 + most + mostOfOption + 1);
      });

      it("unread, when it is longer than any text of that many tokens", async () => {
        const error = await decideError(() => decider.decide({ ...quickRequest, state: words(1_000_000) }));
        expect(error).toMatchObject({ code: "input_too_long", issues: [{ loc: ["body", "state"] }] });
        expect(error.message).toContain(`${words(1_000_000).length} characters`);
      });

      it("and answers the next call", async () => {
        await decideError(() => decider.decide({ ...quickRequest, state: words(limits.stateTokens + 1) }));
        expect((await decider.decide(quickRequest)).answers.late.noul).toBeGreaterThan(0);
      });
    });

    describe("is aborted", () => {
      const reason = { any: "value", at: 1 };

      it("before the call: nothing of the request is read", async () => {
        let read = false;
        const request = {
          get state(): string {
            read = true;
            return "s";
          },
          questions: quickRequest.questions,
        };
        expect(await rejection(() => decider.decide(request, { signal: AbortSignal.abort(reason) }))).toBe(reason);
        expect(read).toBe(false);
      });

      it("while it runs: with the very reason, and the model stops", async () => {
        const controller = new AbortController();
        const call = decider.decide(longRequest, { signal: controller.signal });
        const failed = rejection(() => call);
        // Begins later, and goes on.
        await using other = make();
        const whole = new AbortController();
        const unaborted = rejection(() => other.decide(longRequest, { signal: whole.signal }));
        await sleep(100);
        controller.abort(reason);
        expect(await failed).toBe(reason);
        // The whole request takes many seconds; the next call does not wait for them.
        const next = decider.decide(quickRequest).then(() => "the next call");
        expect(await Promise.race([next, unaborted])).toBe("the next call");
        whole.abort(reason);
        expect(await unaborted).toBe(reason);
      });

      it("while it waits for its turn: at once, and the call before it is answered", async () => {
        const controller = new AbortController();
        const before = decider.decide(busyRequestFor(model));
        const waiting = decider.decide(longRequest, { signal: controller.signal });
        const failed = rejection(() => waiting);
        await sleep(20);
        controller.abort(reason);
        expect(await Promise.race([failed, before.then(() => "the call before it came first")])).toBe(reason);
        expect((await before).usage.input_tokens).toBeGreaterThan(1000);
      });

      it("with an AbortError when no reason is given, and with a TimeoutError by a timeout", async () => {
        const controller = new AbortController();
        const failed = rejection(() => decider.decide(longRequest, { signal: controller.signal }));
        controller.abort();
        expect(await failed).toMatchObject({ name: "AbortError" });
        expect(await rejection(() => decider.decide(longRequest, { signal: AbortSignal.timeout(50) }))).toMatchObject({
          name: "TimeoutError",
        });
      });

      it("without harm to calls of other signals", async () => {
        const [mine, other] = [new AbortController(), new AbortController()];
        const failed = rejection(() => decider.decide(quickRequest, { signal: mine.signal }));
        const answered = decider.decide(quickRequest, { signal: other.signal });
        mine.abort(reason);
        expect(await failed).toBe(reason);
        expect((await answered).answers.late.noul).toBeGreaterThan(0);
        // After the answer it changes nothing.
        other.abort(reason);
      });

      it("as a whole, by its own signal: running calls and later ones reject with the reason", async () => {
        const controller = new AbortController();
        const own = make({ signal: controller.signal });
        await own;
        const failed = rejection(() => own.decide(longRequest));
        await sleep(50);
        controller.abort(reason);
        expect(await failed).toBe(reason);
        expect(await rejection(() => own.decide(quickRequest))).toBe(reason);
        expect(await rejection(() => own.info())).toBe(reason);
        await own.close();
      });

      it("while it loads", async () => {
        const controller = new AbortController();
        const own = make({ signal: controller.signal });
        const failed = rejection(() => own.info());
        // No later: a tiny model loads in milliseconds.
        await Promise.resolve();
        controller.abort(reason);
        expect(await failed).toBe(reason);
        await own.close();
        expect(await rejection(() => make({ signal: AbortSignal.abort(reason) }).info())).toBe(reason);
      });

      it("and one call's abort leaves the loading to the others", async () => {
        await using own = make();
        const controller = new AbortController();
        const failed = rejection(() => own.decide(quickRequest, { signal: controller.signal }));
        const answered = own.decide(quickRequest);
        controller.abort(reason);
        expect(await failed).toBe(reason);
        expect((await answered).model).toBe(id);
      });

      it("by one signal again and again without leaving listeners on it", async () => {
        const controller = new AbortController();
        const warnings: string[] = [];
        const onWarning = (warning: Error): void => void warnings.push(warning.name);
        process.on("warning", onWarning);
        for (let i = 0; i < 15; i++) {
          const own = make({ signal: controller.signal });
          if (i === 0) await own;
          await own.close();
        }
        for (let i = 0; i < 15; i++) await decider.decide(quickRequest, { signal: controller.signal });
        await sleep(10);
        process.off("warning", onWarning);
        expect(warnings).toEqual([]);
      });
    });

    describe("is closed", () => {
      it("after the calls that were made, in their order, and takes no more", async () => {
        const own = make();
        const order: string[] = [];
        const calls = ["running", "queued", "last"].map((id) =>
          own.decide(quickRequest).then((response) => {
            order.push(id);
            return response;
          }),
        );
        const closing = own.close().then(() => order.push("closed"));
        const error = await decideError(() => own.decide(quickRequest));
        expect(error).toMatchObject({ code: "closed", status: 503, retryable: false });
        expect(await decideError(() => own.info())).toMatchObject({ code: "closed" });
        const responses = await Promise.all(calls);
        await closing;
        expect(order).toEqual(["running", "queued", "last", "closed"]);
        for (const { answers } of responses) expect(answers.late.noul).toBeGreaterThan(0);
      });

      it("when twenty calls wait: each is answered, in the order in which they were made", async () => {
        await using own = make();
        const order: number[] = [];
        await Promise.all(Array.from({ length: 20 }, (_, i) => own.decide(quickRequest).then(() => order.push(i))));
        expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
      });

      it("before its first use, twice, and at the same time", async () => {
        const own = make();
        await Promise.all([own.close(), own.close()]);
        await own.close();
        expect(await decideError(() => own.decide(quickRequest))).toMatchObject({ code: "closed" });
      });

      it("refuses before it looks at the request", async () => {
        const own = make();
        await own.close();
        expect(await decideError(() => own.decide({} as DecideRequest))).toMatchObject({ code: "closed" });
      });

      it("after calls that failed and were aborted", async () => {
        const own = make();
        const failed = rejection(() => own.decide({ ...quickRequest, state: words(limits.stateTokens + 1) }));
        const controller = new AbortController();
        const aborted = rejection(() => own.decide(longRequest, { signal: controller.signal }));
        await own.info();
        controller.abort("enough");
        await own.close();
        expect(await failed).toMatchObject({ code: "input_too_long" });
        expect(await aborted).toBe("enough");
      });

      it("by `await using`, awaited or not", async () => {
        let awaited: Decider;
        let lazy: LazyDecider;
        {
          await using first = await make();
          await using second = make();
          [awaited, lazy] = [first, second];
          await Promise.all([first.decide(quickRequest), second.decide(quickRequest)]);
        }
        expect(await decideError(() => awaited.decide(quickRequest))).toMatchObject({ code: "closed" });
        expect(await decideError(() => lazy.decide(quickRequest))).toMatchObject({ code: "closed" });
      });
    });

    describe("knows", () => {
      it("what answers, and where", async () => {
        expect(await decider.info()).toMatchObject({
          model: id,
          family,
          licence: "Apache-2.0",
          device: base.device ?? "cpu",
          precision: precisions[0],
          limits,
        });
        const { graph, threads, calibration, deviceReason, download } = await decider.info();
        expect(deviceReason).toBe(base.device === undefined ? "Node's fastest device" : "asked for");
        expect(download).toBeUndefined();
        expect(precisions[0] === "int8" ? ["int8", "int8-wide"] : [precisions[0]]).toContain(graph);
        expect(threads).toBeGreaterThanOrEqual(1);
        expect(calibration.choice.at(-1)?.maxOptions).toBe(255);
      });

      it.runIf(isBuiltIn)("how often its answers are right", async () => {
        const { calibration } = await decider.info();
        for (const type of ["choice", "noul", "score"] as const) {
          const curves = calibration.accuracy?.[type] ?? [];
          expect(curves.length).toBeGreaterThanOrEqual(1);
          for (const { slope } of curves) expect(slope).toBeGreaterThan(0.5);
        }
      });

      it.runIf(!isBuiltIn)("that nobody has calibrated it, and where it came from", async () => {
        const { calibration, source, features } = await decider.info();
        expect(calibration).toMatchObject({ uncalibrated: true, noul: { temperature: 1, bias: 0 } });
        expect(source?.name).toBeDefined();
        expect(features > 0).toBe(readsApart);
        const { answers } = await decider.decide(quickRequest);
        expect(answers.late).not.toHaveProperty("x_accuracy");
      });

      it("its precision and its threads", async () => {
        await using own = await make({ precision: "fp32", threads: 1 });
        expect(await own.info()).toMatchObject({ precision: "fp32", graph: "fp32", threads: 1 });
        const [exact, quick] = await Promise.all([own.decide(quickRequest), decider.decide(quickRequest)]);
        expect(exact.usage).toEqual(quick.usage);
        // Another arithmetic, nearly the same answer.
        expect(exact.answers.late.noul === quick.answers.late.noul).toBe(precisions[0] === "fp32");
        expect(Math.abs(exact.answers.late.noul - quick.answers.late.noul)).toBeLessThan(0.2);
      });
    });

    describe("finds its model", () => {
      const answering = async (place: string | URL, request?: string): Promise<DecideResponse> => {
        await using own = make({ model: place });
        return await own.decide(request === undefined ? quickRequest : { ...quickRequest, model: request });
      };

      it.each(["latest", "jev-latest", id])("by the name %s, and answers with its id", async (asked) => {
        expect((await decider.decide({ ...quickRequest, model: asked })).model).toBe(id);
        if (isBuiltIn) expect((await answering(asked)).model).toBe(id);
      });

      it("by a folder's path, a file: URL, and a file: URL as text", async () => {
        const expected = await decider.decide(quickRequest);
        const url = new URL(pack.url);
        expect(await answering(fileURLToPath(url))).toEqual(expected);
        expect(await answering(fileURLToPath(url).replace(/\/$/, ""), "latest")).toEqual(expected);
        expect(await answering(url, id)).toEqual(expected);
        expect(await answering(url.href.replace(/\/$/, ""))).toEqual(expected);
      });

      it.each(["umpire-large", "Latest", "__proto__", "constructor", "😀"])("or says which there are: %s", async (asked) => {
        for (const call of [() => decider.decide({ ...quickRequest, model: asked }), () => answering(asked)]) {
          const error = await decideError(call);
          expect(error).toMatchObject({ code: "model_not_found", status: 404, retryable: false });
          expect(error.message).toContain("umpire-2");
          // What is short and plain may be shown.
          expect(error.message.includes(asked)).toBe(/^[\w.:/-]{1,40}$/.test(asked));
        }
      });

      it("never at a place that a request names", async () => {
        const url = PACK_URL.href;
        for (const place of [url, fileURLToPath(url), "./models/umpire-2", "../umpire-2"]) {
          expect(await decideError(() => decider.decide({ ...quickRequest, model: place }))).toMatchObject({ code: "model_not_found" });
        }
      });

      it.each<string | URL>([
        "file://another-host/model",
        "file:///a%2Fb",
        "file:///%zz",
        "file://[",
        new URL("https://models.example/umpire"),
      ])("or says that %s is no place here", async (model) => {
        expect(await decideError(() => answering(model))).toMatchObject({ code: "model_not_found", status: 404 });
      });

      it.each(["/there/is/no/such/folder", "./package.json"])("or says that there is no folder %j", async (model) => {
        const error = await decideError(() => answering(model));
        expect(error.code).toBe("model_not_found");
        expect(error.message).toBe(
          "The folder that the option model names does not exist. Give the path of a model's folder, or the id of a model.",
        );
      });

      it.each(["./", "a\0b/"])("or says what is wrong with the folder %j", async (model) => {
        const error = await decideError(() => answering(model));
        expect(error.code).toBe("model_invalid");
        expect(error.message).toMatch(/manifest\.json/);
      });

      it("anew after it could not be found", async () => {
        await using own = make({ model: "nothing" });
        await decideError(() => own.decide(quickRequest));
        expect((await own.decide({ ...quickRequest, model: "umpire-2" })).model).toBe("umpire-2");
      });
    });

    describe("refuses", () => {
      it("a device that is not there, and says which are", async () => {
        const error = await decideError(() => make({ device: "webgpu" }).decide(quickRequest));
        expect(error).toMatchObject({ code: "backend_unavailable", status: 503 });
        expect(error.message).toContain('must be "auto", "cpu" or "wasm"');
      });

      it("arithmetic that the device does not have, and says which it has", async () => {
        const error = await decideError(() => make({ precision: "fp16" }).decide(quickRequest));
        expect(error).toMatchObject({ code: "backend_unavailable", status: 503 });
        expect(error.message).toBe(`The device ${base.device ?? "cpu"} does not have fp16. Use one of: int8, fp32.`);
      });

      it("more calls than may wait", async () => {
        await using own = make({ maxPending: 2 });
        const calls = [own.decide(quickRequest), own.decide(quickRequest)];
        const error = await decideError(() => own.decide(quickRequest));
        expect(error).toMatchObject({ code: "overloaded", status: 429, retryable: true });
        await Promise.all(calls);
        expect((await own.decide(quickRequest)).answers.late.noul).toBeGreaterThan(0);
      });

      it("a wrong request before it loads anything", async () => {
        await using own = make({ model: "/there/is/no/such/folder" });
        expect(await decideError(() => own.decide({} as DecideRequest))).toMatchObject({ code: "invalid_request", status: 422 });
      });

      it.each<[string, unknown, string[]]>([
        ["null", null, ["options"]],
        ["a number", 5, ["options"]],
        ["an empty model", { model: "" }, ["options/model"]],
        ["a model that is an object", { model: {} }, ["options/model"]],
        ["no threads", { threads: 0 }, ["options/threads"]],
        ["half a thread", { threads: 1.5 }, ["options/threads"]],
        ["65 threads", { threads: 65 }, ["options/threads"]],
        ["another precision", { precision: "int4" }, ["options/precision"]],
        ["a number as device", { device: 4 }, ["options/device"]],
        ["a text as signal", { signal: "stop" }, ["options/signal"]],
        ["a number as assets", { assets: 7 }, ["options/assets"]],
        ["a text as onProgress", { onProgress: "log" }, ["options/onProgress"]],
        ["two that are wrong", { maxPending: 0, inline: "yes" }, ["options/inline", "options/maxPending"]],
      ])("%s as options", async (_, options, expected) => {
        const error = await decideError(() => createDecider(options as DeciderOptions));
        expect(error.code).toBe("invalid_request");
        expect(error.issues?.map(({ loc }) => loc.join("/"))).toEqual(expected);
      });

      it.each([[null], [3], [{ signal: "stop" }], [{ signal: null }]])("%j as a call's options", async (options) => {
        expect(await decideError(() => decider.decide(quickRequest, options as { signal?: AbortSignal }))).toMatchObject({
          code: "invalid_request",
        });
      });
    });
  });
}
