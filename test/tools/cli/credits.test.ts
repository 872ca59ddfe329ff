import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { creditsText, CSV_HEADER, csvOf, nanocreditsFrom } from "../../../src/tools/cli/credits-command.ts";
import type { LedgerEntry } from "../../../src/service/node/ledger/ledger.ts";
import { openSqliteLedger } from "../../../src/service/node/ledger/sqlite/sqlite-ledger.ts";
import { chargeNumber } from "../../service/node/ledger/charges.ts";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

let file: string;

beforeAll(async () => {
  file = join(tempDir(), "credits.db");
  await using ledger = await openSqliteLedger(file);
  await ledger.topUp("mail-service", 12_500_000_001, 'invoice 17, "March"');
  await ledger.topUp("chat", 1_000_000_000);
  await ledger.charge(chargeNumber(1, { account: "mail-service", nanocredits: 158_400 }));
  await ledger.charge(chargeNumber("", { account: "chat", requestId: '=1+1,"x"', nanocredits: 1 }));
});

test("show prints exact balances, as JSON and for people", async () => {
  const piped = await umpire(["credits", "show", "--credits", file]);
  expect(JSON.parse(piped.stdout)).toEqual({
    accounts: [
      { account: "chat", credits: "0.999999999" },
      { account: "mail-service", credits: "12.499841601" },
    ],
  });
  const pretty = await umpire(["credits", "show", "mail-service", "--pretty"], { env: { UMPIRE_CREDITS: file } });
  expect(pretty.stdout).toBe("account            credits\nmail-service  12.499841601\n");
});

test("add creates a new file, and tops up a file that another process has open", async () => {
  const added = join(tempDir(), "new.db");
  const first = await umpire(["credits", "add", "chat", "250", "--note", "first", "--credits", added]);
  expect(JSON.parse(first.stdout)).toEqual({ id: "1", account: "chat", credits: "250", balance: "250" });
  await using ledger = await openSqliteLedger(added);
  const second = await umpire(["credits", "add", "chat", "0.000000001", "--pretty", "--credits", added]);
  expect(second.stdout).toBe("chat: 0.000000001 credits added, the balance is 250.000000001\n");
  expect(await ledger.accounts()).toEqual([{ account: "chat", nanocredits: 250_000_000_001 }]);
});

test("ledger prints every entry as CSV, with quotes where needed and nothing that a spreadsheet would run", async () => {
  const { code, stdout } = await umpire(["credits", "ledger", "--credits", file]);
  expect(code).toBe(0);
  const lines = stdout.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/gu, "TIME").split("\r\n");
  expect(lines).toEqual([
    "id,time,account,kind,credits,balance,request_id,model,input_tokens,output_tokens,note",
    '1,TIME,mail-service,top_up,12.500000001,12.500000001,,,,,"invoice 17, ""March"""',
    "2,TIME,chat,top_up,1,1,,,,,",
    "3,TIME,mail-service,charge,-0.0001584,12.499841601,r1,umpire-2,144,1,",
    `4,TIME,chat,charge,-0.000000001,0.999999999,"'=1+1,""x""",umpire-2,144,1,`,
    "",
  ]);
  const some = await umpire(["credits", "ledger", "--account", "chat", "--since", "2020-02-29T18:00:00+01:00", "--credits", file]);
  expect(some.stdout.split("\r\n")).toHaveLength(4);
  const none = await umpire(["credits", "ledger", "--since", "2999-01-01", "--credits", file]);
  expect(none.stdout.split("\r\n")).toHaveLength(2);
});

test.each([
  ["a missing place", ["show"], "--credits"],
  ["a missing file", ["show", "--credits", "no-such.db"], "no file"],
  ["a URL of another kind", ["show", "--credits", "https://umpire:secret@example.com"], "redis://"],
  ["an unknown account", ["show", "nobody", "--credits", "FILE"], "no account"],
  ["an amount that is not a number", ["add", "chat", "many", "--credits", "FILE"], "number above 0"],
  ["more than an account can hold", ["add", "chat", "9007199", "--credits", "FILE"], "nothing was added"],
  [
    "an invalid account and note",
    ["add", "a b", "1", "--note", "a\nb", "--credits", "FILE"],
    "The top-up is not valid:\n  account: must be the name of a key",
  ],
  ["an invalid time", ["ledger", "--since", "yesterday", "--credits", "FILE"], "2026-11-30"],
  ["a day that does not exist", ["ledger", "--since", "2026-02-30", "--credits", "FILE"], "2026-11-30"],
  ["a time without its zone", ["ledger", "--since", "2026-11-30T18:00:00", "--credits", "FILE"], "2026-11-30"],
  ["an unknown option", ["show", "--nope"], "unknown option"],
])("%s is refused with a message and exit code 2", async (_, args, message) => {
  const { code, stdout, stderr } = await umpire(["credits", ...args.map((arg) => (arg === "FILE" ? file : arg))]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("secret");
});

test("a file that is not a ledger is refused with exit code 1 and not changed", async () => {
  const other = new URL(import.meta.url).pathname;
  const before = await readFile(other);
  const { code, stderr } = await umpire(["credits", "show", "--credits", other]);
  expect(code).toBe(1);
  expect(stderr).toContain("The file is not a file of credits");
  expect(await readFile(other)).toEqual(before);
});

test.each([
  ["1", 1_000_000_000],
  ["0.1", 100_000_000],
  ["0.000000001", 1],
  ["9007199.254740991", Number.MAX_SAFE_INTEGER],
  ["1234567.000000089", 1_234_567_000_000_089],
])("an amount is read and shown without rounding: %s", (text, nanocredits) => {
  expect(nanocreditsFrom(text)).toBe(nanocredits);
  expect(creditsText(nanocredits)).toBe(text);
  expect(creditsText(-nanocredits)).toBe(`-${text}`);
});

test("an amount may have decimals of zero, which are not shown again", () => {
  expect(nanocreditsFrom("12.500")).toBe(12_500_000_000);
  expect(creditsText(12_500_000_000)).toBe("12.5");
  expect(creditsText(0)).toBe("0");
});

test.each(["0", "0.0", "-1", "1e3", "1,5", ".5", "0.0000000001", "9007199.254740992", "99999999"])(
  "an invalid amount is refused: %s",
  (text) => {
    expect(() => nanocreditsFrom(text)).toThrow("at most 9007199.254740991");
  },
);

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
