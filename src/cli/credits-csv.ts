import type { LedgerEntry } from "../serve/ledger/ledger.ts";
import { creditsText } from "./credit-amounts.ts";

/** The columns of the exported ledger, in their order. */
const COLUMNS: { readonly [column: string]: (entry: LedgerEntry) => string | number | undefined } = {
  id: ({ id }) => id,
  time: ({ timeMs }) => new Date(timeMs).toISOString(),
  account: ({ account }) => account,
  kind: ({ kind }) => kind,
  credits: ({ nanocredits }) => creditsText(nanocredits),
  balance: ({ balanceAfter }) => creditsText(balanceAfter),
  request_id: ({ requestId }) => unrun(requestId),
  model: ({ model }) => model,
  input_tokens: ({ inputTokens }) => inputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  note: ({ note }) => unrun(note),
};

export const CSV_HEADER = csvLine(Object.keys(COLUMNS));

export function csvOf(entry: LedgerEntry): string {
  return csvLine(Object.values(COLUMNS).map((value) => String(value(entry) ?? "")));
}

/** RFC 4180. */
function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoted).join(",")}\r\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/u.test(field) || field.trim() !== field ? `"${field.replaceAll('"', '""')}"` : field;
}

/** A request id is chosen by whoever calls: a spreadsheet must not run it as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
function unrun(text: string | undefined): string | undefined {
  return text !== undefined && /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
}
