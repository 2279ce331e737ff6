// The records that this browser stores for one rater before the network is used: unsent answers (store "waiting",
// removed when the server has them), drafts ("begun"), and text that is typed and not saved yet ("typed": a comment, a
// written answer, a question to the leads; one record for each field, written at every key). Each rater has a database,
// so no other user of the same browser sees or sends its records. Where a browser refuses IndexedDB (some private
// windows, a full disk) localStorage is used, and where that is refused too, memory: `durability` is the kind of store,
// which the page shows.
//
// Names of databases, stores, records and localStorage keys are stored in browsers: they stay as they are.

/** @typedef {"waiting" | "begun" | "typed"} StoreName */

/** @type {Record<StoreName, string>} The key of each store's records. */
const STORES = { waiting: "key", begun: "item", typed: "place" };
/** @type {StoreName[]} */
const STORE_NAMES = ["waiting", "begun", "typed"];
const MAX_DRAFT_AGE = 30 * 24 * 3600 * 1000; // milliseconds

export class Journal {
  /** @param {number | string} rater */
  constructor(rater) {
    this.rater = rater;
    /** @type {"disk" | "localStorage" | "memory"} Where records are stored. */
    this.durability = "disk";
    /** @type {IDBDatabase | null} */
    this.database = null;
    /** @type {Set<[StoreName, JournalRecord]>} Records on their way to the disk. */
    this.pending = new Set();
    this.opening = this.open();
    window.addEventListener("pagehide", () => this.copyPending());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.copyPending());
  }

  async open() {
    try {
      const database = await openDatabase(`factuary:${this.rater}`);
      database.onversionchange = () => database.close();
      this.database = database;
    } catch {
      const canStore = tryStorage(() => {
        localStorage.setItem("factuary:try", "1");
        localStorage.removeItem("factuary:try");
      });
      this.durability = canStore ? "localStorage" : "memory";
    }
    await this.importCopies();
  }

  /**
   * All records of a store; "waiting" in the order in which they were made.
   * @template {StoreName} Store
   * @param {Store} store
   * @returns {Promise<JournalRecords[Store][]>}
   */
  async readAll(store) {
    await this.opening;
    const stored = this.database && (await this.transact(store, "readonly", (objects) => objects.getAll()));
    const records = Array.isArray(stored) ? stored : storedUnder(this.prefix(store)).map(([, record]) => record);
    return /** @type {JournalRecords[Store][]} */ (records).sort((a, b) => a.at - b.at);
  }

  /**
   * Resolves when the record is on the disk.
   * @param {StoreName} store
   * @param {JournalRecord} record
   */
  async put(store, record) {
    /** @type {[StoreName, JournalRecord]} */
    const pending = [store, record];
    this.pending.add(pending);
    await this.opening;
    const isWritten =
      this.database && (await this.transact(store, "readwrite", (objects) => objects.put(record))) !== null;
    if (!isWritten) this.durability = this.copy(store, record) ? "localStorage" : "memory";
    this.pending.delete(pending);
  }

  /** The page may close before its transactions end: localStorage is written at once. */
  copyPending() {
    for (const [store, record] of this.pending) this.copy(store, record);
  }

  /**
   * @param {StoreName} store
   * @param {string} key
   */
  async remove(store, key) {
    await this.opening;
    tryStorage(() => localStorage.removeItem(this.prefix(store) + key));
    if (this.database) await this.transact(store, "readwrite", (objects) => objects.delete(key));
  }

  /**
   * The drafts or typed texts of one assignment, and removes outdated ones.
   * @param {string} assignment
   * @template {"begun" | "typed"} Store
   * @param {Store} store
   * @returns {Promise<JournalRecords[Store][]>}
   */
  async recordsOf(assignment, store) {
    const records = await this.readAll(store);
    for (const record of records) if (record.at < Date.now() - MAX_DRAFT_AGE) this.remove(store, keyOf(store, record));
    return records.filter((record) => record.assignment === assignment);
  }

  /**
   * Runs one transaction, with `strict` durability, so that an empty battery loses nothing. Null when it failed.
   * @param {StoreName} store
   * @param {IDBTransactionMode} mode
   * @template Result
   * @param {(objects: IDBObjectStore) => IDBRequest<Result>} request
   * @returns {Promise<Result | true | null>}
   */
  transact(store, mode, request) {
    return new Promise((resolve) => {
      try {
        const transaction = /** @type {IDBDatabase} */ (this.database).transaction(store, mode, {
          durability: "strict",
        });
        const pending = request(transaction.objectStore(store));
        transaction.oncomplete = () => resolve(pending.result ?? true);
        transaction.onabort = transaction.onerror = () => resolve(null);
      } catch {
        resolve(null); // another page has closed the database
      }
    });
  }

  /**
   * Writes a record to localStorage; returns whether that worked.
   * @param {StoreName} store
   * @param {JournalRecord} record
   */
  copy(store, record) {
    return tryStorage(() => localStorage.setItem(this.prefix(store) + keyOf(store, record), JSON.stringify(record)));
  }

  /** Moves to the database what a page wrote to localStorage while IndexedDB was refused, or when it closed. */
  async importCopies() {
    if (!this.database) return;
    for (const store of STORE_NAMES) {
      for (const [name, record] of storedUnder(this.prefix(store))) {
        if ((await this.transact(store, "readwrite", (objects) => objects.put(record))) !== null)
          localStorage.removeItem(name);
      }
    }
  }

  /** @param {StoreName} store */
  prefix(store) {
    return `factuary:${store === "waiting" ? "answer" : store}:${this.rater}:`;
  }
}

/**
 * @param {StoreName} store
 * @param {JournalRecord} record
 */
const keyOf = (store, record) => /** @type {Record<string, string>} */ (/** @type {unknown} */ (record))[STORES[store]];

/**
 * @param {string} name
 * @returns {Promise<IDBDatabase>}
 */
function openDatabase(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2); // version 1 had no store "typed"
    request.onupgradeneeded = () => {
      const database = request.result;
      for (const store of STORE_NAMES)
        if (!database.objectStoreNames.contains(store)) database.createObjectStore(store, { keyPath: STORES[store] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error);
  });
}

/**
 * The names and records of localStorage under `prefix`.
 * @param {string} prefix
 */
function storedUnder(prefix) {
  /** @type {[string, JournalRecord][]} */
  const records = [];
  tryStorage(() => {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(prefix)) records.push([name, JSON.parse(localStorage.getItem(name) ?? "")]);
  });
  return records;
}

/**
 * Whether localStorage allowed the access.
 * @param {() => void} access
 */
function tryStorage(access) {
  try {
    access();
    return true;
  } catch {
    return false;
  }
}

// Typed text that is not saved yet: `item.typed` by field in the page, the store "typed" in the journal.

/**
 * The text typed into `field` of `item`; undefined when nothing was typed, or all of it is saved.
 * @param {Item} item
 * @param {string} field
 */
export const typedText = (item, field) => item.typed?.[field];

export class TypedTexts {
  /** @param {Journal | null} journal null in the preview */
  constructor(journal) {
    this.journal = journal;
  }

  /**
   * Stores the text of `field`, "" too, with the comment that was on the server when it was typed.
   * @param {Item} item
   * @param {string} field
   * @param {string} text
   */
  put(item, field, text) {
    item.typed = { ...item.typed, [field]: text };
    this.journal?.put("typed", {
      place: `${item.id} ${field}`,
      item: item.id,
      field,
      assignment: item.assignment,
      text,
      was: item.comment ?? "",
      at: Date.now(),
    });
  }

  /**
   * Removes a text that is saved, or discarded.
   * @param {Item} item
   * @param {string} field
   */
  remove(item, field) {
    if (typedText(item, field) === undefined) return;
    delete item.typed?.[field];
    this.journal?.remove("typed", `${item.id} ${field}`);
  }

  /**
   * Adopts the comment that is on the server now. Text that was typed when another comment was there is merged with it.
   * @param {Item} item
   * @param {string} stored
   * @param {string} previous the comment on the server when the text was typed
   */
  mergeComment(item, stored, previous = item.comment) {
    const typed = typedText(item, "comment")?.trim();
    item.comment = stored;
    if (typed === undefined) return;
    const merged = mergeComments(typed, stored, previous);
    if (merged === stored && item.answers) this.remove(item, "comment");
    else this.put(item, "comment", merged);
  }
}

/**
 * Two comments on one answer as one, so that neither is lost. `previous` is the comment that both began from.
 * @param {string} own
 * @param {string} other
 * @param {string} [previous]
 */
export function mergeComments(own, other, previous = "") {
  if (own === previous) return other;
  if (other === previous || own.includes(other)) return own;
  return other.includes(own) ? other : `${other}\n${own}`;
}
