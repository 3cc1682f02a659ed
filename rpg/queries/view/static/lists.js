// The lists: routes, jobs, environment, packages, dead code, cycles and others, each as a table that can be filtered.

const LISTS = {
  routes: { title: "Routes", one: "route", columns: ["Verb", "Path", "Handler", "Models", "By", "Where"] },
  tasks: { title: "Jobs", one: "job", columns: ["Name", "Handler", "By", "Where"] },
  commands: { title: "Commands", one: "command", columns: ["Name", "Handler", "By", "Where"] },
  signals: { title: "Events", one: "handler", columns: ["Name", "Kind", "Handler", "By", "Where"] },
  models: { title: "Models", one: "model", columns: ["Model", "Kind", "By", "Where"] },
  environment: { title: "Environment", one: "variable", columns: ["Name", "By", "Where"] },
  packages: { title: "Packages", one: "package", columns: ["Name", "Kind", "By", "Where"] },
  unused: { title: "Dead code", one: "finding", columns: ["Confidence", "Symbol", "Lines", "Why it may still be used"] },
  cycles: { title: "Import cycles", one: "cycle", columns: ["Confidence", "Files", "What to cut"] },
  duplicates: { title: "Duplicates", one: "group", columns: ["Confidence", "Places", "Why"] },
  hubs: { title: "Hubs", one: "hub", columns: ["Symbol", "Dependents", "Why"] },
};
const ROWS = 200;

/** The address of the first list that has an entry. */
function firstList(model) {
  return address("list", Object.keys(LISTS).find((each) => model.lists[each].total) || "routes");
}

function listPage(app, name, options) {
  const found = app.model.lists[name], about = LISTS[name];
  if (!found || !about) return missingPage(name);
  const rows = found.entries.map((entry) => ({ entry, text: JSON.stringify(entry).toLowerCase() }));
  const body = el("div", {});
  const count = el("p", { class: "quiet", "aria-live": "polite" });
  const state = { most: ROWS, wanted: options.q || "", tests: false };
  const hasTests = rows.some(({ entry }) => entry.test);
  const show = () => {
    const wanted = state.wanted.toLowerCase();
    const chosen = rows.filter(({ entry, text }) => (state.tests || !entry.test) && (!wanted || text.includes(wanted)));
    const left = found.total - found.entries.length;
    count.textContent = `${counted(chosen.length, about.one)}${chosen.length < found.total ? ` of ${number(found.total)}` : ""}${left ? `; ${number(left)} are not in the page` : ""}`;
    replaceContent(body, chosen.length
      ? table(about.columns, chosen.slice(0, state.most).map(({ entry }) => listCells(app, name, entry)))
      : el("p", { class: "empty" }, rows.length ? "None with these words." : emptyList(name)),
    chosen.length > state.most && el("p", {}, el("button", { type: "button", onclick: () => {
      state.most += 1000;
      show();
    } }, `Show more (${number(chosen.length - state.most)})`)));
  };
  const filter = el("input", { type: "search", id: "filter", placeholder: "Filter", "aria-label": `Filter ${about.title}`, value: state.wanted, oninput: (event) => {
    state.wanted = event.target.value;
    state.most = ROWS;
    app.setAddress(address("list", name, { q: state.wanted }));
    show();
  } });
  const page = el("article", { class: "page" },
    el("h1", { tabindex: -1 }, about.title),
    el("nav", { class: "tabs", "aria-label": "Lists" }, Object.entries(LISTS).map(([each, { title }]) => el("a", { href: address("list", each), "aria-current": each === name ? "page" : null }, title, el("span", { class: "count" }, number(app.model.lists[each].total))))),
    el("div", { class: "controls" }, filter,
      hasTests && el("label", { class: "check" }, el("input", { type: "checkbox", onchange: (event) => {
        state.tests = event.target.checked;
        show();
      } }), "Those of tests"), count),
    body);
  show();
  return page;
}

function emptyList(name) {
  if (name === "cycles") return "No files import each other in a circle.";
  if (name === "unused") return "Everything is used.";
  return "None of a framework that rpg lists; those of others are found by search.";
}

/** A column that no row has anything in is left out. */
function table(columns, rows) {
  const filled = columns.map((_, at) => rows.some((cells) => !isEmpty(cells[at])));
  columns = columns.filter((_, at) => filled[at]);
  rows = rows.map((cells) => cells.filter((_, at) => filled[at]));
  return el("div", { class: "table-box", tabindex: 0, role: "region", "aria-label": "Table" },
    el("table", {}, el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell, at) => el("td", { "data-name": columns[at] }, el("div", {}, cell))))))));
}

function isEmpty(cell) {
  return cell === "" || cell === null || cell === undefined || cell === false || (Array.isArray(cell) && cell.every(isEmpty));
}

function placeLinks(entry) {
  const places = entry.places || [];
  return el("span", { class: "places" }, places.map((place, at) => {
    const cut = place.lastIndexOf(":");
    return [at > 0 && ", ", el("a", { href: address("symbol", place.slice(0, cut), { line: place.slice(cut + 1) }) }, place)];
  }), entry.more ? ` and ${number(entry.more)} more` : "");
}

function idLink(model, id) {
  if (!id) return "";
  const at = model.find(id);
  return at < 0 ? id : el("a", { href: address("symbol", id), title: id }, model.label(at));
}

function listCells(app, name, entry) {
  const model = app.model;
  const cells = {
    Verb: () => (entry.kind || "").split(/[ ,|]+/).filter(Boolean).map((verb) => el("span", { class: "verb verb-" + verb.toLowerCase().replace(/[^a-z]/g, "") }, verb)),
    Path: () => el("code", {}, entry.name || ""),
    Name: () => el("code", {}, entry.name || ""),
    Model: () => {
      const at = symbolOf(model, entry);
      return at < 0 ? el("code", {}, entry.name) : el("a", { href: address("symbol", model.id(at)) }, entry.name);
    },
    Kind: () => entry.kind || "",
    Handler: () => idLink(model, entry.handler),
    Models: () => modelsOf(app, entry.handler).map((at, place) => [place > 0 && ", ", symbolLink(model, at)]),
    By: () => entry.by || "",
    Where: () => placeLinks(entry),
    Confidence: () => el("span", { class: "fact " + (entry.confidence === "certain" ? "warn" : "") }, entry.confidence || "certain"),
    Symbol: () => [idLink(model, entry.what), el("span", { class: "where" }, entry.what.split("::")[0])],
    Lines: () => (entry.size ? number(entry.size) : ""),
    Dependents: () => number(entry.size || 0),
    Files: () => el("span", { class: "chain" }, (entry.members || []).map((path, at) => [at > 0 && " → ", idLink(model, path)])),
    Places: () => el("span", { class: "chain" }, (entry.members || []).map((place, at) => [at > 0 && el("br"), placeOfDuplicate(place)])),
  };
  const why = () => (entry.reasons || []).join("; ");
  return LISTS[name].columns.map((column) => (cells[column] || why)());
}

/** `path:first-last name`, as a link. */
function placeOfDuplicate(place) {
  const found = /^(.*?):(\d+)-\d+ /.exec(place);
  return found ? el("a", { href: address("symbol", found[1], { line: found[2] }) }, place) : place;
}

/** The symbol that an entry is: its handler, or the one of its name at its place; -1 if there is none. */
function symbolOf(model, entry) {
  if (entry.handler) return model.find(entry.handler);
  const place = (entry.places || [""])[0], cut = place.lastIndexOf(":");
  if (cut < 0 || model.find(place.slice(0, cut)) < 0) return -1;
  let at = model.around(place.slice(0, cut), Number(place.slice(cut + 1)));
  while (at >= 0 && model.name(at) !== entry.name) at = model.parentOf[at];
  return at;
}

/** The models that a handler reaches by calls and uses, the nearest first. */
function modelsOf(app, handler) {
  const model = app.model;
  const start = handler ? model.find(handler) : -1;
  if (start < 0 || !model.lists.models.entries.length) return [];
  if (!app.modelNumbers) app.modelNumbers = new Set(model.lists.models.entries.map((entry) => symbolOf(model, entry)).filter((at) => at >= 0));
  const found = [], seen = new Set([start]);
  let frontier = [start];
  for (let steps = 0; steps < 4 && frontier.length && found.length < 5; steps++) {
    const next = [];
    for (const at of frontier) {
      const members = steps === 0 ? model.below(at) : [];
      for (const to of [...model.out(at, "calls", "references", "inherits").map((edge) => model.target[edge]), ...members]) {
        if (seen.has(to) || seen.size > 800) continue;
        seen.add(to);
        if (app.modelNumbers.has(to)) found.push(to);
        else next.push(to);
      }
    }
    frontier = next;
  }
  return found.slice(0, 5);
}
