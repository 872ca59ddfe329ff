import { createDecider } from "umpire";
import type { DecideRequest } from "umpire";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixtureModel } from "../support/added-pack.ts";
import { runCommand } from "../support/command.ts";
import { packageRootPath } from "../support/package-root.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launchChromium } from "./support/chromium.ts";
import { openPage, problemsOf } from "./support/page.ts";
import { Site } from "./support/site.ts";

const REQUEST = {
  state: "The parcel came two weeks late, and its lid was cracked.",
  questions: {
    topic: { type: "choice", instructions: "What is it about?", criteria: { delivery: null, cooking: "meals and recipes", music: null } },
    late: { type: "noul", instructions: "Is it late?" },
  },
} as const satisfies DecideRequest;

describe("a page with a model that was added", () => {
  let browser: Browser;
  let site: Site;
  let work: string;
  beforeAll(async () => {
    work = tempDir();
    [browser, site] = await Promise.all([launchChromium(), Site.start()]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), site.close()]);
  });

  /** Makes a pack with the command, and serves it at /models/<name>/. */
  async function added(name: string): Promise<string> {
    const folder = join(work, name);
    const flags = ["--file", "onnx/model.onnx", "--out", folder, "--yes"];
    const { code, stderr } = await runCommand("node", [
      join(packageRootPath, "dist/cli.js"),
      "models",
      "add",
      fixtureModel(name),
      ...flags,
    ]);
    expect(code, stderr).toBe(0);
    await site.serve(`/models/${name}/`, folder);
    return folder;
  }

  it.each(["bert", "xlm-roberta", "gliclass"])("answers as Node does: %s", async (name) => {
    const folder = await added(name);
    const page = await openPage(browser, site);
    const problems = problemsOf(page, site);
    const { model, info, answers } = await page.evaluate(
      async ({ name, request }) => {
        const decider = umpire.createDecider({ model: `/models/${name}/`, device: "wasm" });
        const { model, answers } = await decider.decide(request);
        const info = await decider.info();
        await decider.close();
        return { model, info, answers };
      },
      { name, request: REQUEST },
    );
    await using decider = createDecider({ model: pathToFileURL(`${folder}/`), device: "cpu" });
    const here = (await decider.decide(REQUEST)).answers;
    expect(model).toBe((await decider.info()).model);
    expect(info).toMatchObject({ device: "wasm", precision: "fp32", calibration: { uncalibrated: true } });
    const there: Readonly<Record<string, number>> = answers.topic.probabilities;
    for (const [key, p] of Object.entries(here.topic.probabilities)) expect(there[key]).toBeCloseTo(p, 4);
    expect(answers.late.noul).toBeCloseTo(here.late.noul, 4);
    // Fetched only for a model of others.
    const scripts = site.requests.map(({ path }) => path);
    expect(scripts).toEqual(expect.arrayContaining(["/umpire/manifests.js", `/umpire/${info.family}.js`]));
    expect(problems).toEqual([]);
  });
});
