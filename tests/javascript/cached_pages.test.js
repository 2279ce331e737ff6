// Cached rating pages: what is cached, for whom, and when it is deleted.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS } from "./fake_server.js";
import { ORIGIN, rate, settle, until } from "./fake_tab.js";

const SIGN_OUT = "form[action$='/logout/'] button";
const OFFLINE = /^You are offline/;
const paths = ({ caches }) => caches.pages();
const areReceipts = async (browser) => (await browser.records("waiting")).map(({ stored }) => Boolean(stored));
const doesNotLoad = (tab, path) => assert.rejects(tab.goTo(path), /down|answers/);

/** Answers one sentence; the response and the next one are cached then. */
async function begin(t, options) {
  const opened = await rate(t, options);
  await opened.tab.press("1");
  await opened.tab.allSaved();
  await until(() => paths(opened.browser).length === 2);
  return { ...opened, url: opened.tab.path };
}

test("signing out deletes cached pages and receipts, but no unsent answers", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  await until(async () => (await areReceipts(browser)).join() === "true");
  server.addFault(/\/items\//, () => Promise.reject(new TypeError("no network")));
  await tab.press("5");
  await tab.savedIs(/waiting/);
  await tab.click(SIGN_OUT);
  await until(() => !tab.isHidden("#sign-out"));
  await tab.click("#sign-out [value=leave]");
  await tab.arrive(/accounts\/login/);
  assert.deepEqual(paths(browser), []);
  assert.deepEqual(await areReceipts(browser), [false]);
  server.isUp = false;
  await doesNotLoad(tab, url);
});

test("signing out deletes receipts without cache storage", async (t) => {
  const { browser, tab } = await rate(t);
  browser.caches.refused.keys = "SecurityError";
  await tab.press("1");
  await tab.allSaved();
  await until(async () => (await areReceipts(browser)).join() === "true");
  await tab.click(SIGN_OUT);
  await tab.arrive(/accounts\/login/);
  assert.deepEqual(await areReceipts(browser), []);
});

test("signing out of Django's admin deletes cached pages", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  await tab.goTo("/admin/");
  await settle();
  assert.equal(paths(browser).length, 2);
  await tab.click("#logout-form button");
  await tab.arrive(/accounts\/login/);
  assert.deepEqual(paths(browser), []);
  server.isUp = false;
  await doesNotLoad(tab, url);
});

test("another user gets no cached page: any page of the site deletes them", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  server.user = server.rater + 1;
  await tab.goTo("/projects/june/");
  await until(async () => !paths(browser).length && !(await areReceipts(browser)).length);
  server.isUp = false;
  await doesNotLoad(tab, url);
});

test("a rating page deletes its rater's pages when another user is signed in, and caches them again later", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  server.user = server.rater + 1;
  await tab.press("5");
  await until(() => !tab.isHidden("[data-other-account]") && !paths(browser).length);
  server.user = server.rater;
  tab.focus();
  await tab.allSaved();
  await until(() => paths(browser).length === 1);
  server.isUp = false;
  await tab.goTo(url);
  await tab.shows("[data-progress-text]", "2 of 4");
});

for (const [status, stays] of [
  [403, false],
  [404, false],
  [423, false],
  [408, true],
  [429, true],
  [500, true],
])
  test(`an error ${status} of the server is shown and no cached page`, async (t) => {
    const { server, browser, tab, url } = await begin(t);
    const removeFault = server.addFault(/./, () => ({ status, body: "The server says no.", type: "text/html" }));
    await tab.goTo(url);
    assert.equal(tab.status, status);
    assert.match(tab.document.body.textContent, /^The server says no\.$/);
    removeFault();
    assert.equal(paths(browser).includes(url), stays);
    server.isUp = false;
    if (!stays) return;
    await tab.goTo(url);
    await tab.shows("[data-notice-text]", OFFLINE);
  });

for (const status of [502, 503, 504])
  test(`a gateway error ${status} of a proxy counts as offline`, async (t) => {
    const { server, tab, url } = await begin(t);
    const removeFault = server.addFault(/./, () => ({ status, body: "No site.", type: "text/html" }));
    await tab.goTo(url);
    await tab.shows("[data-notice-text]", OFFLINE);
    await tab.press("5");
    await tab.savedIs(/waiting/);
    removeFault();
    tab.focus();
    await tab.allSaved();
    assert.deepEqual(server.stored(), [ACCURATE, CANNOT_ASSESS]);
  });

test("with a network the page comes from the server", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  const [first] = server.assignments;
  first.page = first.page.replaceAll("Study june", "Another title");
  await tab.goTo(url);
  assert.match(tab.text(".location"), /Another title/);
  assert.equal(tab.document.documentElement.dataset.cachedAt, undefined);
  server.assignments = [];
  await tab.goTo(url);
  assert.equal(tab.status, 404);
  assert.ok(!paths(browser).includes(url));
});

test("the redirect to the login page is not cached, and that page deletes what is", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  server.user = null;
  await tab.goTo(url);
  assert.equal(tab.path, "/accounts/login/");
  await until(() => !paths(browser).length);
});

test("an address that is not cached leads to a cached one, other pages do not load", async (t) => {
  const { server, browser, tab } = await begin(t);
  server.isUp = false;
  await tab.goTo("/assignments/00000000-0000-4000-8000-000000000000/");
  assert.ok(paths(browser).includes(tab.path));
  await doesNotLoad(tab, "/projects/june/");
});

test("a cached page expires after half a day", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  browser.caches.age(11.9);
  server.isUp = false;
  await tab.reload();
  await tab.shows("[data-notice-text]", /one more response is ready/);
  browser.caches.age(0.2);
  await doesNotLoad(tab, url);
});

test("an expired page does not follow another", async (t) => {
  const { server, browser, tab, url } = await begin(t);
  browser.caches.age(12.1, url);
  server.isUp = false;
  await tab.reload();
  await tab.shows("[data-notice-text]", /Continue rating\. Your answers/);
});

test("a page from the server deletes expired pages, of other projects too", async (t) => {
  const { browser, tab } = await begin(t, { others: ["july"] });
  await tab.goTo("/projects/july/rate/");
  await browser.advance(4_000);
  await until(() => paths(browser).length === 3);
  browser.caches.age(12.1, tab.path);
  await tab.reload();
  await browser.advance(4_000);
  await until(() => paths(browser).join() === tab.path);
});

test("pages cached by another version or language are deleted", async (t) => {
  const { server, browser, tab } = await begin(t);
  await browser.caches.open(`factuary:${server.rater}:en-us:older`);
  for (const each of server.assignments) each.page = each.page.replace(/lang="en-us"/, 'lang="es"');
  await tab.reload();
  await browser.advance(4_000);
  await until(() => [...browser.caches.byName.keys()].every((name) => /:es:/.test(name)));
  assert.equal(browser.caches.byName.size, 1);
});

test("every file that a page needs is cached: all parts open for the first time without a network", async (t) => {
  const { server, browser, tab } = await rate(t);
  await browser.advance(4_000);
  await until(() => paths(browser).length === 1);
  server.isUp = false;
  await tab.reload();
  await tab.shows("[data-notice-text]", OFFLINE);
  await tab.press("/");
  await until(() => tab.document.activeElement === tab.find("[data-find] input"));
  await tab.type("zebra");
  await tab.shows("[data-find-count]", "Not found");
  await tab.press("Escape");
  assert.ok(tab.isHidden("[data-find]"));
  await tab.press("?");
  await tab.click("[data-keys-change]");
  await until(() => tab.find("[data-keys-choices] button"));
  await tab.press("Escape c");
  await until(() => tab.document.activeElement === tab.find("[data-comment]"));
  await tab.press("Escape b 1 1 1 1 Enter");
  await until(() => !tab.isHidden("#bookmarks"));
});

test("the math font is cached with a page that has a formula", async (t) => {
  const { server, browser, tab } = await begin(t);
  const { cacheMathFont: font } = tab.find("[data-workspace]").dataset;
  assert.ok(!browser.caches.has(font));
  const [first] = server.assignments;
  first.page = first.page.replace('class="prompt" dir="auto">', "$&<math><msup></msup></math>");
  await tab.reload();
  await browser.advance(3_500);
  await until(() => browser.caches.has(font));
});

test("a file that the site no longer has comes from the cache", async (t) => {
  const { server, browser, tab } = await begin(t);
  const [file] = tab.find("[data-workspace]").dataset.cacheFiles.split(" ");
  const fetchFile = (path) => browser.worker.load({ url: ORIGIN + path, method: "GET", mode: "cors" });
  const gone = { status: 404, body: "Not found", type: "text/html" };
  server.addFault(/^\/static\//, () => gone);
  assert.equal((await fetchFile(file)).status, 200);
  assert.equal((await fetchFile("/static/other.js")).status, 404);
  server.isUp = false;
  assert.equal((await fetchFile(file)).status, 200);
});

test("a preview is not cached", async (t) => {
  const { browser, tab } = await rate(t);
  await tab.goTo("/projects/june/preview/1/");
  await tab.press("1");
  await browser.advance(4_000);
  assert.deepEqual([paths(browser), browser.worker], [[], null]);
});

test("rating works where the browser refuses to cache", async (t) => {
  const { server, browser, tab } = await rate(t);
  browser.caches.refused.open = "QuotaExceededError";
  const first = tab.path;
  await tab.press("1");
  await tab.allSaved();
  await tab.press("1 1 1 Enter");
  await until(() => tab.path !== first && tab.itemNumber === "Sentence 1 of 4");
  await tab.allSaved();
  assert.deepEqual(server.stored(), Array(4).fill(ACCURATE));
});

test("offline work stays in one project: another has other questions and other guidelines", async (t) => {
  const { server, browser, tab } = await begin(t, { others: ["july"] });
  await tab.goTo("/projects/july/rate/");
  await browser.advance(4_000);
  await until(() => paths(browser).length === 3);
  server.isUp = false;
  await tab.reload();
  await tab.shows("[data-notice-text]", /Continue rating\. Your answers/);
  await tab.press("1 1 Enter");
  await tab.savedIs(/3 waiting/);
  assert.match(tab.find("#work").textContent, /july/);
});

test("prefetching in one project keeps cached pages of another", async (t) => {
  const { browser } = await begin(t, { others: ["july"] });
  const ofJune = paths(browser);
  const other = await browser.open("/projects/july/rate/");
  await other.press("1");
  await other.allSaved();
  await until(() => paths(browser).length === 4);
  assert.deepEqual(
    ofJune.filter((path) => !paths(browser).includes(path)),
    [],
  );
});
