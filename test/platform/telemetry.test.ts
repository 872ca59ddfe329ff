import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { umpire } from "../cli/run-cli.ts";

test("nothing is kept about the machine for anybody to count", async () => {
  const home = await mkdtemp(join(tmpdir(), "umpire-home-"));
  const { code } = await umpire(["decide", "--state", "The cup is broken.", "--ask", "Is it broken?"], { env: { HOME: home } });
  const written = await readdir(home, { recursive: true });
  await rm(home, { recursive: true });
  expect({ code, written }).toEqual({ code: 0, written: [] });
});
