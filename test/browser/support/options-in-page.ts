import type { DeciderOptions } from "umpire";

/** A decider's options as they cross to a page. Lessons cross as JSON text: playwright's types unfold theirs without end. */
export type OptionsInPage = Omit<DeciderOptions, "lessons">;
