// Finishing a response, opening the next, and undo into the one before.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const WAITS = /^Finishes when everything is saved/;
const FINISHED = [ACCURATE, ACCURATE, ACCURATE, ACCURATE];

/** Waits until the tab shows another response than that at `path`. */
const isLeft = (tab, path) =>
  until(() => tab.path !== path && tab.document.body.dataset.ready === tab.path.split("/")[2]);

/** Opens the workspace, answers two sentences, and waits until the next response is here. */
async function begin(t, options) {
  const opened = await rate(t, options);
  await opened.tab.press("1 1");
  await until(() => opened.tab.find("[data-prefetched-count]").textContent === "1");
  await opened.tab.allSaved();
  return { ...opened, first: opened.tab.path };
}

test("finishing without a network says what it waits for", async (t) => {
  const { server, browser, tab } = await rate(t, { ahead: 0 });
  const first = tab.path;
  await tab.press("1 1 1");
  await tab.allSaved();
  browser.setOffline(true);
  await tab.press("1 Enter");
  await tab.shows("[data-finish]", WAITS);
  browser.setOffline(false);
  await isLeft(tab, first);
  assert.match(tab.text("[data-finish]"), /^Finish\b/);
  assert.equal(server.finished.length, 1);
});

test("work can be given back", async (t) => {
  const { server, tab } = await begin(t);
  await tab.find("[data-return-to-queue]").click();
  await tab.click("[data-release]");
  await tab.arrive(/^\/projects\/june\/released\/$/);
  assert.deepEqual(
    server.assignments.map(({ isHeld }) => isHeld),
    [false, false],
  );
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
});

test("a finished response can be corrected", async (t) => {
  const { server, tab, first } = await begin(t);
  await tab.press("1 1 Enter");
  await isLeft(tab, first);
  await tab.allSaved();
  await tab.goTo(first);
  await tab.press("4 s u");
  await tab.allSaved();
  await tab.press("5");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [CANNOT_ASSESS, ACCURATE, ACCURATE, ACCURATE]);
  assert.equal(server.finished.length, 1);
});

test("the response before is in the menu", async (t) => {
  const { tab, first } = await begin(t);
  assert.ok(tab.isHidden("[data-previous-response]"));
  await tab.press("1 1 Enter");
  await isLeft(tab, first);
  await tab.click("[data-previous-response]");
  await until(() => tab.path === first);
  await tab.shows("[data-finish]", /^Next response/);
  assert.match(tab.text("[data-announcements]"), /^Previous response\. Sentence 4 of 4/);
});

test("back and forward of the browser follow the responses", async (t) => {
  const { server, tab, first } = await begin(t);
  await tab.press("1 5");
  await tab.allSaved();
  await tab.press("Enter");
  await isLeft(tab, first);
  const second = tab.path;
  await tab.allSaved();
  await tab.press("1");
  await tab.travel(-1);
  await tab.shows("[data-finish]", /^Next response/);
  assert.equal(tab.path, first);
  await tab.press("k k k 4 s u"); // an answer of the finished response, changed and changed back
  await tab.shows("[data-progress-text]", "4 of 4");
  await tab.travel(1);
  await tab.shows("[data-progress-text]", "1 of 4");
  assert.equal(tab.path, second);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE, ACCURATE, CANNOT_ASSESS, ACCURATE]);
});

test("back after the last response opens it and undo knows its last answer", async (t) => {
  const { server, tab } = await rate(t, { responses: 1 });
  await tab.press("1 1 1 1 k 5");
  await tab.allSaved();
  await tab.press("Enter");
  await tab.arrive(/rate/);
  await tab.travel(-1);
  await tab.press("u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), FINISHED);
});

test("the next response is there before it is needed", async (t) => {
  const { server, browser, tab, first } = await begin(t);
  assert.deepEqual(
    server.assignments.map(({ isHeld }) => isHeld),
    [true, true],
  );
  browser.setOffline(true);
  await tab.press("1 1 Enter");
  await isLeft(tab, first);
  assert.equal(tab.progress, "0 of 4");
  assert.equal(tab.text(".location [data-part=number]"), "response 2");
});

test("undo leads back over responses and forward again", async (t) => {
  const { server, browser, tab, first } = await begin(t);
  browser.setOffline(true);
  await tab.press("1 1 Enter");
  await isLeft(tab, first);
  await tab.press("5 u u"); // the answer, then the step
  await until(() => tab.path === first);
  await tab.shows("[data-finish]", /^Finish\b/); // it had not been sent yet
  await tab.press("u");
  await tab.shows("[data-progress-text]", "3 of 4");
  await tab.press("4 s Enter 1 1 1 1");
  browser.setOffline(false);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE, ACCURATE, SEVERE, ...FINISHED]);
  assert.equal(server.finished.length, 1);
});

test("what undo leads back to is finished while the last response waits", async (t) => {
  const { server, browser, tab, first } = await begin(t);
  browser.setOffline(true);
  await tab.press("1 1 Enter");
  await isLeft(tab, first);
  await tab.press("1 1 1 1 Enter");
  await tab.shows("[data-finish]", WAITS);
  await tab.press("u u u u u");
  await until(() => tab.path === first && !tab.find("[data-finish]").disabled);
  assert.equal(tab.notice, "");
  await tab.press("u 4 s Enter");
  await tab.shows("[data-finish]", WAITS);
  browser.setOffline(false);
  await tab.arrive(/rate/);
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE, ACCURATE, SEVERE, ...FINISHED]);
  assert.equal(server.finished.length, 2);
});

test("a finished response is answered anew by undo", async (t) => {
  const { server, tab, first } = await begin(t);
  await tab.press("1 1");
  await tab.allSaved();
  await tab.press("Enter");
  await isLeft(tab, first);
  await tab.allSaved();
  await tab.press("Control+z u"); // the step; then the last answer, which stands until there is another
  await tab.shows("[data-notice-text]", /remains until you choose another answer/);
  await tab.press("5");
  await tab.allSaved();
  assert.deepEqual(server.stored()[3], CANNOT_ASSESS);
  await tab.press("Enter");
  await isLeft(tab, first);
  await tab.shows("[data-progress-text]", "0 of 4");
});

test("a response may finish by itself", async (t) => {
  const { server, tab } = await rate(t);
  const first = tab.path;
  await tab.find("[data-auto-finish]").click();
  await tab.press("1 1 1 4 s");
  await isLeft(tab, first);
  await tab.allSaved();
  assert.equal(server.finished.length, 1);
});

test("keys that are pressed while the next response comes are answers to it", async (t) => {
  const { server, tab } = await begin(t);
  await tab.press("1 1");
  await tab.pressAtOnce("Enter 5 4 s 1 1 Enter");
  await tab.arrive(/rate/);
  assert.deepEqual(server.stored(), [...FINISHED, CANNOT_ASSESS, SEVERE, ACCURATE, ACCURATE]);
  assert.equal(server.finished.length, 2);
});

test("keys that are pressed before the finish is loaded are answers to the next response", async (t) => {
  const { server, tab } = await rate(t);
  await tab.pressAtOnce("1 1 1 1 Enter 5");
  await until(() => server.stored().length === 5);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [...FINISHED, CANNOT_ASSESS]);
  await settle();
});
