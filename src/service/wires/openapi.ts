import type { ServiceLimits } from "../handler/limits.ts";
import { ROUTES, type Route } from "../handler/observation.ts";
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
  responses: { readonly [status: string]: DescribedReply };
}

interface DescribedReply {
  readonly description: string;
  readonly content?: object;
}

/** An OpenAPI 3.1 document, as far as this program looks at one. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  security?: unknown;
  readonly components: { readonly schemas: object; securitySchemes?: unknown };
}

const CHARGED = " A successful request is charged by its `usage`; a retry with the same body and the same `x-request-id` is free.";

const ERROR = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
/** By status: a header besides those with the request's id. */
const HEADERS: { readonly [status: string]: string } = { 401: "www-authenticate", 429: "retry-after", 529: "retry-after" };

/** A reply of the handler, with what all of them have: headers, and the body of errors. */
function described(
  { vendor }: Route,
  status: string,
  { description, content = ERROR }: DescribedReply,
): DescribedReply & { headers: object } {
  // With 421 the server itself replies, before the handler.
  const names = ["x-request-id", "request-id", vendor && status !== "421" ? "x-typesafe-request-id" : undefined, HEADERS[status]];
  const headers = names.flatMap((name) => (name === undefined ? [] : [[name, { $ref: `#/components/headers/${name}` }]]));
  return { description, headers: Object.fromEntries(headers) as object, content };
}

/**
 * The document of the service as it is configured. openapi.json is that of one with everything: what this service lacks is taken out, its figures stand in for
 * names in braces, and what all replies have is added.
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
  for (const [path, methods] of Object.entries(document.paths)) {
    const route = ROUTES.get(path.slice(basePath.length));
    for (const operation of Object.values(methods)) {
      const responses = Object.entries(operation.responses).filter(
        ([status]) => operation.security !== undefined || !lacking.includes(Number(status)),
      );
      operation.responses = Object.fromEntries(
        responses.map(([status, reply]) => [status, route ? described(route, status, reply) : reply]),
      );
    }
  }
  if (!authentication) {
    delete document.security;
    delete document.components.securitySchemes;
  }
  return document;
}
