// Addresses of the views, which can be sent: #/why?a=ID&b=ID.

// values: texts by name; those that are undefined or "" are left out.
export function address(view, values = {}, id) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""));
  const path = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  return `#/${view}${path}${query.size > 0 ? `?${query}` : ""}`;
}

// { view, id, query } of the part of an address behind "#".
export function parsed(hash) {
  const [path, query] = split(hash.replace(/^#?\/?/, ""), "?");
  const [view, id] = split(path, "/");
  return { view, id: id === "" ? undefined : decoded(id), query: new URLSearchParams(query) };
}

function split(text, at) {
  const place = text.indexOf(at);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}

// Percent-encoded text; as it is where it is not well-formed.
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The address of the comparison of a flagged document with its original.
export function whyOf(flag) {
  const { topic, partition, offset } = flag.source ?? {};
  return address("why", {
    a: flag.id,
    b: flag.duplicate_of,
    namespace: flag.namespace,
    source: topic === undefined ? undefined : `${topic}/${partition}/${offset}`,
  });
}
