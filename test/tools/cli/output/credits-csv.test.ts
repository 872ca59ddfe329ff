import { expect, test } from "vitest";
import { CSV_HEADER, csvOf } from "../../../../src/tools/cli/output/credits-csv.ts";
import type { LedgerEntry } from "../../../../src/service/node/ledger/ledger.ts";

const TOP_UP: LedgerEntry = {
  id: "1",
  timeMs: 0,
  account: "mail",
  kind: "top_up",
  nanocredits: 1_500_000_000,
  balanceAfter: 2_000_000_000,
};
const CHARGE: LedgerEntry = {
  ...TOP_UP,
  kind: "charge",
  nanocredits: -1,
  requestId: "r1",
  model: "umpire-2",
  inputTokens: 144,
  outputTokens: 1,
};

test("an entry is one line, with empty fields for what it does not have", () => {
  expect(CSV_HEADER).toBe("id,time,account,kind,credits,balance,request_id,model,input_tokens,output_tokens,note\r\n");
  expect(csvOf(TOP_UP)).toBe("1,1970-01-01T00:00:00.000Z,mail,top_up,1.5,2,,,,,\r\n");
  expect(csvOf(CHARGE)).toBe("1,1970-01-01T00:00:00.000Z,mail,charge,-0.000000001,2,r1,umpire-2,144,1,\r\n");
});

test.each([
  ["invoice 17, March", '"invoice 17, March"'],
  ['the "last" one', '"the ""last"" one"'],
  ["two\r\nlines", '"two\r\nlines"'],
  [" spaces ", '" spaces "'],
  ["plain; text's", "plain; text's"],
])("a note is quoted where needed: %j", (note, field) => {
  expect(csvOf({ ...TOP_UP, note })).toMatch(/,2,,,,,/u);
  expect(csvOf({ ...TOP_UP, note }).slice("1,1970-01-01T00:00:00.000Z,mail,top_up,1.5,2,,,,,".length)).toBe(`${field}\r\n`);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])("a spreadsheet does not run a request id or note as a formula: %j", (text) => {
  expect(csvOf({ ...CHARGE, requestId: text }).split(",")[6]).toBe(`'${text}`);
  expect(
    csvOf({ ...TOP_UP, note: text })
      .trimEnd()
      .split(",")
      .at(-1),
  ).toBe(`'${text}`);
});
