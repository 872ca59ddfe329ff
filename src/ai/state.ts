import { Field } from "../validation/field.ts";
import { UnsupportedFunctionalityError } from "@ai-sdk/provider";
import type { Experimental_DecisionModelV4State as SdkState } from "@ai-sdk/provider";
import { DecideError } from "umpire";
import type { Issue } from "../errors.ts";
import { renderText } from "../decide/text.ts";

/**
 * The text of a state's parts, joined by line breaks. Each part is read as `decide()` reads a state.
 * @throws {UnsupportedFunctionalityError} for a part that is neither text nor JSON.
 * @throws {DecideError} `invalid_request` for a value that is not JSON, or nested too deep.
 */
export function toState(parts: SdkState): string {
  const issues: Issue[] = [];
  const texts = parts.map((part, i) => {
    if (part.type === "text") return part.text;
    if (part.type === "json") return renderText(new Field(part.value, ["body", "state", i], issues));
    throw new UnsupportedFunctionalityError({
      functionality: `${part.type} parts in the state`,
      message: `Umpire reads text and JSON, but part ${i} of the state is of type ${part.type}.`,
    });
  });
  const [first] = issues;
  if (first !== undefined) throw new DecideError("invalid_request", `The state is not valid: a JSON part ${first.msg}.`, { issues });
  return texts.join("\n");
}
