// Rating by key and by click: questions, order, undo.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const DISPUTED = { accuracy: "disputed", severity: "not_severe" };
const option = (tab, value) => tab.find(`input[value=${value}]`).closest("label");
const undoIsOffered = (tab) => !tab.find("[data-undo]").disabled;

test("the second question's keys mean nothing before it is open", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("s n 1 s");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
  assert.equal(tab.itemNumber, "Sentence 2 of 4");
});

test("a flag without its severity is not saved and is listed as open", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("4 j 1 1 1 Enter");
  await until(() => !tab.isHidden("#unanswered"));
  assert.equal(tab.text("[data-open-title]"), "1 sentence has no answer yet");
  await tab.press("Enter");
  assert.equal(tab.itemNumber, "Sentence 1 of 4");
  assert.ok(tab.find("input[value=inaccurate]").checked);
  await tab.press("s");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [SEVERE, ACCURATE, ACCURATE, ACCURATE]);
});

test("a flag changed to another asks for its severity again", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("4 s k 2");
  assert.ok(!tab.find("input[value=severe]").checked);
  await tab.press("n");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [DISPUTED]);
});

test("undo goes back at any depth and is saved", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("1 4 s 5");
  await tab.allSaved();
  await tab.press("k k 2 n"); // answers the second sentence anew
  await tab.allSaved();
  await tab.press("u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE, CANNOT_ASSESS]);
  await tab.press("u u u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), []);
  assert.equal(tab.itemNumber, "Sentence 1 of 4");
  await tab.press("u 1");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("undo is offered only when there is something to undo, and a click keeps the keys", async (t) => {
  const { server, tab } = await rate(t);
  assert.ok(!undoIsOffered(tab));
  await tab.click(option(tab, "inaccurate"));
  assert.ok(undoIsOffered(tab));
  await tab.click("[data-undo]"); // begun, and not an answer yet
  assert.ok(!undoIsOffered(tab));
  await tab.click(option(tab, "accurate"));
  await tab.click("[data-undo]");
  await tab.allSaved();
  assert.deepEqual(server.stored(), []);
  await tab.press("1 1 1 1 Enter");
  await tab.shows("[data-progress-text]", "0 of 4");
});

test("a click on a sentence goes there and a click on an option answers", async (t) => {
  const { server, tab } = await rate(t);
  await tab.click(tab.all(".s.first")[2]);
  assert.equal(tab.itemNumber, "Sentence 3 of 4");
  await tab.click(option(tab, "disputed"));
  await tab.click(option(tab, "not_severe"));
  await tab.allSaved();
  assert.deepEqual(server.stored(), [DISPUTED]);
  assert.equal(tab.itemNumber, "Sentence 4 of 4");
});

test("what happened is read aloud", async (t) => {
  const { tab } = await rate(t);
  await tab.press("4 s");
  await tab.shows(
    "[data-announcements]",
    /^Sentence 1 of 4: Inaccurate, Severe, saved\. Now sentence 2: Sentence number 2/,
  );
});

test("headings are shown and not asked about", async (t) => {
  const { tab } = await rate(t);
  assert.equal(tab.text(".response h3"), "An answer");
  assert.equal(tab.all(".response h3 .s").length, 0);
});

test("another protocol with words and an optional question is asked as it says", async (t) => {
  const { server, tab } = await rate(t, { study: "words", responses: 1 });
  await tab.press("y x");
  assert.equal(tab.document.activeElement, tab.find("textarea"));
  await tab.type("too vague"); // letters are letters here, not shortcuts
  await tab.press("Control+Enter");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [{ good: "yes" }, { good: "no", why: "too vague" }]);
  assert.equal(tab.itemNumber, "Sentence 2 of 4", "something may still be said");
  await tab.press("w");
  await tab.allSaved();
  assert.deepEqual(server.stored()[1], { good: "no", why: "too vague", sure: "not_quite" });
  assert.equal(tab.itemNumber, "Sentence 3 of 4");
});

test("undo goes on after a reload", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("1 4 s 5");
  await tab.allSaved();
  await tab.reload();
  assert.ok(undoIsOffered(tab));
  await tab.press("u u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
  assert.equal(tab.itemNumber, "Sentence 2 of 4");
  await tab.press("u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), []);
  assert.ok(!undoIsOffered(tab));
});

test("undo after a reload leaves an answer of another tab", async (t) => {
  const { server, browser, tab } = await rate(t);
  await tab.press("1 5");
  await tab.allSaved();
  const other = await browser.open(tab.path);
  await other.press("k k 5");
  await other.allSaved();
  await tab.reload();
  await tab.press("u u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [CANNOT_ASSESS]);
});

test("signing out ends undo", async (t) => {
  const { tab } = await rate(t);
  await tab.press("1 5");
  await tab.allSaved();
  await until(() => [...tab.session.keys()].some((key) => key.includes(":undo:")));
  await tab.click("form[action$='/logout/'] button");
  await tab.arrive(/accounts\/login/);
  assert.deepEqual([...tab.session.keys()], []);
});

test("the help opens with a question mark, closes with Escape, and takes no answer", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("?");
  assert.ok(!tab.isHidden("#help"));
  await tab.press("1 Escape");
  assert.ok(tab.isHidden("#help"));
  await settle();
  assert.deepEqual(server.requestsTo("PUT", /./), []);
});
