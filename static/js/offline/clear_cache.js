// What is kept of rating pages in this browser goes when their rater signs out, and when somebody else is there. Answers that
// are not sent yet stay written down: they have a database of their rater's own (journal.js), and are nowhere else.

const KEPT = "factuary:";

/** Drops what is kept of everybody but the rater `stays`; `leaves` signs out, and may have nothing kept. */
export async function forget({ stays = null, leaves = null }) {
  const all = await caches.keys().catch(() => []); // a browser may refuse these and have a journal all the same
  const names = all.filter((name) => name.startsWith(KEPT) && raterOf(name) !== stays);
  await Promise.all(names.map((name) => caches.delete(name)));
  for (const rater of new Set([...names.map(raterOf), leaves].filter(Boolean))) await dropReceipts(rater);
}

const raterOf = (name) => name.split(":")[1];

/** Answers that the server has stand in the journal for pages that were kept before. */
function dropReceipts(rater) {
  return new Promise((resolve) => {
    const opening = indexedDB.open(`factuary:${rater}`);
    opening.onupgradeneeded = () => opening.transaction.abort(); // there was none
    opening.onerror = () => resolve();
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("waiting", "readwrite");
      transaction.objectStore("waiting").openCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (cursor?.value.stored) cursor.delete();
        cursor?.continue();
      };
      transaction.oncomplete = transaction.onabort = () => resolve(opening.result.close());
    };
  });
}
