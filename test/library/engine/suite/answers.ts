import type { ChoiceQuestion } from "umpire";
import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { decideError } from "../../../support/rejection.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";
import { optionsOf } from "../suite-models.ts";
import type { Suite } from "../suite.ts";

/** What is answered, what is counted, how long states are read, and what is too long for a model. */
export function answers(suite: Suite): void {
  const { model, words, inputTokens } = suite;
  const { id, limits, word, isBuiltIn, maxOptions } = model;

  describe("answers", () => {
    it("a choice, a noul and a score of one request", async () => {
      const {
        model: answered,
        answers,
        usage,
      } = await suite.decider.decide({
        state: `${TEXTS.chargedTwice} Please pay one of the two back.`,
        questions: {
          route: {
            type: "choice",
            instructions: ASKED.team,
            criteria: { billing: "payments, refunds and invoices", shipping: "parcels and delivery", gardening: null },
          },
          refund: { type: "noul", instructions: "Does the customer ask for money back?" },
          mood: { type: "score", instructions: ASKED.upset, criteria: ["calm", "annoyed", "furious"] },
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
      const late = async (state: string): Promise<number> => (await suite.decider.decide({ ...quickRequest, state })).answers.late.noul;
      const [isLate, isNot] = [await late(TEXTS.late), await late(TEXTS.onTime)];
      expect(isLate).not.toBe(isNot);
      if (isBuiltIn) expect(isLate).toBeGreaterThan(isNot + 0.2);
    });

    it("about a structured state as about the text that it is read as", async () => {
      const questions = { urgent: { type: "noul", instructions: "Is it urgent?" } } as const;
      const structured = await suite.decider.decide({
        state: { subject: "Outage", lines: ["the site is down", "since 3"], open: true, ticket: 12, owner: null },
        questions,
      });
      const text = await suite.decider.decide({
        state: "subject: Outage\nlines: - the site is down\n- since 3\nopen: true\nticket: 12\nowner: null",
        questions,
      });
      expect(structured).toEqual(text);
    });

    it("about structured instructions and descriptions as about the texts that they are read as", async () => {
      const structured = await suite.decider.decide({
        state: quickRequest.state,
        questions: { q: { type: "choice", instructions: { ask: ["when", "late?"] }, criteria: { soon: { days: 1 }, later: ["more"] } } },
      });
      const text = await suite.decider.decide({
        state: quickRequest.state,
        questions: { q: { type: "choice", instructions: "ask: - when\n- late?", criteria: { soon: "days: 1", later: "- more" } } },
      });
      expect(structured.answers.q.probabilities).toEqual(text.answers.q.probabilities);
    });

    it("to questions without a state, without instructions, and with texts that hold no token", async () => {
      const { answers } = await suite.decider.decide({
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
      const { answers } = await suite.decider.decide({
        state: quickRequest.state,
        questions: { q: { type: "choice", instructions: "Which?", criteria } },
      });
      expect(Object.keys(answers.q.probabilities)).toEqual(Object.keys(criteria));
      const many = await suite.decider.decide({ state: quickRequest.state, questions });
      expect(Object.keys(many.answers)).toEqual(Object.keys(questions));
      expect(new Set(Object.values(many.answers).map((answer) => answer.noul)).size).toBeGreaterThan(50);
    });

    it("to ids and keys of any kind, byte for byte", async () => {
      const names = ["__proto__", "constructor", "$&", "a\0b", "\ud800x", "😀", "10", "2", "k".repeat(limits.optionTokens - 1)];
      const criteria = Object.fromEntries(names.map((key) => [key, null]));
      const questions = Object.fromEntries(names.map((id) => [id, { type: "choice", instructions: "?", criteria } as const]));
      const { answers } = await suite.decider.decide({ state: "s", questions });
      expect(Object.keys(answers)).toEqual(Object.keys(questions));
      for (const answer of Object.values(answers)) {
        expect(Object.keys(answer.probabilities)).toEqual(Object.keys(criteria));
        expect(Object.keys(criteria)).toContain(answer.choice);
      }
      expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
    });

    it("that repeat bit for bit", async () => {
      const first = await suite.decider.decide(quickRequest);
      for (let i = 0; i < 5; i++) expect(await suite.decider.decide(quickRequest)).toEqual(first);
    });
  });

  describe("counts", () => {
    it("the tokens that were sent, each part once, without special tokens or words of its own", async () => {
      const joined = await inputTokens(`${word}_${word}`);
      const { usage } = await suite.decider.decide({
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
      const { answers, usage } = await suite.decider.decide({
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
      return (await suite.decider.decide({ state, questions: all })).answers;
    };

    it("in windows that every question sees: what stands anywhere changes the answers", async () => {
      const total = 2 * limits.windowTokens - 18;
      const { answers: none } = await suite.decider.decide({ state: words(total), questions: all });
      for (const place of [0, Math.round(total / 2), total - 10]) expect(await answersAt(place, total)).not.toEqual(none);
    });

    it("the same whether they are asked about alone or beside others", async () => {
      const state = `${words(500)} There is a fire. ${words(100)}`;
      const alone = await suite.decider.decide({ state, questions });
      const beside = await suite.decider.decide({
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
      const { answers } = await suite.decider.decide({ state, questions: { which: question(options), ...questions } });
      const turned = await suite.decider.decide({ state, questions: { ...questions, which: question(options.toReversed()) } });
      expect(turned.answers).toEqual(answers);
      expect(new Set(Object.values(answers.which.probabilities)).size).toBe(options.length);
    });
  });

  describe("refuses what is too long", () => {
    it("state: with the limit, the count and the part", async () => {
      const error = await decideError(() => suite.decider.decide({ ...quickRequest, state: words(limits.stateTokens + 1) }));
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
        suite.decider.decide({
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
      const { usage } = await suite.decider.decide({
        state: word,
        questions: { m: { type: "score", instructions: words(most), criteria: [words(mostOfOption), words(1)] } },
      });
      expect(usage.input_tokens).toBe(1 + most + mostOfOption + 1);
    });

    it("unread, when it is longer than any text of that many tokens", async () => {
      const error = await decideError(() => suite.decider.decide({ ...quickRequest, state: words(1_000_000) }));
      expect(error).toMatchObject({ code: "input_too_long", issues: [{ loc: ["body", "state"] }] });
      expect(error.message).toContain(`${words(1_000_000).length} characters`);
    });

    it("and answers the next call", async () => {
      await decideError(() => suite.decider.decide({ ...quickRequest, state: words(limits.stateTokens + 1) }));
      expect((await suite.decider.decide(quickRequest)).answers.late.noul).toBeGreaterThan(0);
    });
  });
}
