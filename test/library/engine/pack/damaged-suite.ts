import fc from "fast-check";
import { createDecider } from "umpire";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Precision } from "../../../../src/library/engine/engine.ts";
import { loadNodeEngine, packFiles } from "../../../../src/library/platform/node/engine.ts";
import { nodeRuntimes } from "../../../../src/library/platform/node/runtimes.ts";
import { quickRequest } from "../../../support/long-requests.ts";
import { set } from "../../../support/loose-manifest.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { PackCopy } from "../../../support/pack-copy.ts";
import type { LooseManifest } from "../../../support/pack-copy.ts";
import { decideError } from "../../../support/rejection.ts";
import type { Failure } from "../../../support/rejection.ts";
import type { SuiteModel } from "../suite-models.ts";

const SEAL = "manifest.json.sha256";

const runtimes = nodeRuntimes(new URL("dist/", PACKAGE_ROOT));

/** The file that a damaged one is blamed on: the manifest's own damage is seen by its seal. */
const blamed = (name: string): string => (name === SEAL ? "manifest.json" : name);

/** What must hold of the files of every pack, of whatever family its model is. */
export function damagedPackSuite({ id, family, precisions, graph, files, makePack }: SuiteModel): void {
  const FILES = [...files, "manifest.json", SEAL];
  let original: string;
  let pack: PackCopy;
  beforeAll(async () => {
    original = await makePack();
  });
  beforeEach(async () => {
    pack = await PackCopy.make(fileURLToPath(original));
  });

  const load = async (precision: Precision): Promise<void> => {
    const engine = await loadNodeEngine(packFiles(pack.url), runtimes, { device: "cpu", precision, threads: 1 });
    await engine.close();
  };

  /** The error of a pack that must not load. @param tried in which precision. Default: in each. */
  async function refused(tried: readonly Precision[] = precisions): Promise<Failure> {
    const failures: Failure[] = [];
    for (const precision of tried) failures.push(await decideError(() => load(precision)));
    for (const error of failures) expect(error).toMatchObject({ code: "model_invalid", status: 500, retryable: false });
    const [first] = failures;
    if (first === undefined) throw new Error("no precision was tried");
    return first;
  }

  /** One of the precisions, each in its turn. */
  const inTurn = (i: number): Precision[] => precisions.filter((_, at) => at === i % precisions.length);

  describe(`a ${family} pack that is whole`, () => {
    it("loads, also from a copy, and when it is sealed anew with nothing changed", async () => {
      for (const precision of precisions) await load(precision);
      await pack.seal();
      for (const precision of precisions) await load(precision);
      const manifest = JSON.parse(new TextDecoder().decode(await pack.read("manifest.json"))) as LooseManifest;
      expect(Object.keys(manifest.files).toSorted()).toEqual([...files].toSorted());
    });
  });

  describe(`a damaged ${family} pack is refused, the file named`, () => {
    it.each(FILES)("when a bit of %s is flipped: at its start, in its middle, at its end", async (name) => {
      const { size } = await stat(pack.path(name));
      for (const [i, offset] of [0, Math.floor(size / 2), size - 1].entries()) {
        await pack.flipBit(name, offset);
        expect((await refused(inTurn(i))).message).toContain(blamed(name));
      }
    });

    it("when any bit of any file is flipped", async () => {
      const place = fc.constantFrom(...FILES).chain((name) => fc.tuple(fc.constant(name), fc.nat(2 ** 30), fc.nat(7)));
      await fc.assert(
        fc.asyncProperty(place, fc.constantFrom(...precisions), async ([name, at, bit], precision) => {
          await pack.restore(name);
          const { size } = await stat(pack.path(name));
          await pack.flipBit(name, at % size, bit);
          const error = await decideError(() => load(precision));
          await pack.restore(name);
          expect(error.code).toBe("model_invalid");
          expect(error.message).toContain(blamed(name));
        }),
        { numRuns: 15 },
      );
    });

    it.each(FILES)("when %s is cut short, is empty, or has something after its end", async (name) => {
      const bytes = await pack.read(name);
      const contents = [bytes.subarray(0, bytes.length - 1), bytes.subarray(0, 10), new Uint8Array(), Buffer.concat([bytes, Buffer.of(0)])];
      for (const [i, content] of contents.entries()) {
        await pack.write(name, content);
        expect((await refused(inTurn(i))).message).toContain(blamed(name));
      }
    });

    it.each(FILES)("when %s is not there", async (name) => {
      await pack.delete(name);
      expect((await refused()).message).toContain(name);
    });

    it.each([
      ["in a worker", false],
      ["on the caller's thread", true],
    ])("by a decider %s, at each call, until it is mended", async (_, inline) => {
      await using decider = createDecider({ model: pack.folder, inline });
      await pack.flipBit(graph, 1000);
      for (const call of [() => decider.decide(quickRequest), () => decider.decide(quickRequest), () => decider.info()]) {
        const error = await decideError(call);
        expect(error.code).toBe("model_invalid");
        expect(error.message).toContain(graph);
        expect(error.message).toContain(pack.folder);
      }
      await pack.restore(graph);
      expect((await decider.decide(quickRequest)).model).toBe(id);
    });
  });

  describe(`a manifest of a ${family} pack that was changed`, () => {
    const changes: [string, (manifest: LooseManifest) => void][] = [
      ["the order of the labels", (m) => (m["labels"] = ["contradiction", "neutral", "entailment"])],
      ["a limit", (m) => Object.assign(m["limits"] as object, { stateTokens: 1_000_000 })],
      ["a temperature", (m) => Object.assign(m["calibration"] as object, { score: { temperature: 5 } })],
      ["a size", (m) => Object.assign(m.files[graph] ?? {}, { sizeBytes: 1 })],
      ["a hash", (m) => Object.assign(m.files[graph] ?? {}, { sha256: "0".repeat(64) })],
      ["its id", (m) => (m["id"] = "another")],
      ["its licence", (m) => (m["licence"] = "none")],
      ["nothing but its spaces", () => undefined],
    ];

    it.each(changes)("in %s does not match its seal", async (what, change) => {
      await pack.lie(change);
      if (what.startsWith("nothing")) await pack.write("manifest.json", `${new TextDecoder().decode(await pack.read("manifest.json"))} `);
      const { message } = await refused();
      expect(message).toContain("manifest.json");
      expect(message).toContain(SEAL);
    });

    it.each([
      ["of upper-case digits", (seal: string) => seal.toUpperCase()],
      ["of another file", (seal: string) => seal.replace("manifest.json", "manifest.jsom")],
      ["without its end", (seal: string) => seal.trimEnd()],
      ["of the digest alone", (seal: string) => seal.slice(0, 64)],
    ])("may not have a seal %s", async (_, change) => {
      await pack.write(SEAL, change(new TextDecoder().decode(await pack.read(SEAL))));
      expect((await refused()).message).toContain("manifest.json");
    });
  });

  describe(`a ${family} pack that lies under a seal of its own`, () => {
    it.each([
      ["no JSON", "{"],
      ["an array", "[]"],
      ["null", "null"],
      ["nothing", ""],
      ["deep", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
    ])("has a manifest that is %s", async (_, text) => {
      await pack.write("manifest.json", text);
      await pack.sealManifest();
      expect((await refused()).message).toContain("manifest.json");
    });

    it.each<[string, unknown]>([
      ["format", 2],
      ["id", ""],
      ["family", "constructor"],
      ["family", family === "pair" ? "gliclass" : "pair"],
      ["licence", ""],
      ["limits", null],
      ["limits.stateTokens", 0],
      ["limits.windowTokens", 3],
      ["limits.overlapTokens", -1],
      ["limits.overlapTokens", 100_000],
      ["calibration.choice", []],
      ["calibration.noul.temperature", 0],
      ["tokenizer", "tokenizer.json"],
      ["tokenizer.file", ""],
      ["tokenizer.file", "other.json"],
      ["tokenizer.file", "../umpire-2/tokenizer.json"],
      ["tokenizer.file", "__proto__"],
      ["graphs", null],
      ["graphs.fp32", 3],
      ["selfTest", null],
      ["selfTest.scores.fp32", ["1"]],
      ["selfTest.tolerance.fp32", 0],
      ["files", []],
    ])("has %s: %j", async (path, value) => {
      await pack.lie(set(path, value));
      await pack.sealManifest();
      expect((await refused()).message).toContain("manifest.json");
    });

    it.each(["{}", "[]", "null", '{"model": {"type": "nothing"}}', "no JSON"])("has a tokenizer that is %s", async (text) => {
      await pack.write("tokenizer.json", text);
      await pack.seal();
      expect((await refused()).message).toMatch(/tokenizer\.json|self-test/);
    });

    it("has a graph that is no graph", async () => {
      await pack.write(graph, "no graph at all");
      await pack.seal();
      expect((await decideError(() => load("fp32"))).message).toContain(graph);
    });

    it("promises other scores than the model gives", async () => {
      await pack.lie((manifest) => {
        const { scores } = manifest["selfTest"] as { scores: { fp32: number[] } };
        scores.fp32[1] = (scores.fp32[1] ?? 0) + 0.01;
      });
      await pack.sealManifest();
      const error = await decideError(() => load("fp32"));
      expect(error.code).toBe("model_invalid");
      expect(error.message).toMatch(/self-test/);
    });
  });
}
