import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { lacks } from "../../../support/needs.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** For `test.skipIf` and `describe.skipIf`. */
export const lacksRedis = (): boolean => lacks("redis-server");

/** A real Redis on a free port, in a folder of its own. It writes every command to the disk, as a ledger requires, unless that is not wanted. */
export class RedisServer {
  readonly #folder: string;
  readonly #port: number;
  readonly #appendonly: "yes" | "no";
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, appendonly: "yes" | "no") {
    this.#folder = folder;
    this.#port = port;
    this.#appendonly = appendonly;
  }

  static async start({ appendonly = "yes" }: { readonly appendonly?: "yes" | "no" } = {}): Promise<RedisServer> {
    const server = new RedisServer(tempDir(), await freePort(), appendonly);
    await server.run();
    return server;
  }

  /** @param database 0 to 999 */
  url(database = 0): string {
    return `redis://127.0.0.1:${this.#port}/${database}`;
  }

  async run(): Promise<void> {
    const options = { port: this.#port, bind: "127.0.0.1", dir: this.#folder, databases: 1000, appendonly: this.#appendonly, save: "" };
    // While the disk is busy, Redis may else answer before it writes, and a killed one would lose what it acknowledged.
    const args = Object.entries({ ...options, appendfsync: "always" }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#process = child;
    const failed = once(child, "error").then(([error]) => {
      throw new Error("These tests need redis-server in PATH: apt-get install redis-server, or brew install redis.", { cause: error });
    });
    const ready = (async () => {
      for await (const line of createInterface(child.stdout)) {
        if (!line.includes("Ready to accept connections")) continue;
        child.stdout.resume();
        return;
      }
      throw new Error("redis-server ended before it was ready");
    })();
    await Promise.race([ready, failed]);
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  async kill(): Promise<void> {
    if (this.#process?.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  async end(): Promise<void> {
    await this.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
