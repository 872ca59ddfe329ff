import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rejection } from "../../../support/rejection.ts";
import { COMMIT, FILES, LARGE, MODEL, SMALL, TOKEN, failure, newPlace } from "./set-up.ts";
import type { Place } from "./set-up.ts";

let place: Place;
beforeEach(async () => {
  place = await newPlace();
});
afterEach(() => place.end());

describe("a model of a hub", () => {
  it("is listed at the commit of its main branch, with the licence that its card states; nothing is downloaded", async () => {
    const source = await place.open();
    expect(source).toMatchObject({ name: MODEL, revision: COMMIT, licence: "mit" });
    expect(source.files).toEqual(Object.entries(FILES).map(([path, { length }]) => ({ path, sizeBytes: length })));
    expect(place.hub.filesAsked()).toEqual([]);
  });

  it.each(["v1", "refs/pr/1", COMMIT])("is listed at the revision %s", async (revision) => {
    const { revision: commit } = await place.open({ revision });
    expect(commit).toBe(COMMIT);
  });

  it("is listed in pages", async () => {
    place.hub.pageSize = 1;
    expect((await place.open()).files.map(({ path }) => path)).toEqual(Object.keys(FILES));
  });

  it("gives the file that is asked for, and downloads no other, at the commit", async () => {
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(FILES[LARGE]);
    expect(await readFile(await source.fetch(SMALL))).toEqual(FILES[SMALL]);
    expect(place.hub.filesAsked()).toEqual([LARGE, SMALL]);
    expect(place.hub.seen.filter(({ path }) => path.includes("/resolve/")).every(({ path }) => path.includes(COMMIT))).toBe(true);
    expect(await failure(() => source.fetch("onnx/none.onnx"))).toContain("has no such file");
  });

  it("says how far a download is", async () => {
    const progress: unknown[] = [];
    const source = await place.open({ onProgress: (one) => progress.push(one) });
    await source.fetch(LARGE);
    expect(progress[0]).toEqual({ file: LARGE, receivedBytes: 0, totalBytes: 5000 });
    expect(progress.at(-1)).toEqual({ file: LARGE, receivedBytes: 5000, totalBytes: 5000 });
  });

  it("gives an empty file, and one whose name needs escapes", async () => {
    await place.end();
    const odd = "onnx/größe 100% #1?.json";
    place = await newPlace({}, { empty: Buffer.alloc(0), [odd]: Buffer.from("odd") });
    const source = await place.open();
    expect(await readFile(await source.fetch("empty"), "utf8")).toBe("");
    expect(await readFile(await source.fetch(odd), "utf8")).toBe("odd");
  });

  it.each([
    [{ license: ["mit", "apache-2.0"] }, "mit, apache-2.0"],
    [{ license: "other", license_name: "own-terms" }, "own-terms"],
    [{ license: "other" }, "other"],
    [{ license: 1 }, undefined],
    [{ license: "m\u001b[31mit" }, undefined],
    [{}, undefined],
  ])("has of the card %j the licence %s", async (cardData, licence) => {
    await place.end();
    place = await newPlace(cardData);
    expect((await place.open()).licence).toBe(licence);
  });

  it("is not opened, and no file is fetched, once the signal is aborted", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    expect(await rejection(() => place.open({ signal }))).toBe(reason);
    const source = await place.open();
    expect(await rejection(() => source.fetch(SMALL, signal))).toBe(reason);
    expect(place.hub.filesAsked()).toEqual([]);
  });
});

describe("the token", () => {
  it("goes to the hub, and not to the server that a file is redirected to", async () => {
    const source = await place.open({ env: { HF_TOKEN: TOKEN } });
    await source.fetch(LARGE);
    const headers = (server: string): unknown[] => [
      ...new Set(place.hub.seen.filter((one) => one.server === server).map(({ authorization }) => authorization)),
    ];
    expect(headers("hub")).toEqual([`Bearer ${TOKEN}`]);
    expect(headers("files")).toEqual([undefined]);
  });

  it("does not go to the server that the next page of a list is on", async () => {
    let asked: string | undefined = "not asked";
    place.hub.fail("files", ({ headers, url }, response) => {
      if (url !== "/next") return false;
      asked = headers.authorization;
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
      return true;
    });
    place.hub.fail("hub", ({ url }, response) => {
      if (url?.includes("/tree/") !== true) return false;
      response.writeHead(200, { "content-type": "application/json", link: `<${place.hub.filesUrl}/next>; rel="next"` }).end("[]");
      return true;
    });
    await place.open({ env: { HF_TOKEN: TOKEN } });
    expect(asked).toBeUndefined();
  });

  it("is in no message", async () => {
    for (const status of [400, 401, 403, 404, 418, 500]) {
      place.hub.fail("hub", (_, response) => {
        response.writeHead(status).end(TOKEN);
        return true;
      });
      expect(await failure(() => place.open({ env: { HF_TOKEN: TOKEN } }))).not.toContain(TOKEN);
    }
    expect(await failure(() => place.open({ env: { HF_TOKEN: `${TOKEN}\n${TOKEN}` } }))).not.toContain(TOKEN);
  });
});

describe("a redirect", () => {
  it("from https to http is refused, and nothing of it is used", async () => {
    // A hub with https: what goes out for it reaches the test's server.
    const overTls: typeof fetch = async (input, init) => {
      const response = await fetch((input as string).replace("https://hub.test", place.hub.url), init);
      return Object.defineProperty(response, "url", { value: response.url.replace(place.hub.url, "https://hub.test") });
    };
    const source = await place.open({ env: { HF_ENDPOINT: "https://hub.test" }, fetch: overTls });
    expect(await failure(() => source.fetch(LARGE))).toContain("hub.test redirects to an address without https");
    expect(await place.blobs()).toEqual([]);
  });

  it.each(["file:///etc/passwd", "http://", "data:,text"])("to %s is not followed", async (target) => {
    place.hub.redirectTo = () => target;
    const source = await place.open();
    expect(await failure(() => source.fetch(LARGE))).toContain("redirects to where no answer is");
  });

  it("that never ends is not followed for ever", async () => {
    place.hub.fail("hub", ({ url }, response) => {
      response.writeHead(307, { location: url }).end();
      return true;
    });
    expect(await failure(() => place.open())).toContain("redirects to where no answer is");
    expect(place.hub.seen.length).toBeLessThan(30);
  });

  it("on the hub itself, as of a model that was renamed, is followed with the token", async () => {
    place.hub.fail("hub", ({ url = "" }, response) => {
      if (!url.includes("old-org/old-model")) return false;
      response.writeHead(307, { location: url.replace("old-org/old-model", MODEL) }).end();
      return true;
    });
    const source = await place.open({ model: "old-org/old-model", env: { HF_TOKEN: TOKEN } });
    expect(await readFile(await source.fetch(SMALL))).toEqual(FILES[SMALL]);
    expect(place.hub.seen.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
  });
});

describe("a listing", () => {
  it.each([
    "../evil",
    "a/../../evil",
    "/etc/evil",
    "..\\evil",
    "C:evil",
    "a//evil",
    "./evil",
    "evil\0",
    "evil\u001b[0m",
    "e".repeat(256),
    "é".repeat(128),
    "",
  ])("with the file name %j leaves that file out, and says so", async (path) => {
    place.hub.list = (entries) => entries.map((entry, i) => (i === 0 ? { ...entry, path } : entry));
    const source = await place.open();
    expect(source.files.map((file) => file.path)).toEqual(Object.keys(FILES).slice(1));
    expect(place.notices).toEqual([`1 file of ${MODEL} is left out: its name is not safe on every system.`]);
    expect(await failure(() => source.fetch(path))).toContain("has no such file");
  });

  it.each([
    ["a digest that is a path", { oid: "../../../../evil" }],
    ["no digest", { oid: undefined }],
    ["a digest of another length", { lfs: { oid: "a".repeat(40), size: 1 } }],
    ["a size below 0", { size: -1 }],
    ["a size that is a text", { size: "12" }],
  ])("with %s is not a hub's", async (_, change) => {
    place.hub.list = (entries) => entries.map((entry, i) => (i === 0 ? { ...entry, ...change } : entry));
    expect(await failure(() => place.open())).toContain("does not answer as a model hub does");
  });

  it.each(["<html>", "null", "{}", '{"sha":"main"}', '{"sha":"../../evil"}', ""])("beside %j is not a hub's", async (reply) => {
    place.hub.fail("hub", ({ url = "" }, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(url.includes("/revision/") ? reply : "[]");
      return true;
    });
    expect(await failure(() => place.open())).toContain("does not answer as a model hub does");
  });

  it("whose reply has no end is not read for ever", async () => {
    const spaces = Buffer.alloc(1024 * 1024, " ");
    place.hub.fail("hub", (_, response) => {
      const send = (): void => {
        response.write(spaces, (error) => {
          if (!error) send();
        });
      };
      send();
      return true;
    });
    expect(await failure(() => place.open())).toContain("does not answer as a model hub does");
  });

  it("of too many files is not read for ever", async () => {
    place.hub.list = (entries) => Array.from({ length: 10_001 }, (_, i) => ({ ...entries[0], path: `file-${i}` }));
    expect(await failure(() => place.open())).toContain("more than 10000 files");
  });
});
