import { AddingFailed } from "./adding-failed.ts";

/** How a criterion is put to a model as a statement, by the type of its question. */
export interface Templates {
  readonly choice: string;
  readonly noul: string;
  readonly score: string;
}

/** The default of models for natural language inference. */
export const PAIR_TEMPLATES: Templates = {
  choice: "This is about {option}.",
  noul: "{instructions} {option}",
  score: "{instructions} {option}",
};

const MAX_CHARACTERS = 500;

/** The default templates, with that of choices as a person gave it. @throws {AddingFailed} */
export function templatesWith(choice: string | undefined): Templates {
  return { ...PAIR_TEMPLATES, choice: checkedTemplate(choice) ?? PAIR_TEMPLATES.choice };
}

/** A template as a person gave it. @throws {AddingFailed} */
export function checkedTemplate(choice: string | undefined): string | undefined {
  if (choice === undefined) return undefined;
  if (!choice.includes("{option}"))
    throw new AddingFailed(
      'The template has no {option}, so every option would read the same. Write one such as "This is about {option}."',
    );
  if (choice.split("{option}").length > 2 || choice.split("{instructions}").length > 2)
    throw new AddingFailed("The template has {option} or {instructions} twice. Each may stand in it once.");
  if (choice.length > MAX_CHARACTERS)
    throw new AddingFailed(`The template has ${choice.length} characters, more than the ${MAX_CHARACTERS} that it may have.`);
  return choice;
}

/** A template without the places that are filled. */
export function wordsOf(template: string): string {
  return template.replaceAll(/\{(?:instructions|option)\}/gu, " ");
}
