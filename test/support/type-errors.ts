import { join } from "node:path";
import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  // Packages without types here would make parameters implicitly `any`.
  noImplicitAny: false,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: ["node"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Returns TypeScript's errors for sources, given by name, as if they were files in a folder. */
export function typeErrorsOf(folder: string, sources: readonly (readonly [name: string, source: string])[]): string[] {
  const texts = new Map(sources.map(([name, source]) => [join(folder, name), source]));
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, ...rest) => {
      const text = texts.get(path);
      return text === undefined ? disk.getSourceFile(path, ...rest) : ts.createSourceFile(path, text, rest[0]);
    },
  };
  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
