// What this browser has written down for one rater, on its disk before the network is asked: answers on their way
// (`waiting`, struck out when the server has them), what is begun and no answer yet (`begun`), and what is typed and not
// saved yet (`typed`: a comment, a written answer, a question to the leads; a record for each field, written at every key).
// Each rater has a database of their own, so nobody else on the same browser sees or sends anything of it. Where a browser
// refuses IndexedDB (some private windows, a full disk) the older localStorage is used, and where that is refused too,
// memory: `keeps` says which, and the page says so.

const STORES = { waiting: "key", begun: "item", typed: "place" };
const LONGEST_WAIT = 30 * 24 * 3600 * 1000; // for what was begun and left: the answer itself never was given
let ofThePage = null; // the journal of whoever rates; none in a preview

export class Journal {
  constructor(rater) {
    this.rater = rater;
    this.keeps = "all"; // all | some (localStorage) | nothing
    this.pending = new Set(); // [store, value] on their way to the disk
    this.opening = this.open();
    window.addEventListener("pagehide", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.hurry());
  }

  async open() {
    try {
      this.database = await opened(`factuary:${this.rater}`);
      this.database.onversionchange = () => this.database.close();
    } catch {
      this.fallBack();
    }
    await this.takeOverTheRest();
  }

  /** Everything in `store`: "waiting" in the order given, "begun" as it comes. */
  async all(store) {
    await this.opening;
    const stored = this.database ? await this.asked(store, "readonly", (each) => each.getAll()) : null;
    const found = stored ?? lines(this.prefix(store)).map(([, value]) => value);
    return found.sort((a, b) => a.at - b.at);
  }

  /** Resolves when it is on the disk. */
  async put(store, value) {
    const pending = [store, value];
    this.pending.add(pending);
    await this.opening;
    const isWritten = this.database && (await this.asked(store, "readwrite", (each) => each.put(value))) !== null;
    if (!isWritten) this.keeps = this.putAside(store, value) ? "some" : "nothing";
    this.pending.delete(pending);
  }

  /** The page may go before the disk has answered, and its transactions with it: localStorage is written at once. */
  hurry() {
    for (const [store, value] of this.pending) this.putAside(store, value);
  }

  async remove(store, key) {
    await this.opening;
    inLocalStorage(() => localStorage.removeItem(this.prefix(store) + key));
    if (this.database) await this.asked(store, "readwrite", (each) => each.delete(key));
  }

  /** What was begun on a sheet (`[{item, draft, evidence}]`), or typed (`[{item, field, text, was}]`). */
  async on(assignment, store) {
    const all = await this.all(store);
    for (const old of all) if (old.at < Date.now() - LONGEST_WAIT) this.remove(store, old[STORES[store]]);
    return all.filter((each) => each.assignment === assignment);
  }

  /** One transaction; `strict` waits for the disk, so that a flat battery loses nothing either. Null when it failed. */
  asked(store, mode, ask) {
    return new Promise((resolve) => {
      try {
        const transaction = this.database.transaction(store, mode, { durability: "strict" });
        const request = ask(transaction.objectStore(store));
        transaction.oncomplete = () => resolve(request.result ?? true);
        transaction.onabort = transaction.onerror = () => resolve(null);
      } catch {
        resolve(null); // closed under us
      }
    });
  }

  fallBack() {
    this.database = null;
    const canKeep = inLocalStorage(() => { localStorage.setItem("factuary:try", "1"); localStorage.removeItem("factuary:try"); });
    this.keeps = canKeep ? "some" : "nothing";
  }

  /** Whether localStorage has it now. */
  putAside(store, value) {
    return inLocalStorage(() => localStorage.setItem(this.prefix(store) + value[STORES[store]], JSON.stringify(value)));
  }

  /** What a page wrote down while IndexedDB was refused, or as it went. */
  async takeOverTheRest() {
    if (!this.database) return;
    for (const store of Object.keys(STORES)) {
      for (const [name, value] of lines(this.prefix(store))) {
        if ((await this.asked(store, "readwrite", (each) => each.put(value))) !== null) localStorage.removeItem(name);
      }
    }
  }

  prefix(store) {
    return `factuary:${store === "waiting" ? "answer" : store}:${this.rater}:`;
  }
}

function opened(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2); // 1 had nothing typed
    request.onupgradeneeded = () => {
      const { result } = request;
      for (const [store, keyPath] of Object.entries(STORES)) if (!result.objectStoreNames.contains(store)) result.createObjectStore(store, { keyPath });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error);
  });
}

/** What localStorage has under `prefix`: `[[name, value]]`. */
function lines(prefix) {
  const found = [];
  inLocalStorage(() => {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) found.push([name, JSON.parse(localStorage.getItem(name))]);
  });
  return found;
}

/** Whether localStorage did what `act` asks of it. */
function inLocalStorage(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

// What is typed: in the page it is `item.typed`, by field; in the journal until the server has said that it is stored

export function openJournal(rater) {
  ofThePage = new Journal(rater);
  return ofThePage;
}

/** What was typed about `item` into `field` and is not saved yet; undefined: nothing was, or all of it is. */
export const typedIn = (item, field) => item.typed?.[field];

/** Keeps what stands in `field` now, "" too. Its record says which comment was stored when it was typed. */
export function keepTyped(item, field, text) {
  item.typed = { ...item.typed, [field]: text };
  ofThePage?.put("typed", { place: `${item.id} ${field}`, item: item.id, field, assignment: item.assignment, text, was: item.comment ?? "", at: Date.now() });
}

/** It is saved, or was given up. */
export function dropTyped(item, field) {
  if (typedIn(item, field) === undefined) return;
  delete item.typed[field];
  ofThePage?.remove("typed", `${item.id} ${field}`);
}

/** `stored` is the comment there is now: what was typed when `was` was stored stays beside it until it is saved. */
export function settleComment(item, stored, was = item.comment) {
  const typed = typedIn(item, "comment")?.trim();
  item.comment = stored;
  if (typed === undefined) return;
  const whole = bothComments(typed, stored, was);
  if (whole === stored && item.answers) dropTyped(item, "comment");
  else keepTyped(item, "comment", whole);
}

/** Two comments on one answer as one, from what `was` stored before them: neither is lost. */
export function bothComments(mine, theirs, was = "") {
  if (mine === was) return theirs;
  if (theirs === was || mine.includes(theirs)) return mine;
  return theirs.includes(mine) ? theirs : `${theirs}\n${mine}`;
}
