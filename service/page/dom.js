// Elements made of data. Every text may be hostile, so all of them become text nodes.

// Properties are attributes, or listeners where the value is a function. Children are nodes or texts; null, undefined
// and false are left out.
export function element(name, properties, ...children) {
  return filled(document.createElement(name), properties, children);
}

export function svg(name, properties, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

function filled(node, properties, children) {
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== undefined && value !== null && value !== false)
      node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null && child !== false) node.append(child);
  }
  return node;
}

// A name or text of a document: its direction is its own, and its control characters can be seen.
export function quoted(text, name = "bdi") {
  return element(name, { class: "quoted" }, visible(String(text)));
}

// C0 control characters but tab and line feed as their pictures (U+2400 …). The length stays.
export function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f]/g, (control) =>
    String.fromCharCode(0x2400 + control.charCodeAt(0)),
  );
}

// rows: lists of texts and nodes. Columns whose index is in `numbers` are set to the right.
export function table(caption, head, rows, numbers = []) {
  const kind = (column) => (numbers.includes(column) ? "number" : undefined);
  const cells = (row) => row.map((cell, column) => element("td", { class: kind(column) }, cell));
  return element(
    "div",
    { class: "scrolls", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          head.map((name, column) => element("th", { scope: "col", class: kind(column) }, name)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map((row) => element("tr", {}, cells(row))),
      ),
    ),
  );
}

// pairs: name and value of each fact; a fact whose value is null is left out.
export function facts(pairs) {
  return element(
    "dl",
    { class: "facts" },
    pairs
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}

export function button(text, press, properties) {
  return element("button", { type: "button", click: press, ...properties }, text);
}

// An input or a textarea with its label. The control is the last child.
export function field(label, name, properties, kind = "input") {
  return element("label", { class: "field" }, element("span", {}, label), element(kind, { name, ...properties }));
}

// A form that calls `submitted` with its values by name.
export function form(submitted, ...children) {
  return element(
    "form",
    {
      submit: (event) => {
        event.preventDefault();
        submitted(Object.fromEntries(new FormData(event.target)));
      },
    },
    ...children,
  );
}

export function note(text, kind = "note") {
  return element("p", { class: kind }, text);
}

// Replaces what is in `place` by newer nodes of the same kind: focus, open details and scrolled regions stay as they are.
export function refill(place, ...nodes) {
  const focused = place.contains(document.activeElement) && nameOf(document.activeElement);
  const open = new Set([...place.querySelectorAll("details[open] > summary")].map(nameOf));
  const scrolled = new Map([...place.querySelectorAll(".scrolls")].map((region) => [nameOf(region), region.scrollTop]));
  place.replaceChildren(...nodes);
  for (const summary of place.querySelectorAll("summary")) summary.parentNode.open = open.has(nameOf(summary));
  for (const region of place.querySelectorAll(".scrolls")) region.scrollTop = scrolled.get(nameOf(region)) ?? 0;
  const controls = [...place.querySelectorAll("a, summary, [tabindex]")];
  if (focused) controls.find((control) => nameOf(control) === focused)?.focus({ preventScroll: true });
}

function nameOf(node) {
  return `${node.tagName} ${node.getAttribute("href")} ${node.getAttribute("aria-label") ?? node.textContent}`;
}
