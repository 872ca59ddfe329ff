// vitest's v8 coverage, extended to code that vitest does not load itself. Most tests use the built package: vitest imports dist/ untransformed,
// worker threads run more of it, and the command line and the server are processes of their own.
import { mkdirSync } from "node:fs";
import { readFile, readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import v8 from "@vitest/coverage-v8";
import type { CoverageProvider, CoverageProviderModule, ReportContext } from "vitest/node";
import { mergedByPlace, type CoverageMap } from "./merged-by-place.ts";

const DIST = new URL("../../../dist/", import.meta.url);
/** Node writes a report here when a worker thread or a child process ends. */
const REPORTS = new URL("../../../coverage/.processes/", import.meta.url);

/** The parts of vitest's provider that are extended here. Some are private, so the version of @vitest/coverage-v8 is pinned. */
interface V8Provider extends CoverageProvider {
  name: string;
  ctx: { getRootProject(): unknown };
  getSources(url: string, ...rest: unknown[]): Promise<{ code: string; map?: unknown }>;
  isIncluded(file: string, root?: string): boolean;
  readCoverageFiles(readers: Readers): Promise<void>;
}

interface Report {
  result: { url: string }[];
}

interface Readers {
  onFileRead(report: Report): void;
  onFinished(project: unknown, environment: string): Promise<void>;
}

const module: CoverageProviderModule = {
  ...v8,
  // In the test's process. Node hands the variable on to every worker thread and child process, also to those with an environment of their own.
  async startCoverage(options) {
    mkdirSync(REPORTS, { recursive: true });
    process.env["NODE_V8_COVERAGE"] = fileURLToPath(REPORTS);
    await v8.startCoverage?.(options);
  },
  async getProvider() {
    const provider = (await v8.getProvider()) as V8Provider;
    const original = {
      isIncluded: provider.isIncluded.bind(provider),
      getSources: provider.getSources.bind(provider),
      readCoverageFiles: provider.readCoverageFiles.bind(provider),
      generateCoverage: provider.generateCoverage.bind(provider),
    };
    return Object.assign(provider, {
      // Printed above the table. With the name "v8", vitest would load its own module in the tests' processes.
      name: "v8: the Node code of src/, in all threads and processes",
      isIncluded: (file: string, root?: string) => file.startsWith(fileURLToPath(DIST)) || original.isIncluded(file, root),
      getSources: (url: string, ...rest: unknown[]) => (url.startsWith(DIST.href) ? bundleWithMap(url) : original.getSources(url, ...rest)),
      readCoverageFiles: async (readers: Readers) => {
        await original.readCoverageFiles(readers);
        for (const report of await readdir(REPORTS)) {
          const { result } = JSON.parse(await readFile(new URL(report, REPORTS), "utf8")) as Report;
          readers.onFileRead({ result: result.filter(({ url }) => url.startsWith(DIST.href)) });
        }
        await rm(REPORTS, { recursive: true });
        await readers.onFinished(provider.ctx.getRootProject(), "ssr");
      },
      generateCoverage: async (context: ReportContext) => mergedByPlace((await original.generateCoverage(context)) as CoverageMap),
    });
  },
};

export default module;

async function bundleWithMap(url: string): Promise<{ code: string; map: object }> {
  const map = JSON.parse(await readFile(new URL(`${url}.map`), "utf8")) as { sources: string[] };
  return { code: await readFile(new URL(url), "utf8"), map: { ...map, sources: map.sources.map((source) => new URL(source, url).href) } };
}
