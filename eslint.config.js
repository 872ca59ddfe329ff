import tseslint from "typescript-eslint";

const MAKING_FOLDERS = ["node:fs", "node:fs/promises"].map((name) => ({
  name,
  importNames: ["mkdtemp", "mkdtempSync"],
  message: "tempDir() of test/support/temp-dir.ts makes a folder that goes by itself.",
}));

const THREADS = {
  name: "node:worker_threads",
  importNames: ["Worker"],
  allowTypeImports: true,
  message: "A unit test starts no thread: FakeWorker of test/library/worker is a worker's host on this one.",
};

/** What a unit test may not import: it runs without a build, a process or a network. */
const NOT_IN_UNITS = [
  {
    regex: "^umpire(/|$)",
    message: "A unit test imports sources, types from src/public.ts. The built package is for x.package.test.ts.",
  },
  {
    regex: "^node:(child_process|cluster|dgram|http|http2|https|net|tls)$",
    allowTypeImports: true,
    message: "A unit test starts no process and opens no socket. These are for x.package.test.ts or x.faults.test.ts.",
  },
];

export default tseslint.config(
  { ignores: ["dist/", "coverage/", "bench/peers/", "models/", "examples/extension/build/", "**/.venv/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-function-return-type": ["error", { allowExpressions: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true, allowNullish: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // Index signatures can name their keys, which Record cannot.
      "@typescript-eslint/consistent-indexed-object-style": "off",
      // The compiler's noPropertyAccessFromIndexSignature requires the opposite.
      "@typescript-eslint/dot-notation": "off",
    },
  },
  {
    files: ["test/**/*.ts"],
    // Of a browser's tests, one starts programs of its own and removes what they made.
    ignores: ["test/support/temp-dir.ts", "test/browser/support/playground.ts"],
    rules: { "no-restricted-imports": ["error", { paths: MAKING_FOLDERS }] },
  },
  {
    // A file's name says where a test belongs: CONTRIBUTING.md, "Where a test belongs".
    files: ["test/**/*.test.ts"],
    ignores: ["**/*.{package,faults,full}.test.ts", "test/{browser,install,soak}/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { paths: [THREADS], patterns: NOT_IN_UNITS }],
      "no-restricted-syntax": [
        "error",
        { selector: "Literal[value=/(^|\\/)dist\\//]", message: "A unit test does not read what is built. That is for x.package.test.ts." },
      ],
    },
  },
  {
    // Only platform code may use what exists in pages alone or in Node alone.
    files: ["src/**/*.ts"],
    ignores: ["src/library/platform/**", "src/library/worker/worker.*.ts", "src/tools/**", "src/service/node/**", "src/files/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        "window",
        "document",
        "navigator",
        "location",
        "caches",
        "fetch",
        "Worker",
        "self",
        "localStorage",
        "process",
        "Buffer",
      ],
    },
  },
  {
    // A command uses the part of the process that it is given: src/tools/cli/io.ts. So it can be called in any process, with others beside it.
    files: ["src/tools/**/*.ts"],
    ignores: ["src/tools/cli/bin.ts"],
    rules: {
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        ...["stdin", "stdout", "stderr", "env", "argv", "exitCode", "cwd", "chdir"].map((property) => ({ object: "process", property })),
      ],
    },
  },
);
