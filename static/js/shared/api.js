// Requests to the server with the session and a CSRF token. The token is read for each request, as a new login changes
// it.

const TIMEOUT = 20_000; // milliseconds

/** The CSRF token of the current session; empty without one. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )factuary_csrf=([^;]*)/)?.[1] ?? "";
}

/**
 * Calls the API. Status 0: the network or the server gave no answer in time. With `keepalive` the request is sent even
 * if the page is closed.
 * @param {string} method
 * @param {string} url
 * @param {{ body?: string, key?: string, accept?: string, keepalive?: boolean }} [options] `key`: the idempotency key
 */
export function call(method, url, { body, key, accept = "application/json", keepalive = false } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  return send(url, { method, headers, body, keepalive });
}

/**
 * Sends a form of the site's pages; the answer is JSON: `{location}` or `{form: {errors, fields}}`.
 * @param {string} url
 * @param {FormData} form
 */
export function postForm(url, form) {
  const headers = { "Accept": "application/json", "X-Requested-With": "XMLHttpRequest" };
  return send(url, {
    method: "POST",
    headers,
    body: new URLSearchParams(/** @type {[string, string][]} */ ([...form])),
  });
}

/**
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<ApiResponse>}
 */
async function send(url, options) {
  try {
    const headers = { ...options.headers, "X-CSRFToken": csrfToken() };
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(url, { ...options, headers, credentials: "same-origin", signal });
    const { status, redirected } = response;
    const isJson = response.headers.get("Content-Type")?.includes("json");
    const data = status === 204 ? null : await (isJson ? response.json() : response.text());
    return { status, data, redirected, headers: response.headers };
  } catch {
    return { status: 0, data: null };
  }
}

/**
 * The id of the user who is signed in in this browser now: null without one, undefined when the server did not answer.
 * The answer sets a CSRF cookie, so that requests that were refused for an old token can be sent again.
 * @returns {Promise<number | null | undefined>}
 */
export async function fetchSignedInUser() {
  const { status, data } = await call("GET", "/signed-in/");
  return status === 200 ? data.rater : undefined;
}

/**
 * The address of an assignment in the API.
 * @param {string} assignment
 */
export const assignmentUrl = (assignment, rest = "") => `/api/v1/assignments/${assignment}/${rest}`;
