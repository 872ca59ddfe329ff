import type { Limits } from "./limits.ts";

export interface OpenApiOptions {
  readonly basePath: string;
  readonly version: string;
  readonly limits: Limits;
  readonly authentication: boolean;
  readonly credits: boolean;
}

export function openApiDocument(_options: OpenApiOptions): object {
  return { openapi: "3.1.0" };
}
