// Starts `umpire serve` in its own process, for an attack.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openLedger } from "umpire/serve";
import { ended, newFolder } from "./clean-up.mjs";
import { send } from "./client.mjs";
import { leaksIntoLog, newSecret } from "./markers.mjs";
import { PRICE, priceOf } from "./price.mjs";
import { DECIDE, shortRequest } from "./requests.mjs";
import { watch } from "./watch.mjs";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const READY_MS = 60_000;
const STOP_MS = 20_000;
const WARM_UP_REQUESTS = 30;
const KEPT_LINES = 1000;
const LATE = "no end in 20 s";
const LEDGER = "credits.db";
/** More than a key can spend. */
const RICH = 1e15;

/**
 * @typedef {object} Needs what a target is started with
 * @property {string[]} [keys] names of keys; without them, the service has no keys. The honest caller has the key "honest"
 * @property {{ [key: string]: number }} [credits] balances in nanocredits; keys that are not named are rich. Without it, nothing costs anything
 * @property {string[]} [flags] more flags of `umpire serve`
 * @property {(folder: string) => string[]} [prefix] a command that runs its arguments as a command; the folder holds the ledger
 * @property {string} [disk] folder where the server finds the ledger, if the prefix brings it there
 * @property {number} [keyFileMode] default: 0o600
 * @property {{ [variable: string]: string }} [env] more variables of its environment
 * @property {string} [inside] a script of this folder that the server's process loads, too
 * @property {number} [port] default: any
 * @property {boolean} [honest] whether an honest caller asks during the attack; default: true
 * @property {boolean} [watched] whether the server is watched; not if the attack ends it; default: true
 */

/** Starts a server, warms it up, and watches it from then on. @param {Needs} needs */
export async function startTarget(needs = {}) {
  const folder = newFolder();
  const secrets = Object.fromEntries((needs.keys ?? []).map((name) => [name, newSecret()]));
  const keyFile = join(folder, "keys.json");
  if (needs.keys !== undefined) await writeKeys(keyFile, secrets, needs.keyFileMode);
  if (needs.credits !== undefined) await makeLedger(join(folder, LEDGER), needs);
  const target = new Target({ folder, secrets, keyFile, ledgerFile: join(needs.disk ?? folder, LEDGER) });
  await target.start(needs);
  if (needs.watched === false) return target;
  if (needs.honest !== false) await target.warmUp();
  await target.watch(needs);
  return target;
}

export async function writeKeys(keyFile, secrets, mode = 0o600) {
  const sha256 = (secret) => createHash("sha256").update(secret).digest("hex");
  const keys = Object.entries(secrets).map(([name, secret]) => ({ name, sha256: sha256(secret) }));
  await writeFile(keyFile, JSON.stringify({ keys }));
  await chmod(keyFile, mode);
}

async function makeLedger(path, { keys, credits }) {
  const ledger = await openLedger(path);
  for (const name of keys) await ledger.topUp(name, credits[name] ?? RICH);
  await ledger.close();
}

class Target {
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
    this.child = ended(spawn(line[0], line.slice(1), { env: { ...others, ...env }, stdio: ["ignore", "pipe", "pipe"] }));
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
    const line = JSON.parse(text);
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

  async residentBytes() {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${this.pid}/status`, "utf8"));
    return Number(kilobytes) * 1024;
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
