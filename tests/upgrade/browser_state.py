"""Scripts that read what a rating page stores in a browser, and write it to another browser."""

READ_STATE = """async () => {
    const name = (await indexedDB.databases()).map((each) => each.name).find((each) => each.startsWith("factuary:"));
    const database = await new Promise((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
    });
    const stores = {};
    for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store);
        const asking = reading.getAll();
        await new Promise((resolve) => { asking.onsuccess = resolve; });
        stores[store] = { keyPath: reading.keyPath, records: asking.result };
    }
    const version = database.version;
    database.close();
    const cached = {};
    for (const cache of await caches.keys()) {
        const opened = await caches.open(cache);
        cached[cache] = [];
        for (const { url } of await opened.keys()) {
            const answer = await opened.match(url, { ignoreVary: true });
            const isPage = url.includes("/assignments/");
            const headers = isPage ? Object.fromEntries(answer.headers) : null;
            cached[cache].push({ path: new URL(url).pathname, headers, text: isPage ? await answer.text() : null });
        }
    }
    return { recordedAt: Date.now(), database: { name, version, stores }, localStorage: { ...localStorage }, cached };
}"""

# Times are moved to the present, as if no more than a minute had passed since the state was read.
WRITE_STATE = """async (state) => {
    const later = Date.now() - 60_000 - state.recordedAt;
    const moved = (at) => (at > 1e14 ? at + later * 1000 : at + later); // microseconds, or milliseconds
    const { name, version, stores } = state.database;
    const database = await new Promise((resolve, reject) => {
        const opening = indexedDB.open(name, version);
        opening.onupgradeneeded = () => {
            for (const store of Object.keys(stores)) {
                opening.result.createObjectStore(store, { keyPath: stores[store].keyPath });
            }
        };
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
    });
    for (const [store, { records }] of Object.entries(stores)) {
        const writing = database.transaction(store, "readwrite");
        for (const record of records) {
            record.at = moved(record.at);
            if (record.stored) record.stored.at = moved(record.stored.at);
            writing.objectStore(store).put(record);
        }
        await new Promise((resolve) => { writing.oncomplete = resolve; });
    }
    database.close();
    for (const [name, value] of Object.entries(state.localStorage)) localStorage.setItem(name, value);
    for (const [name, entries] of Object.entries(state.cached)) {
        const cache = await caches.open(name);
        for (const { path, headers, text } of entries) {
            if (headers) {
                for (const time of ["kept-at", "kept-until"]) headers[time] = String(moved(Number(headers[time])));
            }
            await cache.put(path, new Response(text ?? "", headers ? { headers } : {}));
        }
    }
}"""
