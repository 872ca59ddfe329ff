import { copyFile, rename, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { shortRequest } from "../requests.mjs";

const NOTICED_MS = 2000;
const ASKS = 20;

async function ledgerLost({ target, seen }, lose) {
  for (let i = 0; i < ASKS; i++) seen.reply(await target.ask(shortRequest), [200]);
  await lose(target.ledgerFile);
  await sleep(NOTICED_MS);
  for (let i = 0; i < ASKS; i++) seen.reply(await target.ask(shortRequest), [503]);
  const isTold = target.lines.some(
    ({ level, message, problem }) => /warn|error|40|50/.test(level) && /ledger|credits/i.test(`${message} ${problem}`),
  );
  seen.expect(isTold, "the log does not say that the ledger is gone");
}

const needs = { keys: ["attacker"], credits: {}, honest: false };
const promise = "503 for who pays, and a line in the log, after 2 s";

export const deletedLedger = {
  name: "the ledger's file is deleted",
  promise,
  needs,
  allows: { statuses: [503] },
  seconds: { short: 1, full: 1 },
  run: (tools) => ledgerLost(tools, async (file) => Promise.all(["", "-wal", "-shm"].map((part) => rm(file + part, { force: true })))),
};

export const replacedLedger = {
  name: "the ledger's file is replaced by a copy",
  promise,
  needs,
  allows: { statuses: [503] },
  seconds: { short: 1, full: 1 },
  run: (tools) =>
    ledgerLost(tools, async (file) => {
      await copyFile(file, `${file}.copy`);
      await rename(`${file}.copy`, file);
    }),
};
