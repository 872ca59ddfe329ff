import tseslint from "typescript-eslint";

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
    // Only platform code may use what exists in pages alone or in Node alone.
    files: ["src/**/*.ts"],
    ignores: ["src/platform/**", "src/worker/worker.*.ts", "src/cli/**", "src/serve/**", "src/adding/**", "src/run/**"],
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
    // A command uses the part of the process that it is given: src/cli/io.ts. So it can be called in any process, with others beside it.
    files: ["src/cli/**/*.ts", "src/run/**/*.ts", "src/adding/**/*.ts"],
    ignores: ["src/cli/bin.ts"],
    rules: {
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        ...["stdin", "stdout", "stderr", "env", "argv", "exitCode", "cwd", "chdir"].map((property) => ({ object: "process", property })),
      ],
    },
  },
);
