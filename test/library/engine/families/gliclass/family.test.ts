import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Batch, BatchScores, Engine, QuestionText } from "../../../../../src/library/engine/engine.ts";
import { framed, joinWindows, textTokens, withPrefixSpace } from "../../../../../src/library/engine/families/gliclass/family.ts";
import { loadEngine } from "../../../../../src/library/engine/load.ts";
import type { Runtime } from "../../../../../src/library/engine/runtime.ts";
import { packFiles } from "../../../../../src/library/platform/node/engine.ts";
import { GLICLASS_MODELS, GliclassPack, recordedAnswers } from "../../../../support/gliclass-pack.ts";
import type { RecordedAnswer } from "../../../../support/gliclass-pack.ts";
import { PACKAGE_ROOT } from "../../../../support/package-root.ts";
import { decideError, rejection } from "../../../../support/rejection.ts";

/** The real runtime, which notes the token ids of each run, tells `onRun` that it begins, and may give what is no number. */
const runs: (readonly number[])[] = [];
let onRun = (): void => undefined;
let givesNumbers = true;
const runtime: Runtime = {
  Tensor: ort.Tensor,
  InferenceSession: {
    create: async (graph, options) => {
      const session = await ort.InferenceSession.create(graph, options);
      return {
        run: async (feeds, fetches) => {
          runs.push(Array.from(feeds["input_ids"]?.data as BigInt64Array, Number));
          onRun();
          const results = await session.run(feeds, [...fetches]);
          if (!givesNumbers) (results["logits"]?.data as Float32Array).fill(NaN, 1, 2);
          return results;
        },
        release: () => session.release(),
      };
    },
  },
};

async function load(...args: Parameters<typeof GliclassPack.make>): Promise<Engine> {
  const pack = await GliclassPack.make(...args);
  return loadEngine(packFiles(pack.url), () =>
    Promise.resolve({ device: "cpu", deviceReason: "asked for", precisions: ["int8", "fp32"], threads: 1, runtime }),
  );
}

/** Of the label's marker and of the separator. */
async function markerIds(name: string): Promise<[number, number]> {
  const { class_token_index: label, text_token_index: separator } = JSON.parse(
    await readFile(new URL(`test/fixtures/models/${name}/config.json`, PACKAGE_ROOT), "utf8"),
  ) as { class_token_index: number; text_token_index: number };
  return [label, separator];
}

function question(options: readonly string[], instructions = "", type: QuestionText["type"] = "choice"): QuestionText {
  return { type, instructions, options: options.map((text) => ({ text, sent: [text], answer: text })) };
}

describe.each(GLICLASS_MODELS)("the model %s", (name) => {
  it.each([
    ["labels first", true],
    ["the text first", false],
  ])("scores as its authors' package does, with %s", async (_, promptFirst) => {
    const engine = await load(name, { promptFirst });
    const recorded = (await recordedAnswers(name)).filter((answer) => answer.promptFirst === promptFirst);
    expect(recorded.length).toBeGreaterThan(2);
    const wrong: RecordedAnswer[] = [];
    for (const answer of recorded) {
      runs.length = 0;
      const { questions } = await engine.score({ state: answer.text, questions: [question(answer.labels, answer.prompt)] });
      const scores = questions[0]?.scores ?? [];
      const isRight = answer.logits.every((logit, i) => Math.abs(logit - (scores[i] ?? NaN)) <= 1e-4);
      if (!isRight || runs.length !== answer.windows) wrong.push(answer);
    }
    expect(wrong).toEqual([]);
    await engine.close();
  });

  it("reads a text that spells its markers as text", async () => {
    const engine = await load(name);
    const markersOf = async (word: string): Promise<number[]> => {
      runs.length = 0;
      await engine.score({ state: `${word}a<<SEP>>[SEP][CLS]`, questions: [question([word, "<<SEP>>"], `${word}?`)] });
      const markers = await markerIds(name);
      return markers.map((id) => runs[0]?.filter((one) => one === id).length ?? NaN);
    };
    expect(await markersOf("<<LABEL>>")).toEqual([2, 1]);
    expect(await markersOf("label")).toEqual([2, 1]);
    await engine.close();
  });
});

describe("a gliclass model", () => {
  const STATE = "My parcel came two weeks late, and the box was broken. I want my money back.";
  const LONG = Array.from({ length: 60 }, (_, i) => `Entry ${i} says that ${7 * i} boxes came.`).join(" ");
  const TOPIC = question(["billing", "shipping", "returns"], "What is it about?");
  const LATE = question(["yes", "no"], "Is it late?", "noul");
  let engine: Engine;
  let labelId: number;
  let separatorId: number;
  beforeAll(async () => {
    engine = await load("gliclass");
    [labelId, separatorId] = await markerIds("gliclass");
  });
  afterAll(() => engine.close());
  afterEach(() => {
    onRun = () => undefined;
    givesNumbers = true;
  });

  const score = (batch: Batch, signal?: AbortSignal): Promise<BatchScores> => {
    runs.length = 0;
    return engine.score(batch, signal);
  };
  const scoresOf = async (state: string, asked: QuestionText): Promise<number[]> =>
    Array.from((await score({ state, questions: [asked] })).questions[0]?.scores ?? []);
  const count = (ids: readonly number[] | undefined, id: number): number => (ids ?? []).filter((one) => one === id).length;

  it("says what it is", () => {
    expect(engine.info).toMatchObject({
      family: "gliclass",
      features: 0,
      precision: "fp32",
      graph: "fp32",
      calibration: { uncalibrated: true },
    });
  });

  it("reads all options and the text in one run", async () => {
    await score({ state: STATE, questions: [TOPIC, LATE] });
    expect(runs.map((ids) => [count(ids, labelId), count(ids, separatorId)])).toEqual([
      [3, 1],
      [2, 1],
    ]);
  });

  it("gives the same scores, bit for bit, in whatever order options are, and equal ones once", async () => {
    const scores = await scoresOf(STATE, TOPIC);
    expect(await scoresOf(STATE, { ...TOPIC, options: TOPIC.options.toReversed() })).toEqual(scores.toReversed());
    const [billing, shipping, returns] = TOPIC.options;
    const repeated = [shipping, billing, shipping, returns, billing].filter((option) => option !== undefined);
    expect(await scoresOf(STATE, { ...TOPIC, options: repeated })).toEqual([1, 0, 1, 2, 0].map((i) => scores[i]));
    expect(count(runs[0], labelId)).toBe(3);
    expect(new Set(scores).size).toBe(3);
  });

  it("gives a question the same scores, bit for bit, whatever is asked beside it", async () => {
    const alone = await score({ state: LONG, questions: [TOPIC] });
    const beside = await score({ state: LONG, questions: [LATE, question(["a", "b", "c", "d"]), TOPIC] });
    expect(beside.questions[2]?.scores).toEqual(alone.questions[0]?.scores);
  });

  it("reads a long text in windows of the model's length that overlap, the labels before each", async () => {
    await score({ state: LONG, questions: [question(["billing", "shipping"])] });
    expect(runs.length).toBeGreaterThan(2);
    expect(new Set(runs.map(({ length }) => length))).toEqual(new Set([256]));
    const head = (runs[0]?.indexOf(separatorId) ?? NaN) + 1;
    expect(new Set(runs.map((ids) => ids.slice(0, head).join())).size).toBe(1);
    const texts = runs.map((ids) => ids.slice(head, -1));
    texts.slice(1).forEach((text, i) => {
      expect(texts[i]?.join()).toContain(text.slice(0, 32).join());
    });
  });

  it("stops between two windows", async () => {
    const controller = new AbortController();
    onRun = () => {
      if (runs.length === 2) controller.abort(new Error("enough"));
    };
    expect(await rejection(() => score({ state: LONG, questions: [TOPIC, LATE] }, controller.signal))).toMatchObject({ message: "enough" });
    const later = await engine.score({ state: STATE, questions: [TOPIC] });
    expect(later.questions).toHaveLength(1);
    expect(runs).toHaveLength(3);
  });

  describe("refuses", () => {
    const issuesOf = async (...questions: QuestionText[]): Promise<string[]> => {
      const { code, issues = [] } = await decideError(() => score({ state: STATE, questions }));
      expect(code).toBe("input_too_long");
      expect(runs).toEqual([]);
      return issues.map(({ loc, msg }) => `${loc.join(".")} ${msg}`);
    };
    const many = (length: number): string[] => Array.from({ length }, (_, i) => `${i}`);

    it("more criteria than it takes, by the question", async () => {
      expect(await issuesOf(TOPIC, question(many(26)), question(many(30)))).toEqual([
        "questions.1.options has 26 different options, more than the model's limit of 25",
        "questions.2.options has 30 different options, more than the model's limit of 25",
      ]);
      expect(await scoresOf(STATE, question([...many(25), ...many(25)]))).toHaveLength(50);
    });

    it("criteria that leave no room for the text, by the question", async () => {
      const long = many(20).map((number) => `${number} prices in the north and in the south`);
      const [issue, ...others] = await issuesOf(TOPIC, question(long, "Which?"));
      expect(issue).toMatch(/^questions\.1\.options has \d{3} tokens together with the instructions, more than the model's limit of 192$/u);
      expect(others).toEqual([]);
    });

    it("a state over its limit, before anything else", async () => {
      const { issues } = await decideError(() => score({ state: "x ".repeat(300_000), questions: [question(many(30))] }));
      expect(issues?.map(({ loc }) => loc.join("."))).toEqual(["state"]);
    });
  });

  it("counts what the caller sent, once, and the tokens of each answer", async () => {
    const tokensOf = async (state: string): Promise<number> =>
      (
        await score({
          state,
          questions: [{ type: "noul", instructions: "", options: LATE.options.map((option) => ({ ...option, sent: [] })) }],
        })
      ).inputTokens;
    const [parcel, late, yes] = [await tokensOf(STATE), await tokensOf("Is it late?"), await tokensOf("yes, by days")];
    const options = [
      { text: "yes: yes, by days", sent: ["yes, by days"], answer: null },
      { text: "no", sent: [], answer: "yes, by days" },
    ];
    const { inputTokens, questions } = await score({
      state: STATE,
      questions: [
        { ...LATE, options },
        { ...LATE, options },
      ],
    });
    expect(inputTokens).toBe(parcel + 2 * (late + yes));
    expect(questions.map(({ answerTokens }) => Array.from(answerTokens))).toEqual([
      [1, yes],
      [1, yes],
    ]);
  });

  it("gives no score that is no number", async () => {
    givesNumbers = false;
    expect((await decideError(() => score({ state: STATE, questions: [TOPIC] }))).code).toBe("backend_failed");
  });

  it("warns of a state that is empty, or that it cannot read", async () => {
    const warningsOf = async (state: string): Promise<readonly string[]> => (await score({ state, questions: [LATE] })).warnings;
    expect(await warningsOf("")).toEqual(["empty_state"]);
    expect(await warningsOf(STATE)).toEqual([]);
    expect(await warningsOf("ᚠᛇᚻ ᛒᛦᚦ ᚠᚱᚩᚠᚢᚱ")).toEqual(["unread_text"]);
  });

  it("has no features, also for who wants them", async () => {
    const { questions } = await score({ state: STATE, questions: [{ ...TOPIC, withFeatures: true }] });
    expect(questions[0]?.features).toBeUndefined();
  });

  it("reads each type of question by its template", async () => {
    const templates = {
      choice: { label: "It is {option}", prompt: "{instructions}" },
      noul: { label: "{instructions} {option}", prompt: "Answer: {instructions}" },
      score: { label: "{option}", prompt: "{instructions}" },
    };
    const other = await load("gliclass", { templates, selfTest: await selfTestOf("It is ") });
    const read = async (asked: QuestionText): Promise<readonly number[]> => {
      runs.length = 0;
      await other.score({ state: STATE, questions: [asked] });
      return runs[0] ?? [];
    };
    const plain = async (options: string[], instructions: string): Promise<readonly number[]> => {
      await score({ state: STATE, questions: [question(options, instructions, "score")] });
      return runs[0] ?? [];
    };
    expect(await read(question(["$& a", "b"]))).toEqual(await plain(["It is $& a", "It is b"], ""));
    expect(await read(question(["yes", "no"], "{option}?", "noul"))).toEqual(
      await plain(["{option}? yes", "{option}? no"], "Answer: {option}?"),
    );
    expect(await read(question(["x", "y"], "How?", "score"))).toEqual(await plain(["x", "y"], "How?"));
    await other.close();
  });

  /** A self-test by this model's own scores, for options that have something before them. */
  const selfTestOf = async (prefix: string): Promise<object> => {
    const options = ["billing", "shipping"];
    const scores = await scoresOf(
      STATE,
      question(
        options.map((option) => `${prefix}${option}`),
        "What?",
        "score",
      ),
    );
    return { state: STATE, instructions: "What?", options, scores: { fp32: scores }, tolerance: { int8: 1e-4, fp32: 1e-4 } };
  };

  describe("is not loaded from a pack", () => {
    const refusal = async (change: Parameters<typeof GliclassPack.make>[1]): Promise<string> => {
      const error = await decideError(() => load("gliclass", change));
      expect(error.code).toBe("model_invalid");
      return error.message;
    };
    const limits = { stateTokens: 1000, windowTokens: 256, overlapTokens: 32, instructionsTokens: 100, optionTokens: 100 };
    const template = { label: "{option}", prompt: "{instructions}" };

    it.each<[string, Record<string, unknown>, string]>([
      ["no markers", { markers: undefined }, "markers.label"],
      ["a marker that is a number", { markers: { label: 399, separator: "<<SEP>>" } }, "markers.label"],
      ["an order that is a word", { promptFirst: "yes" }, "promptFirst"],
      ["no word about spaces", { prefixSpace: undefined }, "prefixSpace"],
      ["room for one label", { maxLabels: 1 }, "maxLabels"],
      ["room for a million labels", { maxLabels: 1_000_000 }, "maxLabels"],
      ["windows that never advance", { limits: { ...limits, overlapTokens: 64 } }, "limits.overlapTokens"],
      [
        "a template without an option",
        { templates: { choice: { ...template, label: "x" }, noul: template, score: template } },
        "templates.choice.label",
      ],
      [
        "a prompt with an option",
        { templates: { choice: template, noul: { ...template, prompt: "{option}" }, score: template } },
        "templates.noul.prompt",
      ],
      ["no template for scores", { templates: { choice: template, noul: template } }, "templates.score.label"],
      ["an input that no graph has", { graph: { inputs: ["input_ids", "pixel_values"], output: "logits" } }, "graph.inputs.1"],
      ["no attention mask", { graph: { inputs: ["input_ids"], output: "logits" } }, "graph.inputs"],
      ["a graph that is not listed", { graphs: { fp32: { file: "other.onnx" } } }, "graphs.fp32.file"],
      ["no graph", { graphs: {} }, "graphs"],
    ])("with %s", async (_, change, at) => {
      expect(await refusal(change)).toContain(`manifest.json is not valid: ${at} `);
    });

    it("whose markers its tokenizer does not have", async () => {
      expect(await refusal({ markers: { label: "<<LABEL>>", separator: "<<TEXT>>" } })).toBe(
        "tokenizer.json has no such token as the manifest's markers.separator names. Add the model again.",
      );
    });

    it("whose labels stand on the other side of the text than it says", async () => {
      expect(await refusal({ promptFirst: false, selfTest: await selfTestOf("") })).toContain(
        "does not give the scores of the manifest's self-test",
      );
    });

    it("whose graph has no such output as it says", async () => {
      expect(await refusal({ graph: { inputs: ["input_ids", "attention_mask"], output: "scores" } })).toContain(
        "cannot answer its self-test",
      );
    });
  });

  it("that takes more labels than its graph gives numbers for fails, and gives no wrong score", async () => {
    const other = await load("gliclass", { maxLabels: 100 });
    const labels = Array.from({ length: 26 }, (_, i) => `${i}`);
    expect((await decideError(() => other.score({ state: "a", questions: [question(labels)] }))).code).toBe("backend_failed");
    await other.close();
  });
});

it("a label's score is the highest of its windows", () => {
  expect(joinWindows([Float32Array.of(1, -2), Float32Array.of(-3, 4), Float32Array.of(0, 0)])).toEqual(Float32Array.of(1, 4));
  expect(joinWindows([Float32Array.of(-5)])).toEqual(Float32Array.of(-5));
});

it("a score that is no number is not hidden by others", () => {
  expect(joinWindows([Float32Array.of(1), Float32Array.of(NaN)])).toEqual(Float32Array.of(NaN));
  expect(joinWindows([Float32Array.of(NaN), Float32Array.of(1)])).toEqual(Float32Array.of(NaN));
});

const bytes = (isSet: boolean): object => ({ type: "ByteLevel", add_prefix_space: isSet, trim_offsets: true });

it("byte-level tokenizers get a space before texts, wherever they say how texts are split", () => {
  const json = { model: { type: "BPE" }, pre_tokenizer: bytes(false) };
  expect(withPrefixSpace(json)).toEqual({ ...json, pre_tokenizer: bytes(true) });
  const split = { type: "Split", pattern: { Regex: "x" } };
  const sequence = (...pretokenizers: object[]): object => ({ pre_tokenizer: { type: "Sequence", pretokenizers } });
  expect(withPrefixSpace(sequence(split, bytes(false)))).toEqual(sequence(split, bytes(true)));
});

it("others stay as they are", () => {
  for (const json of [
    { pre_tokenizer: null },
    { pre_tokenizer: { type: "Metaspace", prepend_scheme: "always" } },
    { pre_tokenizer: { type: "Sequence" } },
  ])
    expect(withPrefixSpace(json)).toEqual(json);
});

const [CLS, SEP, LABEL, SEPARATOR] = [1, 2, 3, 4];
const token = (id: number): { id: number; type: number } => ({ id, type: 0 });
const TOKENIZER = { pair: { before: [token(CLS)], between: [token(SEP)], after: [token(SEP)], premiseType: 0, hypothesisType: 1 } };
/** A token a character: its code. */
const tokenize = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const [a, b, c, p] = tokenize("abcp");

const plain = { label: "{option}", prompt: "{instructions}" };
const TEMPLATES = { choice: plain, noul: { label: "{instructions}{option}", prompt: "{instructions}" }, score: plain };

function frame(
  options: readonly string[],
  instructions: string,
  promptFirst = true,
  type: QuestionText["type"] = "choice",
): ReturnType<typeof framed> {
  const question = { type, instructions, options: options.map((text) => ({ text, sent: [text], answer: text })) };
  return framed(question, { templates: TEMPLATES, promptFirst }, TOKENIZER, { label: LABEL, separator: SEPARATOR }, tokenize);
}

describe("a question around a text", () => {
  it("stands before it", () => {
    expect(frame(["a", "b"], "p")).toMatchObject({ before: [CLS, LABEL, a, LABEL, b, SEPARATOR, p], behind: [SEP], followsWords: true });
  });

  it("stands behind it, for models that were trained so", () => {
    expect(frame(["a", "b"], "p", false)).toMatchObject({
      before: [CLS],
      behind: [LABEL, a, LABEL, b, SEPARATOR, p, SEP],
      followsWords: false,
    });
  });

  it("has its labels by length, then by token ids, each once", () => {
    const { before, labels, labelOf } = frame(["bb", "b", "a", "b", "ba"], "");
    expect(labels.map((tokens) => String.fromCharCode(...tokens))).toEqual(["a", "b", "ba", "bb"]);
    expect(labelOf).toEqual([3, 1, 0, 1, 2]);
    expect(before.filter((id) => id === LABEL)).toHaveLength(4);
  });

  it("has no prompt without instructions, and reads each type by its template", () => {
    expect(frame(["a"], " \n")).toMatchObject({ before: [CLS, LABEL, a, SEPARATOR], followsWords: false });
    expect(frame(["a", "b"], "p", true, "noul").before).toEqual([CLS, LABEL, p, a, LABEL, p, b, SEPARATOR, p]);
  });

  it("has a label of nothing for an option of nothing", () => {
    expect(frame(["", "c"], "").before).toEqual([CLS, LABEL, LABEL, c, SEPARATOR]);
  });
});

it("a text behind words is set off by one space", () => {
  const read = (text: string, followsWords: boolean): string => String.fromCharCode(...textTokens(text, { followsWords }, tokenize));
  expect(read("text", true)).toBe(" text");
  expect(read(" text", true)).toBe(" text");
  expect(read("\ntext", true)).toBe(" \ntext");
  expect(read("", true)).toBe("");
  expect(read("text", false)).toBe("text");
});
