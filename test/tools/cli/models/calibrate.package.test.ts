import { createDecider } from "umpire";
import { cp, mkdir, readFile, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CalibrationReport } from "../../../../src/tools/models/calibrate/report.ts";
import type { Calibration } from "../../../../src/library/engine/engine.ts";
import type { PackCopy } from "../../../support/pack-copy.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { umpire } from "../../../support/command-line.ts";
import type { Run } from "../../../support/command-line.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { UNCALIBRATED, uncalibratedPack } from "./uncalibrated-pack.ts";

const URGENT = { type: "noul", instructions: "Is it urgent?" } as const;
const TONE = { type: "score", instructions: "How cross is the writer?", criteria: ["calm", "cross", "furious"] } as const;

const SUBJECTS = ["parcel", "invoice", "password", "camera", "flat", "van", "room", "lamp", "phone", "letter", "key"];
const SAYINGS = [
  ["The %s must be here within the hour, please hurry.", true],
  ["Whenever you find the time, look at the %s.", false],
  ["Our %s is on fire, call me now!", true],
  ["I like the new %s.", false],
  ["Nobody can work: the %s is broken.", true],
  ["The %s can wait until next year.", false],
  ["The %s arrived on Monday.", false],
  ["I need the %s today.", true],
  ["The %s, if you please.", true],
  ["Thank you for the %s.", false],
] as const;

/** Ten sayings about eleven things: urgent or not. One row has another question, too, and one has a question that is too long. */
const ROWS = SUBJECTS.flatMap((subject, i) =>
  SAYINGS.map(([saying, answer], j) => {
    const urgent = { ...URGENT, answer };
    const others = i > 0 ? {} : j === 0 ? { tone: { ...TONE, answer: 1 } } : j === 1 ? { long: { ...urgent, instructions: "Is it? ".repeat(400) } } : {};
    return { state: saying.replace("%s", subject), questions: { urgent, ...others } };
  }),
);

const folder = tempDir();
let pack: PackCopy;
let calibrated: Run;
const at = (name: string): string => join(folder, name);
const jsonLines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const manifestOf = async (copy: PackCopy): Promise<{ calibration: Calibration; id: string }> =>
  JSON.parse(await readFile(copy.path("manifest.json"), "utf8")) as { calibration: Calibration; id: string };
const leftBeside = async (copy: PackCopy): Promise<string[]> =>
  (await readdir(dirname(copy.folder))).filter((name) => name.startsWith(`.${basename(copy.folder)}`));

beforeAll(async () => {
  pack = await uncalibratedPack();
  await writeFile(at("rows.jsonl"), jsonLines(ROWS));
  calibrated = await umpire(["models", "calibrate", pack.folder, at("rows.jsonl")]);
});
afterAll(() => pack.remove());

describe("umpire models calibrate", () => {
  it("writes temperatures and accuracy curves of the types with enough rows, and nothing of the others", async () => {
    expect({ code: calibrated.code, stderr: calibrated.stderr }).toEqual({
      code: 3,
      stderr: `umpire: 1 row is left out of ${at("rows.jsonl")}: line 2: is too long for the model.\n`,
    });
    const { calibration } = await manifestOf(pack);
    expect(calibration).not.toHaveProperty("uncalibrated");
    expect(calibration.noul.temperature).not.toBe(1);
    expect([calibration.choice, calibration.score]).toEqual([UNCALIBRATED.choice, UNCALIBRATED.score]);
    expect(Object.keys(calibration.accuracy ?? {})).toEqual(["noul"]);
    expect(await leftBeside(pack)).toEqual([]);
  });

  it("leaves a pack that decides, with other probabilities, and x_accuracy where it is known", async () => {
    const raw = await uncalibratedPack();
    try {
      await using before = createDecider({ model: raw.folder });
      await using after = createDecider({ model: pack.folder });
      const request = { state: "The lamp is on fire.", questions: { urgent: URGENT, tone: TONE } } as const;
      const [{ answers: was }, { answers: is }] = [await before.decide(request), await after.decide(request)];
      expect(was.urgent).not.toHaveProperty("x_accuracy");
      expect(is.urgent).toHaveProperty("x_accuracy");
      expect(is.urgent.noul).not.toBe(was.urgent.noul);
      // No rows were about scores.
      expect(is.tone).toEqual(was.tone);
      const { answers } = await after.decide(request, { maxErrorRate: 0.4 });
      // Answers of many questions together promise nothing about one of them.
      expect([answers.urgent.x_act_reason, answers.tone.x_act_reason]).toEqual(["no_threshold", "no_threshold"]);
    } finally {
      await raw.remove();
    }
  });

  it("reports as JSON what it is worth on texts that it was not fitted on, and counts what is too long", () => {
    const report = JSON.parse(calibrated.stdout) as CalibrationReport;
    expect(report).toMatchObject({ file: at("rows.jsonl"), folder: pack.folder, model: "mine", rows: 110, questions: 111, tooLong: 1 });
    const [noul, score, ...others] = report.parts;
    expect(others).toEqual([]);
    expect(noul).toMatchObject({ type: "noul", questions: 110 });
    expect(noul?.after?.logLoss).toBeGreaterThan(0);
    expect(score).toMatchObject({ type: "score", questions: 1, reason: "it takes 100 questions, and there are 1" });
    expect(score).not.toHaveProperty("after");
  });

  it("gives the same pack and report again, from scores and not from calibrated probabilities; --pretty is for people", async () => {
    const before = await readFile(pack.path("manifest.json"), "utf8");
    const [noul] = (JSON.parse(calibrated.stdout) as CalibrationReport).parts;
    const { code, stdout } = await umpire(["models", "calibrate", pack.folder, at("rows.jsonl"), "--pretty"]);
    expect(code).toBe(3);
    expect(await readFile(pack.path("manifest.json"), "utf8")).toBe(before);
    expect(stdout).toMatch(/rows\.jsonl: 111 questions in 110 rows,\s+mine \(int8,\s+cpu\)/u);
    expect(stdout).toMatch(/\n +questions +temperature +bias +accuracy +after +log-loss +after +ECE +after\nyes\/no +110 +\d/u);
    for (const figures of [noul?.before, noul?.after]) expect(stdout).toContain(figures?.logLoss.toFixed(3) ?? "none");
    expect(stdout).toMatch(/1 question is too long, and left out\.\nscore stays as it was: it takes 100 questions, and there are 1\.\n/u);
    expect(stdout).toMatch(/Lessons\s+that\s+were\s+taught\s+with\s+it\s+before\s+hold\s+no\s+longer/u);
    expect(stdout).not.toMatch(/parcel|urgent/u);
  });

  it("takes a text and its label, a question in a file, and a link to the pack, whose target is replaced", async () => {
    const copy = await uncalibratedPack();
    try {
      await symlink(copy.folder, at("link"));
      await writeFile(at("q.json"), JSON.stringify(URGENT));
      const csv = ROWS.map(({ state, questions }) => `"${state}",${questions.urgent.answer ? "yes" : "no"}`).join("\n");
      await writeFile(at("rows.csv"), `mail,team\n${csv}\n`);
      const flags = [at("q.json"), "--text-column", "mail", "--label-column", "team"];
      const { code, stderr } = await umpire(["models", "calibrate", at("link"), at("rows.csv"), ...flags]);
      expect([code, stderr]).toEqual([0, ""]);
      expect((await manifestOf(copy)).calibration.noul).toEqual((await manifestOf(pack)).calibration.noul);
      expect(await readdir(at("link"))).toEqual(await readdir(copy.folder));
    } finally {
      await copy.remove();
    }
  });

  it("finds an added model by its id, and repairs it there, too", async () => {
    const home = at("home");
    const folder = join(home, "models", "mine");
    await mkdir(dirname(folder), { recursive: true });
    await cp(pack.folder, join(dirname(folder), ".mine.former"), { recursive: true, verbatimSymlinks: true });
    const { code, stderr } = await umpire(["models", "calibrate", "mine", at("none.jsonl")], { env: { UMPIRE_HOME: home } });
    expect([code, stderr]).toEqual([2, `umpire: ${at("none.jsonl")} cannot be read: there is no such file.\n`]);
    expect(await readdir(join(home, "models"))).toEqual(["mine"]);
  });

  it("repairs a pack whose calibration was killed between its two renames", async () => {
    const copy = await uncalibratedPack();
    try {
      await rename(copy.folder, join(dirname(copy.folder), `.${basename(copy.folder)}.former`));
      const { code, stderr } = await umpire(["models", "calibrate", copy.folder, at("none.jsonl")]);
      expect([code, stderr]).toEqual([2, `umpire: ${at("none.jsonl")} cannot be read: there is no such file.\n`]);
      expect((await manifestOf(copy)).id).toBe("mine");
      expect(await leftBeside(copy)).toEqual([]);
    } finally {
      await copy.remove();
    }
  });
});

describe("umpire models calibrate refuses, with what to do,", () => {
  const builtIn = fileURLToPath(new URL("dist/umpire/models/umpire-2", PACKAGE_ROOT));

  it.each([
    ["a model that came with umpire", () => ["umpire-2", at("rows.jsonl")], /models that come with umpire are calibrated already.*umpire teach\.$/mu],
    ["its folder", () => [builtIn, at("rows.jsonl")], /models that come with umpire are calibrated already/u],
    ["an id that there is not", () => ["umpire-22", at("rows.jsonl")], /There is no model "umpire-22"\. Did you mean "umpire-2"\?/u],
    ["too few rows", () => [pack.folder, at("few.jsonl")], /few\.jsonl has too few questions to calibrate by\. For yes\/no: it takes 100 questions, and there are 3\./u],
    ["a row that is wrong", () => [pack.folder, at("wrong.jsonl")], /wrong\.jsonl, line 1: has a string .* as answer to question 1/u],
    ["no rows", () => [pack.folder], /missing required argument 'file'/u],
  ])("%s", async (_, args, message) => {
    await writeFile(at("few.jsonl"), jsonLines(ROWS.slice(5, 8)));
    await writeFile(at("wrong.jsonl"), jsonLines([{ state: "a", questions: { urgent: { ...URGENT, answer: "private words" } } }]));
    const { code, stdout, stderr } = await umpire(["models", "calibrate", ...args()]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/private words|^\s+at /mu);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("a folder without a model", async () => {
    const { code, stderr } = await umpire(["models", "calibrate", folder, at("rows.jsonl")]);
    expect(stderr).toMatch(/^umpire: manifest\.json of the model in .* cannot be read/u);
    expect(code).toBe(1);
  });
});
