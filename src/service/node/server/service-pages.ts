import { createHash, timingSafeEqual } from "node:crypto";
import { DecideError } from "../../../errors.ts";
import { bearerTokenOf } from "../../auth/authenticate.ts";
import { DEFAULT_LIMITS } from "../../handler/limits.ts";
import { openApiDocument } from "../../wires/openapi.ts";
import { errorReply, idHeaders, jsonReply, requestIdOf, textReply, type Reply, type ReplyHeaders } from "../../handler/responses.ts";
import { version } from "../../../version.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { QuestionObserver } from "../upstream/observer.ts";
import type { Agreement, Agreements } from "../upstream/upstream-store.ts";

/** `starting` until the golden request is answered, `failed` if it cannot be, `draining` once the server is stopping. */
export type ServerState = "starting" | "ready" | "failed" | "draining";

export interface PagesOptions {
  readonly basePath: string;
  readonly state: () => ServerState;
  readonly metrics: Metrics | undefined;
  /** Without it, `/metrics` needs none. */
  readonly metricsSecret: string | undefined;
  /** Undefined without a hosted API behind the service. */
  readonly observer: Pick<QuestionObserver, "agreements"> | undefined;
}

const NOT_READY = {
  starting: new DecideError("backend_unavailable", "The model is being loaded.", { retryable: true }),
  failed: new DecideError("backend_unavailable", "The model failed the golden request; the log has the reason."),
  draining: new DecideError("closed", "The server is stopping."),
} as const;

const NO_SECRET = new DecideError(
  "unauthorized",
  'This page needs the secret of the metrics. Send the header "Authorization: Bearer <secret>" with it.',
);
const NOT_HERE = new DecideError(
  "unauthorized",
  "This page shows the questions that are asked, so without a secret of the metrics only this machine itself may read it.",
  { status: 403 },
);

/**
 * The service's own pages, at the root and under the base path, without a key: what it is, and its state.
 * @returns what answers a request for one of them; undefined for every other path. Its second argument is the client's address, or its network.
 */
export function servicePages(options: PagesOptions): (request: Request, client?: string) => Promise<Reply | undefined> {
  const { basePath, state, metrics, metricsSecret, observer } = options;
  const pages = ["/", "/livez", "/readyz", ...(metrics ? ["/metrics"] : []), ...(observer ? ["/agreement"] : [])];
  const index = JSON.stringify(indexOf(basePath, metrics !== undefined));
  const isMetricsSecret = metricsSecret === undefined ? () => true : secretCheck(metricsSecret);
  return async (request, client = "") => {
    const { pathname } = new URL(request.url);
    const path = pathname === basePath ? "/" : pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
    if (!pages.includes(path)) return undefined;
    const headers: ReplyHeaders = { ...idHeaders(requestIdOf(request)), "cache-control": "no-store" };
    if (request.method !== "GET" && request.method !== "HEAD") {
      headers["allow"] = "GET, HEAD";
      return errorReply(new DecideError("invalid_request", "This path only answers GET.", { status: 405 }), headers);
    }
    if (path === "/") return textReply(200, index, headers);
    if (path === "/livez") return jsonReply(200, { status: "alive" }, headers);
    if (path === "/readyz") {
      const now = state();
      return now === "ready" ? jsonReply(200, { status: now }, headers) : errorReply(NOT_READY[now], headers);
    }
    // Of IPv6 addresses, the network is known: that of `::1` is no other machine's.
    const isThisMachine = client.startsWith("127.") || client === "0:0:0:0::";
    if (path === "/agreement" && metricsSecret === undefined && !isThisMachine) return errorReply(NOT_HERE, headers);
    if (!isMetricsSecret(request.headers.get("authorization"))) return errorReply(NO_SECRET, headers);
    if (path === "/metrics" && metrics) {
      headers["content-type"] = metrics.contentType;
      return textReply(200, await metrics.text(), headers);
    }
    const shown = observer?.agreements();
    if (!shown || !request.headers.get("accept")?.includes("text/html")) return jsonReply(200, shown, headers);
    headers["content-type"] = "text/html; charset=utf-8";
    headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    return textReply(200, agreementPage(shown), headers);
  };
}

const percent = (share: number | null): string => (share === null ? "" : `${(100 * share).toFixed(1)}%`);

/** The heads of the table of questions, and its cells. */
const COLUMNS: readonly (readonly [head: string, cell: (one: Agreement) => string | number])[] = [
  [
    "question",
    ({ question: { instructions = "", criteria } }) =>
      typeof instructions === "string" && instructions !== "" ? instructions : JSON.stringify(criteria ?? null),
  ],
  ["type", ({ question }) => question.type],
  ["model", ({ model }) => model],
  ["state", ({ status, back }) => (back > 0 ? `${status}, switched back ${back}×` : status)],
  ["calls", ({ calls }) => calls],
  ["agreement", ({ agreement: of }) => (of === null ? "" : `${percent(of.value)} (${percent(of.low)} to ${percent(of.high)})`)],
  ["could be answered here", ({ share }) => percent(share)],
  ["of these differ, at most", ({ bound }) => percent(bound)],
  ["answered here", ({ answeredHere }) => answeredHere],
  ["tokens saved", ({ savedInputTokens, savedOutputTokens }) => savedInputTokens + savedOutputTokens],
];

/** A table without any script. */
function agreementPage({ maxDisagreement, questions }: Agreements): string {
  const heads = COLUMNS.map(([head]) => `<th scope="col">${head}</th>`);
  const rows = questions.map((one) => `<tr>${COLUMNS.map(([, cell]) => `<td>${escapeHtml(String(cell(one)))}</td>`).join("")}</tr>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Agreement</title>
<style>:root{color-scheme:light dark;font:15px/1.5 system-ui}body{margin:2rem;overflow-x:auto}table{border-collapse:collapse}th,td{padding:.3rem .8rem;text-align:left;border-bottom:1px solid #8886;max-width:30rem;overflow-wrap:anywhere}</style>
<h1>Agreement</h1><p>At most ${percent(maxDisagreement)} of the answers given here may differ from the hosted API's.</p>
<table><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table></html>`;
}

function escapeHtml(text: string): string {
  const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/gu, (character) => entities[character] ?? "");
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
