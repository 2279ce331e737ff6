// The page was opened without a network, from the cache of this browser: shows a notice, and when the site answers
// again, adopts answers stored elsewhere meanwhile. The prefetched responses are restored by then (workspace.js).

import { call, fetchSignedInUser } from "../shared/api.js";
import { plural, translate } from "../shared/translate.js";

const CHECK_INTERVAL = 15_000; // milliseconds; at once when the browser reports that it is online

/**
 * Resolves when the page is as if it had come from the server.
 * @param {object} dependencies
 * @param {Sheet} dependencies.sheet
 * @param {AnyOutbox} dependencies.outbox
 * @param {Prefetch} dependencies.prefetch
 * @param {PageCache} dependencies.pageCache
 * @param {number} dependencies.cachedAt when the page was cached
 * @param {ShowNotice} dependencies.showNotice
 * @param {(message?: string) => void} dependencies.hideNotice
 * @param {(answer: ItemPayload & { item: string }) => unknown} dependencies.applyStoredAnswer takes over an answer of
 *   another device
 */
export async function continueOffline({
  sheet,
  outbox,
  prefetch,
  pageCache,
  cachedAt,
  showNotice,
  hideNotice,
  applyStoredAnswer,
}) {
  const message = showNotice(offlineMessage(cachedAt, prefetch.sheets.size), "info");
  await until(async () => (await fetchSignedInUser()) !== undefined);
  hideNotice(message);
  await until(async () => (await fetchSignedInUser()) === outbox.rater);
  await outbox.idle();
  for (const item of await fetchItems(sheet.work)) {
    if (item.version > (outbox.versions.get(item.id) ?? 0)) applyStoredAnswer({ ...item, item: item.id });
  }
  await pageCache.cacheCurrent();
  return prefetch.refill();
}

/**
 * @param {number} cachedAt
 * @param {number} count
 */
function offlineMessage(cachedAt, count) {
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short", hourCycle: "h23" }).format(
    cachedAt,
  );
  const age = translate(
    "You are offline. This page was stored in the browser at %(time)s and includes everything you have answered since.",
    { time },
  );
  const ready = count
    ? plural("Continue rating: one more response is ready.", "Continue rating: %(n)s more responses are ready.", count)
    : translate("Continue rating.");
  return `${age} ${ready} ${translate("Your answers are sent when the connection is back.")}`;
}

/**
 * Resolves when the condition holds.
 * @param {() => Promise<boolean>} condition
 */
async function until(condition) {
  while (!(await condition())) {
    await new Promise((resolve) => {
      setTimeout(resolve, CHECK_INTERVAL);
      window.addEventListener("online", resolve, { once: true });
    });
  }
}

/**
 * The items as the server has them now; none if the response is not this rater's any more (the next answer reports
 * that), or a proxy has answered.
 * @param {Work} shown
 * @returns {Promise<ItemPayload[]>}
 */
async function fetchItems({ id, article }) {
  const { status, data, redirected } = await call("GET", `/assignments/${id}/sheet/?article=${article}`, {
    accept: "text/html",
  });
  if (status !== 200 || redirected) return [];
  const work = new DOMParser().parseFromString(data, "text/html").getElementById("work");
  return work ? JSON.parse(work.textContent).items : [];
}
