// Opening the rating page again without a network: the cached page with the answers of the journal.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const FOUR = { responses: 4, ahead: 3 };
const [ONE, TWO] = ["one more response is ready", "2 more responses are ready"];

/** Answers one sentence; all responses are cached then. */
async function begin(t, options = FOUR) {
  const opened = await rate(t, options);
  await opened.tab.press("1");
  await opened.tab.allSaved();
  await until(() => opened.browser.caches.pages().length === options.responses);
  return { ...opened, first: opened.tab.path };
}

/** The same, and the page is reloaded while the site is down. */
async function beginAndReload(t, options) {
  const opened = await begin(t, options);
  opened.server.isUp = false;
  await opened.tab.reload();
  await opened.tab.shows("[data-notice-text]", /^You are offline\. This page was stored in the browser at \d\d:\d\d/);
  return opened;
}

function goOnline(server, ...tabs) {
  server.isUp = true;
  for (const { window } of tabs) window.dispatchEvent(new window.Event("online"));
}

test("the cached page has later answers, sent or not, and prefetched responses follow it", async (t) => {
  const { server, browser, tab } = await begin(t);
  server.isUp = false;
  await tab.press("4"); // begun
  await tab.reload();
  await tab.shows("[data-notice-text]", /3 more responses are ready/);
  assert.equal(tab.itemNumber, "Sentence 2 of 4");
  assert.ok(tab.find("input[value=inaccurate]").checked);
  await tab.press("s 1 1 Enter 5");
  await tab.savedIs(/5 waiting/); // four answers, and that the first response is finished
  await until(async () => (await browser.unsent()).length === 5);
  await tab.reload();
  await tab.shows("[data-notice-text]", new RegExp(TWO));
  assert.equal(tab.progress, "1 of 4");
  await tab.press("1 1 1 Enter");
  await tab.press("4 s 5 1 1 Enter");
  await tab.press("1 1 1 1 Enter");
  await tab.savedIs(/waiting/);
  assert.equal(server.stored().length, 1);
  goOnline(server, tab);
  await tab.arrive(/rate/);
  const answers = [ACCURATE, SEVERE, ACCURATE, ACCURATE, CANNOT_ASSESS, ACCURATE, ACCURATE, ACCURATE, SEVERE];
  answers.push(CANNOT_ASSESS, ...Array(6).fill(ACCURATE));
  assert.deepEqual(server.inserted, answers);
  assert.deepEqual(server.finished, server.assignments);
  assert.deepEqual(browser.caches.pages(), [], "nothing is left to rate");
});

test("what is finished does not come again, although undo had opened it again", async (t) => {
  const { server, browser, tab, first } = await begin(t);
  await tab.press("1 1 1 Enter");
  await until(() => tab.path !== first);
  await tab.allSaved();
  await until(() => browser.caches.pages().length === 3);
  await tab.press("u");
  await until(() => tab.path === first && browser.caches.pages().length === 4);
  server.isUp = false;
  await tab.reload();
  await tab.shows("[data-finish]", /^Next response/);
  await tab.shows("[data-notice-text]", /3 more responses are ready/);
  await tab.press("Enter");
  await until(() => tab.path !== first);
  await tab.reload();
  await tab.shows("[data-notice-text]", new RegExp(TWO));
});

test("a killed tab is opened again", async (t) => {
  const { server, browser, tab } = await begin(t);
  server.isUp = false;
  await tab.press("5 1 1 Enter 4 s");
  await tab.savedIs(/5 waiting/);
  await until(async () => (await browser.unsent()).length === 5);
  const again = await tab.killAndReopen();
  await again.shows("[data-notice-text]", new RegExp(TWO));
  assert.equal(again.itemNumber, "Sentence 2 of 4");
  await again.press("1 1 1 Enter 5 5");
  goOnline(server, again);
  await again.allSaved();
  assert.deepEqual(server.inserted, [
    ...[ACCURATE, CANNOT_ASSESS, ACCURATE, ACCURATE, SEVERE, ACCURATE, ACCURATE, ACCURATE],
    ...[CANNOT_ASSESS, CANNOT_ASSESS],
  ]);
});

test("keys that are pressed before the prefetched responses are restored are not lost", async (t) => {
  const { server, browser, tab } = await begin(t);
  server.isUp = false;
  await tab.press("1 1");
  await until(async () => (await browser.unsent()).length === 2);
  await tab.reload();
  await tab.pressAtOnce("1 Enter 5");
  goOnline(server, tab);
  await until(() => server.inserted.length === 5);
  await tab.allSaved();
  assert.deepEqual(server.inserted, [ACCURATE, ACCURATE, ACCURATE, ACCURATE, CANNOT_ASSESS]);
});

test("a session may have expired meanwhile", async (t) => {
  const { server, browser, tab } = await beginAndReload(t);
  await tab.press("4 s 1 1 Enter 5");
  server.user = null;
  goOnline(server, tab);
  await tab.savedIs(/^Signed out/);
  await browser.advance(1_500);
  await tab.fill("#sign-in [name=password]", "factuary-demo");
  await tab.press("Enter");
  await tab.allSaved();
  assert.deepEqual(server.inserted, [ACCURATE, SEVERE, ACCURATE, ACCURATE, CANNOT_ASSESS]);
});

test("of two tabs the second to reach the site asks which answer to keep", async (t) => {
  const { server, browser, tab } = await begin(t);
  const other = await browser.open();
  server.isUp = false;
  await other.reload();
  await tab.reload();
  assert.deepEqual([tab.progress, other.progress], ["1 of 4", "1 of 4"]);
  await tab.press("5");
  await other.press("4 s");
  await other.savedIs(/waiting/);
  const holdsBack = ({ body }) => (/severe/.test(body ?? "") ? Promise.reject(new TypeError("no network")) : undefined);
  const removeFault = server.addFault(/items/, holdsBack); // the other is the second to reach the site
  goOnline(server, tab);
  await tab.allSaved();
  removeFault();
  goOnline(server, other);
  await until(() => !other.isHidden("#conflict"));
  await other.click("[data-keep=theirs]");
  await other.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, CANNOT_ASSESS]);
});

test("an answer to a response that somebody else holds now stays here, and its page is deleted", async (t) => {
  const { server, browser, tab, first } = await beginAndReload(t, { responses: 2, ahead: 1 });
  assert.match(tab.notice, new RegExp(ONE));
  await tab.press("5 1 1 Enter 4 s 1");
  server.takeAway();
  goOnline(server, tab);
  await tab.shows("[data-notice-text]", /Another rater now has/);
  await tab.allSaved();
  assert.equal((await browser.unsent()).length, 3);
  assert.deepEqual(server.inserted, [ACCURATE, SEVERE, ACCURATE]);
  await until(() => !browser.caches.pages().includes(first));
});

test("after the project was archived an answer is refused with a reason, and the page is not shown", async (t) => {
  const { server, browser, tab, first } = await beginAndReload(t);
  await tab.press("5");
  server.isArchived = true;
  goOnline(server, tab);
  await tab.shows("[data-notice-text]", /could not be saved: The project is archived/);
  assert.deepEqual([(await browser.unsent()).length, server.stored().length], [1, 1]);
  await tab.goTo(first);
  assert.equal(tab.status, 410);
  assert.ok(!browser.caches.pages().includes(first));
});

test("after a pause no page stays cached, and the refused answer stays in the journal", async (t) => {
  const { server, browser, tab } = await beginAndReload(t);
  await tab.press("5");
  server.isPaused = true;
  goOnline(server, tab);
  await tab.arrive(/rate/);
  assert.deepEqual(browser.caches.pages(), []);
  assert.deepEqual([(await browser.unsent()).length, server.stored().length], [1, 1]);
});

test("an answer of another device is shown as soon as the site answers, without an event", async (t) => {
  const { server, browser, tab } = await beginAndReload(t);
  server.answerElsewhere(CANNOT_ASSESS, { index: 3 });
  server.isUp = true;
  await browser.advance(15_500);
  await tab.shows("[data-progress-text]", "2 of 4");
  assert.equal(tab.notice, "");
  await settle();
});
