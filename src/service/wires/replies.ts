import type { DecideErrorCode } from "../../errors.ts";
import { ERROR_CODES } from "./error-schemas.ts";
import { refTo } from "./schema.ts";
import type { Schema, Schemas } from "./schema.ts";

/** The settings that the replies of one path depend on. */
export interface ReplyFacts {
  /** Whether it is a path of the hosted API, whose clients read the id from another header, know 529, and get 422 instead of 400. */
  readonly vendor: boolean;
}

/** Meanings of statuses that are more precise than the code. */
const REASONS: Readonly<Record<string, string>> = {
  400: "The body is not JSON in UTF-8, or cannot be decompressed.",
  415: "The body's `content-encoding` is not supported. Use gzip, deflate or zstd.",
  421: "The request's `Host` is no name of this server. Only `umpire serve` without keys replies so.",
};

/** On these paths, an overloaded service has a status of its own, and a body that is not JSON has none. */
const VENDOR_REASONS: Readonly<Record<string, string>> = {
  422: "The request breaks a rule, or its body is not JSON in UTF-8 or cannot be decompressed. `detail` lists all issues.",
  429: "The key has sent too many requests. Send the request again after `Retry-After` seconds.",
  529: "Too many requests are waiting. Send the request again after `Retry-After` seconds.",
};

const headerRef = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

/** Headers of the replies, by name under `#/components/headers`. */
export const HEADERS: Schemas = {
  "x-request-id": {
    description: "Id of the request: the caller's own, or one that the server made.",
    required: true,
    schema: { type: "string" },
  },
  "request-id": { description: "The same as `x-request-id`.", required: true, schema: { type: "string" } },
  "x-typesafe-request-id": { description: "The same as `x-request-id`.", required: true, schema: { type: "string" } },
  "www-authenticate": { description: "The authentication scheme: `Bearer`.", required: true, schema: { type: "string" } },
  "retry-after": {
    description: "Seconds after which the same request may succeed.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
};

function headers({ vendor }: ReplyFacts, ...more: readonly string[]): Schema {
  const names = ["x-request-id", "request-id", ...(vendor ? ["x-typesafe-request-id"] : []), ...more];
  return Object.fromEntries(names.map((name) => [name, headerRef(name)]));
}

const json = (schema: Schema): Schema => ({ "application/json": { schema } });

/** The reply of a successful request: JSON with this schema. */
export function success(description: string, schema: Schema, facts: ReplyFacts): Schema {
  return { description, headers: headers(facts), content: json(schema) };
}

/** The replies of failed requests, by status. Each status has one or more codes. */
export function failures(codesOfStatus: Readonly<Record<number, readonly DecideErrorCode[]>>, facts: ReplyFacts): Schemas {
  const reasons: Readonly<Record<string, string>> = facts.vendor ? { ...REASONS, ...VENDOR_REASONS } : REASONS;
  return Object.fromEntries(
    Object.entries(codesOfStatus).map(([status, codes]) => {
      const description = codes.map((code) => `\`${code}\`: ${reasons[status] ?? ERROR_CODES[code]}`).join("\n\n");
      const more = [
        ...(codes.includes("overloaded") ? ["retry-after"] : []),
        ...(codes.includes("unauthorized") ? ["www-authenticate"] : []),
      ];
      return [status, { description, headers: headers(facts, ...more), content: json(refTo("Error")) }];
    }),
  );
}
