import type { Field } from "../../validation/field.ts";
import { textOf } from "../pack/manifest-fields.ts";

/** What a template is filled with. */
export interface TemplateTexts {
  readonly instructions: string;
  readonly option: string;
}

const PLACE = /\{(instructions|option)\}/g;
const MAX_CHARACTERS = 1000;

/**
 * The template with the texts in their places. In the texts nothing has a meaning, braces and `$&` neither. Without instructions, no white space is left where
 * they would begin or end it.
 */
export function filled(template: string, texts: TemplateTexts): string {
  const asked = texts.instructions === "" ? template.replace("{instructions}", "") : template;
  return asked.trim().replace(PLACE, (_, name: keyof TemplateTexts) => texts[name]);
}

/** A template of a manifest: it has `{option}` once, and `{instructions}` once at most. */
export function templateOf(field: Field): string {
  const isRight = (places: readonly string[]): boolean => places.includes("{option}") && new Set(places).size === places.length;
  return templateThat(field, isRight, "{option} once, {instructions} at most once");
}

/** A template of a manifest for the instructions alone: it has `{instructions}` once. */
export function promptOf(field: Field): string {
  return templateThat(field, (places) => places.join() === "{instructions}", "{instructions} once, no {option}");
}

function templateThat(field: Field, isRight: (places: readonly string[]) => boolean, words: string): string {
  const template = textOf(field);
  const places = Array.from(template.matchAll(PLACE), ([place]) => place);
  if (template !== "" && !(isRight(places) && template.length <= MAX_CHARACTERS))
    field.refuse(`must have ${words}, and up to ${MAX_CHARACTERS} characters`, "unknown_value");
  return template;
}
