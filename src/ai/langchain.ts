import { BaseDecisionModel, parseClassifierResponse } from "@langchain/core/decisions";
import type { ClassifierRequest, ClassifierResponse, Question, State } from "@langchain/core/decisions";
import { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { DecideError, decide } from "umpire";
import type { Location } from "../errors.ts";
import type { DecideRequest, ExtensionFields } from "../library/decide/types.ts";
import {
  A_DECIDER,
  checkOptions,
  Field,
  filledString,
  isPlainObject,
  numberBetween,
  throwIfOptionsInvalid,
  type RulesOf,
} from "../library/validation/field.ts";
import type { UmpireModelId, UmpireProviderOptions } from "./options.ts";

export interface UmpireDecisionModelOptions extends UmpireProviderOptions {
  /** The model that answers. An unknown id fails when the model is first used. Default: the decider's own. */
  readonly model?: UmpireModelId | undefined;
  /** As in the options of `decide()`: adds `x_act` to every answer. Above 0 and below 1. Default: no `x_act`. */
  readonly maxErrorRate?: number | undefined;
}

const RULES: RulesOf<UmpireDecisionModelOptions> = {
  decider: A_DECIDER,
  model: filledString("the id of a model, such as latest"),
  maxErrorRate: numberBetween(0, 1),
};

/** LangChain's response, whose answers also have Umpire's own fields. */
export type UmpireResponse<Q extends Record<string, Question>> = ClassifierResponse<Q> & {
  readonly answers: { readonly [Id in keyof Q]: ExtensionFields };
};

/**
 * A decision model of LangChain.js that answers on this machine. Use: `await new UmpireDecisionModel().invoke({ state, questions })`.
 *
 * Messages in the state are read as who says what, with the tools that are called. Their ids and metadata are not read.
 */
export class UmpireDecisionModel extends BaseDecisionModel {
  lc_namespace = ["umpire", "decisions"];
  readonly #options: UmpireDecisionModelOptions;

  /** @throws {DecideError} `invalid_request` for invalid options */
  constructor(options: UmpireDecisionModelOptions = {}) {
    const field = new Field(options, ["options"]);
    if (field.isObject("an object such as { decider, model, maxErrorRate }")) checkOptions(field, RULES);
    throwIfOptionsInvalid(field.issues);
    super({ model: options.model ?? "default" });
    this.#options = options;
  }

  readonly _provider = "umpire";

  /**
   * Answers the questions. `options.signal` and `options.timeout`, in ms, end the call.
   * @throws {DecideError} as `decide()`, and `invalid_request` for an image, audio, a video or a file.
   * @throws {Error} LangChain's own for questions that are none of its own; the signal's reason once it is aborted.
   */
  override async invoke<const Q extends Record<string, Question>>(
    input: ClassifierRequest<Q>,
    options?: Partial<RunnableConfig>,
  ): Promise<UmpireResponse<Q>> {
    return (await super.invoke(input, options)) as UmpireResponse<Q>;
  }

  /** Called by `invoke`. */
  async _classify(state: State, questions: Record<string, Question>, config?: Partial<RunnableConfig>): Promise<ClassifierResponse> {
    const { decider = { decide }, model, maxErrorRate } = this.#options;
    const request = { model, ...(toPlain({ state: aloneIn(state), questions }, ["body"], new Map()) as DecideRequest) };
    const { usage: usage_metadata, ...ours } = await decider.decide(request, { signal: config?.signal, maxErrorRate });
    const response = parseClassifierResponse({ ...ours, usage_metadata });
    // It has left out our own fields.
    for (const [id, answer] of Object.entries(response.answers)) Object.assign(answer, ours.answers[id]);
    return response;
  }
}

/** LangChain's types of media, in its newer and its older shape. */
const MEDIA = ["image", "audio", "video", "file", "image_url", "input_audio"];
/** Where such a part has its content. An object that merely has a field `type` is data. */
const CONTENT_OF_MEDIA = ["data", "url", "fileId", "source_type", "image_url", "input_audio"];

/** Deeper values are left to `decide()`, which refuses them. */
const MAX_DEPTH = 200;

/**
 * A value with its messages as plain objects.
 * @param known what each object became: one that contains itself is left to `decide()`, which refuses it
 * @throws {DecideError} `invalid_request` for media
 */
function toPlain(value: unknown, loc: Location, known: Map<unknown, unknown>): unknown {
  if (known.has(value)) return known.get(value);
  const inside = (part: unknown, ...key: (string | number)[]): unknown => toPlain(part, [...loc, ...key], known);
  const kept = (plain: unknown): unknown => {
    known.set(value, plain);
    return plain;
  };
  if (BaseMessage.isInstance(value)) return kept(inside(turnOf(value)));
  if (loc.length > MAX_DEPTH || typeof value !== "object") return value;
  known.set(value, value);
  if (Array.isArray(value)) return kept(value.map((part, i) => inside(part, i)));
  if (!isPlainObject(value)) return value;
  const { type } = value;
  if (MEDIA.includes(type as string) && CONTENT_OF_MEDIA.some((name) => name in value)) {
    const msg = `must be text or JSON, but is a part of type ${type as string}`;
    const message = `Umpire reads text and JSON, but a part of the ${loc[1]} is of type ${type as string}. Leave it out, or say in words what it shows.`;
    throw new DecideError("invalid_request", message, { issues: [{ loc, msg, type: "wrong_type" }] });
  }
  return kept(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inside(part, key)])));
}

/** A user's message alone is read as its text is. */
function aloneIn(state: State): unknown {
  const only: unknown = Array.isArray(state) && state.length === 1 ? state[0] : state;
  const { user, ...others } = BaseMessage.isInstance(only) ? turnOf(only) : {};
  return user === undefined || Object.keys(others).length > 0 ? state : user;
}

const ROLES: { readonly [type: string]: string } = { human: "user", ai: "assistant" };

/** Who says what, or which tool: `{ user: "..." }`, `{ assistant: "...", "call of search": [{ ... }] }`, `{ "output of search": "..." }`. */
function turnOf(message: BaseMessage): { readonly [who: string]: unknown } {
  const { type } = message;
  const speaker = "role" in message ? String(message.role) : (ROLES[type] ?? type);
  const said: unknown[] = [];
  const calls: Record<string, unknown[]> = {};
  for (const block of message.contentBlocks) {
    if (block.type === "tool_call") (calls[`call of ${block.name}`] ??= []).push(block.args);
    else if (block.type === "reasoning") said.push({ reasoning: block.reasoning });
    else said.push(block.type === "text" ? block.text : block);
  }
  const isText = said.every((part) => typeof part === "string");
  const content = isText ? said.join("\n") : said;
  // An assistant that calls a tool mostly says nothing.
  const isSilent = content === "" && Object.keys(calls).length > 0;
  return { ...(!isSilent && { [type === "tool" ? `output of ${message.name ?? "a tool"}` : speaker]: content }), ...calls };
}
