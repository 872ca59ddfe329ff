import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { killedAtEnd } from "./clean-up.mjs";
import { send } from "./client.mjs";
import { leaksIntoLog } from "./markers.mjs";
import { residentBytes } from "./memory.mjs";
import { PRICE, priceOf } from "./price.mjs";
import { DECIDE, shortRequest } from "./requests.mjs";
import { watch } from "./watch.mjs";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const READY_MS = 60_000;
const STOP_MS = 20_000;
const WARM_UP_REQUESTS = 30;
const KEPT_LINES = 1000;
const LATE = "no end in 20 s";

/** `umpire serve` in its own process. `startTarget` makes one. */
export class Target {
  url = "";
  port = 0;
  /** Everything that it logged, except lines about requests that went well. The first thousand. */
  lines = [];
  /** What it wrote to standard error. */
  errors = "";
  /** Requests by status, as its log tells. */
  logged = {};
  leaks = 0;
  /** What the honest key was charged before it was watched, if it pays. */
  warmUpNanocredits = 0;
  /** The key of requests that name none. */
  key = "attacker";
  child;
  watcher;
  exit;

  constructor(files) {
    Object.assign(this, files);
  }

  async start({ keys, credits, flags = [], prefix = () => [], inside, port = 0, env = {} }) {
    const loaded = inside === undefined ? [] : ["--import", new URL(inside, import.meta.url).href];
    const files = [...(keys ? ["--keys", this.keyFile] : []), ...(credits ? ["--credits", this.ledgerFile, "--price", PRICE] : [])];
    const line = [
      ...prefix(this.folder),
      process.execPath,
      ...loaded,
      CLI,
      "serve",
      "--port",
      String(port),
      "--log-format",
      "json",
      ...files,
      ...flags,
    ];
    const { UMPIRE_API_KEY, UMPIRE_KEYS, UMPIRE_CREDITS, ...others } = process.env;
    this.child = killedAtEnd(spawn(line[0], line.slice(1), { env: { ...others, ...env }, stdio: ["ignore", "pipe", "pipe"] }));
    this.exit = once(this.child, "exit").then(([code, signal]) => signal ?? code);
    this.child.stderr.setEncoding("utf8").on("data", (text) => (this.errors += text));
    const ready = new Promise((resolve) =>
      createInterface({ input: this.child.stdout }).on("line", (text) => {
        if (this.read(text) === "ready") resolve("ready");
      }),
    );
    const outcome = await Promise.race([ready, this.exit, sleep(READY_MS, "late", { ref: false })]);
    if (outcome !== "ready") throw new Error(`the server did not start: ${outcome}; ${this.errors.split("\n", 1)}`);
  }

  /** Reads a line of its log. @returns its message */
  read(text) {
    const line = fieldsOf(text);
    if (line.url !== undefined) {
      this.url = line.url;
      this.port = Number(new URL(line.url).port);
    }
    if (leaksIntoLog(text)) this.leaks++;
    if (line.status !== undefined) this.logged[line.status] = (this.logged[line.status] ?? 0) + 1;
    if (line.message !== "request" && this.lines.length < KEPT_LINES) this.lines.push(line);
    return line.message;
  }

  async warmUp() {
    for (let i = 0; i < WARM_UP_REQUESTS; i++) {
      const { status, text } = await this.ask(shortRequest, { key: "honest" });
      if (status !== 200) throw new Error(`the server answers a first request with ${status}`);
      this.warmUpNanocredits += priceOf(JSON.parse(text).usage);
    }
  }

  /** Starts it anew, with the same keys and ledger. */
  async restart(needs) {
    if (!this.hasEnded) await this.stop();
    await this.start(needs);
  }

  async watch({ honest = true }) {
    this.watcher = await watch({ url: this.url, pid: this.pid, secret: this.secrets.honest, isHonestKeyThere: honest });
  }

  get pid() {
    return this.child.pid;
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The same server, whose requests have another key. */
  withKey(key) {
    return Object.assign(Object.create(this), { key });
  }

  headersOf(key = this.key) {
    return this.secrets[key] === undefined ? {} : { authorization: `Bearer ${this.secrets[key]}` };
  }

  /** Asks for a decision. */
  ask(body, { key, headers = {}, path = DECIDE, ...options } = {}) {
    return send(this.url + path, { ...options, body, headers: { ...this.headersOf(key), ...headers } });
  }

  get(path, options) {
    return send(this.url + path, { method: "GET", ...options });
  }

  signal(name) {
    this.child.kill(name);
  }

  residentBytes() {
    return residentBytes(this.pid);
  }

  /** Processor time that it has used. */
  async processorMs() {
    const fields = (await readFile(`/proc/${this.pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return ticks * 10;
  }

  /** Ends the watching. @returns what was seen */
  async watched() {
    return this.watcher?.stop();
  }

  /** @returns the exit code, or the signal that ended it */
  async stop(signal = "SIGTERM") {
    if (!this.hasEnded) this.signal(signal);
    const outcome = await Promise.race([this.exit, sleep(STOP_MS, LATE, { ref: false })]);
    if (outcome === LATE) this.signal("SIGKILL");
    return outcome;
  }
}

/** A line that a kill cut off has no fields. */
function fieldsOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
