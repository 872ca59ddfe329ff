/** The part of Node's diagnostic report that is read here. */
export interface ProcessReport {
  /** `glibcVersionRuntime` is absent where the C library is another. */
  readonly header: { readonly glibcVersionRuntime?: string };
  /** Paths of the libraries that this process has loaded. */
  readonly sharedObjects: readonly string[];
  /** Those of the process, not of the thread: a worker thread's `process.env` is usually a copy. Absent when a flag of Node leaves them out. */
  readonly environmentVariables?: { readonly [name: string]: string };
}

/** Takes a few milliseconds. */
export function processReport(): ProcessReport {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  const { excludeNetwork = false } = report;
  // Otherwise the report looks up the names of network addresses.
  report.excludeNetwork = true;
  try {
    return report.getReport() as unknown as ProcessReport;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/** The C library, which decides whether the native binding can be loaded: "musl", or "glibc" with its version. Linux only. */
export function cLibrary(): string | undefined {
  const { header, sharedObjects } = processReport();
  if (header.glibcVersionRuntime !== undefined) return `glibc ${header.glibcVersionRuntime}`;
  return sharedObjects.some((path) => path.includes("ld-musl-")) ? "musl" : undefined;
}
