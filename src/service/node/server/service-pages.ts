import { createHash, timingSafeEqual } from "node:crypto";
import { DecideError } from "../../../errors.ts";
import { bearerTokenOf } from "../../auth/authenticate.ts";
import { DEFAULT_LIMITS } from "../../handler/limits.ts";
import { openApiDocument } from "../../wires/openapi.ts";
import { errorReply, idHeaders, jsonReply, requestIdOf, textReply } from "../../handler/responses.ts";
import type { Reply, ReplyHeaders } from "../../handler/responses.ts";
import { version } from "../../../version.ts";
import type { Metrics } from "../observability/metrics.ts";

/** `starting` until the golden request is answered, `failed` if it cannot be, `draining` once the server is stopping. */
export type ServerState = "starting" | "ready" | "failed" | "draining";

interface PagesOptions {
  readonly basePath: string;
  readonly state: () => ServerState;
  readonly metrics: Metrics | undefined;
  /** Without it, `/metrics` needs none. */
  readonly metricsSecret: string | undefined;
}

/** Answers a request for one of the service's own pages. Undefined for every other path. */
export type ServicePages = (request: Request) => Promise<Reply | undefined>;

const PAGES: readonly string[] = ["/", "/livez", "/readyz", "/metrics"];

const NOT_READY = {
  starting: new DecideError("backend_unavailable", "The model is being loaded.", { retryable: true }),
  failed: new DecideError("backend_unavailable", "The model failed the golden request; the log has the reason."),
  draining: new DecideError("closed", "The server is stopping."),
} as const;

const NO_SECRET = new DecideError(
  "unauthorized",
  'This page needs the secret of the metrics. Send the header "Authorization: Bearer <secret>" with it.',
);

/** The service's own pages, at the root and under the base path, without a key: what it is, and its state. */
export function servicePages({ basePath, state, metrics, metricsSecret }: PagesOptions): ServicePages {
  const index = JSON.stringify(indexOf(basePath, metrics !== undefined));
  const isMetricsSecret = metricsSecret === undefined ? () => true : secretCheck(metricsSecret);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const path = pathname === basePath ? "/" : pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
    if (!PAGES.includes(path) || (path === "/metrics" && metrics === undefined)) return undefined;
    const headers: ReplyHeaders = { ...idHeaders(requestIdOf(request)), "cache-control": "no-store" };
    if (request.method !== "GET" && request.method !== "HEAD") {
      headers["allow"] = "GET, HEAD";
      return errorReply(new DecideError("invalid_request", "This path only answers GET.", { status: 405 }), headers);
    }
    if (path === "/") return textReply(200, index, headers);
    if (path === "/livez") return jsonReply(200, { status: "alive" }, headers);
    if (path === "/metrics" && metrics !== undefined) {
      if (!isMetricsSecret(request.headers.get("authorization"))) return errorReply(NO_SECRET, headers);
      headers["content-type"] = metrics.contentType;
      return textReply(200, await metrics.text(), headers);
    }
    const now = state();
    return now === "ready" ? jsonReply(200, { status: now }, headers) : errorReply(NOT_READY[now], headers);
  };
}

/** Whether an `Authorization` header holds the secret. The time it takes reveals nothing about the secret. */
function secretCheck(secret: string): (authorization: string | null) => boolean {
  const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
  const right = digestOf(secret);
  return (authorization) => {
    const given = bearerTokenOf(authorization ?? "");
    return given !== undefined && timingSafeEqual(digestOf(given), right);
  };
}

function indexOf(basePath: string, hasMetrics: boolean): object {
  const { paths } = openApiDocument({ basePath, version, limits: DEFAULT_LIMITS, authentication: false, credits: false });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary]),
  );
  return {
    name: "umpire",
    version,
    description: "Answers structured questions about a text with calibrated probabilities.",
    paths: Object.fromEntries(operations.filter(([place]) => hasMetrics || place !== "GET /metrics")) as object,
  };
}
