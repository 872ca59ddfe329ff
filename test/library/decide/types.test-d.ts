import { createDecider, decide } from "umpire";
import type {
  Answer,
  CheckedQuestions,
  ChoiceAnswer,
  ChoiceQuestion,
  DecideOptions,
  DecideRequest,
  DecideResponse,
  Decider,
  DeciderInfo,
  Example,
  LazyDecider,
  Lesson,
  LessonSummary,
  SavedLesson,
  NoulAnswer,
  NoulQuestion,
  Question,
  Questions,
  Reading,
  ScoreAnswer,
  ScoreQuestion,
  Text,
} from "umpire";
import { describe, expectTypeOf, it } from "vitest";

/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the rule takes the keys of a mapped type for those of an enum */

/** Compiled, never run. */

const read = (..._values: unknown[]): void => undefined;

const state = "My card was charged twice.";
const route = { type: "choice", instructions: "Which team?", criteria: { billing: null, technical: "things break", other: null } } as const;
const angry = { type: "noul", instructions: "Is the customer angry?" } as const;
const mood = { type: "score", instructions: "How upset?", criteria: ["calm", "annoyed", "furious"] } as const;

describe("a request written in the call", () => {
  it("gives each answer its question's own type", async () => {
    const { answers, model, usage } = await decide({
      state: { subject: "Card", amounts: [12, 12], vip: true, note: null },
      questions: {
        route: {
          type: "choice",
          instructions: "Which team?",
          criteria: { billing: null, technical: ["things", "break"], other: { what: "the rest" } },
        },
        angry: { type: "noul", instructions: ["Is the customer angry?"] },
        mood: { type: "score", instructions: "How upset?", criteria: ["calm", "", { very: "upset" }] },
        urgent: { type: "noul", criteria: { true: "it cannot wait" } },
      },
    });
    expectTypeOf(answers.route).toEqualTypeOf<ChoiceAnswer<"billing" | "technical" | "other">>();
    expectTypeOf(answers.route.choice).toEqualTypeOf<"billing" | "technical" | "other">();
    expectTypeOf(answers.route.probabilities).toEqualTypeOf<{
      readonly billing: number;
      readonly technical: number;
      readonly other: number;
    }>();
    expectTypeOf(answers.route.confidence).toEqualTypeOf<number>();
    expectTypeOf(answers.angry).toEqualTypeOf<NoulAnswer>();
    expectTypeOf(answers.angry.noul).toEqualTypeOf<number>();
    expectTypeOf(answers.urgent.noul).toEqualTypeOf<number>();
    expectTypeOf(answers.mood.score).toEqualTypeOf<number>();
    expectTypeOf(answers.mood.probabilities).toEqualTypeOf<{ readonly "0": number; readonly "1": number; readonly "2": number }>();
    expectTypeOf(answers.mood.legend["0"]).toEqualTypeOf<"calm">();
    expectTypeOf(answers.mood.legend["1"]).toEqualTypeOf<"">();
    expectTypeOf(answers.mood.legend["2"]).toEqualTypeOf<{ readonly very: "upset" }>();
    expectTypeOf(model).toEqualTypeOf<string>();
    expectTypeOf(usage).toEqualTypeOf<{
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly x_cached_tokens?: number;
    }>();

    // @ts-expect-error a noul has no choice
    read(answers.angry.choice);
    // @ts-expect-error nor a confidence
    read(answers.angry.confidence);
    // @ts-expect-error a choice has no noul
    read(answers.route.noul);
    // @ts-expect-error a choice has no score
    read(answers.route.score);
    // @ts-expect-error no such option
    read(answers.route.probabilities.sales);
    // @ts-expect-error no such level
    read(answers.mood.probabilities["3"]);
    // @ts-expect-error no such level
    read(answers.mood.legend["3"]);
    // @ts-expect-error no such question
    read(answers.nobody);
    // @ts-expect-error answers are read only
    answers.angry.noul = 1;

    switch (answers.route.choice) {
      case "billing":
      case "technical":
      case "other":
        break;
      default:
        expectTypeOf(answers.route.choice).toEqualTypeOf<never>();
    }
    // @ts-expect-error the options have no such key, so the comparison is a mistake
    read(answers.route.choice === "sales");
  });

  it("gives them from a decider, too, awaited or not", async () => {
    const lazy = createDecider({ precision: "fp32" });
    const awaited = await lazy;
    expectTypeOf(lazy).toEqualTypeOf<LazyDecider>();
    expectTypeOf(awaited).toEqualTypeOf<Decider>();
    for (const decider of [lazy, awaited]) {
      const { answers } = await decider.decide({
        state,
        questions: { route: { type: "choice", instructions: "?", criteria: { a: null, b: null } } },
      });
      expectTypeOf(answers.route.choice).toEqualTypeOf<"a" | "b">();
    }
    expectTypeOf(await awaited.info()).toEqualTypeOf<DeciderInfo>();
    expectTypeOf(awaited.close()).toEqualTypeOf<Promise<void>>();
    await using disposed = awaited;
    read(disposed);
  });
});

describe("a reading", () => {
  it("gives each answer its question's own type", async () => {
    await using reading = await createDecider().read({ subject: "Card", amounts: [12, 12] }, { model: "latest" });
    expectTypeOf(reading).toEqualTypeOf<Reading>();
    expectTypeOf(reading.bytes).toEqualTypeOf<number>();
    const { answers } = await reading.decide({ route: { type: "choice", instructions: "?", criteria: { a: null, b: null } }, angry });
    expectTypeOf(answers.route.choice).toEqualTypeOf<"a" | "b">();
    expectTypeOf(answers.angry.noul).toEqualTypeOf<number>();
    // @ts-expect-error no such question
    read(answers.mood);
    // @ts-expect-error a choice of one option
    read(reading.decide({ route: { type: "choice", instructions: "?", criteria: { a: null } } }));
    // @ts-expect-error a state is a text, an object or an array
    read(createDecider().read(3));
  });
});

describe("a request kept in a variable", () => {
  it("keeps its keys when it is const", async () => {
    const request = { state, questions: { route, angry, mood } } as const;
    const { answers } = await decide(request);
    expectTypeOf(answers.route.choice).toEqualTypeOf<"billing" | "technical" | "other">();
    expectTypeOf(answers.angry.noul).toEqualTypeOf<number>();
    expectTypeOf(answers.mood.legend["2"]).toEqualTypeOf<"furious">();
    // @ts-expect-error a noul has no choice
    read(answers.angry.choice);
  });

  it("keeps its keys when it is checked with satisfies", async () => {
    const request = {
      state,
      questions: {
        route: { type: "choice", instructions: "Which team?", criteria: { billing: null, other: "the rest" } },
        angry: { type: "noul", instructions: "Is the customer angry?" },
        mood: { type: "score", instructions: "How upset?", criteria: ["calm", "furious"] },
      },
    } satisfies DecideRequest;
    const { answers } = await decide(request);
    expectTypeOf(answers.route.choice).toEqualTypeOf<"billing" | "other">();
    expectTypeOf(answers.angry.noul).toEqualTypeOf<number>();
    expectTypeOf(answers.mood.score).toEqualTypeOf<number>();
    // @ts-expect-error a noul has no choice
    read(answers.angry.choice);
    // @ts-expect-error no such option
    read(answers.route.probabilities.sales);
  });

  it("compiles when its types are widened as far as DecideRequest, and then knows any key", async () => {
    const request: DecideRequest = { state, questions: { route, angry, mood } };
    const { answers } = await decide(request);
    expectTypeOf(answers).toEqualTypeOf<{ readonly [id: string]: Answer }>();
    const answer = answers["route"];
    if (answer?.type === "choice") {
      expectTypeOf(answer.choice).toEqualTypeOf<string>();
      expectTypeOf(answer.probabilities["any"]).toEqualTypeOf<number | undefined>();
    }
    if (answer?.type === "noul") expectTypeOf(answer.noul).toEqualTypeOf<number>();
    if (answer?.type === "score") expectTypeOf(answer.legend["0"]).toEqualTypeOf<Text | undefined>();
  });

  it("does not compile when its type is a string that could be any", () => {
    const widened = { type: "choice", instructions: "?", criteria: { a: null, b: null } };
    // @ts-expect-error type is string here: say `as const` or `satisfies ChoiceQuestion`
    void decide({ state, questions: { widened } });
  });
});

describe("a request made at run time", () => {
  it("may be any, as JSON.parse gives it", async () => {
    const { answers, usage } = await decide(JSON.parse("{}") as Parameters<typeof decide>[0]);
    expectTypeOf(answers["x"]).toEqualTypeOf<Answer | undefined>();
    expectTypeOf(usage.input_tokens).toEqualTypeOf<number>();
    // eslint-disable-next-line @typescript-eslint/no-unsafe-argument -- what is tested
    const { answers: ofAny } = await decide(JSON.parse("{}"));
    expectTypeOf(ofAny["x"]).not.toEqualTypeOf<never>();
  });

  it("may hold a record of questions", async () => {
    const questions: Record<string, Question> = {};
    const { answers } = await decide({ state, questions });
    expectTypeOf(answers["x"]).toEqualTypeOf<Answer | undefined>();
    const readonlyQuestions: Questions = questions;
    void decide({ state, questions: readonlyQuestions });
  });

  it("may hold options of unknown keys", async () => {
    const criteria: Record<string, string | null> = {};
    const { answers } = await decide({ state, questions: { route: { type: "choice", instructions: "?", criteria } } });
    expectTypeOf(answers.route.choice).toEqualTypeOf<string>();
    expectTypeOf(answers.route.probabilities["x"]).toEqualTypeOf<number | undefined>();
  });

  it("may hold levels of a number that is not known, when there are two at least", async () => {
    const criteria: [string, string, ...string[]] = ["low", "high"];
    const { answers } = await decide({ state, questions: { mood: { type: "score", instructions: "?", criteria } } });
    expectTypeOf(answers.mood.score).toEqualTypeOf<number>();
    expectTypeOf(answers.mood.probabilities["0"]).toEqualTypeOf<number | undefined>();
  });

  it("may hold levels that are any array of texts", async () => {
    const criteria: string[] = ["low", "high"];
    const { answers } = await decide({ state, questions: { mood: { type: "score", instructions: "?", criteria } } });
    expectTypeOf(answers.mood.score).toEqualTypeOf<number>();
    expectTypeOf(answers.mood.probabilities["0"]).toEqualTypeOf<number | undefined>();
  });

  it("may have a state of an interface's type, spread into a plain object", () => {
    interface Mail {
      subject: string;
      lines: string[];
    }
    const mail: Mail = { subject: "s", lines: ["a"] };
    void decide({ state: { ...mail }, questions: { angry } });
  });

  it("may be a function's own, generic in its questions", async () => {
    async function ask<const Q extends Questions>(questions: CheckedQuestions<Q>): Promise<DecideResponse<Q>> {
      return decide<Q>({ state, questions });
    }
    const { answers } = await ask({ route: { type: "choice", instructions: "?", criteria: { a: null, b: null } } });
    expectTypeOf(answers.route.choice).toEqualTypeOf<"a" | "b">();
  });
});

describe("a wrong request", () => {
  it("does not compile", () => {
    // @ts-expect-error a score takes a list
    void decide({ state, questions: { q: { type: "score", instructions: "?", criteria: { "0": "low", "1": "high" } } } });
    // @ts-expect-error a score takes two levels or more
    void decide({ state, questions: { q: { type: "score", instructions: "?", criteria: ["low"] } } });
    // @ts-expect-error a choice takes a map
    void decide({ state, questions: { q: { type: "choice", instructions: "?", criteria: ["a", "b"] } } });
    // @ts-expect-error a choice needs instructions
    void decide({ state, questions: { q: { type: "choice", criteria: { a: null, b: null } } } });
    // @ts-expect-error a choice needs criteria
    void decide({ state, questions: { q: { type: "choice", instructions: "?" } } });
    // @ts-expect-error a description is not a number
    void decide({ state, questions: { q: { type: "choice", instructions: "?", criteria: { a: 1, b: null } } } });
    // @ts-expect-error a noul knows true and false only
    void decide({ state, questions: { q: { type: "noul", instructions: "?", criteria: { maybe: "x" } } } });
    // @ts-expect-error a noul's criteria hold one at least
    void decide({ state, questions: { q: { type: "noul", instructions: "?", criteria: {} } } });
    // @ts-expect-error no such type
    void decide({ state, questions: { q: { type: "bool", instructions: "?" } } });
    // @ts-expect-error a question has a type
    void decide({ state, questions: { q: { instructions: "?" } } });
    // @ts-expect-error a state is a text, an object or an array
    void decide({ state: 5, questions: { angry } });
    // @ts-expect-error null is no state
    void decide({ state: null, questions: { angry } });
    // @ts-expect-error a state holds JSON: no Date
    void decide({ state: { sent: new Date() }, questions: { angry } });
    // @ts-expect-error a state holds JSON: no function
    void decide({ state: { sent: () => 1 }, questions: { angry } });
    // @ts-expect-error questions are a map
    void decide({ state, questions: [angry] });
    // @ts-expect-error the state is missing
    void decide({ questions: { angry } });
    // @ts-expect-error no questions
    void decide({ state });
    // @ts-expect-error a model is named
    void decide({ model: 1, state, questions: { angry } });
    // @ts-expect-error a text alone
    void decide(state);
    // @ts-expect-error a noul has instructions, criteria or both
    void decide({ state, questions: { q: { type: "noul" } } });
    // @ts-expect-error no level is too few
    void decide({ state, questions: { q: { type: "score", instructions: "?", criteria: [] } } });
    // @ts-expect-error a level is not null
    void decide({ state, questions: { q: { type: "score", instructions: "?", criteria: ["low", null] } } });
    const oneLevel = ["low"] as const;
    // @ts-expect-error one level is too few, wherever it is written
    void decide({ state, questions: { q: { type: "score", instructions: "?", criteria: oneLevel } } });
    type OneLevel = CheckedQuestions<{ q: { type: "score"; instructions: "?"; criteria: readonly ["low"] } }>["q"]["criteria"];
    expectTypeOf<OneLevel["mistake"]>().toEqualTypeOf<"a score has 2 to 10 levels">();
    const levels: ScoreQuestion["criteria"] = ["low", "high"];
    read(levels);
  });

  it("does not compile with wrong options", () => {
    read(
      createDecider({
        device: "webgpu",
        precision: "fp16",
        assets: new URL("https://site.example/umpire/"),
        onProgress: ({ loadedBytes }) => loadedBytes,
      }),
    );
    // @ts-expect-error no such device
    read(createDecider({ device: "tpu" }));
    // @ts-expect-error no such precision
    read(createDecider({ precision: "int4" }));
    // @ts-expect-error threads are a number
    read(createDecider({ threads: "2" }));
    // @ts-expect-error no such option
    read(createDecider({ modle: "latest" }));
    const options: DecideOptions = { signal: AbortSignal.timeout(1) };
    void decide({ state, questions: { angry } }, options);
    // @ts-expect-error a controller is no signal
    void decide({ state, questions: { angry } }, { signal: new AbortController() });
  });
});

describe("a lesson", () => {
  it("may be a JSON file that was imported, whose types are wider, but not its text", () => {
    const imported = {
      umpire_lesson: 1,
      id: "lesson-0",
      sha256: "0",
      question: { type: "choice", instructions: "Which?", criteria: { a: null } },
    };
    const decider = createDecider({ lessons: [imported] });
    void decider.learn(imported);
    // @ts-expect-error a lesson is learned as JSON.parse makes it
    void decider.learn(JSON.stringify(imported));
    // @ts-expect-error a question is no lesson
    void decider.learn(imported.question);
  });
});

describe("what is exported", () => {
  it("has a question and an answer of every type", () => {
    expectTypeOf<Question>().toEqualTypeOf<ChoiceQuestion | NoulQuestion | ScoreQuestion>();
    expectTypeOf<Answer>().toEqualTypeOf<ChoiceAnswer | NoulAnswer | ScoreAnswer>();
  });
});

describe("an answer of unknown question", () => {
  it("is told apart by its type", () => {
    expectTypeOf<Answer["type"]>().toEqualTypeOf<"choice" | "noul" | "score">();
    expectTypeOf<Extract<Answer, { type: "noul" }>>().toEqualTypeOf<NoulAnswer>();
    expectTypeOf<Extract<Answer, { type: "score" }>>().toEqualTypeOf<ScoreAnswer>();
    expectTypeOf<Extract<Answer, { type: "choice" }>>().toEqualTypeOf<ChoiceAnswer>();
  });
});

describe("an example", () => {
  const decider = {} as Decider;
  const learned = [] as unknown as readonly Lesson[];

  it("has an answer to its question, or none", () => {
    expectTypeOf<Example<typeof route>["answer"]>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Example<typeof angry>["answer"]>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<Example<typeof mood>["answer"]>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<Example["answer"]>().toEqualTypeOf<string | boolean | number | null | undefined>();
  });

  it("may come in time, and compiles with the question written where it is taught", () => {
    async function* rows(): AsyncGenerator<Example<typeof route>> {
      await Promise.resolve();
      yield { state, answer: "technical" };
    }
    expectTypeOf(decider.teach(route, rows())).toEqualTypeOf<Promise<Lesson>>();
    void decider.teach({ type: "choice", instructions: "Which?", criteria: { left: null, right: null } }, [{ state, answer: "left" }]);
    void decider.teach(angry, new Set([{ state, answer: true }, { state }]));
    void decider.teach({ type: "score", instructions: "How upset?", criteria: ["calm", "furious"] }, [{ state, answer: 1 }]);
    const sides = [{ state, answer: "left" }];
    void decider.teach({ type: "choice", instructions: "Which?", criteria: { left: null, right: null } }, sides);
    // Rows of a file, whose keys nobody knows before it is read.
    void decider.teach({} as Question, [] as Example[]);
  });

  it("does not compile with an answer to another question", () => {
    // @ts-expect-error an option is a string
    void decider.teach(route, [{ state, answer: 1 }]);
    // @ts-expect-error a yes/no question is answered by true or false
    void decider.teach(angry, [{ state, answer: "yes" }]);
    // @ts-expect-error a level is named by its index
    void decider.teach(mood, [{ state, answer: "calm" }]);
    // @ts-expect-error the state is missing
    void decider.teach(mood, [{ answer: 1 }]);
    // @ts-expect-error examples are a list
    void decider.teach(angry, { state, answer: true });
  });

  it("teaches a lesson that a decider learns, lists and forgets", () => {
    read(createDecider({ lessons: learned }));
    // @ts-expect-error lessons are a list
    read(createDecider({ lessons: learned[0] }));
    // @ts-expect-error not what they were taught
    read(createDecider({ lessons: [route] }));
    expectTypeOf<Parameters<Decider["learn"]>>().toEqualTypeOf<[SavedLesson]>();
    expectTypeOf(decider.lessons()).toEqualTypeOf<readonly LessonSummary[]>();
    expectTypeOf(decider.forget("lesson-1")).toEqualTypeOf<boolean>();
  });
});

describe("further calls of a decider", () => {
  const decider = {} as Decider;

  it("explain one of the request's questions, by its id", () => {
    void decider.explain({ state, questions: { route, angry } }, "angry", { maxPassages: 8 });
    // @ts-expect-error no such question
    void decider.explain({ state, questions: { route, angry } }, "mood");
  });

  it("decide whether to act, by an error rate in figures", () => {
    void decider.decide({ state, questions: { angry } }, { maxErrorRate: 0.05 });
    // @ts-expect-error a rate is a number
    void decider.decide({ state, questions: { angry } }, { maxErrorRate: "5%" });
    void decider.check(route, { signal: AbortSignal.timeout(1) });
    // @ts-expect-error one question, without an id
    void decider.check({ route });
  });
});
