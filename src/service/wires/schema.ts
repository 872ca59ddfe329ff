/** A JSON Schema (draft 2020-12) or another part of an OpenAPI document, as plain JSON. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Schemas {
  readonly [name: string]: Schema;
}

export const refTo = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` });

/** One of several schemas, depending on the value's `type`. The discriminator is for code generators. */
export function byType(schemaOfType: Readonly<Record<string, string>>): Schema {
  return {
    oneOf: Object.values(schemaOfType).map(refTo),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(Object.entries(schemaOfType).map(([type, schema]) => [type, `#/components/schemas/${schema}`])),
    },
  };
}
