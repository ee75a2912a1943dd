// The page: views of a service, or of the data in the page (a report).
import { button, element, field, form, note } from "./dom.js";
import { problemOf, showFind } from "./find.js";
import { showFlags } from "./flags.js";
import { showGroups } from "./groups.js";
import { address, decoded, parsed } from "./links.js";
import { showOverview } from "./overview.js";
import { showReport } from "./report.js";
import { Refused, retryMs, storedToken, storeToken, Unreachable } from "./service.js";
import { showState } from "./state.js";
import { themeSwitch } from "./theme.js";
import { showWhy } from "./why.js";

const views = {
  overview: { name: "Overview", show: showOverview },
  flags: { name: "Flags", show: showFlags },
  why: { name: "Why", show: showWhy },
  find: { name: "Find", show: showFind },
  groups: { name: "Groups", show: showGroups },
  state: { name: "State", show: showState },
};
const firstView = "overview";

// show(place, { id, query, signal, fail, failIn }) fills the place and throws what went wrong. What goes wrong in answer
// to an event it hands to `fail`, or to failIn(result) where the rest of the view has to stay while the service does not
// answer. `signal` is aborted when the view is left.
let shown = new AbortController();

function start() {
  const data = document.getElementById("data");
  if (data) return showReport(JSON.parse(data.textContent));
  takeToken();
  document.body.replaceChildren(header(), element("main", { id: "main", tabindex: -1 }));
  addEventListener("hashchange", show);
  show();
}

// A link may bring the token: #token=… It stays in no address.
function takeToken() {
  const found = location.hash.match(/^#token=(.*)$/);
  if (!found) return;
  storeToken(decoded(found[1]));
  history.replaceState(null, "", address(firstView));
}

function header() {
  const links = Object.entries(views).map(([view, { name }]) =>
    element("a", { href: address(view), "data-view": view }, name),
  );
  return element(
    "header",
    {},
    element("a", { class: "skip", href: "#main", click: skip }, "Skip to the content"),
    element("h1", {}, "neardup"),
    element("nav", { "aria-label": "Views" }, links),
    themeSwitch(),
  );
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

// Shows the view of the address. A service that does not answer is asked again until it does.
async function show() {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  const place = document.getElementById("main");
  const { view, id, query } = parsed(location.hash);
  const { name, show: fill } = views[view] ?? views[firstView];
  document.title = `${name} – neardup`;
  for (const link of document.querySelectorAll("nav a")) {
    if (views[link.dataset.view].show === fill) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  place.replaceChildren(element("h2", {}, name), note("Loading …", "loading"));
  const fail = (error) => signal.aborted || failed(place, name, error);
  const failIn = (result) => (error) =>
    error instanceof Unreachable ? result.replaceChildren(note(error.message, "problem")) : fail(error);
  await fill(place, { id, query, signal, fail, failIn }).catch(fail);
}

function failed(place, name, error) {
  const heading = element("h2", {}, name);
  if (error instanceof Refused && error.needsToken()) return place.replaceChildren(heading, tokenForm(error));
  if (error instanceof Unreachable) {
    const { signal } = shown;
    setTimeout(() => signal.aborted || show(), retryMs);
    return place.replaceChildren(
      heading,
      element(
        "p",
        { role: "alert", class: "problem" },
        `${error.message} It is asked again every ${retryMs / 1000} seconds.`,
      ),
    );
  }
  place.replaceChildren(heading, element("div", { role: "alert" }, problemOf(error)), button("Try again", show));
}

function tokenForm(error) {
  const why = storedToken() === "" ? "The service asks for a token." : `The token is not taken: ${error.message}.`;
  const submitted = ({ token }) => {
    storeToken(token.trim());
    show();
  };
  return form(
    submitted,
    element("p", { role: "alert", class: "problem" }, why),
    field("Token that may read", "token", { type: "password", autocomplete: "off", required: true }),
    note("The page keeps it until this tab is closed."),
    button("Use it", () => {}, { type: "submit" }),
  );
}

start();
