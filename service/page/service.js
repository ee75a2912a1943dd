// Requests to the service that the page came from. Nothing is asked of another host.

const busy = [429, 503]; // statuses of a service that may be asked again
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

// The service did not answer, or only that it cannot now.
export class Unreachable extends Error {
  constructor(detail = "") {
    super(detail || "The service does not answer.");
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

export const retryMs = 2000; // until a service that does not answer is asked again

// Ends early when the view is left.
export function wait(ms, signal) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

// Server-sent events, with the token that EventSource cannot send. taken: called with { id, kind, data } of each; what an
// event lacks is undefined. Throws Unreachable when the answer ends.
export async function follow(path, taken, signal) {
  const reply = await ask(path, { headers: { Accept: "text/event-stream" }, signal });
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read().catch((error) => {
      throw signal.aborted ? error : new Unreachable();
    });
    if (done) throw new Unreachable();
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) taken(eventOf(event));
  }
}

function eventOf(text) {
  const event = {};
  for (const line of text.split("\n")) {
    const [, name, value] = line.match(/^(id|event|data): ?(.*)$/) ?? [];
    if (name) event[name === "event" ? "kind" : name] = value;
  }
  return event;
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
  if (reply.ok) return reply;
  const problem = await reply.json().catch(() => ({}));
  throw busy.includes(reply.status) ? new Unreachable(problem.detail) : new Refused(reply.status, problem);
}
