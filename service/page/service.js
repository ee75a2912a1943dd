// Requests to the service that the page came from. Nothing is asked of another host.

const tokenKey = "neardup-token";

// The service answered with a status that is no success.
export class Refused extends Error {
  constructor(status, { reason = "", detail = "" } = {}) {
    super(detail || `The service answered with status ${status}.`);
    this.status = status;
    this.reason = reason;
  }

  needsToken() {
    return this.status === 401 || (this.status === 403 && this.reason !== "unknown_host");
  }
}

// The service did not answer.
export class Unreachable extends Error {
  constructor() {
    super("The service does not answer.");
  }
}

export function storedToken() {
  return sessionStorage.getItem(tokenKey) ?? "";
}

// Until the tab is closed. "": forgets it.
export function storeToken(token) {
  if (token === "") sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
}

// Throws Refused, Unreachable, or what an aborted `signal` throws.
export async function getJson(path, signal) {
  return (await ask(path, { signal })).json();
}

export async function getText(path, signal) {
  return (await ask(path, { signal })).text();
}

// The answer as text. type: of the body, a text.
export async function post(path, body, type, signal) {
  return (await ask(path, { method: "POST", body, headers: { "Content-Type": type }, signal })).text();
}

// POST of a value as JSON, answered with JSON.
export async function postJson(path, value, signal) {
  return JSON.parse(await post(path, JSON.stringify(value), "application/json", signal));
}

async function ask(path, { headers = {}, ...request }) {
  const token = storedToken();
  if (token !== "") headers.Authorization = `Bearer ${token}`;
  let reply;
  try {
    reply = await fetch(path, { ...request, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    throw request.signal?.aborted ? error : new Unreachable();
  }
  if (!reply.ok) throw new Refused(reply.status, await reply.json().catch(() => ({})));
  return reply;
}
