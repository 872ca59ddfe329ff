import type { ServiceLimits } from "../handler/limits.ts";
import template from "./openapi.json" with { type: "json" };

export interface OpenApiOptions {
  /** Path under which the service is mounted, without a slash at its end; `""` for the root. */
  readonly basePath: string;
  readonly version: string;
  readonly limits: Pick<ServiceLimits, "bodyBytes" | "inputTokens">;
  readonly authentication: boolean;
  readonly credits: boolean;
}

interface Operation {
  readonly summary: string;
  /** Empty: the page needs no key, whatever the service asks for. */
  readonly security?: readonly [];
  responses: { readonly [status: string]: unknown };
}

/** An OpenAPI 3.1 document, as far as this program looks at one. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  security?: unknown;
  readonly components: { readonly schemas: object; securitySchemes?: unknown };
}

const CHARGED = " A successful request is charged by its `usage`; a retry with the same body and the same `x-request-id` is free.";

/**
 * The document of the service as it is configured. openapi.json is that of one with everything: what this service lacks is taken out, and its figures stand in for
 * names in braces.
 */
export function openApiDocument({ basePath, version, limits, authentication, credits }: OpenApiOptions): OpenApi {
  const figure = (limit: number): string => limit.toLocaleString("en-US");
  const { bodyBytes, inputTokens } = limits;
  const texts = {
    basePath,
    version,
    bodyBytes: figure(bodyBytes),
    inputTokens: Number.isFinite(inputTokens) ? ` The whole request has at most ${figure(inputTokens)} input tokens.` : "",
    charged: credits ? CHARGED : "",
  };
  let text = JSON.stringify(template);
  for (const [name, replacement] of Object.entries(texts)) text = text.replaceAll(`{${name}}`, replacement);
  const document = JSON.parse(text) as OpenApi;
  // Without keys, `umpire serve` looks at the host's name before anything else.
  const lacking = [...(authentication ? [421] : [401]), ...(credits ? [] : [402])];
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    if (operation.security !== undefined) continue;
    const responses = Object.entries(operation.responses).filter(([status]) => !lacking.includes(Number(status)));
    operation.responses = Object.fromEntries(responses);
  }
  if (!authentication) {
    delete document.security;
    delete document.components.securitySchemes;
  }
  return document;
}
