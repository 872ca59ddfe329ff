import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { packageRootPath } from "../../../support/package-root.ts";

/** A program for a process of its own. Its body can use `openLedger`, `chargeNumber`, `place`, `args` and `print`. */
export class LedgerProgram {
  readonly #source: string;

  private constructor(source: string) {
    this.#source = source;
  }

  static async make(body: string): Promise<LedgerProgram> {
    const contents = `
      import { writeSync } from "node:fs";
      import { openLedger } from "./src/service/node/ledger/open-ledger.ts";
      import { chargeNumber } from "./test/service/node/ledger/charges.ts";
      const [place, ...args] = process.argv.slice(2);
      const print = (line) => writeSync(1, line + "\\n");
      ${body}`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: packageRootPath, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node20.19",
      external: ["libsql", "ioredis"],
    });
    return new LedgerProgram(outputFiles[0]?.text ?? "");
  }

  start(place: string, args: readonly string[] = [], prefix: readonly string[] = []): RunningProgram {
    const [command = "", ...rest] = [
      ...prefix,
      process.execPath,
      "--input-type=module",
      "--eval",
      this.#source,
      "--",
      "program",
      place,
      ...args,
    ];
    return new RunningProgram(spawn(command, rest, { cwd: packageRootPath, stdio: ["ignore", "pipe", "pipe"] }));
  }
}

export class RunningProgram {
  readonly process: ChildProcess;
  /** The lines printed so far. */
  readonly lines: string[] = [];
  readonly #ended: Promise<unknown>;
  readonly #stderr: Promise<string>;

  constructor(process: ChildProcess) {
    this.process = process;
    const { stdout, stderr } = process;
    if (stdout === null || stderr === null) throw new Error("the program has no pipes");
    createInterface(stdout).on("line", (line) => this.lines.push(line));
    this.#stderr = text(stderr);
    this.#ended = once(process, "close");
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.#ended;
  }

  /** Waits for the end. @returns all lines @throws if the program failed */
  async finished(): Promise<string[]> {
    await this.#ended;
    if (this.process.exitCode !== 0) throw new Error(`the program failed: ${await this.#stderr}`);
    return this.lines;
  }
}
