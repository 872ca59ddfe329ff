import { DecideError } from "../../errors.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { errorResponse, jsonResponse } from "../../http/responses.ts";
import type { Metrics } from "../watching/metrics.ts";

/** `starting` until the golden request has been answered, `failed` where it cannot be, `draining` once the server stops. */
export type ServerState = "starting" | "ready" | "failed" | "draining";

export interface PagesOptions {
  readonly basePath: string;
  readonly state: () => ServerState;
  readonly metrics: Metrics | undefined;
}

const NOT_READY = {
  starting: new DecideError("backend_unavailable", "The model is being loaded.", { retryable: true }),
  failed: new DecideError("backend_unavailable", "The model did not answer the golden request; the log says why."),
  draining: new DecideError("closed", "The server is stopping."),
} as const;

/** The pages for whoever watches the server, at the root and under the base path; undefined for every other path. They need no key. */
export async function answerServicePage(request: Request, { basePath, state, metrics }: PagesOptions): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
  if (path !== "/livez" && path !== "/readyz" && (path !== "/metrics" || metrics === undefined)) return undefined;
  const requestId = requestIdOf(request);
  const headers = new Headers({ "x-request-id": requestId, "request-id": requestId, "cache-control": "no-store" });
  if (request.method !== "GET" && request.method !== "HEAD") {
    headers.set("allow", "GET, HEAD");
    return errorResponse(new DecideError("invalid_request", "This path answers GET.", { status: 405 }), headers);
  }
  if (path === "/livez") return jsonResponse(200, { status: "alive" }, headers);
  if (path === "/metrics" && metrics !== undefined) {
    headers.set("content-type", metrics.contentType);
    return new Response(await metrics.text(), { headers });
  }
  const now = state();
  return now === "ready" ? jsonResponse(200, { status: now }, headers) : errorResponse(NOT_READY[now], headers);
}
