import { execFile } from "node:child_process";
import { mkdir, open, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { createDecider } from "umpire";
import { beforeEach, describe, expect, it } from "vitest";
import { loadNodeEngine, packFiles } from "../../../../src/library/platform/node/engine.ts";
import { nodeRuntimes } from "../../../../src/library/platform/node/runtimes.ts";
import { quickRequest } from "../../../support/long-requests.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { PackCopy } from "../../../support/pack-copy.ts";
import type { LooseManifest } from "../../../support/pack-copy.ts";
import { decideError } from "../../../support/rejection.ts";
import type { Failure } from "../../../support/rejection.ts";

const SEAL = "manifest.json.sha256";
const GIB = 2 ** 30;
const isWindows = process.platform === "win32";

let pack: PackCopy;
beforeEach(async () => {
  pack = await PackCopy.make();
});

const runtimes = nodeRuntimes(new URL("dist/", PACKAGE_ROOT));

async function refused(): Promise<Failure> {
  const error = await decideError(async () => {
    const engine = await loadNodeEngine(packFiles(pack.url), runtimes, { device: "cpu", threads: 1 });
    await engine.close();
  });
  expect(error).toMatchObject({ code: "model_invalid", status: 500, retryable: false });
  expect(error.message.length).toBeLessThan(500);
  // Memory for a file that is not read was never taken.
  expect(process.memoryUsage.rss()).toBeLessThan(GIB);
  return error;
}

const linkTo = (target: string) => (path: string) => symlink(target, path);
const fifo = (path: string): Promise<unknown> => promisify(execFile)("mkfifo", [path]);
const socket = (path: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer().listen(path, () => {
      resolve(server.unref());
    });
  });
const sparse = (sizeBytes: number) => async (path: string) => {
  await using file = { handle: await open(path, "w"), [Symbol.asyncDispose]: () => file.handle.close() };
  await file.handle.truncate(sizeBytes);
};

describe.skipIf(isWindows)("a file that is not read, because of what it is or how large it is", () => {
  it.each<[string, string, (path: string) => Promise<unknown>, RegExp]>([
    ["the weights are a link to a device without end", "weights.bin", linkTo("/dev/zero"), /is not a regular file/],
    ["the manifest is a link to a device without end", "manifest.json", linkTo("/dev/zero"), /is not a regular file/],
    ["the seal is a link to a device without end", SEAL, linkTo("/dev/zero"), /is not a regular file/],
    ["the tokenizer is a link to itself", "tokenizer.json", (path) => symlink(path, path), /cannot be read/],
    ["the weights are a FIFO that nobody writes to", "weights.bin", fifo, /is not a regular file/],
    ["the manifest is a FIFO that nobody writes to", "manifest.json", fifo, /is not a regular file/],
    ["the seal is a FIFO that nobody writes to", SEAL, fifo, /is not a regular file/],
    ["a graph is a socket", "int8.onnx", socket, /cannot be read/],
    ["the weights are a folder", "weights.bin", (path) => mkdir(path), /is not a regular file/],
    ["the manifest is a folder", "manifest.json", (path) => mkdir(path), /is not a regular file/],
    ["the weights are a sparse file", "weights.bin", sparse(1.5 * GIB), /has 1610612736 bytes where the manifest says 23631424/],
    ["the manifest is a sparse file", "manifest.json", sparse(2 * GIB), /has 2147483648 bytes, more than the 65536/],
    ["the seal is a sparse file", SEAL, sparse(2 * GIB), /has 2147483648 bytes, more than the 65536/],
  ])("%s", async (_, name, make, words) => {
    await pack.replace(name, make);
    const { message } = await refused();
    expect(message).toContain(name);
    expect(message).toMatch(words);
  });

  it.each([false, true])("in a decider, which closes as usual (inline: %s)", async (inline) => {
    await pack.replace("weights.bin", fifo);
    await using decider = createDecider({ model: pack.folder, inline });
    expect(await decideError(() => decider.decide(quickRequest))).toMatchObject({ code: "model_invalid" });
    await pack.restore("weights.bin");
    expect((await decider.decide(quickRequest)).model).toBe("umpire-2");
  });
});

describe("a manifest, under a seal of its own, that asks for too much", () => {
  const listing =
    (name: string, sizeBytes: unknown) =>
    (manifest: LooseManifest): void => {
      Object.defineProperty(manifest.files, name, { value: { sizeBytes, sha256: "0".repeat(64) }, enumerable: true });
    };
  const naming = (name: string) => (manifest: LooseManifest) => {
    manifest["weights"] = name;
  };

  it.each<[string, (manifest: LooseManifest) => void, RegExp]>([
    ...[
      "../../etc/passwd",
      "/etc/passwd",
      "..",
      ".",
      "",
      "a/b",
      "a\\b",
      "C:\\windows\\win.ini",
      "file:///etc/passwd",
      "https://packs.example/weights.bin",
      "\0",
      "\u001b[2J",
      "__proto__",
      "x".repeat(101),
    ].flatMap((name): [string, (manifest: LooseManifest) => void, RegExp][] => [
      [`lists ${JSON.stringify(name).slice(0, 50)}`, listing(name, 1), /files must list up to 100 files by plain names/],
      [`takes its weights from ${JSON.stringify(name).slice(0, 50)}`, naming(name), /weights must be a plain name/],
    ]),
    ["takes its weights from a file that it does not list", naming("other.bin"), /does not list other\.bin/],
    ["takes its weights from what every object has", naming("constructor"), /does not list constructor/],
    ...[-1, 1.5, 2 ** 60, "5", null, undefined].map((size): [string, (manifest: LooseManifest) => void, RegExp] => [
      `states a size of ${JSON.stringify(size)}`,
      listing("more.bin", size),
      /files\.more\.bin\.sizeBytes (must be|is missing)/,
    ]),
    ["states a size above two gigabytes", listing("more.bin", 2.5 * GIB), /files must have up to 2147483648 bytes together/],
    [
      "states sizes that are above two gigabytes together",
      (manifest) => {
        for (let i = 0; i < 5; i++) listing(`${i}.bin`, GIB / 2)(manifest);
      },
      /files must have up to 2147483648 bytes together/,
    ],
    [
      "lists more files than may be open",
      (manifest) => {
        for (let i = 0; i < 200; i++) listing(`${i}.bin`, 1)(manifest);
      },
      /up to 100 files/,
    ],
    ["has an id that would rewrite a terminal", (manifest) => (manifest["id"] = "\u001b[2Jumpire"), /id must be a plain name/],
    [
      "has a long text in its self-test",
      (manifest) => Object.assign(manifest["selfTest"] as object, { state: "a ".repeat(6000) }),
      /1 to 10000/,
    ],
  ])("it %s", async (_, change, words) => {
    await pack.lie(change);
    await pack.sealManifest();
    const { message } = await refused();
    expect(message).toContain("manifest.json");
    expect(message).toMatch(words);
    expect(message).toMatch(/^[ -~]*$/);
  });

  it("it is 100,000 levels deep", async () => {
    await pack.write("manifest.json", `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    await pack.sealManifest();
    expect((await refused()).message).toMatch(/manifest\.json .* has 200000 bytes, more than the 65536/);
  });
});

describe("a pack, under a seal of its own, with a file that means harm", () => {
  it("a graph whose weights lie outside the pack", async () => {
    // It depends on the processor which of the two it takes.
    for (const name of ["int8.onnx", "int8-wide.onnx"]) {
      const graph = Buffer.from(await pack.read(name)).toString("latin1");
      await pack.write(name, Buffer.from(graph.replaceAll("weights.bin", "/etc/passwd"), "latin1"));
    }
    await pack.seal();
    expect((await refused()).message).toMatch(/refuses the graph int8(-wide)?\.onnx/);
  });

  it.each<[string, string]>([
    ["is 100,000 levels deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["has nine megabytes", JSON.stringify(" ".repeat(9_000_000))],
    ["is no JSON", "{"],
  ])("a tokenizer that %s", async (_, text) => {
    await pack.write("tokenizer.json", text);
    await pack.seal();
    expect((await refused()).message).toContain("tokenizer.json");
  });
});
