import type { IssueType } from "../../errors.ts";
import type { Field } from "../validation/field.ts";
import { isPlainObject, shownValue } from "../validation/shape.ts";

/** Deeper values are refused: no model makes sense of them, and they could exhaust a reader's stack. */
const MAX_DEPTH = 100;
/** Bound on the text that one structured value may become, in UTF-16 units; far above every model's budget. */
const MAX_CHARACTERS = 4_194_304;

/**
 * Renders a JSON value as the text that a model reads, once and for good: what is returned no longer depends on the value.
 * Strings stay as they are; objects become `key: value` lines and arrays `- item` lines, in their own order.
 * Values that JSON cannot hold become issues at their place below the field.
 */
export function renderText({ value, loc, issues }: Field): string {
  /** Keys from the value down to the part that is being rendered. */
  const path: (string | number)[] = [];
  // An object that is referred to many times is rendered once: otherwise a small value could keep us busy for ever. Undefined: it is being rendered.
  const known = new Map<object, string | undefined>();
  let characters = 0;

  const fail = (msg: string, type: IssueType): string => {
    // Issues count like text, so that their number is bounded, too.
    characters += msg.length;
    issues.push({ loc: [...loc, ...path], msg, type });
    return "";
  };
  const inside = (holder: object, render: () => string[]): string => {
    const before = known.get(holder);
    if (before !== undefined) {
      characters += before.length;
      return before;
    }
    if (known.has(holder)) return fail("contains itself", "cyclic");
    if (path.length >= MAX_DEPTH) return fail(`is nested deeper than ${MAX_DEPTH} levels`, "too_deep");
    known.set(holder, undefined);
    const parts = render();
    const text = characters > MAX_CHARACTERS ? "" : parts.join("\n");
    known.set(holder, text);
    return text;
  };
  const line = (start: string, key: string | number, item: unknown): string => {
    if (characters > MAX_CHARACTERS) return "";
    characters += start.length;
    path.push(key);
    const text = start + rendered(item);
    path.pop();
    return text;
  };
  const lines = (items: readonly unknown[]): string[] => {
    // Array.from, unlike map, also visits the holes of a sparse array, which may have billions of them.
    if (items.length <= MAX_CHARACTERS) return Array.from(items, (part, i) => line("- ", i, part));
    characters += items.length;
    return [];
  };
  const rendered = (item: unknown): string => {
    if (typeof item === "string") {
      characters += item.length;
      return item;
    }
    if (item === null || typeof item === "boolean" || (typeof item === "number" && Number.isFinite(item))) return JSON.stringify(item);
    if (Array.isArray(item)) return inside(item, () => lines(item));
    if (isPlainObject(item)) {
      return inside(item, () =>
        Object.entries(item)
          .filter(([, part]) => part !== undefined)
          .map(([key, part]) => line(`${key}: `, key, part)),
      );
    }
    const advice = item instanceof Date ? ": use its toISOString()" : ArrayBuffer.isView(item) ? ": give its text" : "";
    return fail(`must be a JSON value, but is ${shownValue(item)}${advice}`, path.length === 0 ? "wrong_type" : "not_json");
  };

  const text = rendered(value);
  if (typeof value !== "string" && characters > MAX_CHARACTERS) {
    return fail(`becomes a text of more than ${MAX_CHARACTERS} characters`, "too_long");
  }
  return text;
}

/** Required text: a string, an object or an array. "" where it is refused. */
export function readText(text: Field): string {
  // Bytes, such as a file that was read without an encoding, are refused there with what to give instead.
  if (isTextual(text.value) || ArrayBuffer.isView(text.value)) return renderText(text);
  text.refuseType("a string, an object or an array");
  return "";
}

/** Whether a value may be rendered, whatever is inside it. */
export function isTextual(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value) || isPlainObject(value);
}
