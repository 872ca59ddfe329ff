import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLedger } from "umpire/serve";
import { expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { keyEntries, secretOf, STATES } from "./ledger/paying-clients.ts";
import { requestAbout } from "./running.ts";
import { freeFixedPort, ServerProcess } from "./server-process.ts";

const STATE = STATES[2] ?? "";

test("while the ledger's file is away, who pays gets 503 and the log says so once; others are served. Without its key file, nobody is", async () => {
  const folder = tempDir();
  const [keys, credits] = [join(folder, "keys.json"), join(folder, "credits.db")];
  await writeFile(keys, JSON.stringify({ keys: await keyEntries(["mail", "free"]) }));
  await chmod(keys, 0o644);
  await using ledger = await openLedger(credits);
  await ledger.topUp("mail", 1_000_000_000);
  const server = await ServerProcess.start(await freeFixedPort(), ["--keys", keys, "--credits", credits, "--price", "0.1/0.4"]);
  const statusFor = async (account: string): Promise<number> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${secretOf(account)}` };
    const init = { method: "POST", headers, body: JSON.stringify(requestAbout(STATE)) };
    return (await fetch(`${server.url}/decision/v1/model`, init)).status;
  };
  const logged = (part: string): number => server.log.filter((line) => line.includes(part) && !line.includes("requestId")).length;
  try {
    if (process.platform !== "win32") expect(logged("may read the key file")).toBe(1);
    expect(await statusFor("mail")).toBe(200);
    await rename(credits, `${credits}.away`);
    for (let i = 0; i < 3; i++) expect(await statusFor("mail")).toBe(503);
    expect(await statusFor("free")).toBe(200);
    await rename(`${credits}.away`, credits);
    expect(await statusFor("mail")).toBe(200);
    await rm(keys);
    await expect.poll(() => statusFor("free"), { timeout: 60_000 }).toBe(503);
  } finally {
    await server.end("SIGTERM");
  }
  expect(logged("no longer at its place")).toBe(1);
  expect(logged("can be used again")).toBe(1);
  expect(logged("nobody is let in")).toBe(1);
});
