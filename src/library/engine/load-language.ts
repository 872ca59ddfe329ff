import { onDemand } from "../async/on-demand.ts";
import type * as LanguageModule from "./language.ts";

/** Tells English from other languages by the text alone. */
export type Language = Pick<typeof LanguageModule, "isEnglish" | "isForeign">;

/** A script of its own, which is loaded beside a model's files: it would make a page's worker a quarter larger. */
export const loadLanguage = (): Promise<Language> => onDemand("language", import("./language.ts"));
