import { createHash } from "node:crypto";
import { appendFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, test } from "vitest";
import { BASE_PACK, copySealed } from "../../packaging/umpire-base/fill.mjs";
import { BASE } from "../../src/library/platform/node/catalogue.ts";
import { BASE_SOURCE } from "../support/base-package.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { relativePack } from "../support/relative-pack.ts";
import { rejection } from "../support/rejection.ts";
import { tempDir } from "../support/temp-dir.ts";

const readJson = async (path: string | URL): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;

describe("the package umpire-base", () => {
  it("is the one that umpire looks for, with the model that umpire says is in it", async () => {
    const { name, exports } = await readJson(join(BASE_SOURCE, "package.json"));
    expect([name, BASE_PACK]).toEqual([BASE.packageName, BASE.id]);
    expect(exports).toMatchObject({ "./manifest.json": `./${BASE.id}/manifest.json`, [`./${BASE.id}/*`]: `./${BASE.id}/*` });
    const { default: place } = (await import(join(BASE_SOURCE, "index.js"))) as { readonly default: URL };
    expect(basename(fileURLToPath(place))).toBe(BASE.id);
    // Package managers link it for umpire if it is there, and install it for nobody who did not ask for it.
    const { peerDependencies, peerDependenciesMeta } = await readJson(new URL("package.json", PACKAGE_ROOT));
    expect(peerDependencies).toMatchObject({ [BASE.packageName]: expect.any(String) as string });
    expect(peerDependenciesMeta).toMatchObject({ [BASE.packageName]: { optional: true } });
  });

  it("is data alone: no dependencies, and no script runs where it is installed", async () => {
    const manifest = await readJson(join(BASE_SOURCE, "package.json"));
    for (const name of ["dependencies", "optionalDependencies", "peerDependencies", "bin"]) expect(manifest[name], name).toBeUndefined();
    expect(Object.keys(manifest["scripts"] as object)).toEqual(["prepack", "postpack"]);
  });
});

describe("the pack that goes into it", () => {
  let from: string;
  let to: string;
  beforeEach(async () => {
    from = fileURLToPath(await relativePack({ id: BASE.id }));
    to = join(tempDir(), BASE.id);
  });

  const hashes = async (folder: string): Promise<Record<string, string>> => {
    const names = await readdir(folder);
    const entries = names.map(
      async (name) =>
        [
          name,
          createHash("sha256")
            .update(await readFile(join(folder, name)))
            .digest("hex"),
        ] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };

  it("is all of its files, and no other one that lies there", async () => {
    const whole = await hashes(from);
    await writeFile(join(from, "notes.txt"), "mine");
    await writeFile(join(from, ".hidden"), "");
    await copySealed(from, to);
    expect(await hashes(to)).toEqual(whole);
    expect(Object.keys(whole)).toEqual(
      expect.arrayContaining(["manifest.json", "manifest.json.sha256", "MODEL_CARD.md", "webgpu-fp16.onnx"]),
    );
  });

  const DAMAGED = "does not have the SHA-256 that is stated.";
  it.each<[what: string, message: string, change: () => Promise<unknown>]>([
    ["not there", "There is no whole pack in models/umpire-3-base: manifest.json is missing.", () => rm(from, { recursive: true })],
    [
      "without its seal",
      "There is no whole pack in models/umpire-3-base: manifest.json.sha256 is missing.",
      () => rm(join(from, "manifest.json.sha256")),
    ],
    [
      "without its card",
      "There is no whole pack in models/umpire-3-base: MODEL_CARD.md is missing.",
      () => rm(join(from, "MODEL_CARD.md")),
    ],
    ["without a graph", "There is no whole pack in models/umpire-3-base: int8.onnx is missing.", () => rm(join(from, "int8.onnx"))],
    [
      "with other weights",
      `The pack in models/umpire-3-base is damaged: weights.bin ${DAMAGED}`,
      () => appendFile(join(from, "weights.bin"), "x"),
    ],
    [
      "with another manifest",
      `The pack in models/umpire-3-base is damaged: manifest.json ${DAMAGED}`,
      () => appendFile(join(from, "manifest.json"), " "),
    ],
  ])("is refused in one sentence when it is %s, and nothing is copied", async (_, message, change) => {
    await change();
    expect(await rejection(() => copySealed(from, to))).toMatchObject({ message });
    expect(await readdir(join(to, ".."))).toEqual([]);
  });
});

test("a pack of another id is refused", async () => {
  const from = fileURLToPath(await relativePack({ id: "umpire-9" }));
  const error = await rejection(() => copySealed(from, join(tempDir(), BASE.id)));
  expect(error).toMatchObject({ message: "The pack in models/umpire-3-base says that it is umpire-9." });
});
