import type { Field, Rule } from "../../library/validation/field.ts";
import type { Reply, ReplyHeaders } from "./responses.ts";

type Origins = readonly string[] | "*" | undefined;

/** Exactly as browsers send it, because it is compared to that. */
export const AN_ORIGIN: Rule = {
  isKept: (value) => typeof value === "string" && URL.canParse(value) && new URL(value).origin === value,
  words: "an origin like https://app.example, without a path",
};

export function checkOrigins(origins: Field): void {
  if (origins.isMissing || origins.value === "*") return;
  for (const origin of origins.items(`an array of origins like https://app.example, or "*"`)) {
    if (origin.value === "*") origin.refuse('must not be in an array: corsOrigins is "*" alone, or an array of origins', "unknown_value");
    else origin.keeps(AN_ORIGIN);
  }
}

/** Headers that let a page of an allowed origin read the reply. None if CORS is off. */
export function corsHeaders(request: Request, origins: Origins): Readonly<Record<string, string>> {
  if (origins === undefined) return {};
  const origin = request.headers.get("origin");
  const allowed = origins === "*" ? "*" : origin !== null && origins.includes(origin) ? origin : undefined;
  return {
    ...(origins !== "*" && { vary: "origin" }),
    ...(allowed !== undefined && {
      "access-control-allow-origin": allowed,
      "access-control-expose-headers": "x-request-id, request-id, x-typesafe-request-id, retry-after",
    }),
  };
}

/** The reply to a preflight request; undefined for any other request, or if CORS is off. */
export function preflight(request: Request, origins: Origins, headers: ReplyHeaders): Reply | undefined {
  if (origins === undefined || request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
  if (headers["access-control-allow-origin"] !== undefined) {
    headers["access-control-allow-methods"] = "GET, POST";
    headers["access-control-allow-headers"] = request.headers.get("access-control-request-headers") ?? "*";
    // In seconds.
    headers["access-control-max-age"] = "86400";
  }
  return { status: 204, headers, body: null };
}
