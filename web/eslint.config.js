// The borders of the house are errors: imports go down the list of folders and never up or sideways.
import boundaries from "eslint-plugin-boundaries";
import importX from "eslint-plugin-import-x";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const element = (...types) => ({ element: { types: { anyOf: types } } });
const border = (from, ...to) => ({ from: element(...from), allow: { to: element(...to) } });

/** Modules that one folder alone may use, with the reason. */
const reserved = [
  { names: ["radix-ui"], only: "src/ui", reason: "Radix is wrapped by the parts in ui/." },
  { names: ["openapi-fetch"], only: "src/api", reason: "Only api/ talks to the server." },
];
const routers = ["src/app/**", "src/pages/**", "src/scope/**", "src/main.tsx"];
const router = {
  name: "@tanstack/react-router",
  message: "Only app/, pages/ and scope/ know the router; take a callback or a link instead.",
};
/** What the page of public dashboards may not import, with the reason: whoever reads it has no session. */
const PUBLIC = ["src/public.tsx", "src/pages/public/**"];
const privates = [
  {
    regex: "(^|/)api/(?!(public|queries|errors|words|schema\\.gen)\\.ts$)",
    message: "A public page calls the endpoints of api/public.ts and no others.",
  },
  { regex: "(^|/)scope/(?!theme\\.ts$)", message: "A public page has no scope: its time range is the saved one." },
  { regex: "(^|/)(app|live)/", message: "A public page has no session, so it knows neither the app nor the stream." },
];
const restrictedFor = (folder) =>
  reserved.filter(({ only }) => only !== folder).flatMap(({ names, reason }) => names.map((name) => ({ name, message: reason })));

export default tseslint.config(
  { ignores: ["node_modules", "src/**/*.gen.ts", "public", "scripts"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  jsxA11y.flatConfigs.strict,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["eslint.config.js"] } } },
    plugins: { boundaries, "import-x": importX, "react-hooks": reactHooks },
    settings: {
      "import/resolver": { node: { extensions: [".ts", ".tsx", ".js", ".json", ".css"] } },
      "boundaries/include": ["src/**/*"],
      "boundaries/elements": [
        { type: "page", pattern: "src/pages/*", capture: ["resource"] },
        { type: "kind", pattern: "src/widgets/*", capture: ["kind"] },
        ...["app", "questions", "widgets", "scope", "live", "charts", "ui", "api", "core"].map((type) => ({ type, pattern: `src/${type}` })),
        { type: "entry", pattern: "src" },
      ],
    },
    rules: {
      "boundaries/dependencies": [
        "error",
        {
          default: "disallow",
          policies: [
            border(["entry"], "app", "page", "scope", "ui", "api", "core"),
            border(["app"], "app", "page", "questions", "widgets", "scope", "live", "charts", "ui", "api", "core"),
            border(["page"], "questions", "widgets", "kind", "scope", "live", "charts", "ui", "api", "core"),
            {
              from: element("page"),
              allow: { to: { element: { types: "page", captured: { resource: "{{from.element.captured.resource}}" } } } },
            },
            border(["questions"], "questions", "widgets", "scope", "api", "core"),
            border(["widgets"], "widgets", "kind", "scope", "live", "charts", "ui", "api", "core"),
            border(["kind"], "widgets", "scope", "charts", "ui", "api", "core"),
            {
              from: element("kind"),
              allow: { to: { element: { types: "kind", captured: { kind: "{{from.element.captured.kind}}" } } } },
            },
            border(["scope"], "scope", "ui", "api", "core"),
            border(["live"], "live", "api", "core"),
            border(["charts"], "charts", "ui", "core"),
            border(["ui"], "ui", "core"),
            border(["api"], "api", "core"),
            border(["core"], "core"),
            { from: element("entry", "app", "page", "questions", "widgets", "kind", "scope", "live", "charts", "ui", "api", "core"), allow: { to: { module: { origin: "external" } } } },
            { from: element("entry", "app", "page", "questions", "widgets", "kind", "scope", "live", "charts", "ui", "api", "core"), allow: { to: { module: { origin: "core" } } } },
          ],
        },
      ],
      "import-x/no-cycle": "error",
      "import-x/no-default-export": "error",
      ...reactHooks.configs.recommended.rules,
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 120, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      "no-restricted-globals": [
        "error",
        { name: "fetch", message: "Only api/client.ts calls fetch." },
        { name: "EventSource", message: "Only live/ opens a stream." },
        { name: "SharedWorker", message: "Only live/ opens a stream." },
        { name: "localStorage", message: "Use core/storage.ts, which works where storage is switched off." },
        { name: "sessionStorage", message: "Use core/storage.ts." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='aria-live']",
          message: "Only ui/announce.ts speaks to assistive technology.",
        },
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Text from a sender is never HTML.",
        },
        {
          selector: "JSXOpeningElement[name.name=/^[a-z]/] > JSXAttribute[name.name=/^on(Before)?Toggle$/]:not(:has(CallExpression[callee.name='isOwn']))",
          message: "React lets toggle events bubble: take those of the element itself, by isOwn.",
        },
        {
          selector: "ImportSpecifier[imported.name='keepPreviousData']",
          message: "It shows an answer under the name of another question: use placeholderFor of api/placeholders.ts.",
        },
        { selector: "TSEnumDeclaration", message: "Use a union of strings, as the API does." },
      ],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      // An import of types alone must not bring the module along.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "interface"],
      // `const { f, ...rest }` is how a field is left out.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      // Numbers in templates are what charts are made of.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // A handler may be `() => save()`.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // The router is told where to go by what is thrown.
      "@typescript-eslint/only-throw-error": ["error", { allow: ["Redirect"] }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  ...["src/app", "src/pages", "src/questions", "src/widgets", "src/scope", "src/live", "src/charts", "src/ui", "src/api", "src/core"].map((folder) => ({
    files: [`${folder}/**`],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: [...restrictedFor(folder), ...(routers.some((each) => each.startsWith(folder)) ? [] : [router])] },
      ],
    },
  })),
  {
    files: PUBLIC,
    rules: {
      "no-restricted-imports": ["error", { paths: [...restrictedFor("src/pages"), router], patterns: privates }],
    },
  },
  { files: ["src/api/client.ts", "src/live/**"], rules: { "no-restricted-globals": "off" } },
  { files: ["src/core/storage.ts"], rules: { "no-restricted-globals": "off" } },
  { files: ["src/ui/announce.ts"], rules: { "no-restricted-syntax": "off" } },
  { files: ["vite.config.ts", "eslint.config.js"], rules: { "import-x/no-default-export": "off", "boundaries/dependencies": "off" } },
  { files: ["**/*.js"], ...tseslint.configs.disableTypeChecked },
  { files: ["**/*.test.ts", "house/**"], rules: { "max-lines-per-function": "off" } },
);
