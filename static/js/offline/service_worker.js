// The service worker of rating pages. While the site answers, it passes all responses on, errors and redirects too.
// When nothing answers, or a proxy reports that the site is down, it serves the page from this browser's cache
// (page_cache.js), and the files that the page needs. Answers do not pass through here: the page stores them itself. It
// stores nothing, so any version may follow any other.

const PREFIX = "factuary:"; // of the caches' names
const TIMEOUT = 20_000; // milliseconds; as long as pages wait for an answer (api.js)
const LATE = new Error("no answer yet");
const PAGE = /^\/assignments\/[^/]+\/$/;
const SITE_DOWN = [502, 503, 504]; // a proxy's answers
const TEMPORARY = [408, 429]; // other errors from 400 to 499: the page is not for this user

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("fetch", (/** @type {ServiceWorkerFetchEvent} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && PAGE.test(pathname)) event.respondWith(fetchPage(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(fetchFile(request));
});

/**
 * @param {Request} request
 * @param {string} pathname
 */
async function fetchPage(request, pathname) {
  const fetching = fetch(request);
  try {
    const response = await withTimeout(fetching);
    const { status } = response;
    if (SITE_DOWN.includes(status)) return (await cachedPage(pathname)) ?? response;
    if (status >= 400 && status < 500 && !TEMPORARY.includes(status)) await dropPage(pathname);
    return response;
  } catch (error) {
    return (
      (await cachedPage(pathname)) ?? (error === LATE ? fetching : ((await redirectToCachedPage()) ?? Response.error()))
    );
  }
}

/**
 * A file that the site has no more, as it has another version by now, is served as it was cached with the page.
 * @param {Request} request
 */
async function fetchFile(request) {
  const fetching = fetch(request);
  const response = await withTimeout(fetching).catch(() => null);
  return response?.ok ? response : ((await caches.match(request.url, { ignoreVary: true })) ?? fetching);
}

/**
 * @param {Promise<Response>} response
 * @returns {Promise<Response>}
 */
function withTimeout(response) {
  return Promise.race([
    response,
    new Promise((_, reject) => {
      setTimeout(() => reject(LATE), TIMEOUT);
    }),
  ]);
}

/** @param {string} pathname */
async function cachedPage(pathname) {
  const page = await caches.match(pathname, { ignoreVary: true });
  return page && Number(page.headers.get("Kept-Until")) > Date.now() ? page : null;
}

/** Redirects to another cached page. */
async function redirectToCachedPage() {
  for (const cache of await pageCaches()) {
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      if (PAGE.test(pathname) && (await cachedPage(pathname))) return Response.redirect(url);
    }
  }
  return null;
}

/** @param {string} pathname */
async function dropPage(pathname) {
  for (const cache of await pageCaches()) await cache.delete(pathname);
}

async function pageCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  return Promise.all(names.map((name) => caches.open(name)));
}
