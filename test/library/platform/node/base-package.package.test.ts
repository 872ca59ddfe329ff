import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createDeciderOn } from "../../../../src/library/decider/create-decider.ts";
import type { DeciderOptions, LazyDecider } from "../../../../src/library/decider/decider.ts";
import { basePack } from "../../../../src/library/platform/node/catalogue.ts";
import { nodePlatform } from "../../../../src/library/platform/node/platform.ts";
import type { Lesson } from "../../../../src/public.ts";
import { ProjectWithBase } from "../../../support/base-package.ts";
import { umpire } from "../../../support/command-line.ts";
import { TEAM, teamLesson } from "../../../support/lessons.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { decideError } from "../../../support/rejection.ts";
import { sharedDecider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";

const REQUEST = { state: TEXTS.late, questions: { late: { type: "noul", instructions: ASKED.late } } } as const;
const ANEW = "npm uninstall umpire-base, then npm install umpire-base";

const deciderAt = (dist: URL, options: DeciderOptions = {}): LazyDecider =>
  createDeciderOn(nodePlatform(dist, undefined, { UMPIRE_HOME: tempDir() }), { threads: 1, ...options });

let project: ProjectWithBase;
beforeAll(async () => {
  project = await ProjectWithBase.make();
});

test("without umpire-base there is nothing to find, and its model is refused with what to install", async () => {
  const dist = new URL("dist/", PACKAGE_ROOT);
  expect(await basePack(dist)).toEqual([]);
  await using decider = deciderAt(dist, { model: "umpire-3-base" });
  const { code, message } = await decideError(() => decider.decide(REQUEST));
  expect([code, message]).toEqual([
    "model_not_found",
    'There is no model "umpire-3-base". It comes in a package of its own: npm install umpire-base. There are: umpire-2, latest, jev-latest.',
  ]);
});

describe("with umpire-base beside umpire", () => {
  it("the best model answers unless another is named, and each answer says which it was", async () => {
    await using decider = deciderAt(project.dist);
    const answeredBy = async (model?: string): Promise<string> => (await decider.decide({ ...REQUEST, ...(model && { model }) })).model;
    expect(await Promise.all([undefined, "latest", "jev-latest", "umpire-3-base"].map(answeredBy))).toEqual(Array(4).fill("umpire-3-base"));
    expect(await answeredBy("umpire-2")).toBe("umpire-2");
    expect((await decider.info()).model).toBe("umpire-3-base");
    expect((await decider.models()).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      ["umpire-3-base", true],
      ["umpire-2", false],
    ]);
  });

  it.each(["umpire-2", "umpire-3-base"])("%s answers where it is the decider's model", async (model) => {
    await using decider = deciderAt(project.dist, { model });
    expect((await decider.decide({ ...REQUEST, model: "latest" })).model).toBe(model);
  });

  it("the package's index names the place of its pack, which a decider takes as its model", async () => {
    const { default: place } = (await import(pathToFileURL(`${project.base}/index.js`).href)) as { readonly default: URL };
    await using decider = deciderAt(new URL("dist/", PACKAGE_ROOT), { model: place });
    expect((await decider.decide(REQUEST)).model).toBe("umpire-3-base");
  });

  it("the command line says which models there are, where, and which answers", async () => {
    const cli = async (...args: string[]): Promise<string> => (await umpire(args, { dist: project.dist })).stdout;
    expect(await cli("models", "--pretty")).toMatch(/^umpire-3-base {2}2027-01-01 {2}latest {2}umpire-base {2}uncalibrated {2}\d+ kB$/mu);
    const { models } = JSON.parse(await cli("models")) as { readonly models: readonly unknown[] };
    expect(models).toMatchObject([
      { name: "umpire-3-base", x_latest: true, x_built_in: true, x_package: "umpire-base" },
      { name: "umpire-2", x_latest: false, x_built_in: true },
    ]);
    expect(await cli("models", "show", "umpire-3-base", "--pretty")).toMatch(/source {6}the package umpire-base\n/u);
    expect(JSON.parse(await cli("models", "show", "umpire-3-base"))).toMatchObject({ package: "umpire-base", builtIn: true });
    expect(JSON.parse(await cli("decide", "--state", TEXTS.late, "--ask", ASKED.late))).toMatchObject({ model: "umpire-3-base" });
    const removed = await umpire(["models", "remove", "umpire-3-base", "--yes"], { dist: project.dist });
    expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining("npm uninstall umpire-base") as string });
  });
});

test("without umpire-base, the command line says in a line how to get it", async () => {
  const { stdout } = await umpire(["models", "--pretty"]);
  expect(stdout.replaceAll(/\s+/gu, " ")).toMatch(/ umpire-3-base, .* is a package away: npm install umpire-base(?: \(\d+ MB\))? $/u);
  const { stderr } = await umpire(["models", "add", "test/fixtures/models/bert", "--as", "umpire-3-base"], {
    env: { UMPIRE_HOME: tempDir() },
  });
  expect(stderr).toContain("umpire-3-base is a name of umpire's own.");
});

describe("an umpire-base that is not whole", () => {
  // One for each test, since Node remembers a package.json for as long as the process lives.
  let broken: ProjectWithBase;
  beforeEach(async () => {
    broken = await ProjectWithBase.make();
  });

  const emptied = async (): Promise<void> => {
    await rm(broken.base, { recursive: true });
    await mkdir(broken.base);
  };
  const HALF = `The package umpire-base is damaged or half installed: WHAT. Install it anew: ${ANEW}.`;
  const NO_MANIFEST = HALF.replace("WHAT", "there is no manifest.json of its model in it");
  const OTHER_SEAL = HALF.replace("WHAT", "manifest.json of its model does not match manifest.json.sha256");

  it.each<[what: string, message: string | RegExp, breakIt: () => Promise<unknown>]>([
    ["an empty folder", NO_MANIFEST, () => emptied()],
    ["no manifest", NO_MANIFEST, () => rm(broken.model("manifest.json"))],
    ["no package.json", NO_MANIFEST, () => rm(`${broken.base}/package.json`)],
    ["a package.json that is no JSON", NO_MANIFEST, () => writeFile(`${broken.base}/package.json`, '{ "name": "umpi')],
    [
      "another package of that name",
      NO_MANIFEST,
      () => writeFile(`${broken.base}/package.json`, '{ "name": "umpire-base", "exports": {} }'),
    ],
    ["a manifest that was changed", OTHER_SEAL, () => writeFile(broken.model("manifest.json"), "{}")],
    [
      "no seal",
      HALF.replace("WHAT", "manifest.json of its model, or its seal, cannot be read"),
      () => rm(broken.model("manifest.json.sha256")),
    ],
    [
      "no weights",
      /^weights\.bin of the model in .* cannot be read: install umpire-base anew \(ANEW\)\.$/u,
      () => rm(broken.model("weights.bin")),
    ],
    [
      "cut weights",
      /^weights\.bin of the model in .* changed: install umpire-base anew \(ANEW\)\.$/u,
      () => writeFile(broken.model("weights.bin"), ""),
    ],
  ])("(%s) fails with what to do, and is not answered for by another model unless that is named", async (_, message, breakIt) => {
    await breakIt();
    await using decider = deciderAt(broken.dist);
    const error = await decideError(() => decider.decide(REQUEST));
    expect(error.code).toBe("model_invalid");
    expect(error.message.replace(ANEW, "ANEW")).toMatch(typeof message === "string" ? message.replace(ANEW, "ANEW") : message);
    const named = await decider.decide({ ...REQUEST, model: "umpire-2" });
    expect(named.model).toBe("umpire-2");
  });

  it("is shown as damaged, with what to do", async () => {
    await emptied();
    const { stdout } = await umpire(["models", "--pretty"], { dist: broken.dist });
    expect(stdout).toMatch(/^umpire-3-base {2}latest {2}umpire-base {2}damaged$/mu);
    expect(stdout.replaceAll(/\s+/gu, " ")).toContain(ANEW);
    const { code, stderr } = await umpire(["decide", "--state", TEXTS.late, "--ask", ASKED.late], { dist: broken.dist });
    expect([code, stderr]).toEqual([1, `umpire: ${NO_MANIFEST}\n`]);
  });
});

describe("a lesson that was taught before umpire-base was installed", () => {
  let lesson: Lesson;
  beforeAll(async () => {
    lesson = await teamLesson(sharedDecider);
  });

  it("is refused by a decider whose model is now another one, with what to do", async () => {
    await using decider = deciderAt(project.dist);
    const { code, message } = await decideError(() => decider.learn(lesson));
    expect([code, message]).toEqual([
      "invalid_request",
      'The lesson was learned with the model umpire-2, but the model here is umpire-3-base, the best that is installed. Teach the question again with umpire-3-base, or go on with umpire-2: createDecider({ model: "umpire-2" }), or --model umpire-2 in a command.',
    ]);
    expect(decider.lessons()).toEqual([]);
  });

  it("is refused by a command, by its file, unless the command names its model", async () => {
    const file = join(tempDir(), "team.json");
    await writeFile(file, JSON.stringify(lesson));
    const decide = ["decide", "--state", TEXTS.late, "--choose", `${ASKED.team} north, south`, "--lessons", file];
    const { code, stderr } = await umpire(decide, { dist: project.dist });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `${file} cannot be learned. The lesson was learned with the model umpire-2, but the model here is umpire-3-base`,
    );
    const named = await umpire([...decide, "--model", "umpire-2"], { dist: project.dist });
    expect(JSON.parse(named.stdout)).toMatchObject({ model: "umpire-2", answers: { choose: { x_lesson: lesson.id } } });
  });

  it("answers as before where its model is named, and beside a decider's named model those requests that name it", async () => {
    const request = { state: TEXTS.late, questions: { q: TEAM } };
    await using old = deciderAt(project.dist, { model: "umpire-2", lessons: [lesson] });
    expect((await old.decide(request)).answers.q.x_lesson).toBe(lesson.id);
    await using both = deciderAt(project.dist, { model: "umpire-3-base", lessons: [lesson] });
    expect((await both.decide(request)).answers.q.x_lesson).toBeUndefined();
    expect((await both.decide({ ...request, model: "umpire-2" })).answers.q.x_lesson).toBe(lesson.id);
  });
});

test("a lesson of umpire-base's model says how to get that, where it is not installed", async () => {
  await using teacher = deciderAt(project.dist);
  const lesson = await teamLesson(teacher);
  expect(lesson.model.id).toBe("umpire-3-base");
  await using decider = deciderAt(new URL("dist/", PACKAGE_ROOT));
  const { code, message } = await decideError(() => decider.learn(lesson));
  expect([code, message]).toEqual(["invalid_request", expect.stringContaining("npm install umpire-base")]);
});
