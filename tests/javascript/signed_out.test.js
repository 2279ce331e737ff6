// Rating with an expired session or somebody else's: the work goes on, and nothing is sent under another name.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const PASSWORD = "factuary-demo";
const SIGN_OUT = "form[action$='/logout/'] button";

async function signedOut(t) {
  const opened = await rate(t);
  opened.server.user = null;
  return opened;
}

test("an expired session keeps the answers until one is back", async (t) => {
  const { server, tab } = await signedOut(t);
  await tab.press("1 1");
  await tab.savedIs("Signed out, 2 waiting");
  assert.ok(!tab.isHidden("[data-signed-out]"));
  Object.assign(server, { user: server.rater, token: "token-2" });
  tab.focus();
  await tab.allSaved();
  assert.ok(tab.isHidden("[data-signed-out]"));
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
});

test("an answer given while somebody else is signed in waits for its owner", async (t) => {
  const { server, tab } = await rate(t);
  server.user = -1;
  await tab.press("1 4 s");
  await tab.savedIs("2 not saved");
  assert.ok(!tab.isHidden("[data-other-account]"));
  assert.deepEqual(server.stored(), []);
  server.user = server.rater;
  tab.focus();
  await tab.allSaved();
  assert.ok(tab.isHidden("[data-other-account]"));
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE]);
});

test("a lost CSRF token is brought back unnoticed", async (t) => {
  const { server, browser, tab } = await rate(t);
  browser.cookie = "";
  await tab.press("1 1");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
});

test("one may go on rating and sign in later", async (t) => {
  const { server, browser, tab } = await signedOut(t);
  await tab.press("1");
  await browser.advance(1_500);
  await tab.click("#sign-in [value=later]");
  await tab.press("4 s");
  await tab.savedIs("Signed out, 2 waiting");
  await tab.click("[data-sign-in]");
  await tab.type(PASSWORD);
  await tab.press("Enter");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE]);
});

test("answer keys do not go into the password field, which a wrong password empties", async (t) => {
  const { server, browser, tab } = await signedOut(t);
  await tab.press("1");
  await tab.savedIs("Signed out, 1 waiting");
  await settle();
  assert.ok(tab.isHidden("#sign-in"), "keys may still be pressed");
  await browser.advance(1_500);
  assert.ok(!tab.isHidden("#sign-in"));
  await tab.press("1 n Enter");
  assert.equal(tab.find("#sign-in [name=password]").value, "");
  assert.equal(tab.saved, "Signed out, 1 waiting");
  await tab.fill("#sign-in [name=password]", "wrong");
  await tab.press("Enter");
  await tab.shows("#sign-in [data-problem]", "Wrong password.");
  assert.equal(tab.find("#sign-in [name=password]").value, "");
  await tab.type(PASSWORD);
  await tab.press("Enter");
  await tab.allSaved();
  assert.ok(tab.isHidden("#sign-in"));
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("whoever signs in in another tab is let through", async (t) => {
  const { server, browser, tab } = await signedOut(t);
  await tab.press("1");
  await browser.advance(1_500);
  assert.ok(!tab.isHidden("#sign-in"));
  server.user = server.rater;
  await browser.advance(2_500);
  assert.ok(tab.isHidden("#sign-in"));
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("who signs out while something waits is told where it stays", async (t) => {
  const { server, browser, tab } = await rate(t);
  const removeFault = server.addFault(/\/items\//, () => Promise.reject(new TypeError("no network")));
  await tab.press("1 4 s");
  await tab.savedIs("Offline, 2 waiting");
  await tab.click(SIGN_OUT);
  await until(() => !tab.isHidden("#sign-out"));
  await tab.click("#sign-out [value=stay], #sign-out button:not([value=leave])");
  assert.ok(tab.isHidden("#sign-out"));
  assert.equal((await browser.unsent()).length, 2);
  await tab.click(SIGN_OUT);
  await until(() => !tab.isHidden("#sign-out"));
  await tab.click("#sign-out [value=leave]");
  await tab.arrive(/accounts\/login/);
  removeFault();
  server.user = server.rater;
  await tab.goTo("/projects/june/rate/");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE]);
});

test("who signed in again can sign out", async (t) => {
  const { server, browser, tab } = await signedOut(t);
  await tab.press("1");
  await browser.advance(1_500);
  server.token = "token-2"; // the page is older than the session
  await tab.fill("#sign-in [name=password]", PASSWORD);
  await tab.press("Enter");
  await tab.allSaved();
  await tab.click(SIGN_OUT);
  await tab.arrive(/accounts\/login/);
  assert.equal(tab.forms[0].elements.csrfmiddlewaretoken.value, "token-2");
});
