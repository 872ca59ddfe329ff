import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";

/** A function that says whether a value has a schema of an OpenAPI 3.1 document: undefined if so, else what is wrong. */
export function schemaCheck(document: object, schema: string): (value: unknown) => string | undefined {
  // Strict: a keyword that is misspelt is an error, and not ignored. `required` may name what another part of the schema describes.
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false, ownProperties: true });
  // What is OpenAPI and no JSON Schema.
  ajv.addVocabulary([...Object.keys(document), "discriminator"]);
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/u);
  ajv.addSchema(document, "openapi", undefined, false);
  const validate: ValidateFunction = ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
}
