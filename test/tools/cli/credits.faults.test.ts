import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RedisServer } from "../../service/node/ledger/redis-server.ts";
import { runScript } from "../../support/child-program.ts";
import { umpire } from "../../support/command-line.ts";
import { lacks } from "../../support/needs.ts";
import { PackageCopy } from "../../support/package-copy.ts";
import { packageRootPath } from "../../support/package-root.ts";

test.skipIf(lacks("redis-server"))("the commands of credits work on Redis, too (needs redis-server)", async () => {
  const server = await RedisServer.start();
  try {
    const env = { UMPIRE_CREDITS: server.url() };
    expect((await umpire(["credits", "add", "chat", "1.5", "--pretty"], { env })).stdout).toBe(
      "chat: 1.5 credits added, the balance is 1.5\n",
    );
    expect((await umpire(["credits", "ledger"], { env })).stdout).toMatch(/^id,.*\r\n\d+-0,.*Z,chat,top_up,1\.5,1\.5,,,,,\r\n$/u);
  } finally {
    await server.end();
  }
});

test("if the package for a ledger is missing, the message says what to install", async () => {
  const copy = await PackageCopy.make();
  try {
    await symlink(join(packageRootPath, "node_modules/commander"), join(copy.folder, "node_modules/commander"));
    for (const [name, place] of [
      ["libsql", "new.db"],
      ["ioredis", "redis://127.0.0.1:1"],
    ] as const) {
      const cli = join(copy.folder, "dist/cli.js");
      const { code, stderr } = await runScript(cli, { args: ["credits", "add", "chat", "1", "--credits", place], folder: copy.folder });
      expect(code).toBe(1);
      expect(stderr).toContain(`npm install ${name}`);
    }
  } finally {
    await copy.remove();
  }
});
