import type { LedgerEntry } from "../../../service/node/ledger/ledger.ts";
import { creditsText } from "../input/credit-amounts.ts";
import { csvLine } from "../../rows/read-rows.ts";

/** The columns of the exported ledger, in order. */
const COLUMNS: { readonly [column: string]: (entry: LedgerEntry) => string | number | undefined } = {
  id: ({ id }) => id,
  time: ({ timeMs }) => new Date(timeMs).toISOString(),
  account: ({ account }) => account,
  kind: ({ kind }) => kind,
  credits: ({ nanocredits }) => creditsText(nanocredits),
  balance: ({ balanceAfter }) => creditsText(balanceAfter),
  request_id: ({ requestId }) => inert(requestId),
  model: ({ model }) => model,
  input_tokens: ({ inputTokens }) => inputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  note: ({ note }) => inert(note),
};

export const CSV_HEADER = csvLine(Object.keys(COLUMNS));

export function csvOf(entry: LedgerEntry): string {
  return csvLine(Object.values(COLUMNS).map((value) => String(value(entry) ?? "")));
}

/** Callers choose request ids, so a spreadsheet must not run one as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
function inert(text: string | undefined): string | undefined {
  return text !== undefined && /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
}
