import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { expect, test } from "vitest";
import { lacks } from "../../../support/needs.ts";
import { packageRootPath } from "../../../support/package-root.ts";
import { endOf } from "../../../support/command.ts";

const PROGRAM = `
import { setTimeout as delay } from "node:timers/promises";
import { createLogger } from "umpire/serve";
const logger = createLogger();
logger.info({}, "first");
await delay(50);
logger.info({}, "second");
logger.flush();
console.error("alive");
`;

test.skipIf(lacks("/dev/full"))("a program whose log is on a full disk goes on, and can end", async () => {
  const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
  const args = ["--input-type=module", "--eval", PROGRAM];
  const program = spawn(process.execPath, args, { cwd: packageRootPath, stdio: [...stdio], timeout: 280_000, killSignal: "SIGKILL" });
  expect(await endOf(program)).toEqual({ code: 0, stdout: "", stderr: "alive\n" });
});
