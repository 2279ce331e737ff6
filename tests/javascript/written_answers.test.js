// Written answers: the text is never lost, and is an answer only when the rater leaves the field.

import assert from "node:assert/strict";
import { test } from "node:test";

import { rate, settle, until } from "./fake_tab.js";

const SEARCHED = "Ten minutes: three registers and two newspapers say nothing.";
const COMMENT = "textarea[name=comment]";
const URLS = "textarea[name=supporting_urls]";
const UNSUPPORTED = { factual: "yes", accuracy: "unsupported", comment: SEARCHED };
const rateWeb = (t) => rate(t, { study: "web", responses: 1 });

test("a written answer is typed and the tab killed, and the text is stored once", async (t) => {
  const { server, browser, tab: first } = await rateWeb(t);
  await first.press("y 3");
  assert.equal(first.document.activeElement, first.find(COMMENT));
  await first.type(SEARCHED);
  await browser.hasTyped(SEARCHED);
  let tab = await first.killAndReopen();
  assert.ok(tab.find("input[value=unsupported]").checked);
  assert.equal(tab.find(COMMENT).value, SEARCHED);
  await tab.press("3");
  await tab.allSaved();
  tab.find(URLS).focus();
  await tab.type("https://a.example/");
  await browser.hasTyped("https://a.example/");
  tab = await tab.killAndReopen();
  await tab.click(".s[data-item]");
  assert.equal(tab.find(URLS).value, "https://a.example/");
  await tab.press("3");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [{ ...UNSUPPORTED, supporting_urls: "https://a.example/" }]);
});

test("looking something up in another tab takes nothing for an answer", async (t) => {
  const { server, browser, tab } = await rateWeb(t);
  await tab.press("y 2");
  for (const [name, text, later] of [
    ["supporting", "https://a.example/", "\nhttps://b.example/"],
    ["contradicting", "https://c.example/", ""],
  ]) {
    tab.find(`textarea[name=${name}_urls]`).focus();
    await tab.type(text);
    tab.lookAway();
    await settle(200);
    assert.equal((await browser.unsent()).length, 0);
    assert.equal(server.stored()[0]?.[`${name}_urls`], undefined);
    await tab.type(later);
    await tab.press("Control+Enter");
  }
  await tab.allSaved();
  const [{ supporting_urls, contradicting_urls }] = server.stored();
  assert.deepEqual(
    [supporting_urls, contradicting_urls],
    ["https://a.example/\nhttps://b.example/", "https://c.example/"],
  );
});

test("a refused answer that comes into the field is not given again by leaving it", async (t) => {
  const { server, tab } = await rateWeb(t);
  const { promise, resolve } = Promise.withResolvers();
  server.addFault(/\/items\//, () => promise); // not answered yet
  await tab.press("y 3");
  await tab.type(SEARCHED);
  await tab.press("Control+Enter");
  await until(() => server.requestsTo("PUT", /items/).length === 1);
  await tab.press("j y 3");
  await tab.type("Nothing else.");
  const body = JSON.stringify({ detail: "No.", errors: { comment: ["Say where."] } });
  resolve({ status: 400, body, type: "application/json" });
  await tab.shows("[data-item-number]", "Sentence 1 of 3");
  assert.equal(tab.find(COMMENT).value, SEARCHED);
  await tab.press("Control+Enter");
  await settle(200);
  assert.equal(server.requestsTo("PUT", /items/).length, 1);
  await tab.press("j");
  assert.equal(tab.find(COMMENT).value, "Nothing else.");
});

test("words of a question that is hidden wait until it is asked again", async (t) => {
  const { server, browser, tab: first } = await rateWeb(t);
  await first.press("y c");
  await first.type(SEARCHED);
  await first.press("Control+Enter n"); // a slip
  await first.allSaved();
  assert.deepEqual(server.stored(), [{ factual: "no" }]);
  await browser.hasTyped(SEARCHED);
  const tab = await first.killAndReopen();
  await tab.press("ArrowUp y 3");
  assert.equal(tab.find(COMMENT).value, SEARCHED);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [UNSUPPORTED]);
  await tab.press("u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [{ factual: "no" }]);
  await tab.press("y 3");
  assert.equal(tab.find(COMMENT).value, SEARCHED);
});
