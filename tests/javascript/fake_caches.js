// The cache storage of a browser, for tests in Node.

const ORIGIN = "http://site.example";
const urlOf = (request) => new URL(request.url ?? request, ORIGIN).href;

class FakeCache {
  constructor(load) {
    this.load = load;
    /** @type {Map<string, { body: string, status: number, headers: [string, string][] }>} */
    this.entries = new Map();
  }

  async match(request) {
    const url = urlOf(request);
    const entry = this.entries.get(url);
    if (!entry) return undefined;
    const response = new Response(entry.body, { status: entry.status, headers: entry.headers });
    Object.defineProperty(response, "url", { value: url });
    return response;
  }

  async put(request, response) {
    const { status, headers } = response;
    this.entries.set(urlOf(request), { body: await response.text(), status, headers: [...headers] });
  }

  async addAll(requests) {
    const responses = await Promise.all(requests.map((request) => this.load(urlOf(request))));
    if (responses.some(({ ok }) => !ok)) throw new TypeError("a file is missing");
    await Promise.all(responses.map((response, n) => this.put(requests[n], response)));
  }

  async delete(request) {
    return this.entries.delete(urlOf(request));
  }

  async keys() {
    return [...this.entries.keys()].map((url) => ({ url }));
  }
}

export class FakeCaches {
  /** `refusal`: the name of the error with which the browser refuses to open a cache or to list all. */
  constructor(load) {
    this.byName = new Map();
    /** @type {{ open?: string, keys?: string }} */
    this.refused = {};
    this.load = load;
  }

  async open(name) {
    this.refuse("open");
    if (!this.byName.has(name)) this.byName.set(name, new FakeCache(this.load));
    return this.byName.get(name);
  }

  async keys() {
    this.refuse("keys");
    return [...this.byName.keys()];
  }

  async delete(name) {
    return this.byName.delete(name);
  }

  async match(request) {
    for (const cache of this.byName.values()) {
      const found = await cache.match(request);
      if (found) return found;
    }
    return undefined;
  }

  refuse(method) {
    if (this.refused[method]) throw new DOMException("no", this.refused[method]);
  }

  // What tests read and change

  has(path) {
    return [...this.byName.values()].some(({ entries }) => entries.has(urlOf(path)));
  }

  /** The paths of the cached rating pages. */
  pages() {
    const urls = [...this.byName.values()].flatMap(({ entries }) => [...entries.keys()]);
    return urls.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/assignments/"));
  }

  /** Makes cached pages older by so many hours, except that at the path `besides`. */
  age(hours, besides = "") {
    for (const { entries } of this.byName.values()) {
      for (const [url, entry] of entries) {
        if (!url.includes("/assignments/") || new URL(url).pathname === besides) continue;
        entry.headers = entry.headers.map(([name, value]) =>
          /^kept-(at|until)$/.test(name) ? [name, String(Number(value) - hours * 3600 * 1000)] : [name, value],
        );
      }
    }
  }
}
