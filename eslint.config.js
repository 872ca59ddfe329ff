import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "dist-playground/", "bench/peers/", "models/", "examples/extension/build/", "**/.venv/"] },
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
      // Index signatures are the shape of the wire; a Record says less.
      "@typescript-eslint/consistent-indexed-object-style": "off",
      // The compiler's noPropertyAccessFromIndexSignature asks for the opposite.
      "@typescript-eslint/dot-notation": "off",
    },
  },
  {
    // Only what is the platform's knows a page from a program.
    files: ["src/**/*.ts"],
    ignores: ["src/platform/**", "src/worker/worker.*.ts", "src/cli/**", "src/serve/**"],
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
);
