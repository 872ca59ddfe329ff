import { link, lstat, mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeWhole, removePack, repairPack, replacePack, sealPack, throwUnwritable } from "../../../src/tools/models/replace-pack.ts";
import { rejection } from "../../support/rejection.ts";
import { tempDir } from "../../support/temp-dir.ts";

let home: string;
let pack: string;
const at = (name: string): string => join(home, name);
const idOf = async (folder = pack): Promise<unknown> =>
  (JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as { id: unknown }).id;

beforeEach(async () => {
  home = tempDir();
  pack = at("mine");
  await mkdir(join(pack, "notes"), { recursive: true });
  await writeFile(join(pack, "weights.bin"), "weights");
  await writeFile(join(pack, "notes", "a.txt"), "a");
  await symlink("weights.bin", join(pack, "link.bin"));
  await sealPack(pack, { id: "before" });
});

describe("a pack whose manifest is replaced", () => {
  it("has the new manifest with its seal, and all other files as they were, without a copy of the large ones", async () => {
    const { ino } = await lstat(join(pack, "weights.bin"));
    await replacePack(pack, () => ({ id: "after" }));
    expect(await idOf()).toBe("after");
    await sealPack(at("."), { id: "after" });
    expect(await readFile(join(pack, "manifest.json.sha256"), "utf8")).toBe(await readFile(at("manifest.json.sha256"), "utf8"));
    expect((await readdir(pack)).sort()).toEqual(["link.bin", "manifest.json", "manifest.json.sha256", "notes", "weights.bin"]);
    expect((await lstat(join(pack, "weights.bin"))).ino).toBe(ino);
    expect(await readFile(join(pack, "link.bin"), "utf8")).toBe("weights");
    expect(await readFile(join(pack, "notes", "a.txt"), "utf8")).toBe("a");
    expect((await readdir(home)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("is whole for a reader who holds the old folder's files: nothing is written through links", async () => {
    const old = await readFile(join(pack, "manifest.json"), "utf8");
    await link(join(pack, "manifest.json"), at("old-manifest"));
    await replacePack(pack, () => ({ id: "after" }));
    expect(await readFile(at("old-manifest"), "utf8")).toBe(old);
  });

  it("stays as it was, and nothing is left beside it, if the new one cannot be made", async () => {
    // JSON cannot hold it.
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(await rejection(() => replacePack(pack, () => circular))).toBeInstanceOf(TypeError);
    expect(await idOf()).toBe("before");
    expect(await readdir(home)).toEqual(["mine"]);
  });

  it("is replaced by one after another", async () => {
    await Promise.all(["a", "b", "c"].map((id) => replacePack(pack, () => ({ id }))));
    expect(["a", "b", "c"]).toContain(await idOf());
    expect(await readdir(home)).toEqual(["mine"]);
  });
});

describe("a program that was killed", () => {
  const GONE = 2 ** 22 + 1;
  const PART = `.adding-${GONE}-000000000000`;

  it("before the first rename left the old pack, and a part of the new one, which goes with the next replacement", async () => {
    await mkdir(at(PART));
    await writeFile(join(at(PART), "weights.bin"), "wei");
    await repairPack(pack);
    expect(await idOf()).toBe("before");
    await replacePack(pack, () => ({ id: "after" }));
    expect([await idOf(), await readdir(home)]).toEqual(["after", ["mine"]]);
  });

  it("between the two renames left no pack: the old one is put back", async () => {
    await rename(pack, at(".mine.former"));
    await mkdir(at(PART));
    await repairPack(pack);
    expect([await idOf(), await readdir(home)]).toEqual(["before", ["mine"]]);
  });

  it("after both left the new pack, and the old one, which goes", async () => {
    await mkdir(at(".mine.former"));
    await sealPack(at(".mine.former"), { id: "older" });
    await repairPack(pack);
    expect([await idOf(), await readdir(home)]).toEqual(["before", ["mine"]]);
  });

  it("holds up no later replacement", async () => {
    await rename(pack, at(".mine.former"));
    // Its lock: of a process that is gone.
    const gone = { pid: GONE, host: hostname(), id: "x" };
    await writeFile(at(".mine.lock"), JSON.stringify(gone));
    await replacePack(pack, () => ({ id: "after" }));
    expect([await idOf(), await readdir(home)]).toEqual(["after", ["mine"]]);
  });

  it("leaves nothing that a removal would not take, too", async () => {
    await mkdir(at(".mine.former"));
    await mkdir(at(PART));
    await removePack(pack);
    expect(await readdir(home)).toEqual([]);
  });

  it("elsewhere changes nothing: a pack without left-overs is not touched", async () => {
    await repairPack(pack);
    await repairPack(at("no-such-pack"));
    expect([await idOf(), await readdir(home)]).toEqual(["before", ["mine"]]);
  });
});

it("removes what was left days ago, also by a process with the id of a living one, and nothing that is new", async () => {
  const models = tempDir();
  const [old, young] = [`.adding-${process.pid}-000000000000`, `.adding-${process.pid}-111111111111`] as const;
  for (const name of [old, young]) await mkdir(join(models, name));
  const daysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
  await utimes(join(models, old), daysAgo, daysAgo);
  await rejection(() => makeWhole(join(models, "new"), () => Promise.reject(new Error("not made"))));
  expect(await readdir(models)).toEqual([young]);
});

describe("a folder that cannot be changed", () => {
  const said = async (error: unknown): Promise<string> => String(await rejection(() => Promise.reject(error as Error).catch(throwUnwritable)));

  it("is told with what to do, whatever the system reports", async () => {
    const tooLong = await rejection(() => mkdir(at("x".repeat(300))));
    expect(await said(tooLong)).toBe(
      "ToolError: The model's folder cannot be changed: the system reports ENAMETOOLONG. Nothing new was kept. Mend that, or set UMPIRE_HOME to a folder of yours on another disk.",
    );
    await writeFile(at("file"), "");
    expect(await said(await rejection(() => mkdir(at("file/in"))))).toContain("a file is where its folder should be.");
  });

  it("is not taken for the reason of another error", async () => {
    expect(await said(new Error("no number"))).toBe("Error: no number");
  });
});
