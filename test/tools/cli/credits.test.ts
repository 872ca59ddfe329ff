import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
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
