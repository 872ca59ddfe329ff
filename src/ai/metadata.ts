import type { Experimental_DecisionModelV4Answer as SdkAnswer, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { DecideError } from "umpire";
import type { ActReason, StateWarning } from "umpire";
import type { Answer, Text } from "../library/decide/types.ts";

type SdkAnswers = Readonly<Record<string, SdkAnswer>>;

/** Ids of the questions whose answers may be of one of these types. */
type IdsOf<Answers, Type extends SdkAnswer["type"]> = {
  [Id in keyof Answers]: Extract<Answers[Id], { type: Type }> extends never ? never : Id;
}[keyof Answers];

/** What Umpire says about its answers beyond what the AI SDK has fields for, by question id. `umpireMetadata()` reads it. */
export interface UmpireMetadata<Answers = SdkAnswers> {
  /** How sure the answers to choices and scores are, 0 to 1: 0 if all options are equally likely, 1 if one is certain. */
  readonly confidence: { readonly [Id in IdsOf<Answers, "choice" | "score">]: number };
  /** The levels of scores: a description by number, from "0". */
  readonly legend: { readonly [Id in IdsOf<Answers, "score">]: { readonly [level: string]: Text } };
  /** How often answers like each were right on questions held out of training, 0 to 1. Nothing where the model states no curve, or with a warning. */
  readonly accuracy: { readonly [Id in keyof Answers]?: number };
  /** The id of the lesson that answered. Nothing where none did. */
  readonly lesson: { readonly [Id in keyof Answers]?: string };
  /**
   * With `providerOptions: { umpire: { maxErrorRate } }`: whether to act on the answer, so that no larger share of such answers is wrong. Nothing without.
   */
  readonly act: { readonly [Id in keyof Answers]?: boolean };
  /** Why not, where `act` is false. Nothing where it is true. */
  readonly actReason: { readonly [Id in keyof Answers]?: ActReason };
  /** Why an answer may be worth less than it says. Nothing where there is no reason. */
  readonly warnings: { readonly [Id in keyof Answers]?: readonly StateWarning[] };
}

/** The metadata of our answers. */
export function toMetadata(answers: Readonly<Record<string, Answer>>): UmpireMetadata {
  const entries = Object.entries(answers);
  return {
    confidence: Object.fromEntries(entries.flatMap(([id, answer]) => ("confidence" in answer ? [[id, answer.confidence]] : []))),
    legend: Object.fromEntries(entries.flatMap(([id, answer]) => ("legend" in answer ? [[id, answer.legend]] : []))),
    accuracy: Object.fromEntries(entries.flatMap(([id, { x_accuracy }]) => (x_accuracy === undefined ? [] : [[id, x_accuracy]]))),
    lesson: Object.fromEntries(entries.flatMap(([id, { x_lesson }]) => (x_lesson === undefined ? [] : [[id, x_lesson]]))),
    act: Object.fromEntries(entries.flatMap(([id, { x_act }]) => (x_act === undefined ? [] : [[id, x_act]]))),
    actReason: Object.fromEntries(entries.flatMap(([id, { x_act_reason }]) => (x_act_reason === undefined ? [] : [[id, x_act_reason]]))),
    warnings: Object.fromEntries(entries.flatMap(([id, { x_warnings }]) => (x_warnings === undefined ? [] : [[id, [...x_warnings]]]))),
  };
}

/**
 * Reads Umpire's metadata, typed by the questions, from a result of `experimental_decide`. Example:
 *
 *     const result = await experimental_decide({ model: umpire("latest"), state, questions });
 *     const { team } = umpireMetadata(result).confidence; // a number
 *
 * @throws {DecideError} `invalid_request` for a result of another provider.
 */
export function umpireMetadata<Answers extends object>({
  providerMetadata,
}: {
  readonly answers: Answers;
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined;
}): UmpireMetadata<Answers> {
  const metadata = providerMetadata?.["umpire"];
  if (metadata === undefined) {
    throw new DecideError(
      "invalid_request",
      "The result has no metadata of Umpire: another provider's model answered. Use a model of umpire().",
    );
  }
  return metadata as unknown as UmpireMetadata<Answers>;
}
