import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { CLI, cleanEnv } from "../../support/command-line.ts";
import { UNHURRIED } from "../../support/unhurried.ts";

/** `umpire serve` in a process of its own, on 127.0.0.1. */
export class ServerProcess {
  readonly url: string;
  /** Every line it has logged. */
  readonly log: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
    this.#ended = once(child, "close");
  }

  /** Resolves when the server is ready. @param prefix a command that runs its arguments as a command, such as `unshare` @param env more variables */
  static async start(
    port: number,
    args: readonly string[],
    prefix: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const unhurried = ["--deadline-ms", String(UNHURRIED.deadlineMs), "--run-ms", String(UNHURRIED.runMs)];
    const line = [...prefix, process.execPath, CLI, "serve", "--port", String(port), "--threads", "1", ...unhurried, ...args];
    const child = spawn(line[0] ?? "", line.slice(1), { env: cleanEnv(env), stdio: ["ignore", "pipe", "inherit"] });
    const server = new ServerProcess(`http://127.0.0.1:${port}`, child);
    await new Promise<void>((resolve, reject) => {
      createInterface(child.stdout).on("line", (logged) => {
        server.log.push(logged);
        if (logged.includes('"ready"')) resolve();
      });
      child.once("close", () => {
        reject(new Error(`the server ended before it was ready: ${server.log.at(-1)}`));
      });
    });
    return server;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends it. @returns the exit code, or null if the signal ended it */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    await this.#ended;
    return this.#child.exitCode;
  }
}

/**
 * A free port, below those that the system uses for outgoing connections. Otherwise, while the server is down, a client could be given this very port,
 * would then connect to itself, and the port would be in use.
 */
export async function freeFixedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const listening = once(server, "listening").then(
      () => true,
      () => false,
    );
    server.listen(port, "127.0.0.1");
    if (!(await listening)) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
