import { rename } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packBase } from "../support/base-package.ts";
import { NewcomerProject, packInto } from "../support/newcomer-project.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The package is installed as a new user does it, from its tarball into an empty folder, with all else from the npm registry. */

let tarball: string;
beforeAll(async () => {
  tarball = await packInto(tempDir());
});

let project: NewcomerProject;
beforeEach(async () => {
  project = await NewcomerProject.make();
});

const NPM_10 = ["npx", "--yes", "npm@10"] as const;
const NPM_11 = ["npx", "--yes", "npm@11"] as const;
const PNPM_10 = ["npx", "--yes", "pnpm@10"] as const;

const install = async ([command, ...first]: readonly [string, ...string[]], ...args: readonly string[]): Promise<void> => {
  await project.run(command, [...first, ...args, tarball]);
};

describe("with install scripts on, and nothing for onnxruntime-node's script to download from, an install ends well and decides", () => {
  it.each([
    ["npm 10", NPM_10, ["install"]],
    ["npm 11", NPM_11, ["install"]],
    ["pnpm 10", PNPM_10, ["add", "--config.dangerouslyAllowAllBuilds=true"]],
  ])("by %s", async (_, manager, args) => {
    await install(manager, ...args);
    expect(await project.decide("auto")).toMatchObject({ choice: "billing" });
  });
});

describe("the fast device is there", () => {
  it("where install scripts are off: pnpm 10 runs none by default", async () => {
    await install(PNPM_10, "add");
    expect(await project.decide("auto")).toMatchObject({ choice: "billing", device: "cpu" });
  });

  it("after the command that wasm's reason advises", async () => {
    await install(NPM_11, "install", "--omit=optional");
    const { device, deviceReason } = await project.decide("auto");
    expect(device).toBe("wasm");
    const [, advised = ""] = /`(npm install [^`]+)`/u.exec(deviceReason) ?? [];
    expect(advised).toBe("npm install --ignore-scripts");
    await project.run("npx", ["--yes", "npm@11", ...advised.split(" ").slice(1)]);
    expect(await project.decide("auto")).toMatchObject({ choice: "billing", device: "cpu" });
  });
});

describe("without the native binding the package decides by wasm", () => {
  it.each([
    ["npm 10", NPM_10, ["install", "--omit=optional"]],
    ["npm 11", NPM_11, ["install", "--omit=optional"]],
    ["pnpm 10", PNPM_10, ["add", "--no-optional"]],
  ])("when optional packages are left out by %s", async (_, manager, args) => {
    await install(manager, ...args);
    expect(await project.decide("auto")).toMatchObject({ choice: "billing", device: "wasm" });
  });

  it("when its file is hidden", async () => {
    await install(NPM_11, "install", "--ignore-scripts");
    expect(await project.decide("auto")).toMatchObject({ choice: "billing", device: "cpu" });
    const binding = join(project.folder, "node_modules/onnxruntime-node/bin");
    await rename(binding, `${binding}-hidden`);
    expect(await project.decide("auto")).toMatchObject({ choice: "billing", device: "wasm" });
  });
});

describe("umpire-base, once it is installed beside umpire, answers, and no longer than that", () => {
  it.each([
    ["npm 11", NPM_11, "install", "uninstall"],
    ["pnpm 10", PNPM_10, "add", "remove"],
  ])("by %s", async (_, manager, add, remove) => {
    const base = await packBase();
    const [command, ...first] = manager;
    await install(manager, add, base);
    expect(await project.decide("auto")).toMatchObject({ model: "umpire-3-base" });
    await project.run(command, [...first, remove, "umpire-base"]);
    expect(await project.decide("auto")).toMatchObject({ model: "umpire-2", choice: "billing" });
  });
});

it("every supported Node decides on each of its devices", async () => {
  // Once for all of them: what is installed does not depend on the Node that runs it.
  await install(NPM_11, "install", "--ignore-scripts");
  for (const version of ["20", "22", "24"]) {
    // The npm package `node` brings a Node of its version.
    const node = ["npx", "--yes", "--package", `node@${version}`, "node"] as const;
    for (const device of ["cpu", "wasm"]) {
      const decided = await project.decide(device, node);
      expect(decided).toMatchObject({ choice: "billing", device });
      expect(decided.node).toMatch(new RegExp(`^v${version}\\.`, "u"));
    }
  }
});
