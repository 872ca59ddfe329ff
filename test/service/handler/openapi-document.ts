import { DEFAULT_LIMITS } from "../../../src/service/handler/limits.ts";
import { openApiDocument } from "../../../src/service/wires/openapi.ts";
import type { OpenApiOptions } from "../../../src/service/wires/openapi.ts";

interface Reply {
  readonly headers: Record<string, { readonly $ref: string }>;
  readonly content: { readonly "application/json": { readonly schema: { readonly $ref?: string } } };
}

/** What tests look at. */
export interface Doc {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Reply>; readonly operationId: string }>>;
  readonly components: { readonly schemas: Record<string, { readonly description: string }> };
}

export const OPTIONS: OpenApiOptions = { basePath: "", version: "1.2.3", limits: DEFAULT_LIMITS, authentication: true, credits: true };
export const document = openApiDocument(OPTIONS) as unknown as Doc;
