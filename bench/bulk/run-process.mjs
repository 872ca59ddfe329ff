// `umpire run` in a process of its own that stands still between turns, with its bar in a terminal or without.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const POLL_MS = 2;

/** A run over rows.csv of a folder. Its journal tells how far it is. */
export class RunProcess {
  #child;
  #ended;
  #hasEnded = false;
  /** Of umpire; in a terminal, there is a process around it. */
  #pid;
  #block;
  #firstRow;
  #journal;
  #journalBytes = 0;
  #blocks = 0;
  /** Resident memory in bytes at the first row that counts, and at the last block that is done. */
  firstBytes;
  lastBytes;

  /**
   * Starts it, and stops it after its first block.
   * @param {{ folder: string, workers: number, threads: number, block: number, firstRow: number, isInTerminal: boolean }} options firstRow: where memory is measured first
   */
  static async start({ folder, workers, threads, block, firstRow, isInTerminal }) {
    const run = new RunProcess();
    const out = `${folder}/${isInTerminal ? "with-bar" : "without"}.jsonl`;
    const files = [`${folder}/questions.json`, `${folder}/rows.csv`, "--out", out];
    const command = [process.execPath, CLI, "run", ...files, ...["--workers", workers, "--threads", threads, "--block", block].map(String)];
    // util-linux's script makes the terminal.
    const inTerminal = ["script", "-qec", `exec ${command.map((word) => `'${word}'`).join(" ")}`, "/dev/null"];
    const [program, ...args] = isInTerminal ? inTerminal : [...command, "--quiet"];
    run.name = isInTerminal ? "umpire run, with its bar" : "umpire run";
    run.#block = block;
    run.#firstRow = firstRow;
    run.#journal = `${out}.journal`;
    run.#child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    run.#child.stdout.resume();
    run.#ended = once(run.#child, "close").then(() => (run.#hasEnded = true));
    await run.#untilBlock(1);
    const { pid } = run.#child;
    run.#pid = isInTerminal ? Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]) : pid;
    process.kill(run.#pid, "SIGSTOP");
    return run;
  }

  /** @param {number} count of rows: whole blocks */
  async answer(count) {
    const wanted = this.#blocks + count / this.#block;
    this.#goOn();
    await this.#untilBlock(wanted);
    process.kill(this.#pid, "SIGSTOP");
  }

  /** Goes on to its last row. */
  async finish() {
    this.#goOn();
    while (!this.#hasEnded) {
      await sleep(POLL_MS);
      this.#look();
    }
    if (this.#child.exitCode !== 0) throw new Error(`umpire run ended with ${this.#child.exitCode}`);
  }

  async close() {
    if (this.#hasEnded) return;
    process.kill(this.#pid, "SIGKILL");
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #goOn() {
    // The process around it has stopped with it.
    this.#child.kill("SIGCONT");
    process.kill(this.#pid, "SIGCONT");
  }

  async #untilBlock(wanted) {
    while (this.#blocks < wanted) {
      if (this.#hasEnded) throw new Error("umpire run has ended too early.");
      await sleep(POLL_MS);
      this.#look();
    }
  }

  #look() {
    const { size = 0 } = statSync(this.#journal, { throwIfNoEntry: false }) ?? {};
    if (size === this.#journalBytes) return;
    const text = textOf(this.#journal);
    // At its end, a run removes it.
    if (text === undefined) return;
    this.#journalBytes = size;
    this.#blocks = text.split("\n").filter((line) => line.startsWith('{"block"')).length;
    if (this.#blocks * this.#block < this.#firstRow) return;
    this.lastBytes = residentBytesOf(this.#pid) ?? this.lastBytes;
    this.firstBytes ??= this.lastBytes;
  }
}

/** undefined if the process has ended. */
function residentBytesOf(pid) {
  const [, kibibytes] = /VmRSS:\s+(\d+)/u.exec(textOf(`/proc/${pid}/status`) ?? "") ?? [];
  return kibibytes && 1024 * Number(kibibytes);
}

/** undefined if there is no such file, or no longer. */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
