// Hints at first use: one at a time, each once, closed by key and mouse, shown again from the help.

import assert from "node:assert/strict";
import { test } from "node:test";

import { rate, until } from "./fake_tab.js";

const FIRST = /the rarest words of the sentence are underlined/;
const hint = (tab) => (tab.isHidden("[data-hint]") ? "" : tab.text("[data-hint]"));
const rateAnew = (t) => rate(t, { seesHints: true });
const isShown = (tab) => until(() => hint(tab) !== "");

test("each hint is shown once and one at a time", async (t) => {
  const { browser, tab } = await rateAnew(t);
  await tab.press("j");
  await isShown(tab);
  assert.match(tab.text("[data-hint-text]:not([hidden])"), FIRST);
  await tab.press("1");
  assert.equal(tab.all("[data-hint-text]:not([hidden])").length, 1);
  await tab.press("Escape");
  assert.equal(hint(tab), "");
  await tab.press("j");
  assert.match(tab.text("[data-hint-text]:not([hidden])"), /The sign before a sentence is your answer/);
  await tab.click("[data-hint-close]");
  assert.equal(hint(tab), "");
  await tab.press("k");
  assert.match(tab.text("[data-hint-text]:not([hidden])"), /Supports \+ or Contradicts − attaches it to your answer/);
  await tab.press("Escape j k");
  assert.equal(hint(tab), "");
  await tab.reload();
  await browser.advance(4_000);
  await tab.press("j");
  assert.equal(hint(tab), "");
});

test("the help shows hints again", async (t) => {
  const { tab } = await rateAnew(t);
  await tab.press("j");
  await isShown(tab);
  await tab.press("Escape ?");
  await tab.click("[data-hints-again]");
  assert.ok(tab.isHidden("#help"));
  assert.match(tab.text("[data-hint-text]:not([hidden])"), FIRST);
});

test("a hint waits while a dialog is open", async (t) => {
  const { browser, tab } = await rateAnew(t);
  await tab.press("?");
  assert.ok(!tab.isHidden("#help"));
  await browser.advance(4_000);
  assert.equal(hint(tab), "");
  await tab.press("Escape j");
  await isShown(tab);
});
