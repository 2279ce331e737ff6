// One request to the API with the session and a CSRF token that is read anew each time: signing in again changes it.

const PATIENCE = 20_000;

function csrfToken() {
  return document.cookie.match(/(?:^|; )factuary_csrf=([^;]*)/)?.[1] ?? "";
}

/** `{status, data}`; status 0 when the network or the server gave no answer in time. */
export async function call(method, url, { body, key, accept = "application/json" } = {}) {
  const headers = { Accept: accept, "X-CSRFToken": csrfToken() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  try {
    const response = await fetch(url, { method, headers, body, credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    return { status: response.status, data: await content(response), redirected: response.redirected };
  } catch {
    return { status: 0, data: null };
  }
}

async function content(response) {
  if (response.status === 204) return null;
  const isJson = response.headers.get("Content-Type")?.includes("json");
  return isJson ? response.json() : response.text();
}

/** Where the API keeps an assignment. */
export const assignmentUrl = (assignment, rest = "") => `/api/v1/assignments/${assignment}/${rest}`;
