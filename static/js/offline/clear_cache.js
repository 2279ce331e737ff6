// Drops cached rating pages and stored undo when their rater signs out, and when another user is signed in. Answers
// that are not sent yet stay: they are in a database of their rater (journal.js), and nowhere else.

const PREFIX = "factuary:"; // of the caches' names
const UNDO = "factuary:undo:"; // of the keys that stored_changes.js uses

/**
 * Drops the cached pages, receipts and stored undo of all raters except `except`, and of the rater who signs out.
 * @param {{ except?: string | null, signedOut?: string | null }} raters
 */
export async function clearCache({ except = null, signedOut = null }) {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(UNDO) && key !== UNDO + except) sessionStorage.removeItem(key);
  const allNames = await caches.keys().catch(() => []); // a browser may refuse caches and still have a journal
  const names = allNames.filter((name) => name.startsWith(PREFIX) && raterOf(name) !== except);
  await Promise.all(names.map((name) => caches.delete(name)));
  for (const rater of new Set([...names.map(raterOf), signedOut])) if (rater) await removeReceipts(rater);
}

/** @param {string} name */
const raterOf = (name) => name.split(":")[1];

/**
 * Removes receipts from the journal: they are only needed for cached pages.
 * @param {string} rater
 * @returns {Promise<void>}
 */
function removeReceipts(rater) {
  return new Promise((resolve) => {
    const opening = indexedDB.open(`factuary:${rater}`);
    opening.onupgradeneeded = () => opening.transaction?.abort(); // there was no database
    opening.onerror = () => resolve();
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction("waiting", "readwrite");
      const cursors = transaction.objectStore("waiting").openCursor();
      cursors.onsuccess = () => {
        const cursor = cursors.result;
        if (cursor?.value.stored) cursor.delete();
        cursor?.continue();
      };
      transaction.oncomplete = transaction.onabort = () => {
        database.close();
        resolve();
      };
    };
  });
}
