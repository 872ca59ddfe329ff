import { existsSync } from "node:fs";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitSha1, sendBytes, sha256 } from "../../../support/hub-server.ts";
import { rejection } from "../../../support/rejection.ts";
import { BLOBS, COMMIT, FILES, LARGE, MODEL, SMALL, failure, newPlace } from "./set-up.ts";
import type { Place } from "./set-up.ts";

const BYTES = FILES[LARGE];
const DIGEST = sha256(BYTES);
const HALF = 2500;

let place: Place;
let host: string;
beforeEach(async () => {
  place = await newPlace();
  host = new URL(place.hub.url).host;
});
afterEach(() => place.end());

const ranges = (): (string | undefined)[] => place.hub.seen.filter(({ server }) => server === "files").map(({ range }) => range);

/** Leaves a file as a download that ended early does. */
async function leave(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Lets the first `times` downloads of the large file end in the middle. */
function breakOff(times: number): void {
  let broken = 0;
  place.hub.fail("files", (request, response) => {
    broken += 1;
    if (broken > times) return false;
    const start = Number(/\d+/.exec(request.headers.range ?? "0")?.[0]);
    const end = Math.min(BYTES.length - 1, start + HALF);
    response.writeHead(start === 0 ? 200 : 206, {
      "content-length": BYTES.length - start,
      ...(start > 0 && { "content-range": `bytes ${start}-${BYTES.length - 1}/${BYTES.length}` }),
    });
    response.write(BYTES.subarray(start, end), () => response.destroy());
    return true;
  });
}

/** Lets every download of the large file answer so. */
function answer(status: number, headers: Readonly<Record<string, string | number>>, bytes: Uint8Array): void {
  place.hub.fail("files", (_, response) => {
    response.writeHead(status, headers).end(bytes);
    return true;
  });
}

describe("a download that breaks off", () => {
  it("continues where it was, and says so", async () => {
    breakOff(1);
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
    expect(ranges()).toEqual([undefined, `bytes=${HALF}-`]);
    expect(place.notices).toEqual([`The connection to ${host} broke off (UND_ERR_SOCKET). Trying again in 1 s.`]);
    expect(await place.blobs()).toEqual([DIGEST]);
  });

  it("each time leaves nothing, and the next command begins anew", async () => {
    place.hub.fail("files", (_, response) => {
      response.writeHead(200, { "content-length": BYTES.length });
      response.write(BYTES.subarray(0, HALF), () => response.destroy());
      // The next tries bring nothing.
      place.hub.fail("files", (request) => {
        request.destroy();
        return true;
      });
      return true;
    });
    const source = await place.open();
    expect(await failure(() => source.fetch(LARGE))).toContain("run the command again: files that are whole are kept");
    expect(place.pausesMs).toEqual([1000, 2000, 4000]);
    expect(await place.blobs()).toEqual([]);
    place.hub.fail("files", () => false);
    expect(await readFile(await (await place.open()).fetch(LARGE))).toEqual(BYTES);
    expect(ranges().at(-1)).toBeUndefined();
    expect(await place.blobs()).toEqual([DIGEST]);
  });

  it("without a sign, in a body of unknown length, is noticed and continued", async () => {
    place.hub.fail("files", (_, response) => {
      place.hub.fail("files", () => false);
      response.writeHead(200).end(BYTES.subarray(0, HALF));
      return true;
    });
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
    expect(place.notices).toEqual([`The download of ${LARGE} from ${host} broke off. Trying again in 1 s.`]);
  });

  it("after more than a megabyte does not count as a failure", async () => {
    await place.end();
    const bytes = Buffer.alloc(8 * 1024 * 1024, "umpire");
    place = await newPlace({}, { [LARGE]: bytes });
    place.hub.fail("files", (request, response) => {
      const start = Number(/\d+/.exec(request.headers.range ?? "0")?.[0]);
      if (start > 6 * 1024 * 1024) return false;
      response.writeHead(start === 0 ? 200 : 206, { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` });
      response.write(bytes.subarray(start, start + 1_200_000), () => response.destroy());
      return true;
    });
    const source = await place.open();
    expect((await readFile(await source.fetch(LARGE))).equals(bytes)).toBe(true);
    expect(place.pausesMs.length).toBeGreaterThan(3);
    expect(new Set(place.pausesMs)).toEqual(new Set([1000]));
  });
});

describe("a download that stalls", () => {
  it("is given up after a time of silence, 30 s by default, and continues where it was", async () => {
    let stalled = false;
    place.hub.fail("files", (_, response) => {
      if (stalled) return false;
      stalled = true;
      response.writeHead(200, { "content-length": BYTES.length });
      response.write(BYTES.subarray(0, HALF));
      return true;
    });
    const source = await place.open({ silenceMs: 500 });
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
    expect(ranges().slice(0, 2)).toEqual([undefined, `bytes=${HALF}-`]);
    expect(place.notices[0]).toBe(`${host} sent nothing for 0.5 s. Trying again in 1 s.`);
  });

  it("ends at once when it is aborted, and leaves nothing", async () => {
    place.hub.fail("files", (_, response) => {
      response.writeHead(200, { "content-length": BYTES.length });
      response.write(BYTES.subarray(0, HALF));
      return true;
    });
    const ending = new AbortController();
    const reason = new Error("enough");
    const source = await place.open({
      onProgress: ({ receivedBytes }) => {
        if (receivedBytes === HALF) ending.abort(reason);
      },
    });
    expect(await rejection(() => source.fetch(LARGE, ending.signal))).toBe(reason);
    expect(await place.blobs()).toEqual([]);
    place.hub.fail("files", () => false);
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
  });
});

describe("a download that continues", () => {
  /** Lets the first download of the large file end in the middle, and answers those that continue it. */
  function breakOffThen(status: number, headers: Readonly<Record<string, string | number>>, bytes: Uint8Array): void {
    place.hub.fail("files", (request, response) => {
      if (request.headers.range !== undefined) response.writeHead(status, headers).end(bytes);
      else if (ranges().length > 1) return false;
      else {
        response.writeHead(200, { "content-length": BYTES.length });
        response.write(BYTES.subarray(0, HALF), () => response.destroy());
      }
      return true;
    });
  }

  it("starts anew where the server sends everything", async () => {
    breakOffThen(200, { "content-length": BYTES.length }, BYTES);
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
    expect(ranges()).toEqual([undefined, `bytes=${HALF}-`]);
    expect(place.notices.at(-1)).toBe(`${host} does not continue ${LARGE}. It is downloaded from its start.`);
  });

  it.each([
    ["another range", 206, { "content-range": `bytes 10-${BYTES.length - 1}/${BYTES.length}` }],
    ["a range that is not stated", 206, {}],
    ["no such range", 416, { "content-range": `bytes */${HALF}` }],
  ])("starts anew where the server answers with %s", async (_, status, headers) => {
    breakOffThen(status, headers, BYTES.subarray(10));
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
    expect(ranges()).toEqual([undefined, `bytes=${HALF}-`, undefined]);
  });

  it("with other bytes is deleted and said", async () => {
    const headers = { "content-range": `bytes ${HALF}-${BYTES.length - 1}/${BYTES.length}` };
    breakOffThen(206, headers, Buffer.alloc(BYTES.length - HALF, 1));
    const source = await place.open();
    expect(await failure(() => source.fetch(LARGE))).toContain("does not have the hash");
    expect(await place.blobs()).toEqual([]);
  });
});

describe("a file that is not what the hub lists", () => {
  it.each([
    ["large", LARGE, BYTES, "files"],
    ["small", SMALL, FILES[SMALL], "hub"],
  ] as const)("of the right size, %s, is deleted and said", async (_, path, bytes, server) => {
    const wrong = Buffer.from(bytes).fill(7, 0, 1);
    place.hub.fail(server, (request, response) => {
      if (server === "hub" && request.url?.includes("/resolve/") !== true) return false;
      sendBytes(request, response, wrong);
      return true;
    });
    const source = await place.open();
    expect(await failure(() => source.fetch(path))).toBe(
      `The file ${path} of ${MODEL} does not have the hash that ${host} states, and was deleted. Run the command again; if it stays so, report it on ${place.hub.url}/${MODEL}.`,
    );
    expect(await place.blobs()).toEqual([]);
    expect(existsSync(join(place.cache, BLOBS, "../snapshots"))).toBe(false);
  });

  it.each([
    ["too long", { "content-length": BYTES.length + 1 }, Buffer.alloc(BYTES.length + 1), "is longer than the size that"],
    ["too long, and of unknown length", {}, Buffer.alloc(BYTES.length + 1), "is longer than the size that"],
    ["too short", { "content-length": HALF }, BYTES.subarray(0, HALF), "broke off"],
    ["a page instead", { "content-type": "text/html", "content-length": 6 }, Buffer.from("<html>"), "broke off"],
  ])("%s, is deleted and said", async (_, headers, bytes, words) => {
    answer(200, headers, bytes);
    const source = await place.open();
    expect(await failure(() => source.fetch(LARGE))).toContain(words);
    expect(await place.blobs()).toEqual([]);
  });

  it("and has no end, does not fill the disk", async () => {
    let sentBytes = 0;
    place.hub.fail("files", (_, response) => {
      const send = (): void => {
        const chunk = Buffer.alloc(65_536);
        sentBytes += chunk.length;
        response.write(chunk, (error) => {
          if (!error) send();
        });
      };
      send();
      return true;
    });
    const source = await place.open();
    expect(await failure(() => source.fetch(LARGE))).toContain("is longer than the size");
    expect(sentBytes).toBeGreaterThan(0);
  });
});

describe("two downloads of one file", () => {
  it("at once do not meet, and both give the whole file", async () => {
    const sources = await Promise.all([place.open(), place.open()]);
    // Each has sent half before either may go on.
    const waiting: (() => void)[] = [];
    place.hub.fail("files", (_, response) => {
      response.writeHead(200, { "content-length": BYTES.length });
      response.write(BYTES.subarray(0, HALF));
      waiting.push(() => response.end(BYTES.subarray(HALF)));
      if (waiting.length === 2) for (const goOn of waiting) goOn();
      return true;
    });
    for (const path of await Promise.all(sources.map((source) => source.fetch(LARGE)))) expect(await readFile(path)).toEqual(BYTES);
    expect(await place.blobs()).toEqual([DIGEST]);
  });

  it("of which one was killed a day ago: what it left is gone; what others write now stays", async () => {
    const [old, others, young] = [
      `${DIGEST}.umpire-0123456789ab.incomplete`,
      `${DIGEST}.incomplete`,
      `${DIGEST}.umpire-ba9876543210.incomplete`,
    ];
    for (const name of [old, others, young]) await leave(join(place.cache, BLOBS, name), BYTES.subarray(0, HALF));
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of [old, others]) await utimes(join(place.cache, BLOBS, name), longAgo, longAgo);
    const source = await place.open();
    expect(await readFile(await source.fetch(LARGE))).toEqual(BYTES);
    expect([...(await place.blobs())].sort()).toEqual([DIGEST, others, young].sort());
  });
});

describe("a cache that cannot be written", () => {
  it("since the disk is full, is said", async () => {
    const source = await place.open({
      onProgress: () => {
        // As a write to a full disk fails.
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });
      },
    });
    expect(await failure(() => source.fetch(LARGE))).toBe(
      `The hub's cache ${place.cache} cannot be used: the disk is full. Mend that, or set HF_HUB_CACHE to a folder of yours on another disk, and run the command again.`,
    );
    expect(await place.blobs()).toEqual([]);
  });

  it("since it is a file, is said", async () => {
    await writeFile(place.cache, "a file");
    expect(await failure(() => place.open())).toContain(`The hub's cache ${place.cache} cannot be used: a file is where its folder should be.`);
    expect(await failure(() => place.open({ env: { HF_HUB_OFFLINE: "1" } }))).toContain("does not have");
  });

  it("never gets a file outside of it", async () => {
    const source = await place.open();
    const path = await source.fetch(LARGE);
    expect(path).toBe(join(place.cache, "models--some-org--some-model/snapshots", COMMIT, LARGE));
    expect(gitSha1(await readFile(await source.fetch(SMALL)))).toBe(gitSha1(FILES[SMALL]));
  });
});
