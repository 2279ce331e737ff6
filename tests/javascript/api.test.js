// The CSRF token comes from the cookie of this host, also if a cookie without the prefix is there.

import assert from "node:assert/strict";
import test from "node:test";

import { csrfToken } from "../../static/js/shared/api.js";

/** @param {string} cookie */
function tokenIn(cookie) {
  globalThis.document = /** @type {Document} */ ({ cookie });
  return csrfToken();
}

test("the token is found over https and without", () => {
  assert.equal(tokenIn("a=1; __Host-factuary_csrf=new"), "new");
  assert.equal(tokenIn("factuary_csrf=plain; b=2"), "plain");
  assert.equal(tokenIn("other_factuary_csrf=x"), "");
});

test("the cookie with the prefix wins", () => {
  assert.equal(tokenIn("factuary_csrf=old; __Host-factuary_csrf=new; c=3"), "new");
});
