import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";

/** Returns a function that checks a value against a schema of an OpenAPI 3.1 document: undefined if it matches, else what is wrong. */
export function schemaCheck(document: object, schema: string): (value: unknown) => string | undefined {
  // In strict mode a misspelt keyword is an error. `required` may name properties that another part of the schema describes.
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false, ownProperties: true });
  // Keywords that OpenAPI adds to JSON Schema.
  ajv.addVocabulary([...Object.keys(document), "discriminator"]);
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/u);
  ajv.addSchema(document, "openapi", undefined, false);
  const validate: ValidateFunction = ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
}
