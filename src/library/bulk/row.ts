import { CheckedRequest } from "../decide/request.ts";
import { DecideError } from "../../errors.ts";
import { Field } from "../validation/field.ts";
import { isPlainObject } from "../validation/shape.ts";
import type { ManySettings } from "./options.ts";

/** A row as it came, checked at once: its owner may use the same object for the next one. */
export interface CheckedRow {
  readonly id?: string | number;
  /** What is asked, or why it cannot be. */
  readonly asked: CheckedRequest | DecideError;
}

export function checkRow(value: unknown, { questions, model }: ManySettings): CheckedRow {
  if (questions !== undefined) return { asked: checked({ state: value, questions, model }) };
  if (!isPlainObject(value)) return { asked: checked(value) };
  const field = new Field(value, ["body"]);
  let id: unknown;
  try {
    id = value["id"];
    if (id === undefined || id === null) return { asked: checked(withModel(value, model)) };
  } catch (cause) {
    return { asked: new DecideError("invalid_request", "The row is not valid: its id could not be read.", { cause }) };
  }
  if (typeof id === "string" || typeof id === "number") return { id, asked: checked(withModel(value, model)) };
  field.get("id").refuseType("a string or a number");
  return { asked: new DecideError("invalid_request", `The row is not valid: id ${field.issues[0]?.msg}.`, field) };
}

/** Accessors and what is inherited stay what they are: only a request without a model of its own gets one. */
function withModel(request: Record<string, unknown>, model: string | undefined): unknown {
  return model === undefined || request["model"] !== undefined ? request : { ...request, model };
}

function checked(request: unknown): CheckedRequest | DecideError {
  try {
    return new CheckedRequest(request);
  } catch (error) {
    if (DecideError.isInstance(error)) return error;
    throw error;
  }
}
