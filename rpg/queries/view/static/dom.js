// Elements, addresses and small texts. Everything that comes from a repository is written as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children: texts, elements, lists of them; null and false are left out. */
function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  append(made, children);
  return made;
}

function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.append(child);
  }
}

function replaceContent(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/** An icon of lines, drawn in a square of 24. */
function icon(path) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 24 24");
  drawn.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  drawn.append(line);
  return drawn;
}

function number(value) {
  return value.toLocaleString("en-US");
}

function counted(value, one, many) {
  return `${number(value)} ${value === 1 ? one : many || one + "s"}`;
}

/** An address within the page: `#/symbol/a/b.py::name`. */
function address(page, what, options) {
  const name = what ? "/" + encodeURIComponent(what).replace(/%2F/g, "/").replace(/%3A/g, ":") : "";
  const query = new URLSearchParams(Object.entries(options || {}).filter(([, value]) => value));
  return `#/${page}${name}${String(query) ? "?" + query : ""}`;
}

/** The parts of an address: its page, what it is of, options. Whatever stands there, this returns something. */
function readAddress(hash) {
  const [before, query] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const at = before.indexOf("/");
  const page = at < 0 ? before : before.slice(0, at);
  let what = at < 0 ? "" : before.slice(at + 1);
  try {
    what = decodeURIComponent(what);
  } catch {
    // Not ours: it is looked up as it is written.
  }
  return { page: page || "map", what, options: Object.fromEntries(new URLSearchParams(query || "")) };
}

function remembered(name) {
  try {
    return localStorage.getItem("rpg-" + name) || "";
  } catch {
    return "";
  }
}

function remember(name, value) {
  try {
    localStorage.setItem("rpg-" + name, value);
  } catch {
    // A page that was opened from a file may have no storage.
  }
}
