// One request to the API with the session and a CSRF token that is read anew each time: signing in again changes it.

const PATIENCE = 20_000;

function csrfToken() {
  return document.cookie.match(/(?:^|; )factuary_csrf=([^;]*)/)?.[1] ?? "";
}

/** `{status, data, redirected, headers}`; status 0 when the network or the server gave no answer in time. With `keepalive` it is sent also if the page goes. */
export function call(method, url, { body, key, accept = "application/json", keepalive = false } = {}) {
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  return send(method, url, headers, body, keepalive);
}

/** A form of the site's own pages, answered as JSON: `{location}` or `{form: {errors, fields}}`. */
export function postForm(url, form) {
  return send("POST", url, { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" }, new URLSearchParams(form));
}

async function send(method, url, headers, body, keepalive = false) {
  try {
    const all = { ...headers, "X-CSRFToken": csrfToken() };
    const response = await fetch(url, { method, headers: all, body, keepalive, credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    return { status: response.status, data: await content(response), redirected: response.redirected, headers: response.headers };
  } catch {
    return { status: 0, data: null };
  }
}

/**
 * The id of whoever is signed in in this browser now, null for nobody, undefined when the server did not say. The answer sets
 * a CSRF cookie, so that requests that were refused for an old one can be sent again.
 */
export async function whoIsSignedIn() {
  const { status, data } = await call("GET", "/signed-in/");
  return status === 200 ? data.rater : undefined;
}

async function content(response) {
  if (response.status === 204) return null;
  const isJson = response.headers.get("Content-Type")?.includes("json");
  return isJson ? response.json() : response.text();
}

/** Where the API keeps an assignment. */
export const assignmentUrl = (assignment, rest = "") => `/api/v1/assignments/${assignment}/${rest}`;
