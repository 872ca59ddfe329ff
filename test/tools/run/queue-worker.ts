import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CLI, cleanEnv } from "../../support/command-line.ts";
import { PACKAGE_ROOT, packageRootPath } from "../../support/package-root.ts";

/** `umpire worker` in a process of its own. */
export class QueueWorker {
  /** What it said, line by line. */
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close");
    if (child.stderr) createInterface(child.stderr).on("line", (line) => this.lines.push(line));
  }

  /** @param script another program in place of the command line: its arguments are the same */
  static start(url: string, script: string = CLI): QueueWorker {
    const args = [script, "worker", "--queue", url, "--workers", "1"];
    return new QueueWorker(spawn(process.execPath, args, { env: cleanEnv(), stdio: ["ignore", "ignore", "pipe"] }));
  }

  /** How many chunks it has made. */
  get made(): number {
    return this.lines.filter((line) => / rows? in \d/u.test(line)).length;
  }

  /** @returns the exit code; null if the signal ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    await this.#ended;
    return this.#child.exitCode;
  }
}

/** The script of a worker that does not wait long: one that is killed has lost its chunk after two seconds, and one that fails rests for a moment. */
export class HastyWorkers {
  readonly script: string;

  private constructor(script: string) {
    this.script = script;
  }

  static async make(): Promise<HastyWorkers> {
    const { version } = JSON.parse(await readFile(new URL("package.json", PACKAGE_ROOT), "utf8")) as { version: string };
    const contents = `
      import { createDeciderOn } from "./src/library/decider/create-decider.ts";
      import { nodePlatform } from "./src/library/platform/node/platform.ts";
      import { workForQueue } from "./src/tools/run/queue/work.ts";
      const dist = new URL(${JSON.stringify(new URL("dist/", PACKAGE_ROOT).href)});
      const platform = nodePlatform(dist);
      await workForQueue(process, platform, (options) => createDeciderOn(platform, options), { queue: process.argv[4], workers: 1 }, { lostAfterMs: 2000, firstRestMs: 50 });`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: packageRootPath, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      define: { UMPIRE_VERSION: JSON.stringify(version) },
    });
    // Beside this file, from where packages are found.
    const script = fileURLToPath(new URL(`.bundled-${randomUUID()}.mjs`, import.meta.url));
    await writeFile(script, outputFiles[0]?.text ?? "");
    return new HastyWorkers(script);
  }

  async remove(): Promise<void> {
    await rm(this.script);
  }
}
