import type { IssueType, Location } from "../errors.ts";
import type { Field } from "../validation/field.ts";
import { isPlainObject, shownValue } from "../validation/shape.ts";

/** Deeper values are refused: no model makes sense of them, and they could exhaust a reader's stack. */
const MAX_DEPTH = 100;
/** Bound on the text that one structured value may become, in UTF-16 units; far above every model's budget. */
const MAX_CHARACTERS = 4_194_304;

/** From a part of the value up to the value itself, which is undefined. A location is only built for the few parts that have an issue. */
type Path = { readonly above: Path; readonly key: string | number } | undefined;

function locationAt(path: Path, loc: Location): Location {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.above) keys.unshift(at.key);
  return [...loc, ...keys];
}

/**
 * Renders a JSON value as the text that a model reads, once and for good: what is returned no longer depends on the value.
 * Strings stay as they are; objects become `key: value` lines and arrays `- item` lines, in their own order.
 * Values that JSON cannot hold become issues at their place below the field.
 */
export function renderText({ value, loc, issues }: Field): string {
  const ancestors = new Set<object>();
  // An object that is referred to many times is rendered once: otherwise a small value could keep us busy for ever.
  const known = new Map<object, string>();
  let characters = 0;

  const fail = (at: Path, msg: string, type: IssueType): string => {
    // Issues count like text, so that their number is bounded, too.
    characters += msg.length;
    issues.push({ loc: locationAt(at, loc), msg, type });
    return "";
  };
  const inside = (holder: object, at: Path, render: () => string[]): string => {
    const before = known.get(holder);
    if (before !== undefined) {
      characters += before.length;
      return before;
    }
    if (ancestors.has(holder)) return fail(at, "contains itself", "cyclic");
    if (ancestors.size >= MAX_DEPTH) return fail(at, `is nested deeper than ${MAX_DEPTH} levels`, "too_deep");
    ancestors.add(holder);
    const parts = render();
    const text = characters > MAX_CHARACTERS ? "" : parts.join("\n");
    ancestors.delete(holder);
    known.set(holder, text);
    return text;
  };
  const line = (start: string, item: unknown, at: Path): string => {
    if (characters > MAX_CHARACTERS) return "";
    characters += start.length;
    return start + rendered(item, at);
  };
  const lines = (items: readonly unknown[], at: Path): string[] => {
    // Array.from, unlike map, also visits the holes of a sparse array, which may have billions of them.
    if (items.length <= MAX_CHARACTERS) return Array.from(items, (part, i) => line("- ", part, { above: at, key: i }));
    characters += items.length;
    return [];
  };
  const rendered = (item: unknown, at: Path): string => {
    if (typeof item === "string") {
      characters += item.length;
      return item;
    }
    if (item === null || typeof item === "boolean" || (typeof item === "number" && Number.isFinite(item))) return JSON.stringify(item);
    if (Array.isArray(item)) return inside(item, at, () => lines(item, at));
    if (isPlainObject(item)) {
      return inside(item, at, () =>
        Object.entries(item)
          .filter(([, part]) => part !== undefined)
          .map(([key, part]) => line(`${key}: `, part, { above: at, key })),
      );
    }
    const advice = item instanceof Date ? ": use its toISOString()" : ArrayBuffer.isView(item) ? ": give its text" : "";
    return fail(at, `must be a JSON value, but is ${shownValue(item)}${advice}`, at === undefined ? "wrong_type" : "not_json");
  };

  const text = rendered(value, undefined);
  if (typeof value !== "string" && characters > MAX_CHARACTERS) {
    return fail(undefined, `becomes a text of more than ${MAX_CHARACTERS} characters`, "too_long");
  }
  return text;
}
