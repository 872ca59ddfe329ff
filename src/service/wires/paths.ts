import type { DecideErrorCode } from "../../errors.ts";
import { failures, success } from "./replies.ts";
import { refTo } from "./schema.ts";
import type { Schema, Schemas } from "./schema.ts";

/** The settings that paths depend on. */
export interface PathFacts {
  readonly basePath: string;
  readonly authentication: boolean;
  readonly credits: boolean;
}

type CodesOfStatus = Record<number, readonly DecideErrorCode[]>;

/** Where the model, its files, or what the service needs besides fails. */
const SERVER_ERRORS: CodesOfStatus = {
  500: ["model_invalid", "backend_failed", "internal"],
  503: ["backend_unavailable", "worker_lost", "closed"],
};

const REQUEST_ID: Schema = { $ref: "#/components/parameters/x-request-id" };
const VENDOR_NOTE = "For clients of the hosted API; ";

/** Every path with its operations. */
export function paths(facts: PathFacts): Schemas {
  const at = (path: string): string => `${facts.basePath}${path}`;
  return {
    [at("/decision/v1/model")]: { post: decide("decide", facts, false) },
    [at("/v1/systemone")]: { post: decide("systemOne", facts, true) },
    [at("/decision/v1/models")]: { get: models("listModels", facts, false) },
    [at("/v1/models")]: { get: models("listSystemOneModels", facts, true) },
    [at("/openapi.json")]: {
      get: {
        operationId: "getOpenApi",
        tags: ["Operation"],
        summary: "This document",
        security: [],
        parameters: [REQUEST_ID],
        responses: { 200: success("An OpenAPI 3.1 document.", { type: "object" }, { vendor: false }) },
      },
    },
    ...operation(),
  };
}

function decide(operationId: string, { authentication, credits, basePath }: PathFacts, vendor: boolean): Schema {
  const codes: CodesOfStatus = {
    ...(vendor ? {} : { 400: ["invalid_request"] }),
    ...(authentication ? { 401: ["unauthorized"] } : {}),
    ...(credits ? { 402: ["insufficient_credits"] } : {}),
    404: ["model_not_found"],
    413: ["input_too_long"],
    415: ["invalid_request"],
    422: ["invalid_request"],
    429: ["overloaded"],
    ...SERVER_ERRORS,
    ...(vendor ? { 529: ["overloaded"] } : {}),
  };
  const charged = credits
    ? " A successful request is charged by its `usage`; a retry with the same body and the same `x-request-id` is free."
    : "";
  return {
    operationId,
    tags: ["Decisions"],
    summary: "Answer questions about a text",
    description: `${vendor ? `${VENDOR_NOTE}the same as \`${basePath}/decision/v1/model\`. ` : ""}Answers each question with probabilities, so that callers can act on confident answers only.${charged}`,
    parameters: [REQUEST_ID],
    requestBody: { required: true, content: { "application/json": { schema: refTo("DecideRequest"), examples: EXAMPLES } } },
    responses: {
      200: success("The answers.", refTo("DecideResponse"), { vendor }),
      ...failures(codes, { vendor }),
      ...wrongHost(authentication),
    },
  };
}

function models(operationId: string, { authentication, basePath }: PathFacts, vendor: boolean): Schema {
  return {
    operationId,
    tags: ["Decisions"],
    summary: "List the models",
    ...(vendor ? { description: `${VENDOR_NOTE}the same as \`${basePath}/decision/v1/models\`.` } : {}),
    parameters: [REQUEST_ID],
    responses: {
      200: success("The models that the key may use.", refTo("ModelList"), { vendor }),
      ...failures({ ...(authentication ? { 401: ["unauthorized"] } : {}), ...SERVER_ERRORS }, { vendor }),
      ...wrongHost(authentication),
    },
  };
}

/** `umpire serve` without keys looks at the host's name before anything else, so the reply has no header of the vendor's. */
const wrongHost = (authentication: boolean): Schemas => (authentication ? {} : failures({ 421: ["invalid_request"] }, { vendor: false }));

/** Pages for the operator. `umpire serve` has them; a handler that is mounted in another server does not. */
function operation(): Schemas {
  const page = (operationId: string, summary: string, responses: Schema): Schema => ({
    get: { operationId, tags: ["Operation"], summary, description: "Only `umpire serve` has this page.", security: [], responses },
  });
  return {
    "/": page("getIndex", "What this service is, and its paths", {
      200: { description: "Name, version and paths.", content: { "application/json": { schema: { type: "object" } } } },
    }),
    "/livez": page("isAlive", "Whether the process is alive", { 200: { description: "It is." } }),
    "/readyz": page("isReady", "Whether requests are answered", {
      200: { description: "They are." },
      503: { description: "They are not: the model is still loading, or the server is stopping." },
    }),
    "/metrics": page("getMetrics", "Metrics for Prometheus", {
      200: { description: "Prometheus text format.", content: { "text/plain": { schema: { type: "string" } } } },
      401: { description: "The server has a secret for its metrics, and this is not it." },
    }),
  };
}

const EXAMPLES = {
  choice: {
    summary: "One choice",
    value: {
      model: "latest",
      state: "I was charged twice for my subscription this month.",
      questions: {
        route: {
          type: "choice",
          instructions: "Which team should handle this?",
          criteria: { billing: "invoices, payments, refunds", technical: "bugs and outages", sales: null },
        },
      },
    },
  },
  several: {
    summary: "Several questions at once",
    value: {
      model: "latest",
      state: { subject: "Parcel", text: "It came late and the box was open. I want my money back." },
      questions: {
        refund: { type: "noul", instructions: "Does the customer ask for a refund?" },
        mood: { type: "score", instructions: "How upset is the customer?", criteria: ["calm", "annoyed", "furious"] },
      },
    },
  },
};
