// Stands between the rating pages and the network, and does nothing as long as there is one: every page of the server passes,
// errors and redirects too. When nothing answers, or a proxy says that the site does not, a page is given as it was kept in this
// browser (page_cache.js), and so are the files it is made of. Answers on their way do not come through here: the page writes
// them down itself.

const KEPT = "factuary:"; // how the names of what is kept begin
const PATIENCE = 20_000; // milliseconds until no answer counts as none, where something is kept; pages are as patient themselves
const LATE = new Error("no answer yet");
const PAGE = /^\/assignments\/[^/]+\/$/;
const DOWN = [502, 503, 504]; // what a proxy says where the site should answer
const PASSING = [408, 429]; // all other errors from 400 to 499 say that the page is not for whoever asks

self.addEventListener("install", () => self.skipWaiting()); // it keeps nothing itself, so any version may follow any other

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && PAGE.test(pathname)) event.respondWith(page(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function page(request, pathname) {
  const coming = fetch(request);
  try {
    const answer = await inTime(coming);
    if (DOWN.includes(answer.status)) return (await keptPage(pathname)) ?? answer;
    if (answer.status >= 400 && answer.status < 500 && !PASSING.includes(answer.status)) await drop(pathname);
    return answer;
  } catch (reason) {
    return (await keptPage(pathname)) ?? (reason === LATE ? coming : ((await anotherKept()) ?? Response.error()));
  }
}

/** Files are named after their content: one that the site has no more, as it has gone on to another version, is right for the
    page that was kept with it. */
async function file(request) {
  const coming = fetch(request);
  const answer = await inTime(coming).catch(() => null);
  return answer?.ok ? answer : ((await caches.match(request.url, { ignoreVary: true })) ?? coming);
}

/** What `promise` resolves to; rejects if it does, and when it takes too long. */
function inTime(promise) {
  return Promise.race([promise, new Promise((resolve, reject) => { setTimeout(() => reject(LATE), PATIENCE); })]);
}

async function keptPage(pathname) {
  for (const cache of await keptCaches()) {
    const found = await cache.match(pathname, { ignoreVary: true });
    if (found && Number(found.headers.get("Kept-Until")) > Date.now()) return found;
    if (found) await cache.delete(pathname);
  }
  return null;
}

/** The way to a page that is kept, for whoever asks for one that is not. */
async function anotherKept() {
  for (const cache of await keptCaches()) {
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      if (PAGE.test(pathname) && (await keptPage(pathname))) return Response.redirect(url);
    }
  }
  return null;
}

async function drop(pathname) {
  for (const cache of await keptCaches()) await cache.delete(pathname);
}

async function keptCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(KEPT));
  return Promise.all(names.map((name) => caches.open(name)));
}
