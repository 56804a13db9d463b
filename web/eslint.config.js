import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["eslint.config.js"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }] },
  },
  // The runner's `test` returns a promise that it waits for itself.
  { files: ["test/**"], rules: { "@typescript-eslint/no-floating-promises": "off" } },
);
