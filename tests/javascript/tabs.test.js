// Two tabs, or two devices, of one rater: neither overwrites the other's answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

test("a second tab leaves the waiting answers of a living one alone, and adopts them when it is closed", async (t) => {
  const { server, browser, tab } = await rate(t);
  const removeFault = server.addFault(/\/items\//, () => Promise.reject(new TypeError("no network")));
  await tab.press("1");
  await tab.savedIs("Offline, 1 waiting");
  const second = await browser.open();
  assert.equal(second.itemNumber, "Sentence 1 of 4");
  await settle();
  assert.equal(second.saved, "Saved");
  removeFault();
  tab.kill();
  await second.allSaved();
  await until(() => server.stored().length === 1);
  await second.shows("[data-progress-text]", "1 of 4");
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("an answer saved in one tab is shown in the other", async (t) => {
  const { browser, tab } = await rate(t);
  const second = await browser.open();
  await until(() => /also open in another tab/.test(tab.notice));
  await tab.press("1");
  await second.shows("[data-progress-text]", "1 of 4");
  assert.match(second.text("[data-announcements]"), /Sentence 1 of 4: Accurate, answered in another tab/);
});

for (const [keep, expected, sign] of [
  ["mine", ACCURATE, "✓"],
  ["theirs", CANNOT_ASSESS, "–"],
])
  test(`an answer given elsewhere is not overwritten unasked: keep ${keep}`, async (t) => {
    const { server, tab } = await rate(t);
    server.answerElsewhere(CANNOT_ASSESS);
    await tab.press("1");
    await until(() => !tab.isHidden("#conflict"));
    assert.equal(tab.text("[data-conflict-mine]"), "Accurate");
    assert.equal(tab.text("[data-conflict-theirs]"), "Can't assess");
    await tab.press("Escape");
    assert.ok(!tab.isHidden("#conflict"));
    await tab.click(`[data-keep=${keep}]`);
    await tab.allSaved();
    await until(() => tab.find(".s.first").dataset.sign === sign);
    assert.deepEqual(server.stored(), [expected]);
  });

test("after a reload the choice is asked for in the tab with the focus", async (t) => {
  const { server, browser, tab } = await rate(t);
  server.answerElsewhere(CANNOT_ASSESS);
  await tab.press("1");
  await until(() => !tab.isHidden("#conflict"));
  const second = await browser.open(undefined, { isFocused: false });
  await tab.reload();
  await until(() => !tab.isHidden("#conflict"));
  assert.ok(second.isHidden("#conflict"));
  await tab.click("[data-keep=mine]");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});

test("an answer of an earlier page does not replace one that was stored elsewhere since", async (t) => {
  const { server, browser, tab } = await rate(t);
  browser.setOffline(true);
  await tab.press("1");
  await until(async () => (await browser.unsent()).length === 1);
  server.answerElsewhere(CANNOT_ASSESS);
  browser.isOnline = true;
  const again = await tab.killAndReopen();
  await until(() => !again.isHidden("#conflict"));
  assert.deepEqual(server.stored(), [CANNOT_ASSESS]);
  await again.click("[data-keep=mine]");
  await again.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});
