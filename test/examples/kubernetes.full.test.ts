import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { cleanEnv, CLI } from "../support/command-line.ts";
import { RunFolder, texts } from "../tools/run/run-folder.ts";
import { runCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { PACKAGE_ROOT, packageRootPath } from "../support/package-root.ts";
import { typeErrorsOf } from "../support/type-errors.ts";

const SHARDS = 3;
const NUMBERS = Array.from({ length: SHARDS }, (_, i) => i + 1);
/** The part of a Job that is read here; the compiler checks the rest. */
interface Job {
  readonly spec: {
    readonly completions?: number;
    readonly template: {
      readonly spec: { readonly containers: readonly [{ command: string[]; args: string[]; env: { name: string; value: string }[] }] };
    };
  };
}

const textOf = (name: string): Promise<string> => readFile(new URL(`examples/kubernetes/${name}`, PACKAGE_ROOT), "utf8");
const jobOf = async (name: string): Promise<Job> => parse(await textOf(name)) as Job;

test.each(["answer.yaml", "merge.yaml"])("%s has the fields and types of a Job", async (name) => {
  const source = `import type { Job } from "kubernetes-types/batch/v1";\nexport const job: Job = ${JSON.stringify(await jobOf(name))};`;
  expect(typeErrorsOf(join(packageRootPath, "examples/kubernetes"), [[`${name}.ts`, source]])).toEqual([]);
});

test("there are as many shards as pods", async () => {
  const { completions, template } = (await jobOf("answer.yaml")).spec;
  expect(template.spec.containers[0].env).toContainEqual({ name: "SHARDS", value: String(completions) });
});

describe("the commands answer all rows", () => {
  const folder = new RunFolder();
  let whole: string;

  beforeAll(async () => {
    await mkdir(folder.at("bin"));
    // Small blocks, so that few rows are enough for all shards.
    await folder.write("bin/umpire", `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@" --block 2\n`);
    await chmod(folder.at("bin/umpire"), 0o755);
    // One row has no text.
    await folder.write("rows.csv", `id,body\n${[...texts(10), ""].map((text, id) => `${id},"${text}"\n`).join("")}`);
    expect((await inFolder('umpire run questions.json rows.csv --text-column body --out "whole.csv"')).code).toBe(3);
    whole = await folder.read("whole.csv");
  });

  function inFolder(
    command: string,
    env: Readonly<Record<string, string>> = {},
    shell: readonly string[] = ["sh", "-c"],
  ): Promise<CommandResult> {
    const [program = "", ...args] = shell;
    const path = `${folder.at("bin")}:${cleanEnv()["PATH"]}`;
    return runCommand(program, [...args, command], { folder: folder.path, env: { ...env, PATH: path } });
  }

  /** As a container does it, with its shell and its variables. */
  async function inPod(name: string, env: Readonly<Record<string, string>>): Promise<CommandResult> {
    const { command, args } = (await jobOf(name)).spec.template.spec.containers[0];
    return inFolder(args.join(" "), env, command);
  }

  async function expectWhole(): Promise<void> {
    expect(await folder.read("answers.csv")).toBe(whole);
    await rm(folder.at("answers.csv"));
    for (const number of [0, ...NUMBERS])
      for (const end of ["", ".journal"]) await rm(folder.at(`part-${number}.jsonl${end}`), { force: true });
  }

  test("in the pods of Kubernetes", async () => {
    const pods = NUMBERS.map((number) => inPod("answer.yaml", { JOB_COMPLETION_INDEX: String(number - 1), SHARDS: String(SHARDS) }));
    expect((await Promise.all(pods)).map(({ code }) => code)).toEqual(NUMBERS.map(() => 0));
    expect((await inPod("merge.yaml", {})).code).toBe(0);
    await expectWhole();
  });

  test("in a pod, bad input ends with 2, so that nobody tries again", async () => {
    expect((await inPod("answer.yaml", { JOB_COMPLETION_INDEX: "9", SHARDS: "3" })).code).toBe(2);
    expect((await inPod("merge.yaml", {})).code).not.toBe(0);
  });

  test.each([
    ["Slurm", /--wrap '(.*)'$/mu, "$SLURM_ARRAY_TASK_ID"],
    ["GNU parallel", /--retries \d+ '(.*)' :::/mu, "{}"],
  ])("by %s", async (_, pattern, number) => {
    const page = await textOf("README.md");
    const command = pattern.exec(page)?.[1]?.replace("/8", `/${SHARDS}`) ?? "";
    const merge = /^umpire run --merge .*$/mu.exec(page)?.[0] ?? "";
    const shards = NUMBERS.map((of) => inFolder(command.replaceAll(number, String(of))));
    expect((await Promise.all(shards)).map(({ code }) => code)).toEqual(NUMBERS.map(() => 0));
    expect((await inFolder(merge)).code).toBe(3);
    await expectWhole();
  });
});
