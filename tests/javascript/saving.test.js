// Saving answers: each is stored once, whatever the network does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const ITEMS = /\/items\//;

test("one request is sent for each rating", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("1 4 s 1 1");
  await tab.allSaved();
  assert.equal(server.requests.filter(({ path }) => ITEMS.test(path)).length, 4);
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE, ACCURATE, ACCURATE]);
});

test("one goes on where one stopped", async (t) => {
  const { tab } = await rate(t);
  await tab.press("1 4 s");
  await tab.allSaved();
  await tab.reload();
  assert.equal(tab.itemNumber, "Sentence 3 of 4");
  assert.equal(tab.all(".s.first[data-state=answered]").length, 2);
  assert.equal(tab.all(".s[data-flag=heavy]").length, 1);
});

test("answers wait without a network and arrive after", async (t) => {
  const { server, browser, tab } = await rate(t);
  browser.setOffline(true);
  await tab.press("1 4 s 1");
  await tab.savedIs("Offline, 3 waiting");
  assert.deepEqual(server.stored(), []);
  browser.setOffline(false);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE, ACCURATE]);
});

test("answers that waited in a killed tab are sent by the next one", async (t) => {
  const { server, browser, tab } = await rate(t);
  browser.setOffline(true);
  await tab.press("1 4 s");
  await tab.savedIs("Offline, 2 waiting");
  await until(async () => (await browser.unsent()).length === 2);
  browser.isOnline = true;
  const again = await tab.killAndReopen();
  assert.equal(again.itemNumber, "Sentence 3 of 4");
  await again.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE]);
  assert.deepEqual(await browser.unsent(), []);
});

for (const isClosedOnTheWay of [false, true])
  test(`a page made just before an answer arrived shows it${isClosedOnTheWay ? ", without its receipt" : ""}`, async (t) => {
    const { server, browser, tab } = await rate(t);
    const release = server.hold(ITEMS, "PUT");
    await tab.press("4 s");
    await tab.savedIs("1 waiting");
    await until(() => server.requestsTo("PUT", ITEMS).length === 1);
    const { path } = tab;
    const page = await server.answer({ method: "GET", url: `http://site.example${path}` });
    if (isClosedOnTheWay) tab.kill(); // the answer was sent, and no page hears of it
    release();
    await until(() => server.stored().length === 1);
    if (!isClosedOnTheWay) await tab.allSaved();
    const serveAsItWas = server.addFault(/^\/assignments\/[^/]+\/$/, () => page);
    const again = isClosedOnTheWay ? await browser.open(path) : (await tab.reload(), tab);
    serveAsItWas();
    assert.equal(again.progress, "1 of 4");
    assert.equal(again.all(".s[data-flag=heavy]").length, 1);
    await again.press("ArrowUp 1");
    await again.allSaved();
    assert.deepEqual(server.stored(), [ACCURATE]);
  });

test("an answer whose receipt was lost is stored once", async (t) => {
  const { server, browser, tab } = await rate(t);
  const removeFault = server.addFault(ITEMS, (_, answer) => {
    removeFault();
    answer();
    throw new TypeError("the connection broke");
  });
  await tab.press("1");
  await tab.savedIs("Offline, 1 waiting");
  await browser.advance(2_000);
  await tab.allSaved();
  const [{ answers, version }] = server.storedRatings();
  assert.deepEqual([answers, version], [ACCURATE, 1]);
  const [first, second] = server.requestsTo("PUT", ITEMS);
  assert.deepEqual([second.key, second.body], [first.key, first.body]);
});

test("a server in trouble is asked again, after longer and longer pauses", async (t) => {
  const { server, browser, tab } = await rate(t);
  let tries = 0;
  server.addFault(ITEMS, () => ((tries += 1) < 4 ? { status: 503, body: "{}", type: "application/json" } : undefined));
  await tab.press("1 1");
  await tab.savedIs("2 waiting");
  await browser.advance(1_300); // a quarter more or less than one, two, four seconds
  assert.equal(tries, 2);
  await browser.advance(900); // the second pause ends after 0.75 + 1.5 s at the earliest
  assert.equal(tries, 2);
  await browser.advance(6_600);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
});

test("leaving while something waits is warned about", async (t) => {
  const { browser, tab } = await rate(t);
  const isWarned = () => !tab.window.dispatchEvent(new tab.window.Event("beforeunload", { cancelable: true }));
  assert.equal(isWarned(), false);
  browser.setOffline(true);
  await tab.press("1");
  await tab.savedIs("Offline, 1 waiting");
  assert.equal(isWarned(), true);
});

test("an unsent answer of a removed rater stays stored and does not block later answers", async (t) => {
  const { server, browser, tab } = await rate(t, { others: ["july"] });
  browser.setOffline(true);
  await tab.press("1");
  await tab.savedIs("Offline, 1 waiting");
  await until(async () => (await browser.unsent()).length === 1);
  tab.kill();
  const june = server.assignments.filter(({ work }) => work.project === "june");
  server.assignments = server.assignments.filter((each) => !june.includes(each));
  browser.isOnline = true;
  const other = await browser.open("/projects/july/rate/");
  await other.press("1 5");
  await other.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, CANNOT_ASSESS]);
  assert.equal((await browser.unsent()).length, 1);
});

test("work that went to somebody else is announced and the next is offered", async (t) => {
  const { server, tab } = await rate(t);
  const { path } = tab;
  server.takeAway();
  await tab.press("1");
  await until(() => !tab.isHidden("#lost"));
  assert.deepEqual(server.stored(), []);
  await tab.click("#lost a");
  await tab.arrive(new RegExp(`^/assignments/(?!${path.split("/")[2]})`));
  assert.ok(tab.isHidden("#lost"));
});

test("without IndexedDB the page says so and keeps answers all the same", async (t) => {
  const { server, browser, tab } = await rate(t, { hasIndexedDb: false });
  assert.match(tab.notice, /stores answers less safely than usual/);
  browser.setOffline(true);
  await tab.press("1 4 s");
  await tab.savedIs("Offline, 2 waiting");
  await settle();
  browser.isOnline = true;
  const again = await tab.killAndReopen();
  assert.equal(again.itemNumber, "Sentence 3 of 4");
  await again.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, SEVERE]);
});

test("where the browser allows no storage at all the page says so and works in memory", async (t) => {
  const { server, tab } = await rate(t, { hasIndexedDb: false, hasStorage: false });
  assert.match(tab.notice, /does not let the page store anything/);
  await tab.click("[data-definitions]");
  assert.equal(tab.text("[data-definitions-text]"), "Show definitions");
  await tab.click("[data-auto-finish]");
  await tab.press("1 1 1 4 s");
  await tab.shows("[data-progress-text]", "0 of 4");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE, ACCURATE, SEVERE]);
});

test("what was begun is there again and not after it was answered", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("4");
  await settle();
  await tab.reload();
  assert.ok(tab.find("input[value=inaccurate]").checked);
  assert.equal(tab.progress, "0 of 4");
  await tab.press("s 1");
  await tab.allSaved();
  await tab.reload();
  assert.equal(tab.itemNumber, "Sentence 3 of 4");
  assert.deepEqual(server.stored(), [SEVERE, ACCURATE]);
});

test("a page of a strange network is no receipt", async (t) => {
  const { server, browser, tab } = await rate(t);
  const leaveHotel = server.addFault(ITEMS, () => ({ status: 200, body: "<h1>Our hotel</h1>", type: "text/html" }));
  await tab.press("1");
  await tab.savedIs("1 waiting");
  await until(() => server.requestsTo("PUT", ITEMS).length === 1);
  await settle();
  assert.equal(tab.saved, "1 waiting");
  assert.equal((await browser.unsent()).length, 1);
  leaveHotel();
  browser.setOffline(false);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});
