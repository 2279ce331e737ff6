// The page was opened without a network, as it was kept in this browser: it says so, has the responses that were kept ready, and
// when the site answers again, takes over what was stored elsewhere meanwhile.

import { call, whoIsSignedIn } from "../shared/api.js";
import { keepHand } from "./page_cache.js";
import { sheet, tell } from "../workspace/sheet.js";
import { plural, translate } from "../shared/translate.js";

const LOOK_AGAIN = 15_000; // milliseconds; at once when the browser says that it is online

/** `means` are the page's; resolves when all is as if the page had come from the server. */
export async function goOnAsKept({ outbox, trouble, noTrouble }, ahead, keptAt) {
  await ahead.restore();
  const isSaid = trouble(wordsAbout(keptAt, ahead.sheets.size), "info");
  await until(async () => (await whoIsSignedIn()) !== undefined);
  noTrouble(isSaid);
  await until(async () => (await whoIsSignedIn()) === outbox.rater);
  await outbox.idle();
  await catchUp(outbox);
  await keepHand();
  return ahead.askAgain();
}

function wordsAbout(keptAt, ready) {
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format(keptAt);
  const kept = translate("The site cannot be reached. This page was kept here at %(time)s, and has all that you have answered since.", { time });
  const more = ready ? plural("Go on rating: one more response is ready.", "Go on rating: %(n)s more responses are ready.", ready) : translate("Go on rating.");
  return `${kept} ${more} ${translate("Everything is sent when the site answers again.")}`;
}

/** Resolves when `isSo()` does to true. */
async function until(isSo) {
  while (!(await isSo())) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_AGAIN);
      window.addEventListener("online", resolve, { once: true });
    });
  }
}

/** The page is as old as it was kept: another device may have answered since. */
async function catchUp(outbox) {
  const { work } = sheet;
  const { status, data, redirected } = await call("GET", `/assignments/${work.id}/sheet/?article=${work.article}`, { accept: "text/html" });
  if (status !== 200 || redirected) return; // it is not the rater's any more: the next answer is told so
  const page = new DOMParser().parseFromString(data, "text/html");
  const found = page.getElementById("work");
  if (!found) return; // a proxy has answered
  for (const { id: item, version, ...stored } of JSON.parse(found.textContent).items) {
    if (version > (outbox.versions.get(item) ?? 0)) tell("stored-elsewhere", { item, version, ...stored });
  }
}
