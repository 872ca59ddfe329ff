import { mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitSha1, sha256 } from "../../../support/hub-server.ts";
import { BLOBS, COMMIT, FILES, LARGE, MODEL, SMALL, failure, newPlace } from "./set-up.ts";
import type { Place } from "./set-up.ts";

const OFFLINE = { HF_HUB_OFFLINE: "1" };
const FOLDER = "models--some-org--some-model";

let place: Place;
beforeEach(async () => {
  place = await newPlace();
});
afterEach(() => place.end());

/** Downloads as the hub's own tools do: a blob, a link to it, and where the branch is. */
async function downloadedByOthers(path: keyof typeof FILES, digest: string, bytes: Buffer = FILES[path]): Promise<void> {
  const at = (...names: string[]): string => join(place.cache, FOLDER, ...names);
  await mkdir(at("blobs"), { recursive: true });
  await mkdir(at("refs"), { recursive: true });
  await mkdir(dirname(at("snapshots", COMMIT, path)), { recursive: true });
  await writeFile(at("blobs", digest), bytes);
  await writeFile(at("refs", "main"), COMMIT);
  await symlink(`${"../".repeat(path.split("/").length + 1)}blobs/${digest}`, at("snapshots", COMMIT, path));
}

describe("the cache that all tools of the hub share", () => {
  it("has our files as theirs", async () => {
    const source = await place.open({ revision: "refs/pr/1" });
    await (await place.open()).fetch(SMALL);
    await source.fetch(LARGE);
    const folder = join(place.cache, FOLDER);
    const names = await readdir(folder, { recursive: true });
    expect(names.sort()).toEqual(
      [
        "blobs",
        `blobs/${gitSha1(FILES[SMALL])}`,
        `blobs/${sha256(FILES[LARGE])}`,
        "refs",
        "refs/main",
        "refs/refs",
        "refs/refs/pr",
        "refs/refs/pr/1",
        "snapshots",
        `snapshots/${COMMIT}`,
        `snapshots/${COMMIT}/${SMALL}`,
        `snapshots/${COMMIT}/onnx`,
        `snapshots/${COMMIT}/${LARGE}`,
      ].sort(),
    );
    expect(await readFile(join(folder, "refs/main"), "utf8")).toBe(COMMIT);
    expect(await readlink(join(folder, "snapshots", COMMIT, LARGE))).toBe(`../../../blobs/${sha256(FILES[LARGE])}`);
  });

  it("has their files, which are not downloaded again", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    await downloadedByOthers(SMALL, gitSha1(FILES[SMALL]));
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(FILES[LARGE]);
    expect(await readFile(await source.fetch(SMALL))).toEqual(FILES[SMALL]);
    expect(place.hub.filesAsked()).toEqual([]);
  });

  it("has a blob of another commit, which is not downloaded again", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    await rm(join(place.cache, FOLDER, "snapshots"), { recursive: true });
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(FILES[LARGE]);
    expect(place.hub.filesAsked()).toEqual([]);
  });

  it("has copies where there are no links", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    const copy = join(place.cache, FOLDER, "snapshots", COMMIT, LARGE);
    await rm(join(place.cache, BLOBS), { recursive: true });
    await rm(copy);
    await writeFile(copy, FILES[LARGE]);
    expect(await (await place.open()).fetch(LARGE)).toBe(copy);
    expect(await (await place.open({ env: OFFLINE })).fetch(LARGE)).toBe(copy);
    expect(place.hub.filesAsked()).toEqual([]);
  });

  it("has a damaged file, which is replaced, and said", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]), Buffer.alloc(FILES[LARGE].length));
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(FILES[LARGE]);
    expect(place.notices).toEqual([`The cache's copy of ${LARGE} is damaged. It is downloaded anew.`]);
    expect(await place.blobs()).toEqual([sha256(FILES[LARGE])]);
  });

  it("has a link to a file that is gone, which is replaced", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    await rm(join(place.cache, BLOBS, sha256(FILES[LARGE])));
    expect(await readFile(await (await place.open()).fetch(LARGE))).toEqual(FILES[LARGE]);
  });
});

describe("without a network, as HF_HUB_OFFLINE says,", () => {
  it.each(["main", COMMIT])("a model is what the cache has of it at %s, and nothing is asked", async (revision) => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    const progress: unknown[] = [];
    const source = await place.open({ env: OFFLINE, revision, onProgress: (one) => progress.push(one) });
    expect(source).toMatchObject({ name: MODEL, revision: COMMIT, files: [{ path: LARGE, sizeBytes: 5000 }] });
    expect(await readFile(await source.fetch(LARGE))).toEqual(FILES[LARGE]);
    expect(progress).toEqual([{ file: LARGE, receivedBytes: 5000, totalBytes: 5000 }]);
    expect(await failure(() => source.fetch(SMALL))).toBe(
      `The hub's cache does not have this file of ${MODEL}, and HF_HUB_OFFLINE is set. Unset it to download the file.`,
    );
    expect(place.hub.seen).toEqual([]);
  });

  it("a model that the cache does not have is refused", async () => {
    const message = `The hub's cache ${place.cache} does not have ${MODEL} at this revision, and HF_HUB_OFFLINE is set. Unset it to download the model.`;
    expect(await failure(() => place.open({ env: OFFLINE }))).toBe(message);
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    expect(await failure(() => place.open({ env: OFFLINE, revision: "v1" }))).toBe(message);
    expect(await failure(() => place.open({ env: OFFLINE, revision: "f".repeat(40) }))).toBe(message);
  });

  it("a branch whose commit is not one is refused", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]));
    await mkdir(join(place.cache, "outside"));
    await writeFile(join(place.cache, FOLDER, "refs/main"), "../../outside");
    expect(await failure(() => place.open({ env: OFFLINE }))).toContain("does not have");
  });

  it("the licence is what the card in the cache states", async () => {
    const card = Buffer.from("---\nlicense: apache-2.0\n---\n# Some model");
    await downloadedByOthers("README.md", gitSha1(card), card);
    expect((await place.open({ env: OFFLINE })).licence).toBe("apache-2.0");
  });

  it("a damaged file is refused", async () => {
    await downloadedByOthers(LARGE, sha256(FILES[LARGE]), Buffer.alloc(5000));
    const source = await place.open({ env: OFFLINE });
    expect(await failure(() => source.fetch(LARGE))).toContain(`The cache's copy of ${LARGE} of ${MODEL} is damaged`);
  });

  it("a file that was downloaded before is there", async () => {
    await (await place.open()).fetch(LARGE);
    await place.hub.close();
    const source = await place.open({ env: OFFLINE });
    expect(await readFile(await source.fetch(LARGE))).toEqual(FILES[LARGE]);
  });
});
