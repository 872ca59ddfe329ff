import { appendFileSync, readdirSync, readlinkSync, truncateSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { packsIn, readCatalogue, readRegularFile } from "../../../../src/library/platform/node/catalogue.ts";
import { lacks } from "../../../support/needs.ts";
import { tempDir } from "../../../support/temp-dir.ts";

let folder = "";
beforeEach(() => {
  folder = tempDir();
});

/** What is read of a file of five letters that changes after its size was checked. */
async function readWhile(change: (path: string) => void): Promise<string> {
  const path = join(folder, "file.txt");
  await writeFile(path, "hello");
  const bytes = await readRegularFile(pathToFileURL(path), (sizeBytes) => {
    expect(sizeBytes).toBe(5);
    change(path);
    return undefined;
  });
  return new TextDecoder().decode(bytes);
}

describe("of a file that changes while it is read", () => {
  it("and grows, only what was there before is read", async () => {
    expect(
      await readWhile((path) => {
        appendFileSync(path, "x".repeat(1_000_000));
      }),
    ).toBe("hello");
  });

  it("and is cut, what is left is read", async () => {
    expect(
      await readWhile((path) => {
        truncateSync(path, 2);
      }),
    ).toBe("he");
  });
});

it.skipIf(lacks("/proc/self/fd"))("a file is closed when it is read, and when it is refused", async () => {
  const path = join(folder, "file.txt");
  await writeFile(path, "hello");
  const openPaths = (): (string | undefined)[] =>
    readdirSync("/proc/self/fd").map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`);
      } catch {
        // It was closed since.
        return undefined;
      }
    });
  await readRegularFile(pathToFileURL(path), () => {
    expect(openPaths()).toContain(path);
    return undefined;
  });
  await expect(readRegularFile(pathToFileURL(path), () => "is too large")).rejects.toThrow("is too large");
  expect(openPaths()).not.toContain(path);
});

it("an empty file is read as nothing", async () => {
  await writeFile(join(folder, "empty"), "");
  expect(await readRegularFile(pathToFileURL(join(folder, "empty")), () => undefined)).toHaveLength(0);
});

describe("the catalogue", () => {
  it("lists no pack whose manifest is not a file, or too large to be one", async () => {
    for (const name of ["good", "folder", "large"]) await mkdir(join(folder, name));
    await writeFile(join(folder, "good", "manifest.json"), `{ "description": "d", "releaseDate": "2026-01-01" }`);
    await mkdir(join(folder, "folder", "manifest.json"));
    await writeFile(join(folder, "large", "manifest.json"), " ".repeat(70_000));
    const packs = await packsIn(pathToFileURL(`${folder}/`), true);
    expect(packs.map(({ id }) => id)).toEqual(["good"]);
  });

  it("lists a user's packs after those of the package, which keep their names", async () => {
    const pack = async (place: string, description: string): Promise<void> => {
      await mkdir(join(folder, place), { recursive: true });
      await writeFile(join(folder, place, "manifest.json"), JSON.stringify({ description, releaseDate: "2026-01-01" }));
    };
    await pack("built-in/umpire-9", "ours");
    await pack("added/umpire-9", "an impostor");
    await pack("added/mine", "mine");
    await pack("added/.adding-1", "half of one");
    const at = (name: string): URL => pathToFileURL(join(folder, name, "/"));
    const listed = (await readCatalogue(() => packsIn(at("built-in"), true), at("added"))).map(({ id, description, isBuiltIn }) => [
      id,
      description,
      isBuiltIn,
    ]);
    expect(listed).toEqual([
      ["umpire-9", "ours", true],
      ["mine", "mine", false],
    ]);
    expect((await readCatalogue(() => packsIn(at("built-in"), true), at("missing"))).map(({ id }) => id)).toEqual(["umpire-9"]);
    await writeFile(join(folder, "file"), "");
    expect((await readCatalogue(() => packsIn(at("built-in"), true), at("file"))).map(({ id }) => id)).toEqual(["umpire-9"]);
  });
});
