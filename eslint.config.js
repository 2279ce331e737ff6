// The linter of the pages' scripts; `make check` runs it. Types are checked by tsc (tsconfig.json).

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      // prettier breaks code; this is for comments. Messages stay in one piece, so that they are found.
      "max-len": [
        "error",
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true },
      ],
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-var": "error",
      "no-useless-return": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["static/js/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["static/js/offline/service_worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/javascript/**/*.js"], languageOptions: { globals: globals.node } },
];
