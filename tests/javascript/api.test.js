// The CSRF token is read from its cookie for each request.

import assert from "node:assert/strict";
import test from "node:test";

import { csrfToken } from "../../static/js/shared/api.js";

/** @param {string} cookie */
function tokenIn(cookie) {
  globalThis.document = /** @type {Document} */ ({ cookie });
  return csrfToken();
}

test("the token is that of its cookie, not of one whose name ends the same", () => {
  assert.equal(tokenIn("a=1; factuary_csrf=token; b=2"), "token");
  assert.equal(tokenIn("other_factuary_csrf=x"), "");
});
