import { isPlainObject } from "../../validation/shape.ts";
import { BadInput } from "../bad-input.ts";
import type { InputStream } from "../io.ts";
import { readText } from "../rows/read-text.ts";

/**
 * Reads a choice's criteria: a JSON object with a description, or null, for each option. The options keep its order.
 * @throws {BadInput}
 */
export async function readCriteria(file: string, stdin: InputStream): Promise<ReadonlyMap<string, unknown>> {
  const text = await readText(file, { stdin });
  let criteria: unknown;
  try {
    criteria = JSON.parse(text);
  } catch {
    throw new BadInput(`${file} is not valid JSON.`);
  }
  if (!isPlainObject(criteria))
    throw new BadInput(`${file} must be an object with a description for each option: { "billing": "invoices", "sales": null }.`);
  return new Map(Object.entries(criteria));
}
