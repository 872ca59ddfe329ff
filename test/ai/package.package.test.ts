import { build } from "esbuild";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cleanEnv, finished } from "../support/command-line.ts";
import { PACKAGE_ROOT, packageRootPath } from "../support/package-root.ts";

describe("umpire/ai and its like", () => {
  it.each([
    ["ai", "umpire"],
    ["langchain", "UmpireDecisionModel"],
    ["tanstack", "umpireDecider"],
  ])("bundles for a page with the browser entry and no Node code: umpire/%s", async (entry, name) => {
    const { metafile } = await build({
      stdin: { contents: `import { ${name} } from "umpire/${entry}"; console.log(${name});`, resolveDir: packageRootPath },
      absWorkingDir: packageRootPath,
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
      metafile: true,
    });
    const ours = Object.keys(metafile.inputs).filter((path) => path.startsWith("dist/"));
    expect(ours.sort()).toEqual([`dist/${entry}.js`, "dist/index.browser.js"].sort());
  });

  it("runs the example", async () => {
    const example = fileURLToPath(new URL("examples/ai-sdk.mjs", PACKAGE_ROOT));
    const { code, stdout, stderr } = await finished(spawn(process.execPath, [example], { env: cleanEnv(), stdio: "pipe" }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^team: billing \(9\d% billing/mu);
    expect(stdout).toMatch(/^refund: [89]\d% yes$/mu);
    expect(stdout).toMatch(/^mood: 1\.[89]\d of 2$/mu);
    expect(stdout).toMatch(/^umpire-2, \d+ tokens in, 3 out$/mu);
  });
});
