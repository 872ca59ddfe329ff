import { Transform } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type * as Mcp from "@modelcontextprotocol/sdk/server/mcp.js";
import type * as Stdio from "@modelcontextprotocol/sdk/server/stdio.js";
import type * as Types from "@modelcontextprotocol/sdk/types.js";
import { Command } from "commander";
import { asDecideError, DecideError } from "../../errors.ts";
import { loadOptional } from "../../files/optional-dependency.ts";
import type { Watcher } from "../../files/watch.ts";
import { abortable, withAnySignal } from "../../library/async/signals.ts";
import type { DecideRequest } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { Lesson } from "../../library/lessons/lesson.ts";
import { present } from "../../library/validation/expect.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import { watchLessonFolder, type Learner } from "../../service/node/lessons/lesson-files.ts";
import { version } from "../../version.ts";
import { ToolError } from "../tool-error.ts";
import { linesOf, report } from "./failure.ts";
import { addModelFlags, countFrom, lessonFolderFlag, type ModelFlags } from "./input/flags.ts";
import { onEndSignal, type CreateDecider, type Io } from "./io.ts";
import { noteSlowDevice, notice } from "./output/screen.ts";

const HELP = `
Tools: decide, explain, teach_status. It needs the package of the protocol:
  $ npm install umpire @modelcontextprotocol/sdk

An agent's client starts it, by a configuration such as
  {"mcpServers": {"umpire": {"command": "npx", "args": ["umpire", "mcp"]}}}

It ends with its standard input, after the last answer, or by SIGTERM, at once.
Exit codes: 0 ended, 1 failed, 2 bad input.
`;

const EXPLAIN_MS = 30_000;
const LINE_FEED = 10;

interface Flags extends ModelFlags {
  readonly lessons?: string;
  readonly explainMs?: number;
}

export function mcpCommand(io: Io, createDecider: CreateDecider): Command {
  return addModelFlags(new Command("mcp"))
    .description("answer an agent's tool calls (Model Context Protocol, over standard input and output)")
    .addOption(lessonFolderFlag())
    .option("--explain-ms <ms>", `time that an explanation may take (default: ${EXPLAIN_MS})`, countFrom)
    .addHelpText("after", HELP)
    .action(async ({ device, model, precision, threads, lessons, explainMs = EXPLAIN_MS }: Flags) => {
      const sdk = await loadOptional("umpire mcp", "@modelcontextprotocol/sdk", importSdk);
      await using decider = createDecider({ device, model, precision, threads });
      await answerUntilEnd(io, sdk, decider, lessons, explainMs);
    });
}

type Sdk = typeof Mcp & typeof Stdio & typeof Types;

async function importSdk(): Promise<Sdk> {
  return {
    ...(await import("@modelcontextprotocol/sdk/server/mcp.js")),
    ...(await import("@modelcontextprotocol/sdk/server/stdio.js")),
    ...(await import("@modelcontextprotocol/sdk/types.js")),
  };
}

const INSTRUCTIONS =
  "Checks a step before it is taken. The answers are a small model's: let go on only what can be undone, and ask a person about all else, and whenever an answer has x_warnings, an x_act of false, or an x_accuracy below 0.8. What a step may do at most is for the tool that does it to enforce.";

const NUMBERS = { type: "object", additionalProperties: { type: "number" } } as const;
const KINDS = ["choice", "noul", "score"] as const;
const CRITERIA =
  'choice: {"key": "description" or null}, 2 to 255 options. score: 2 to 10 levels, low to high. noul: none, or {"true": "...", "false": "..."}';

const QUESTION = objectOf(["type", "instructions"], {
  type: { enum: KINDS, description: "noul is a yes/no question" },
  instructions: text("the question"),
  criteria: { anyOf: [{ type: "object" }, { type: "array", items: { type: "string" } }], description: CRITERIA },
});

const REQUEST = {
  state: { anyOf: [{ type: "string" }, { type: "object" }], description: "the text that is judged, or JSON" },
  questions: { type: "object", minProperties: 1, additionalProperties: QUESTION, description: "by ids of your own" },
  model: text("default: the server's"),
} as const;

const ANSWER = objectOf(["type"], {
  type: { enum: KINDS },
  choice: text("the likeliest option"),
  noul: number("probability of yes"),
  score: number("expected level, from 0"),
  confidence: number("0 to 1"),
  probabilities: NUMBERS,
  x_accuracy: number("share of such answers that were right on held-out questions"),
  x_lesson: text("id of the lesson that answered"),
  x_act: { type: "boolean", description: "with max_error_rate: whether the answer may be acted on" },
  x_act_reason: text("why x_act is false"),
  x_warnings: { type: "array", items: { type: "string" }, description: "why a person should decide" },
});

const PASSAGE = objectOf(["text", "change"], {
  text: text("as it stands"),
  change: number("of the log-odds by this passage; above 0: it speaks for the answer"),
});

const LESSON = objectOf(["id", "kind", "model", "question", "examples", "accuracy", "accuracy_untaught"], {
  id: text("x_lesson of its answers"),
  kind: { enum: ["lesson", "calibration"], description: "a calibration makes probabilities true, and keeps the answers" },
  model: text("the model that it answers with"),
  question: { type: "object", description: "as it must be asked" },
  examples: number("how many examples with an answer it learned from"),
  accuracy: { ...NUMBERS, description: "share of right answers to examples held out: value, and low and high of its 90% interval" },
  accuracy_untaught: { ...NUMBERS, description: "the same, of the model alone" },
});

interface Schema {
  readonly type: "object";
  readonly required: string[];
  readonly properties: Readonly<Record<string, object>>;
}

function objectOf(required: string[], properties: Schema["properties"]): Schema {
  return { type: "object", required, properties };
}

function text(description: string): object {
  return { type: "string", description };
}

function number(description: string): object {
  return { type: "number", description };
}

/** As the client sent them. The library checks them. */
type Arguments = Readonly<Record<string, unknown>>;

interface Tool {
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly call: (given: Arguments, signal: AbortSignal) => Promise<object>;
}

function toolsOf(decider: Decider, lessons: ReadonlyMap<string, Lesson>, explainMs: number): ReadonlyMap<string, Tool> {
  const decide: Tool = {
    description:
      "Answers questions about a text with calibrated probabilities, on this machine. Ask it about a step before you take it. With max_error_rate, x_act says which answers may be acted on.",
    inputSchema: objectOf(["state", "questions"], {
      ...REQUEST,
      max_error_rate: number("share of the answers acted on that may be wrong, above 0 and below 1"),
    }),
    outputSchema: objectOf(["model", "answers", "usage"], {
      model: text("the model that answered"),
      answers: { type: "object", additionalProperties: ANSWER, description: "by the questions' ids" },
      usage: NUMBERS,
    }),
    call: ({ max_error_rate: rate, ...request }, signal) =>
      decider.decide(request as unknown as DecideRequest, { maxErrorRate: rate as number | undefined, signal }),
  };
  const explain: Tool = {
    description:
      "Says which sentences of the text made the answer to one question. Takes as long as one decision more than there are passages: by default, up to 33.",
    inputSchema: objectOf(["state", "questions"], {
      ...REQUEST,
      question_id: text("which of several questions"),
      max_passages: number("1 to 1000, default: 32"),
    }),
    outputSchema: objectOf(["answer", "key", "logOdds", "passages", "readings"], {
      answer: ANSWER,
      key: text("the part of the answer that is explained"),
      logOdds: number("of that part"),
      passages: { type: "array", items: PASSAGE, description: "all of the text, largest change first" },
      readings: number("how often the text was read"),
    }),
    call: async ({ question_id: named, max_passages: most, ...request }, signal) => {
      const ids = isPlainObject(request["questions"]) ? Object.keys(request["questions"]) : [];
      const id = (named ?? (ids.length === 1 ? ids[0] : undefined)) as string;
      const {
        text: whole,
        passages,
        ...explanation
      } = await withAnySignal([signal, AbortSignal.timeout(explainMs)], (either) =>
        decider.explain(request as unknown as DecideRequest, id, { maxPassages: most as number | undefined, signal: either }),
      );
      // With their texts, since an agent cannot count characters.
      return { ...explanation, passages: passages.map(({ start, end, change }) => ({ text: whole.slice(start, end), change })) };
    },
  };
  const teachStatus: Tool = {
    description:
      "Lists the lessons: questions that were taught with examples. Ask one word for word, with the same criteria, and its lesson answers.",
    inputSchema: objectOf([], {}),
    outputSchema: objectOf(["lessons"], { lessons: { type: "array", items: LESSON } }),
    call: () => {
      const known = decider.lessons().map(({ id }) => present(lessons.get(id), "lesson of that id"));
      const statuses = known.map(({ id, kind, model, question, examples, report: { before, after } }) => {
        const accuracies = { accuracy: after.accuracy, accuracy_untaught: before.accuracy };
        return { id, kind: kind ?? "lesson", model: model.id, question, examples: examples.answered, ...accuracies };
      });
      return Promise.resolve({ lessons: statuses });
    },
  };
  return new Map(Object.entries({ decide, explain, teach_status: teachStatus }));
}

/** Answers until standard input or a signal ends it. @throws what keeps the model or the lessons from being loaded */
async function answerUntilEnd(
  io: Io,
  { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError, McpServer, StdioServerTransport }: Sdk,
  decider: Decider,
  folder: string | undefined,
  explainMs: number,
): Promise<void> {
  const { server } = new McpServer({ name: "umpire", version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  const lessons = new Map<string, Lesson>();
  const calls = new Set<Promise<unknown>>();
  // Clients wait for a greeting, so the model and the lessons are loaded meanwhile.
  const loaded = load(io, decider, folder, lessons);
  const tools = toolsOf(decider, lessons, explainMs);

  server.setRequestHandler(ListToolsRequestSchema, () => {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    return { tools: [...tools].map(([name, { call: _, ...shown }]) => ({ name, ...shown, annotations })) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }, { signal }) => {
    const tool = tools.get(name);
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no such tool. There are: ${[...tools.keys()].join(", ")}.`);
    const result = abortable(loaded, signal)
      .then(() => tool.call(argumentsOf(given, name, tool), signal))
      .then(toResult, (error: unknown) => toRefusal(io, error, signal, explainMs))
      .finally(() => calls.delete(result));
    calls.add(result);
    return result;
  });
  server.onerror = () => {
    notice(io, "a line of standard input was passed over: it is no message of the Model Context Protocol.");
  };
  const input = io.stdin.pipe(endingALine());
  let ignoreSignals = (): void => undefined;
  const ended = new Promise<"input" | NodeJS.Signals>((resolve, reject) => {
    ignoreSignals = onEndSignal(resolve);
    input.once("end", () => {
      resolve("input");
    });
    // Of itself it closes only then.
    server.onclose = () => {
      reject(new ToolError("A message on standard input is longer than 10 MB. Start the server again, and send less at a time."));
    };
  });
  if (io.stdin.isTTY === true) notice(io, "an agent's client starts this command, and writes to its standard input. Ctrl-C ends it.");
  try {
    const [, end] = await Promise.all([
      server.connect(new StdioServerTransport(input, io.stdout)),
      Promise.race([ended, loaded.then(() => ended)]),
    ]);
    if (end === "input") {
      await loaded;
      await settled(calls);
    }
  } finally {
    await server.close();
    io.stdin.unpipe(input).pause();
    await (await loaded.catch(() => undefined))?.close();
    ignoreSignals();
  }
}

/** A last line may lack its end, without which the SDK would not read it. */
function endingALine(): Transform {
  let isEnded = true;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      isEnded = chunk.at(-1) === LINE_FEED;
      done(null, chunk);
    },
    flush(done) {
      done(null, isEnded ? undefined : "\n");
    },
  });
}

/** Loads the model and learns the lessons. @returns what follows them, if there are any */
async function load(io: Io, decider: Decider, folder: string | undefined, known: Map<string, Lesson>): Promise<Watcher | undefined> {
  const learner: Learner = {
    learn: async (lesson) => {
      await decider.learn(lesson);
      known.set(lesson.id, lesson as Lesson);
    },
    forget: (id) => decider.forget(id),
    lessons: () => decider.lessons(),
  };
  noteSlowDevice(io, await decider.info());
  const onError = ({ message }: DecideError): void => {
    notice(io, message);
  };
  return folder === undefined ? undefined : watchLessonFolder(folder, learner, { onError });
}

/** Resolves once all calls that were read have been answered. */
async function settled(calls: ReadonlySet<Promise<unknown>>): Promise<void> {
  // The protocol's own steps, before a call and after it, take less than a turn.
  await nextTurn();
  await Promise.allSettled(calls);
  await nextTurn();
}

/** Without those that are null, as some clients fill what they leave out. @throws {DecideError} for a name that the tool does not know */
function argumentsOf(given: Arguments, name: string, { inputSchema: { properties } }: Tool): Arguments {
  const names = Object.keys(properties);
  if (Object.keys(given).every((field) => names.includes(field)))
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const takes = names.length === 0 ? "no arguments" : `the arguments ${names.join(", ")}, and no others`;
  throw new DecideError("invalid_request", `${name} takes ${takes}.`);
}

function toResult(result: object): Types.CallToolResult {
  // For clients that know no structured content, also as text.
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
}

/** The library's name of an option, which is an argument here. */
const OPTION = /^(?:The options are not valid: )?(?:maxErrorRate|maxPassages|questionId)\b/u;

/** @throws the error of a call that was cancelled: nobody waits for its result. */
function toRefusal(io: Io, thrown: unknown, signal: AbortSignal, explainMs: number): Types.CallToolResult {
  if (signal.aborted) throw thrown;
  const error =
    thrown instanceof Error && thrown.name === "TimeoutError"
      ? new DecideError(
          "invalid_request",
          `The explanation took more than ${explainMs} ms and was ended. Give a smaller max_passages, or a shorter state.`,
        )
      : asDecideError(thrown);
  // Its cause is for the person who runs the server.
  if (error.status >= 500) report(io, error);
  const { message, issues = [] } = error;
  const said = issues.length > 1 ? linesOf(error, "The call").join("\n") : message;
  const inSnakeCase = said.replace(OPTION, (name) => name.replace(/(?<=[a-z])[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`));
  return { content: [{ type: "text", text: inSnakeCase }], isError: true };
}
