// Typing while the drawer or the find bar loads: the keys go to its field and never answer a question.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const ARTICLE = /workspace\/article/;
const DRAWER = /workspace\/drawer/;
const FIELD = "[data-find] input";
const COMMENT = "[data-comment]";
const NO_EFFECT = /Keys pressed in the meantime had no effect/;
const hasFocus = (tab, selector) =>
  until(() => tab.find(selector) && tab.document.activeElement === tab.find(selector));

/** Opens the workspace; what `path` matches is held until `release` is called. */
async function rateWithout(t, path, options) {
  const opened = await rate(t, options);
  return { ...opened, release: opened.server.hold(path) };
}

/** Presses the keys of a text that is meant for a field. */
const typeText = (tab, text) => tab.pressAtOnce([...text].map((sign) => (sign === " " ? "Space" : sign)).join(" "));

test("words typed at once are searched", async (t) => {
  const { server, tab, release } = await rateWithout(t, ARTICLE, { study: "evidence" });
  await tab.press("/");
  await typeText(tab, "turbidn1");
  await tab.press("Backspace Backspace Enter n");
  release();
  await tab.shows("[data-find-count]", "2 of 2");
  assert.equal(tab.find(FIELD).value, "turbid");
  assert.deepEqual([tab.itemNumber, server.stored()], ["Sentence 1 of 4", []]);
  await tab.press("Escape 1");
  assert.ok(tab.isHidden("[data-find]"));
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("answers before and after find stay in order", async (t) => {
  const { server, tab, release } = await rateWithout(t, ARTICLE, { study: "evidence" });
  await tab.press("1 / 4 5 Escape 5 1");
  release();
  await tab.shows("[data-item-number]", "Sentence 4 of 4");
  assert.ok(tab.isHidden("[data-find]"));
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, CANNOT_ASSESS, ACCURATE]);
});

test("the button opens a find bar that is not loaded yet", async (t) => {
  const { server, tab, release } = await rateWithout(t, ARTICLE, { study: "evidence" });
  await tab.click("[data-find-open]");
  await typeText(tab, "1.9 g");
  release();
  await tab.shows("[data-find-count]", "1 of 1");
  await hasFocus(tab, FIELD);
  assert.deepEqual(server.stored(), []);
});

for (const [key, path, field] of [
  ["/", ARTICLE, FIELD],
  ["c", DRAWER, COMMENT],
])
  test(`what is opened by ${key} and does not load has a notice and frees the keys`, async (t) => {
    const { server, browser, tab } = await rate(t);
    const removeFault = server.addFault(path, () => Promise.reject(new TypeError("no network")));
    await tab.press(`${key} 1 5`);
    await tab.shows("[data-notice-text]", /a part of this page is not loaded yet/);
    await tab.press("1 5"); // the hands have not seen it yet
    await browser.advance(2_500);
    await tab.shows("[data-notice-text]", NO_EFFECT);
    assert.deepEqual(server.stored(), []);
    await tab.press("1");
    await tab.allSaved();
    assert.deepEqual(server.stored(), [ACCURATE]);
    removeFault();
    await tab.press(key);
    await hasFocus(tab, field);
  });

test("a drawer that takes too long is given up, and takes no keys when it arrives later", async (t) => {
  const { server, browser, tab, release } = await rateWithout(t, DRAWER);
  await tab.press("c 1 5");
  await browser.advance(12_500);
  await tab.shows("[data-notice-text]", NO_EFFECT);
  release();
  await tab.press("1");
  await tab.allSaved();
  assert.ok(tab.isHidden("[data-drawer]"));
  assert.deepEqual(server.stored(), [ACCURATE]);
  await tab.press("c");
  await hasFocus(tab, COMMENT);
});

test("words typed at once are in the comment", async (t) => {
  const { server, tab, release } = await rateWithout(t, DRAWER);
  await tab.press("c");
  await typeText(tab, "1 in 5, nott");
  await tab.press("Backspace Enter ArrowDown 4 5");
  release();
  await until(() => tab.find(COMMENT)?.value === "1 in 5, not\n45");
  await hasFocus(tab, COMMENT);
  assert.equal(tab.itemNumber, "Sentence 1 of 4");
  await tab.press("! Control+Enter 1");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
  await tab.press("ArrowUp");
  assert.equal(tab.find(COMMENT).value, "1 in 5, not\n45!");
});

test("keys after leaving the loading drawer answer questions", async (t) => {
  const { server, tab, release } = await rateWithout(t, DRAWER);
  await tab.press("c P a g e Space 5 Control+Enter 1 1");
  await settle();
  assert.deepEqual(server.stored(), []);
  release();
  await tab.shows("[data-item-number]", "Sentence 3 of 4");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
});

test("keys rate while the guidelines load, but a shortcut of the browser is no answer", async (t) => {
  const { server, tab, release } = await rateWithout(t, DRAWER);
  await tab.press("g");
  await tab.press("5", { altKey: true });
  await tab.press("1");
  release();
  await hasFocus(tab, "[data-drawer-body]");
  await tab.shows("[data-item-number]", "Sentence 2 of 4");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("the key of the drawer that is open leads to the comment, and no text becomes an answer", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("c");
  await hasFocus(tab, COMMENT);
  await tab.press("Control+Enter 1 c");
  await hasFocus(tab, COMMENT);
  await tab.type("Odd 1");
  assert.deepEqual([tab.find(COMMENT).value, tab.itemNumber], ["Odd 1", "Sentence 2 of 4"]);
  await tab.press("Escape");
  assert.ok(tab.isHidden("[data-drawer]"));
  await tab.allSaved();
  assert.equal(server.stored().length, 1);
});
