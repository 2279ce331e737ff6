// The site as the rating page sees it, for tests in Node: pages that Django rendered (rendered_pages.py), and the part
// of the API that a rater's page uses. It records requests and stores answers, and tests change both.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = process.env.FACTUARY_PAGES ?? "";
const CODE = join(import.meta.dirname, "../..");
const STANCES = ["supports", "contradicts"];

/** The answers that tests give most, as tests/cast.py names them. */
export const ACCURATE = { accuracy: "accurate" };
export const CANNOT_ASSESS = { accuracy: "cannot_assess" };
export const SEVERE = { accuracy: "inaccurate", severity: "severe" };

const read = (...names) => readFileSync(join(FOLDER, ...names), "utf8");
const json = (body, status = 200) => ({ status, body: JSON.stringify(body), type: "application/json" });
const html = (body, status = 200) => ({ status, body, type: "text/html; charset=utf-8" });
const redirect = (location) => ({ status: 302, body: "", type: "text/html", location });
const jsonScript = (id) => new RegExp(`(<script id="${id}" type="application/json">)(.*?)(</script>)`, "s");
const inScript = (data) =>
  JSON.stringify(data).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A response that the rater has, or may get. */
class Assignment {
  constructor(study, id) {
    this.id = id;
    this.page = read(study, `${id}.html`);
    this.sheet = read(study, `${id}.sheet.html`);
    this.work = JSON.parse(jsonScript("work").exec(this.page)[2]);
    this.beside = JSON.parse(jsonScript("beside").exec(this.page)[2]);
    this.isHeld = false;
    this.isFinished = false;
    this.bookmarks = new Set();
    this.questions = [];
  }
}

export class FakeServer {
  /** `ahead`: how many responses may be prefetched. */
  constructor({ study = "june", responses = 2, ahead = 1, others = [] } = {}) {
    this.studies = [study, ...others];
    this.assignments = this.studies.flatMap((name, n) =>
      JSON.parse(read(name, "assignments.json"))
        .slice(0, n ? 2 : responses)
        .map((id) => new Assignment(name, id)),
    );
    this.ahead = ahead;
    this.rater = this.assignments[0].work.rater;
    this.user = this.rater;
    this.token = "token-1";
    this.answers = new Map(); // item -> what is stored
    this.receipts = new Map(); // idempotency key -> what was answered
    this.inserted = []; // answers in the order in which they came, without changes of stored ones
    this.finished = []; // assignments in the order in which they were finished
    this.requests = [];
    this.isUp = true;
    this.isPaused = false;
    this.isArchived = false;
    /** @type {((request: object, answer: () => object) => unknown)[]} The first that returns something answers. */
    this.faults = [];
  }

  // What tests read and change

  /** The stored answers in the order of the sentences. */
  stored() {
    return this.storedRatings().map(({ answers }) => answers);
  }

  storedRatings() {
    const items = this.assignments.flatMap(({ work }) => work.items);
    return items.map(({ id }) => this.answers.get(id)).filter(Boolean);
  }

  /** The requests of a kind: `requestsTo("PUT", /items/)`. */
  requestsTo(method, path) {
    return this.requests.filter((request) => request.method === method && path.test(request.path));
  }

  get bookmarked() {
    return this.assignments.flatMap(({ bookmarks, work }) =>
      work.items.filter(({ id }) => bookmarks.has(id)).map(({ position }) => position),
    );
  }

  get questions() {
    return this.assignments.flatMap(({ questions }) => questions);
  }

  item(index = 0, assignment = 0) {
    return this.assignments[assignment].work.items[index];
  }

  /** Stores an answer as another device of the rater would. */
  answerElsewhere(answers, { index = 0, assignment = 0, evidence = [], comment = "" } = {}) {
    const { id } = this.item(index, assignment);
    const version = (this.answers.get(id)?.version ?? 0) + 1;
    this.answers.set(id, { answers, version, evidence, comment });
  }

  /** Another rater takes the response. */
  takeAway(assignment = 0) {
    Object.assign(this.assignments[assignment], { isHeld: false, isTaken: true });
  }

  /** Answers matching requests itself: `fault(request, answer)` gets a function that answers as usual. */
  addFault(path, fault) {
    const wrapped = (request, answer) => (path.test(request.path) ? fault(request, answer) : undefined);
    this.faults.push(wrapped);
    return () => this.faults.splice(this.faults.indexOf(wrapped), 1);
  }

  /** Holds matching requests until the returned function is called. */
  hold(path, method = null) {
    const { promise, resolve } = Promise.withResolvers();
    const remove = this.addFault(path, (request, answer) =>
      method && request.method !== method ? undefined : promise.then(answer),
    );
    return () => {
      remove();
      resolve();
    };
  }

  // Answers to requests

  /** Returns `{status, body, type, location}`, or throws where nothing answers. */
  async answer({ method, url, headers = {}, body = null }) {
    const { pathname, search, searchParams } = new URL(url);
    const path = pathname + search;
    const request = { method, path, pathname, searchParams, headers, key: headers["Idempotency-Key"], body };
    request.data = method !== "GET" && /^\{/.test(body ?? "") ? JSON.parse(body) : null;
    this.requests.push(request);
    const answer = () => {
      if (!this.isUp) throw new TypeError("the site is down");
      return this.route(request);
    };
    for (const fault of [...this.faults]) {
      const found = fault(request, answer);
      if (found !== undefined) return found;
    }
    return answer();
  }

  route(request) {
    const { method, pathname } = request;
    const own = /^\/assignments\/([^/]+)\/(sheet\/)?$/.exec(pathname);
    const api = /^\/api\/v1\/assignments\/([^/]+)\/(.*)$/.exec(pathname);
    const project = /^\/api\/v1\/projects\/([^/]+)\/assignments\/(ahead\/)?$/.exec(pathname);
    if (pathname.startsWith("/static/")) return this.file(pathname);
    if (pathname === "/signed-in/") return { ...json({ rater: this.user }), token: this.token };
    if (pathname === "/accounts/login/") return this.logIn(request);
    if (this.user === null) return api || project ? json({ detail: "Signed out." }, 403) : redirect("/accounts/login/");
    if (method !== "GET" && request.headers["X-CSRFToken"] !== this.token) return json({ detail: "CSRF" }, 403);
    if (own) return this.page(this.find(own[1]), Boolean(own[2]), request);
    if (api) return this.api(this.find(api[1]), api[2], request);
    if (project) return project[2] ? this.prefetch(project[1], request) : this.next(project[1]);
    const rate = /^\/projects\/([^/]+)\/rate\/$/.exec(pathname);
    if (rate) return this.rate(rate[1]);
    if (pathname.startsWith("/projects/june/preview/")) return html(read("june", "preview.html"));
    return this.other(pathname === "/admin/" ? "admin.html" : "home.html");
  }

  /** A page of the site for the user who is signed in. */
  other(name) {
    return html(read(name).replace(/(<meta name="who" content=")[^"]*/, `$1${this.user}`));
  }

  file(pathname) {
    try {
      return { status: 200, body: readFileSync(join(CODE, pathname), "utf8"), type: "text/plain" };
    } catch {
      return html("Not found", 404);
    }
  }

  logIn({ method, body }) {
    if (method === "GET") return html(read("login.html"));
    if (new URLSearchParams(body).get("password") !== "factuary-demo")
      return json({ form: { errors: ["Wrong password."], fields: {} } }, 400);
    this.user = this.rater;
    return json({ location: "/" });
  }

  /** The assignment, if it is that of the user. */
  find(id) {
    return this.user === this.rater ? this.assignments.find((each) => each.id === id) : undefined;
  }

  of(project) {
    return this.assignments.filter(({ work }) => work.project === project);
  }

  rate(project) {
    const next = this.user === this.rater && !this.isPaused ? this.lease(project) : null;
    return next ? redirect(`/assignments/${next.id}/`) : this.other("home.html");
  }

  lease(project) {
    const free = this.of(project).filter(({ isFinished, isTaken }) => !isFinished && !isTaken);
    const next = free.find(({ isHeld }) => isHeld) ?? free[0];
    if (next) Object.assign(next, { isHeld: true, isPrefetched: false });
    return next;
  }

  next(project) {
    if (this.isPaused) return json({ detail: "Paused.", gate: "paused" }, 403);
    const next = this.lease(project);
    return next ? json({ id: next.id }) : { status: 204, body: null };
  }

  prefetch(project, { method, searchParams }) {
    const after = searchParams.get("after");
    const free = this.of(project).filter(({ id, isFinished, isTaken }) => id !== after && !isFinished && !isTaken);
    for (const each of free.filter(({ isPrefetched }) => isPrefetched)) each.isHeld = false;
    const leased = method === "DELETE" || this.isPaused ? [] : free.slice(0, this.ahead);
    for (const each of leased) Object.assign(each, { isHeld: true, isPrefetched: true });
    if (this.isPaused) return json({ detail: "Paused.", gate: "paused" }, 403);
    return json({ assignments: leased.map(({ id }) => id) });
  }

  page(assignment, isSheet, { searchParams }) {
    if (!assignment) return html("Not found", 404);
    if (!assignment.isHeld || this.isArchived) return html("<h1>This project is archived</h1>", 410);
    const { work, beside } = this.state(assignment);
    let text = isSheet ? assignment.sheet : assignment.page;
    if (isSheet && searchParams.getAll("article").includes(work.article))
      text = text.replace(/<div data-part="article">.*(?=<div data-part="answer">)/s, "");
    for (const [id, data] of Object.entries({ work, beside }))
      text = text.replace(jsonScript(id), (_, start, __, end) => start + inScript(data) + end);
    return { ...html(text), token: isSheet ? undefined : this.token };
  }

  /** What the page is told about the assignment now. */
  state(assignment) {
    const items = assignment.work.items.map((item) => ({ ...item, ...this.answers.get(item.id) }));
    const previous = this.finished.findLast((each) => each !== assignment);
    const work = {
      ...assignment.work,
      items,
      finished: assignment.isFinished,
      before: previous ? `/assignments/${previous.id}/` : null,
    };
    const marks = [...assignment.bookmarks].map((item) => ({ item, why: "unsure" }));
    return { work, beside: { ...assignment.beside, marks, questions: assignment.questions } };
  }

  api(assignment, rest, request) {
    if (!assignment) return json({ detail: "Not found." }, 404);
    const [, item, part] = /^items\/([^/]+)\/(mark\/|questions\/)?$/.exec(rest) ?? [];
    if (part === "mark/") {
      if (request.method === "PUT") assignment.bookmarks.add(item);
      else assignment.bookmarks.delete(item);
      return json({});
    }
    if (part) return this.ask(assignment, item, request);
    if (rest === "beside/") return json(this.state(assignment).beside);
    if (rest === "questions/seen/") return json({});
    const receipt = this.receipts.get(request.key);
    if (item && request.method === "PUT" && receipt) return json(receipt);
    if (this.isArchived) return json({ detail: "The project is archived." }, 423);
    if (this.isPaused) return json({ detail: "Paused.", gate: "paused" }, 423);
    if (!assignment.isHeld) return json({ detail: "Another rater has it." }, 410);
    if (rest === "finish/") return this.finish(assignment);
    if (rest === "release/") return this.release(assignment);
    return this.answerItem(assignment, item, request);
  }

  ask(assignment, item, { key, data }) {
    if (!this.receipts.has(key)) {
      const own = { id: key, item, answer: "", asked_at: new Date().toISOString(), answered_at: null, own: true };
      assignment.questions.push({ ...own, ...data, new: false });
      this.receipts.set(key, {});
    }
    return json({ id: key }, 201);
  }

  answerItem(assignment, item, { method, key, data, searchParams }) {
    const stored = this.answers.get(item);
    const base = method === "PUT" ? data.base_version : Number(searchParams.get("base_version"));
    const version = stored?.version ?? 0;
    if (base !== version) {
      const other = stored ?? { answers: {}, version: 0 };
      return json({ detail: "Changed.", evidence: [], comment: "", ...other }, 409);
    }
    if (method === "DELETE") {
      this.answers.delete(item);
      return json({ answers: {}, version: 0 });
    }
    assignment.isPrefetched = false;
    const { answers, evidence = [], comment = "", suggestions = "", seconds } = data;
    if (evidence.some(({ stance }) => !STANCES.includes(stance))) return json({ errors: { evidence: ["No."] } }, 400);
    if (!stored) this.inserted.push(answers);
    this.answers.set(item, { answers, version: version + 1, evidence, comment, suggestions, seconds });
    this.receipts.set(key, { answers, version: version + 1 });
    return json(this.receipts.get(key));
  }

  finish(assignment) {
    const open = assignment.work.items.map(({ id }) => id).filter((id) => !this.answers.has(id));
    if (open.length) return json({ detail: "Not all are answered.", open }, 409);
    if (!assignment.isFinished) this.finished.push(assignment);
    assignment.isFinished = true;
    return json({});
  }

  release(assignment) {
    assignment.isHeld = false;
    return json({});
  }
}
