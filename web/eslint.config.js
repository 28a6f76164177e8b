import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Words in the page come from src/strings, so that all of them can be read, checked and translated in one place. */
const WORDS = [
  "JSXText[value=/[A-Za-z]/]",
  "JSXElement > JSXExpressionContainer > Literal[value=/[A-Za-z]/]",
  "JSXElement > JSXExpressionContainer > TemplateLiteral",
  "JSXElement > JSXExpressionContainer > ConditionalExpression > Literal[value=/[A-Za-z]/]",
  "JSXAttribute[name.name=/^(aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt|label|hint|description|caption)$/] > Literal[value=/[A-Za-z]/]",
].map((selector) => ({ selector, message: "Visible words belong into src/strings." }));

/** Sinks through which text could become markup or script. */
const SINKS = [
  "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  "JSXAttribute[name.name=/^srcdoc$/i]",
  "MemberExpression[property.name=/^(innerHTML|outerHTML|srcdoc|insertAdjacentHTML)$/]",
  "MemberExpression[object.name='document'][property.name=/^writeln?$/]",
].map((selector) => ({ selector, message: "Nothing is written into the page as markup." }));

function globals(...names) {
  return Object.fromEntries(names.map((name) => [name, "readonly"]));
}

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts", "tests-render/dist", "tests-render/.build"] },
  js.configs.recommended,
  { files: ["**/*.mjs"], languageOptions: { globals: globals("console", "process", "URL") } },
  { files: ["public/sw.js"], languageOptions: { globals: globals("self", "caches", "URL", "fetch", "Response") } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strictTypeChecked, a11y.flatConfigs.strict],
    plugins: { "react-hooks": hooks },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...hooks.configs.recommended.rules,
      "no-eval": "error",
      "no-restricted-syntax": ["error", ...WORDS, ...SINKS],
      "no-restricted-imports": [
        "error",
        {
          paths: [
            {
              name: "@tanstack/react-query",
              importNames: ["useMutation"],
              message: "Its callbacks are dropped when what asked is gone. Use api/mutation.",
            },
            {
              name: "radix-ui",
              importNames: ["ScrollArea", "Select"],
              message: "Their viewports write a style sheet as markup, which Trusted Types refuses. Use overflow: auto and ui/Select.",
            },
          ],
          patterns: [{ group: ["@radix-ui/*"], message: "Import from radix-ui." }],
        },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // The router throws its redirects.
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  {
    // Its rows become blocks on phones, and with that some browsers forget that they are rows: the roles are said again.
    files: ["src/ui/Table.tsx"],
    rules: { "jsx-a11y/no-redundant-roles": "off", "jsx-a11y/no-interactive-element-to-noninteractive-role": "off" },
  },
  { files: ["src/api/mutation.ts"], rules: { "no-restricted-imports": "off" } },
  { files: ["src/**/*.test.{ts,tsx}", "src/strings/**", "tests-render/**"], rules: { "no-restricted-syntax": ["error", ...SINKS] } },
);
