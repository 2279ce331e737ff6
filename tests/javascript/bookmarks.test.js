// Bookmarks are stored like answers: journaled first, sent in order, restored after a closed tab.

import assert from "node:assert/strict";
import { test } from "node:test";

import { rate, until } from "./fake_tab.js";

const marked = (tab) => tab.all(".s[data-item-note=bookmark]").length;
const toggles = (tab) => tab.all("[data-bookmark-toggle]").map((button) => button.getAttribute("aria-label"));

test("a bookmark survives a killed tab and waits with the answers", async (t) => {
  const { server, browser, tab } = await rate(t);
  await tab.press("1");
  await tab.allSaved();
  browser.setOffline(true);
  await tab.press("b 4 s b");
  await until(() => marked(tab) === 2);
  await tab.savedIs("Offline, 3 waiting");
  await until(async () => (await browser.unsent()).length === 3);
  assert.deepEqual(server.bookmarked, []);
  browser.isOnline = true;
  const again = await tab.killAndReopen();
  assert.equal(marked(again), 2);
  await again.allSaved();
  assert.deepEqual(server.bookmarked, [2, 3]);
  assert.deepEqual([server.stored().length, (await browser.unsent()).length], [2, 0]);
});

test("the buttons are named for what they do", async (t) => {
  const { tab } = await rate(t);
  assert.deepEqual([...new Set(toggles(tab))], ["Flag for later"]);
  await tab.press("b");
  assert.deepEqual([...new Set(toggles(tab))], ["Remove flag"]);
  await tab.click(".menu [data-bookmark-toggle]");
  assert.deepEqual([...new Set(toggles(tab))], ["Flag for later"]);
  assert.equal(marked(tab), 0);
});

test("the last state of a bookmark is sent", async (t) => {
  const { server, browser, tab } = await rate(t);
  await tab.press("b");
  await tab.allSaved();
  assert.equal(server.bookmarked.length, 1);
  browser.setOffline(true);
  await tab.press("b b b");
  await tab.savedIs(/^Offline, [12] waiting$/); // the last, and the first if it was tried already
  browser.setOffline(false);
  await tab.allSaved();
  assert.equal(marked(tab), 0);
  assert.deepEqual(server.bookmarked, []);
});

test("a page that was made before the bookmark arrived shows it", async (t) => {
  const { server, tab } = await rate(t);
  const release = server.hold(/mark\//);
  await tab.press("b");
  await tab.reload();
  assert.equal(marked(tab), 1);
  release();
  await tab.allSaved();
  assert.equal(server.bookmarked.length, 1);
  await tab.reload();
  assert.equal(marked(tab), 1);
});

test("bookmarks on a finished response do not block later requests", async (t) => {
  const { server, browser, tab } = await rate(t);
  const first = tab.path;
  await tab.press("1");
  await tab.allSaved();
  await until(() => tab.find("[data-prefetched-count]").textContent === "1");
  browser.setOffline(true);
  await tab.press("b 1 1 1 Enter");
  await until(() => !tab.isHidden("#bookmarks"));
  assert.equal(tab.text("[data-bookmarks-title]"), "You flagged one sentence for later");
  await tab.click("[data-bookmarks-finish]");
  await until(() => tab.path !== first && tab.itemNumber === "Sentence 1 of 4");
  await tab.press("b 5");
  browser.setOffline(false);
  await tab.allSaved();
  assert.deepEqual([server.bookmarked.length, server.stored().length], [2, 5]);
});

test("bookmarks are visited with one key and warn before finishing", async (t) => {
  const { server, tab } = await rate(t, { responses: 1 });
  await tab.press("b 1 1 b 1 1");
  assert.deepEqual([marked(tab), tab.progress], [2, "4 of 4"]);
  await tab.press("Enter");
  await until(() => !tab.isHidden("#bookmarks"));
  assert.equal(tab.text("[data-bookmarks-title]"), "You flagged 2 sentences for later");
  await tab.press("Enter");
  assert.equal(tab.itemNumber, "Sentence 1 of 4");
  await tab.press("Shift+B");
  assert.equal(tab.itemNumber, "Sentence 3 of 4");
  await tab.press("b");
  assert.equal(marked(tab), 1);
  await tab.allSaved();
  assert.equal(server.bookmarked.length, 1);
  await tab.reload();
  assert.equal(marked(tab), 1);
  await tab.press("Enter");
  await until(() => !tab.isHidden("#bookmarks"));
  await tab.click("[data-bookmarks-finish]");
  await tab.arrive(/rate/);
  assert.equal(server.finished.length, 1);
});
