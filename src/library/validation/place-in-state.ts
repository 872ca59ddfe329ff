import type { Location } from "../../errors.ts";
import { isPlain } from "./nearest.ts";

const MAX_KEYS = 8;

/** The place of an issue inside a state: `state.order.lines[0]`. Names of fields are shown as far as they are plain, and few enough to read. */
export function placeInState([, state, ...path]: Location): string {
  const end = path.findIndex((key, i) => i >= MAX_KEYS || !isPlain(String(key)));
  const keys = end < 0 ? path : path.slice(0, end);
  return `${end < 0 ? "" : "a value in "}${state}${keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")}`;
}
