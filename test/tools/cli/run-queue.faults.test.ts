import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createDecider } from "umpire";
import { cleanEnv, CLI, finished, umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { HastyWorkers, QueueWorker } from "../run/queue-worker.ts";
import { jsonl, RunFolder } from "../run/run-folder.ts";
import { lacks } from "../../support/needs.ts";
import { TEAM, teamLesson } from "../../support/lessons.ts";
import { RedisServer } from "../../service/node/ledger/redis-server.ts";

const ROWS = 120;
/** In chunks of 10. */
const CHUNKS = ROWS / 10;
const FLAGS = ["--chunk", "10"];

const folder = new RunFolder();
describe.skipIf(lacks("redis-server"))("a run by a queue", () => {
  let server: RedisServer;
  let hasty: HastyWorkers;
  /** What one run on one machine writes. */
  let undisturbed: string;
  let database = 0;
  /** A queue for each test. */
  let url: string;
  let workers: QueueWorker[] = [];
  let runs: ChildProcess[] = [];

  beforeAll(async () => {
    [server, hasty] = await Promise.all([RedisServer.start(), HastyWorkers.make()]);
    await folder.write("rows.jsonl", jsonl(ROWS));
    expect((await folder.run("rows.jsonl", "undisturbed.jsonl")).code).toBe(0);
    undisturbed = await folder.read("undisturbed.jsonl");
  });
  afterAll(() => Promise.all([server.end(), hasty.remove()]));

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
    for (const child of runs) child.kill("SIGKILL");
    [workers, runs] = [[], []];
  });

  function newQueue(): string {
    return (url = server.url(database++));
  }

  function worker(script?: string): QueueWorker {
    const started = QueueWorker.start(url, script);
    workers.push(started);
    return started;
  }

  function run(rows: string, out: string, flags: readonly string[] = FLAGS): Promise<Run> {
    return folder.run(rows, out, ["--queue", url, ...flags]);
  }

  function startRun(rows: string, out: string, flags: readonly string[] = FLAGS): ChildProcess {
    const child = spawn(process.execPath, [CLI, ...folder.args(rows, out, "--queue", url, ...flags)], { env: cleanEnv() });
    runs.push(child);
    return child;
  }

  /** Blocks that are joined. */
  async function joined(out: string): Promise<number> {
    const journal = await folder.read(`${out}.journal`).catch(() => "\n");
    return journal.split("\n").length - 2;
  }

  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(5);
  }

  async function ask(question: (queue: Queue) => Promise<number>): Promise<number> {
    const redis = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue("umpire", { connection: redis });
    try {
      return await question(queue);
    } finally {
      await queue.close();
      redis.disconnect();
    }
  }

  const waiting = (): Promise<number> => ask((queue) => queue.getWaitingCount());

  /** Otherwise a run would say that no worker is there yet. */
  const workersSeen = (): Promise<void> => until(async () => (await ask((queue) => queue.getWorkersCount())) > 0);

  /** What is left of a run: files beside its answers. */
  async function left(out: string): Promise<string[]> {
    return (await readdir(folder.path)).filter((name) => name.startsWith(`${out}.`));
  }

  test("two workers give the bytes of one run, and nothing is left but the answers", async () => {
    newQueue();
    const [one, other] = [worker(), worker()];
    const { code, stdout } = await run("rows.jsonl", "two.jsonl");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, failed: 0, answeredNow: ROWS });
    expect(await folder.read("two.jsonl")).toBe(undisturbed);
    expect(one.made + other.made).toBe(CHUNKS);
    expect(await left("two.jsonl")).toEqual([]);
    const redis = new Redis(url);
    expect((await redis.keys("*")).filter((key) => !/:(?:id|meta|events|stalled-check|marker)$/u.test(key))).toEqual([]);
    redis.disconnect();
    expect(await Promise.all([one.end("SIGTERM"), other.end("SIGINT")])).toEqual([0, 0]);
  });

  test("another form, rows without an answer, and a last block that is not full", async () => {
    newQueue();
    worker();
    const lines = jsonl(25).split("\n");
    lines[12] = "{";
    lines[17] = JSON.stringify({ id: 17, text: "" });
    await folder.write("wrong.jsonl", lines.join("\n"));
    const flags = [...FLAGS, "--max-error-rate", "0.1"];
    const { code, stdout } = await run("wrong.jsonl", "wrong.csv", flags);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 25, failed: 2 });
    expect((await folder.run("wrong.jsonl", "wrong-alone.csv", ["--max-error-rate", "0.1"])).code).toBe(3);
    expect(await folder.read("wrong.csv")).toBe(await folder.read("wrong-alone.csv"));
  });

  test("lessons go to the workers with the run", async () => {
    newQueue();
    worker();
    await workersSeen();
    await using decider = createDecider();
    await folder.write("lesson.json", JSON.stringify(await teamLesson(decider)));
    await folder.write("team.json", JSON.stringify({ team: TEAM }));
    const asked = (out: string, ...flags: readonly string[]): Promise<Run> =>
      umpire([
        "run",
        folder.at("team.json"),
        folder.at("rows.jsonl"),
        "--limit",
        "20",
        "--lessons",
        folder.at("lesson.json"),
        "--out",
        folder.at(out),
        ...flags,
      ]);
    expect((await asked("taught.jsonl", "--queue", url, ...FLAGS)).stderr).toBe("");
    expect((await asked("taught-alone.jsonl")).stderr).toBe("");
    expect(await folder.read("taught.jsonl")).toBe(await folder.read("taught-alone.jsonl"));
    expect(await folder.read("taught.jsonl")).toContain('"x_lesson":"lesson-');
  });

  test("one worker serves two runs", async () => {
    newQueue();
    const one = worker();
    const runs = [run("rows.jsonl", "first.jsonl"), run("rows.jsonl", "second.jsonl", ["--chunk", "50", "--limit", "100"])];
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0]);
    expect(await folder.read("first.jsonl")).toBe(undisturbed);
    expect(await folder.read("second.jsonl")).toBe(undisturbed.split("\n").slice(0, 100).join("\n") + "\n");
    expect(one.made).toBe(CHUNKS + 2);
  });

  test("a chunk whose worker is killed is made by another one", async () => {
    newQueue();
    const killed = worker(hasty.script);
    const running = finished(startRun("rows.jsonl", "killed.jsonl"));
    await until(() => killed.made >= 2);
    await killed.end("SIGKILL");
    worker(hasty.script);
    expect((await running).code).toBe(0);
    expect(await folder.read("killed.jsonl")).toBe(undisturbed);
  });

  test("a worker that is told to end gives its chunk back at once", async () => {
    newQueue();
    // So long a chunk that nobody waits for its end, and a worker that is lost only after half a minute.
    const first = worker();
    const running = finished(startRun("rows.jsonl", "back.jsonl", ["--chunk", "90"]));
    await until(async () => (await left("back.jsonl")).includes("back.jsonl.chunks") && (await waiting()) === 1);
    expect(await first.end("SIGTERM")).toBe(0);
    expect(first.made).toBe(0);
    expect(await waiting()).toBe(2);
    worker();
    expect((await running).code).toBe(0);
    expect(await folder.read("back.jsonl")).toBe(undisturbed);
  });

  test("a run that is killed goes on with what workers make meanwhile", async () => {
    newQueue();
    const child = startRun("rows.jsonl", "resumed.jsonl");
    const ended = finished(child);
    await until(async () => (await waiting()) === CHUNKS);
    child.kill("SIGKILL");
    await ended;
    const one = worker();
    await until(() => one.made >= CHUNKS - 1);
    const { code, stdout } = await run("rows.jsonl", "resumed.jsonl");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS });
    expect(await folder.read("resumed.jsonl")).toBe(undisturbed);
    expect(one.made).toBe(CHUNKS);
  });

  test("a run that is stopped says how it goes on, and ends by the signal", async () => {
    newQueue();
    const child = startRun("rows.jsonl", "stopped.jsonl");
    const ended = finished(child);
    await until(async () => (await waiting()) === CHUNKS);
    child.kill("SIGINT");
    const { signal, stderr } = await ended;
    expect(signal).toBe("SIGINT");
    expect(stderr).toContain("umpire: No worker is there yet. Start some, on as many machines as you like: umpire worker --queue ...\n");
    expect(stderr).toContain("umpire: Stopped. The chunks stay on the queue, and workers go on with them.");
    // With --restart, the chunks of before are not wanted, and are not there twice.
    const again = startRun("rows.jsonl", "stopped.jsonl", ["--chunk", "20", "--restart"]);
    const done = finished(again);
    await until(async () => (await waiting()) === CHUNKS / 2);
    const one = worker();
    expect((await done).code).toBe(0);
    expect(await folder.read("stopped.jsonl")).toBe(undisturbed);
    expect(one.made).toBe(CHUNKS / 2);
  });

  test("workers pass over the chunks of a run that was given up", async () => {
    newQueue();
    const child = startRun("rows.jsonl", "given-up.jsonl");
    const ended = finished(child);
    await until(async () => (await waiting()) === CHUNKS);
    child.kill("SIGKILL");
    await ended;
    await rm(folder.at("given-up.jsonl.chunks"), { recursive: true });
    const one = worker();
    await until(() => one.lines.filter((line) => line.endsWith(": nobody wants them any more.")).length === CHUNKS);
    expect(one.lines).toHaveLength(1 + CHUNKS);
    expect(await waiting()).toBe(0);
  });

  test("a queue that is lost is filled again", async () => {
    newQueue();
    const running = finished(startRun("rows.jsonl", "flushed.jsonl"));
    await until(async () => (await waiting()) === CHUNKS);
    const redis = new Redis(url);
    await redis.flushdb();
    redis.disconnect();
    worker(hasty.script);
    expect((await running).code).toBe(0);
    expect(await folder.read("flushed.jsonl")).toBe(undisturbed);
  });

  test("a Redis that is killed and comes back changes nothing", async () => {
    newQueue();
    const one = worker(hasty.script);
    await workersSeen();
    const running = finished(startRun("rows.jsonl", "outage.jsonl"));
    await until(() => one.made >= 3);
    await server.kill();
    await until(() => one.lines.some((line) => line.includes("is gone. Waiting until it is back.")));
    await server.run();
    const { code, stderr } = await running;
    expect(code).toBe(0);
    // It may have been done before.
    expect(stderr).toMatch(
      /^(?:umpire: The Redis server at 127\.0\.0\.1:\d+ is gone\. Waiting until it is back\.\numpire: .* is back\.\n)?$/u,
    );
    expect(await folder.read("outage.jsonl")).toBe(undisturbed);
  });

  describe("rows that change", () => {
    test("after they were answered end the run", async () => {
      newQueue();
      worker();
      const rows = jsonl(ROWS);
      const flags = [...FLAGS, "--on-error", "stop"];
      await folder.write("changing.jsonl", rows.replace('"text":"The app crashes on start, order 43."', '"text":""'));
      expect((await run("changing.jsonl", "changed.jsonl", flags)).stderr).toContain("line 44: has no text in text.");
      expect(await joined("changed.jsonl")).toBe(4);
      await folder.write("changing.jsonl", rows.replace("order 25.", "order 26."));
      const { code, stderr } = await run("changing.jsonl", "changed.jsonl", flags);
      expect(code).toBe(2);
      expect(stderr).toContain("changing.jsonl has changed: lines 21 to 30 are not those that were answered before.");
    });

    test("before they are answered are refused by the workers; once they are as they were, the run goes on", async () => {
      newQueue();
      const rows = jsonl(30);
      await folder.write("moving.jsonl", rows);
      const running = finished(startRun("moving.jsonl", "moved.jsonl"));
      await until(async () => (await waiting()) === 3);
      await folder.write("moving.jsonl", rows.replace("order 15.", "order 16."));
      const one = worker(hasty.script);
      const { code, stderr } = await running;
      expect(code).toBe(1);
      const path = folder.at("moving.jsonl");
      expect(stderr).toContain(`umpire: ${path}, lines 11 to 20: 5 attempts of workers failed. The last one: `);
      expect(stderr).toContain(`${path} is not the same here as where the run was begun, or has changed: lines 11 to 20 are others.`);
      expect(one.lines.filter((line) => line.includes("moved.jsonl, 11 to 20: failed."))).toHaveLength(5);
      await folder.write("moving.jsonl", rows);
      expect((await run("moving.jsonl", "moved.jsonl")).code).toBe(0);
      expect(await folder.read("moved.jsonl")).toBe(undisturbed.split("\n").slice(0, 30).join("\n") + "\n");
    });
  });

  test("a wrong row ends the run if it shall, and once it is right, the run goes on", async () => {
    newQueue();
    worker();
    await workersSeen();
    const lines = jsonl(ROWS).split("\n");
    lines[42] = "{";
    await folder.write("mended.jsonl", lines.join("\n"));
    const flags = [...FLAGS, "--on-error", "stop"];
    const { code, stderr } = await run("mended.jsonl", "mended-answers.jsonl", flags);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `umpire: ${folder.at("mended.jsonl")}, line 43: must be one JSON object, but goes on in the next lines: put each object on one line, or all of them into one array (1 characters).\n`,
    });
    expect(await joined("mended-answers.jsonl")).toBe(4);
    await folder.write("mended.jsonl", jsonl(ROWS));
    expect((await run("mended.jsonl", "mended-answers.jsonl", flags)).code).toBe(0);
    expect(await folder.read("mended-answers.jsonl")).toBe(undisturbed);
  });

  test("a chunk that was damaged is noticed, and made again", async () => {
    newQueue();
    const child = startRun("rows.jsonl", "damaged.jsonl");
    const ended = finished(child);
    await until(async () => (await waiting()) === CHUNKS);
    child.kill("SIGKILL");
    await ended;
    const one = worker();
    await until(() => one.made >= CHUNKS);
    const chunks = folder.at("damaged.jsonl.chunks");
    const name = (await readdir(chunks)).find((file) => file.startsWith("7-")) ?? "";
    const text = await readFile(`${chunks}/${name}`, "utf8");
    await writeFile(`${chunks}/${name}`, text.replace('"id":75', '"id":76'));
    const { code, stderr } = await run("rows.jsonl", "damaged.jsonl");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `umpire: ${name} in ${chunks} was damaged: it is not what a worker wrote. It is removed. The same command goes on, and has it made again.\n`,
    });
    expect((await run("rows.jsonl", "damaged.jsonl")).code).toBe(0);
    expect(await folder.read("damaged.jsonl")).toBe(undisturbed);
    // It was far beyond those rows, and read the file again from its start.
    expect(one.lines.filter((line) => line.includes("failed"))).toEqual([]);
  });

  describe("what cannot be done is told", () => {
    test("no server", async () => {
      const { code, stderr } = await folder.run("rows.jsonl", "x.jsonl", ["--queue", "redis://127.0.0.1:1"]);
      expect(stderr).toBe("umpire: The Redis server at 127.0.0.1:1 cannot be reached (ECONNREFUSED). Is it running there?\n");
      expect(code).toBe(1);
      expect(await left("x.jsonl")).toEqual([]);
    });

    test("a user that may not, whose password is not shown", async () => {
      const refused = server.url().replace("redis://", "redis://somebody:secret@");
      const { code, stderr } = await folder.run("rows.jsonl", "x.jsonl", ["--queue", refused]);
      expect(code).toBe(1);
      expect(stderr).toContain("refuses this user. Give user and password in the URL");
      expect(stderr).not.toContain("secret");
    });

    test("a Redis that forgets, unless it is allowed to", async () => {
      const forgetful = await RedisServer.start({ appendonly: "no" });
      try {
        url = forgetful.url();
        const { code, stderr } = await run("rows.jsonl", "forgotten.jsonl");
        expect(code).toBe(2);
        expect(stderr).toContain(
          "umpire: The Redis server keeps no append-only file, and loses the queue at a restart. Set its appendonly to yes",
        );
        expect(await left("forgotten.jsonl")).toEqual([]);
        worker();
        expect((await run("rows.jsonl", "forgotten.jsonl", [...FLAGS, "--allow-volatile-queue", "--limit", "20"])).code).toBe(0);
      } finally {
        await forgetful.end();
      }
    });

    test("a Redis that may drop keys", async () => {
      newQueue();
      const redis = new Redis(url);
      await redis.config("SET", "maxmemory-policy", "allkeys-lru");
      worker();
      const { code, stderr } = await run("rows.jsonl", "evicted.jsonl", ["--limit", "10"]);
      await redis.config("SET", "maxmemory-policy", "noeviction");
      redis.disconnect();
      expect(code).toBe(0);
      expect(stderr).toContain("umpire: The Redis server may drop parts of the queue when its memory is full (allkeys-lru).");
    });
  });
});
