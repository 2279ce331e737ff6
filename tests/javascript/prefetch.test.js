// Prefetched responses: an hour without a network, expired leases, and undo over several responses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const KEYS = { "1": ACCURATE, "5": CANNOT_ASSESS, "4 s": SEVERE };
const PATTERN = ["5", "4 s", "1"];

/** Opens the workspace and gives the first answer, which prefetches `ahead` responses. */
async function begin(t, { responses = 10, ahead = 9 } = {}) {
  const opened = await rate(t, { responses, ahead });
  await opened.tab.press("1");
  await opened.tab.allSaved();
  await until(() => opened.tab.find("[data-prefetched-count]").textContent === String(ahead));
  return opened;
}

async function finishAndGoOn(tab) {
  const before = tab.path;
  await tab.press("Enter");
  await until(() => tab.path !== before && tab.document.body.dataset.ready === tab.path.split("/")[2]);
}

test("responses finished during an hour offline arrive in the order in which they were rated", async (t) => {
  const { server, browser, tab } = await begin(t);
  browser.setOffline(true);
  const given = [ACCURATE];
  for (let n = 1; n < 40; n++) {
    if (n % 4 === 0) {
      await finishAndGoOn(tab);
      await browser.advance(400_000);
    }
    const keys = PATTERN[n % 3];
    given.push(KEYS[keys]);
    await tab.press(keys);
  }
  await tab.press("Enter");
  await tab.savedIs("Offline, 49 waiting"); // 39 answers and 10 ends
  assert.equal((await browser.unsent()).length, 49);
  assert.equal(server.stored().length, 1);
  browser.setOffline(false);
  await tab.arrive(/rate/);
  assert.deepEqual(server.inserted, given);
  assert.deepEqual(server.finished, server.assignments);
  assert.ok(server.storedRatings().every(({ version }) => version === 1));
});

test("answers to a response that another rater took stay in this browser, and all others arrive", async (t) => {
  const { server, browser, tab } = await begin(t, { responses: 4, ahead: 3 });
  browser.setOffline(true);
  await tab.press("5 1 1");
  for (let n = 0; n < 3; n++) {
    await finishAndGoOn(tab);
    await tab.press("1 5 1 1");
  }
  await tab.press("Enter");
  await until(async () => (await browser.unsent()).length === 19);
  server.takeAway(2);
  browser.setOffline(false);
  await tab.shows("[data-notice-text]", /Another rater now has/);
  await tab.allSaved();
  assert.equal((await browser.unsent()).length, 4);
  assert.equal(server.finished.length, 3);
  assert.equal(server.stored().length, 12);
});

test("undo goes back over prefetched responses offline", async (t) => {
  const { server, browser, tab } = await begin(t, { responses: 4, ahead: 3 });
  const first = tab.path;
  browser.setOffline(true);
  await tab.press("1 1 1");
  for (let n = 0; n < 3; n++) {
    await finishAndGoOn(tab);
    await tab.press("1 1 1 1");
  }
  for (let n = 0; n < 3; n++) await tab.press("u u u u u"); // the answers and the step
  await until(() => tab.path === first);
  await tab.press("u 4 s");
  for (let n = 0; n < 3; n++) {
    await finishAndGoOn(tab);
    await tab.press("5 5 5 5");
  }
  browser.setOffline(false);
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE, ACCURATE, SEVERE, ...Array(12).fill(CANNOT_ASSESS)]);
});

test("an article is fetched once for all that are about it", async (t) => {
  const { server, browser, tab } = await begin(t);
  const fetched = server.requestsTo("GET", /\/sheet\//);
  assert.equal(fetched.length, 9);
  const whole = fetched.filter(({ searchParams, pathname }) => {
    const { work } = server.assignments.find(({ id }) => pathname.includes(id));
    return !searchParams.getAll("article").includes(work.article);
  });
  assert.equal(whole.length, 1, "the page has the other");
  browser.setOffline(true);
  const title = () => tab.text("[data-article] h1, [data-article] h2, [data-part=article] .title");
  const titles = [title()];
  for (let n = 0; n < 3; n++) {
    await tab.press("1 1 1 1");
    await finishAndGoOn(tab);
    titles.push(title());
  }
  assert.deepEqual([titles[0] === titles[2], titles[1] === titles[3]], [true, true]);
});

test("responses that are no longer held are not shown", async (t) => {
  const { server, browser, tab } = await begin(t, { responses: 6, ahead: 4 });
  server.ahead = 2;
  browser.setOffline(false);
  await until(() => tab.find("[data-prefetched-count]").textContent === "2");
});

test("giving a response back releases the prefetched ones", async (t) => {
  const { server, tab } = await begin(t);
  await tab.find("[data-return-to-queue]").click();
  await tab.click("[data-release]");
  await tab.arrive(/released/);
  assert.ok(server.assignments.every(({ isHeld }) => !isHeld));
});

test("giving a response back does not wait for fetches that hang", async (t) => {
  const { server, tab } = await rate(t, { responses: 3, ahead: 2 });
  server.hold(/^\/assignments\/[^/]+\/$/);
  await tab.press("1");
  await until(() => tab.find("[data-prefetched-count]").textContent === "2");
  await tab.find("[data-return-to-queue]").click();
  await tab.click("[data-release]");
  await until(() => server.requestsTo("POST", /release/).length === 1);
});

test("a response that was only read when the network went is finished", async (t) => {
  const { server, browser, tab } = await rate(t, { responses: 2 });
  await browser.advance(4_000); // modules load before the first key is pressed
  const read = tab.path;
  browser.setOffline(true);
  await tab.press("1 5 1 1 Enter");
  await tab.savedIs("Offline, 5 waiting"); // four answers and the end
  browser.setOffline(false);
  await until(() => tab.path !== read);
  await tab.allSaved();
  assert.deepEqual(server.inserted, [ACCURATE, CANNOT_ASSESS, ACCURATE, ACCURATE]);
});

for (const path of [/\/assignments\/ahead\//, /\/sheet\//])
  test(`work goes on although a page of a strange network answered ${path.source}`, async (t) => {
    const { server, tab } = await rate(t, { responses: 2, ahead: 1 });
    const page = { status: 200, body: "<h1>Sign in to the network</h1>", type: "text/html" };
    const leaveHotel = server.addFault(path, () => page);
    await tab.press("1");
    await tab.allSaved();
    await until(() => server.requests.some((request) => path.test(request.path)));
    await settle();
    leaveHotel();
    await tab.press("1 1 1");
    await finishAndGoOn(tab);
    assert.equal(tab.progress, "0 of 4");
    await tab.press("1");
    await tab.allSaved();
    assert.equal(server.stored().length, 5);
  });
