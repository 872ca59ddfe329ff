import type { ServiceLimits } from "../handler/limits.ts";
import { answerSchemas, modelSchemas } from "./answer-schemas.ts";
import { errorSchemas } from "./error-schemas.ts";
import { paths } from "./paths.ts";
import { HEADERS } from "./replies.ts";
import { requestSchemas } from "./request-schemas.ts";

export interface OpenApiOptions {
  /** Path under which the service is mounted, without a slash at its end; `""` for the root. */
  readonly basePath: string;
  /** Version of the package. */
  readonly version: string;
  readonly limits: ServiceLimits;
  /** Whether a key is needed. */
  readonly authentication: boolean;
  /** Whether calls are charged. */
  readonly credits: boolean;
}

/** An OpenAPI 3.1 document of the service as it is configured. */
export function openApiDocument(options: OpenApiOptions): object {
  const { version, limits, authentication } = options;
  return {
    openapi: "3.1.1",
    info: {
      title: "Umpire",
      version,
      description:
        "Answers questions about a text with probabilities. Every reply is JSON, including errors, and carries the request's id. " +
        `A body has at most ${limits.bodyBytes.toLocaleString("en-US")} bytes.`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: [
      { name: "Decisions", description: "Questions and answers." },
      { name: "Operation", description: "For the operator of the service." },
    ],
    ...(authentication ? { security: [{ key: [] }] } : {}),
    paths: paths(options),
    components: {
      schemas: { ...requestSchemas(limits), ...answerSchemas(), ...modelSchemas(), ...errorSchemas() },
      headers: HEADERS,
      parameters: {
        "x-request-id": {
          name: "x-request-id",
          in: "header",
          description:
            "The caller's own id for this request: 1 to 128 printable ASCII characters. Any other value is replaced with an id that the server makes.",
          schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[ -~]+$" },
        },
      },
      ...(authentication
        ? {
            securitySchemes: {
              key: { type: "http", scheme: "bearer", description: "A key of this service: `Authorization: Bearer <key>`." },
            },
          }
        : {}),
    },
  };
}
