// What this browser keeps of the rating pages, so that they can be opened again without a network (service_worker.js
// gives them then): the page of the response in hand, one for each response given ahead, and the files that they are made of. All
// of it is one rater's, in one language and of one version; a page that comes from the server drops what is anybody else's or
// older. A rater may have two projects open: each looks after its own responses. What was answered since a page was kept stands
// in the journal. docs/decisions/offline-rating-pages.md

import { call } from "../shared/api.js";
import { hear, sheet } from "../workspace/sheet.js";

const LONGEST_KEPT = 12 * 3600 * 1000; // milliseconds

/** What a page must say of itself to be as safe as when it came. */
const HEADERS = ["Cache-Control", "Content-Security-Policy", "Content-Type", "Cross-Origin-Opener-Policy", "Referrer-Policy", "X-Content-Type-Options", "X-Frame-Options"];
const PAGE = /\/assignments\/([^/]+)\/$/;
const desk = document.querySelector("[data-desk]").dataset;
const root = document.documentElement;
const pagesOf = `factuary:${sheet.work.rater}:`;
const name = `${pagesOf}${root.lang}:${desk.keptVersion}`;

/** Training and qualification have pages between their responses: there is no going on in them. */
const canKeep = Boolean(desk.worker && !sheet.work.then && "serviceWorker" in navigator && "caches" in globalThis);
let framing = null; // resolves to a page as it came from the server, of which those of responses given ahead are made; or to null
let isForgotten = false;

/** Keeps the response in hand, unless that is done or under way. */
export const keepHandOnce = () => framing ?? keepHand();

/** Keeps the response in hand and the files, and drops what was kept before. A browser may refuse: then nothing is kept. */
export function keepHand() {
  framing = quietly(async () => {
    const askedAt = Date.now();
    const frame = await fetchPage(sheet.work.id);
    if (!frame) return null;
    await navigator.serviceWorker.register(desk.worker, { updateViaCache: "none" });
    await addFiles();
    await put(documentOf(frame), frame, askedAt);
    await dropOthers();
    return frame;
  });
  return framing;
}

/** Keeps a response given ahead: `parts` as prefetch.js has them, `article` what stands in the article's place. */
export function keepAhead({ parts, article, askedAt }) {
  return quietly(async () => {
    const frame = await keepHandOnce();
    if (!frame) return;
    const page = documentOf(frame);
    for (const [place, content] of Object.entries({ ...parts, article })) {
      page.querySelector(`[data-part="${place}"]`).replaceChildren(page.importNode(content, true));
    }
    await put(page, frame, askedAt);
  });
}

/** The pages that are kept of this project, in the order in which they were: `[{id, html, askedAt}]`. */
export async function keptPages() {
  const found = [];
  await quietly(async () => {
    for (const { id, page } of await pagesIn(await caches.open(name))) {
      if (isOurs(page) && !isOld(page)) found.push({ id, html: await page.text(), askedAt: Number(page.headers.get("Kept-At")) });
    }
  });
  return found;
}

/** Drops the page of every response of this project that is not among `ids`: the server has not given them to this rater any more. */
export function keepOnly(ids) {
  return quietly(async () => {
    const kept = await caches.open(name);
    for (const { id, page } of await pagesIn(kept)) if (isOurs(page) && !ids.includes(id)) await kept.delete(addressOf(id));
  });
}

/** Drops everything that is kept of this rater's pages; nothing is kept from here on, until the server takes an answer of theirs. */
export function forgetAll() {
  isForgotten = true;
  return quietly(async () => {
    for (const each of await caches.keys()) if (each.startsWith(pagesOf)) await caches.delete(each);
  });
}

hear("let-go", ({ assignment }) => quietly(async () => (await caches.open(name)).delete(addressOf(assignment))));

/** Somebody else was signed in meanwhile, and the rater is back. */
hear("saved", () => {
  if (!isForgotten) return;
  isForgotten = false;
  keepHand();
});

/** It was fetched by itself, or its parts were taken before they were kept. */
hear("opened", ({ assignment }) => quietly(async () => {
  const isKept = await (await caches.open(name)).match(addressOf(assignment), { ignoreVary: true });
  if (!isKept) await keepHand();
}));

const addressOf = (assignment) => `/assignments/${assignment}/`;
const isOurs = (page) => page.headers.get("Kept-For") === sheet.work.project;
const isOld = (page) => Number(page.headers.get("Kept-Until")) < Date.now();

async function pagesIn(kept) {
  const found = [];
  for (const { url } of await kept.keys()) {
    const id = PAGE.exec(url)?.[1];
    const page = id && (await kept.match(url, { ignoreVary: true }));
    if (page) found.push({ id, page });
  }
  return found;
}

/** The page as the server gives it now; null if it does not (signed out, or the response is somebody else's), or if it comes in
    another language or version by now than this page, whose files are other ones. */
async function fetchPage(id) {
  const { status, data, redirected, headers: all } = await call("GET", addressOf(id), { accept: "text/html" });
  if (status !== 200 || redirected) return null;
  const headers = Object.fromEntries(HEADERS.map((each) => [each, all.get(each)]).filter(([, value]) => value));
  const frame = { html: data, headers };
  const page = documentOf(frame);
  const isAlike = page.documentElement.lang === root.lang && page.querySelector("[data-desk]")?.dataset.keptVersion === desk.keptVersion;
  return isAlike ? frame : null;
}

function documentOf({ html }) {
  return new DOMParser().parseFromString(html, "text/html");
}

async function put(page, { headers }, askedAt) {
  if (isForgotten) return;
  const { id, project } = JSON.parse(page.getElementById("work").textContent);
  page.documentElement.dataset.kept = askedAt;
  const html = `<!doctype html>${page.documentElement.outerHTML}`;
  const about = { "Kept-At": askedAt, "Kept-Until": askedAt + LONGEST_KEPT, "Kept-For": project };
  const kept = await caches.open(name);
  await kept.put(addressOf(id), new Response(html, { headers: { ...headers, ...about } }));
}

async function addFiles() {
  const kept = await caches.open(name);
  const files = desk.keptFiles.trim().split(/\s+/);
  const isHere = await Promise.all(files.map((file) => kept.match(file, { ignoreVary: true })));
  await kept.addAll(files.filter((file, n) => !isHere[n]));
}

async function dropOthers() {
  for (const each of await caches.keys()) if (each.startsWith("factuary:") && each !== name) await caches.delete(each);
  const kept = await caches.open(name);
  for (const { id, page } of await pagesIn(kept)) if (isOld(page)) await kept.delete(addressOf(id));
}

/** Where the browser refuses (a private window, a full disk) the page works as if there were nothing to keep. */
async function quietly(act) {
  try {
    return canKeep ? await act() : null;
  } catch {
    return null; // so it is without a network, when there is nothing new to keep
  }
}
