import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { download, downloadSmall } from "../../../../src/library/platform/browser/download.ts";
import { rejection } from "../../../support/rejection.ts";
import { FileServer } from "./file-server.ts";
import type { Answer } from "./file-server.ts";

const SIZE = 200_000;
const FILE = Uint8Array.from({ length: SIZE }, (_, i) => (i * 7 + (i >> 8)) % 251);

let server: FileServer | undefined;
afterEach(() => server?.close());

/** What `onBytes` was told of the latest download. */
let told: number[] = [];

interface Downloaded {
  /** Whether the bytes are those of the file. */
  readonly complete: boolean;
  /** What `onBytes` was told. */
  readonly told: readonly number[];
  /** Where the ranges started that the server was asked for; undefined for the whole file. */
  readonly asked: readonly (number | undefined)[];
}

/** Downloads the file from byte `at` on; the bytes before it are there already. */
async function downloaded(answers: readonly Answer[], at = 0): Promise<Downloaded> {
  server = await FileServer.start(...answers);
  const bytes = new Uint8Array(SIZE);
  bytes.set(FILE.subarray(0, at));
  told = [];
  await download(server.url, bytes, at, (there) => void told.push(there));
  return { complete: Buffer.compare(bytes, FILE) === 0, told, asked: server.asked };
}

/** The file, or the range of it that was asked for. */
const whole: Answer = (response, from) => {
  if (from === undefined) response.writeHead(200).end(FILE);
  else response.writeHead(206, { "content-range": `bytes ${from}-${SIZE - 1}/${SIZE}` }).end(FILE.subarray(from));
};

/** Sends the bytes up to `end` and then breaks the connection, once they have arrived. */
const breakOff = (response: ServerResponse, bytes: Uint8Array, end: number): void => {
  response.write(bytes);
  const waiting = setInterval(() => {
    if ((told.at(-1) ?? 0) < end) return;
    clearInterval(waiting);
    response.destroy();
  }, 1);
};

/** Like `whole`, but the connection breaks when the file is sent up to byte `end`. */
const until =
  (end: number): Answer =>
  (response, from) => {
    if (from === undefined) response.writeHead(200, { "content-length": SIZE });
    else response.writeHead(206, { "content-range": `bytes ${from}-${SIZE - 1}/${SIZE}`, "content-length": SIZE - from });
    breakOff(response, FILE.subarray(from ?? 0, end), end);
  };

const withoutRanges: Answer = (response) => void response.writeHead(200).end(FILE);

describe("a download", () => {
  it("brings the whole file, and tells how much is there", async () => {
    const { complete, told, asked } = await downloaded([whole]);
    expect(complete).toBe(true);
    expect(asked).toEqual([undefined]);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(SIZE);
  });

  it("asks only for what is missing", async () => {
    const { complete, told, asked } = await downloaded([whole], 150_000);
    expect(complete).toBe(true);
    expect(asked).toEqual([150_000]);
    expect(told[0]).toBeGreaterThan(150_000);
  });

  it("of a file that is there already asks for nothing", async () => {
    expect((await downloaded([whole], SIZE)).asked).toEqual([]);
  });

  it("continues where the connection broke, as often as each attempt brings something new", async () => {
    const { complete, told, asked } = await downloaded([
      until(20_000),
      until(50_000),
      until(90_000),
      until(120_000),
      until(160_000),
      whole,
    ]);
    expect(complete).toBe(true);
    expect(asked).toEqual([undefined, 20_000, 50_000, 90_000, 120_000, 160_000]);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it("continues with a server that hides the range of its answer, as another origin does", async () => {
    const hidden: Answer = (response, from = 0) => void response.writeHead(206).end(FILE.subarray(from));
    const { complete, asked } = await downloaded([hidden], 150_000);
    expect(complete).toBe(true);
    expect(asked).toEqual([150_000]);
  });

  it("starts again with a server that has no ranges, and tells that less is there", async () => {
    const { complete, told, asked } = await downloaded([until(150_000), withoutRanges]);
    expect(complete).toBe(true);
    expect(asked).toEqual([undefined, 150_000]);
    const again = told.indexOf(150_000) + 1;
    expect(told[again]).toBeLessThan(150_000);
    expect(told.at(-1)).toBe(SIZE);
  });

  it.each<[string, Answer]>([
    ["refuses the range", (response) => void response.writeHead(416).end()],
    [
      "sends a different range",
      (response) => void response.writeHead(206, { "content-range": `bytes 0-99/${SIZE}` }).end(FILE.subarray(0, 100)),
    ],
    ["answers the range with an error", (response) => void response.writeHead(500).end()],
  ])("asks a server that %s for the whole file", async (_, answer) => {
    const { complete, asked } = await downloaded([until(150_000), answer, whole]);
    expect(complete).toBe(true);
    expect(asked).toEqual([undefined, 150_000, undefined]);
  });
});

describe("a download fails", () => {
  const failure = async (...answers: Answer[]): Promise<[string, number | undefined]> => {
    const error = await rejection(() => downloaded(answers));
    return [String(error), server?.asked.length];
  };

  it.each<[string, Answer, RegExp]>([
    ["without the file", (response) => void response.writeHead(404).end(), /the server answered 404/],
    [
      "with an HTML page",
      (response) => void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>"),
      /HTML page/,
    ],
    ["with a larger file", (response) => void response.writeHead(200).end(new Uint8Array(SIZE + 1)), /more than the 200000 bytes/],
  ])("at once on a server %s: another attempt would not help", async (_, answer, words) => {
    const [message, requests] = await failure(answer);
    expect(message).toMatch(words);
    expect(requests).toBe(1);
  });

  it("after three attempts in a row that bring nothing", async () => {
    const [, requests] = await failure((response) => void response.destroy());
    expect(requests).toBe(3);
  });

  it("after three attempts in a row that bring nothing beyond what is there, ranges or not", async () => {
    const [message, requests] = await failure((response) => void response.writeHead(200).end(FILE.subarray(0, 50_000)));
    expect(message).toMatch(/the server sent 50000 bytes of 200000/);
    // The first one brings something, the next three nothing, and three more ask for the whole file.
    expect(requests).toBe(7);
  });

  it("but not while others in between bring something", async () => {
    const nothing: Answer = (response) => void response.destroy();
    const { complete } = await downloaded([nothing, nothing, until(50_000), nothing, nothing, whole]);
    expect(complete).toBe(true);
  });
});

describe("a small file of unknown size", () => {
  const small = async (answer: Answer): Promise<Uint8Array> => {
    server = await FileServer.start(answer);
    return downloadSmall(server.url, 1000);
  };

  it("is read as it is", async () => {
    expect(await small((response) => void response.end("hello"))).toEqual(new TextEncoder().encode("hello"));
    expect(await small((response) => void response.end())).toHaveLength(0);
  });

  it.each<[string, Answer]>([
    ["announced", (response) => void response.writeHead(200, { "content-length": SIZE }).end(FILE)],
    [
      "without an end",
      (response) => {
        const sending = setInterval(() => response.write(FILE), 1);
        response.once("close", () => {
          clearInterval(sending);
        });
      },
    ],
  ])("is not read on when it is larger than it may be (%s)", async (_, answer) => {
    expect(String(await rejection(() => small(answer)))).toMatch(/sent more than the 1000 bytes/);
  });

  it.each<[string, Answer, RegExp]>([
    ["an HTML page", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"), /HTML page/],
    ["an error", (response) => void response.writeHead(403).end("no"), /answered 403/],
  ])("is not read from %s", async (_, answer, words) => {
    expect(String(await rejection(() => small(answer)))).toMatch(words);
  });
});
