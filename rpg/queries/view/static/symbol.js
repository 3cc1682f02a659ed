// The page of a symbol or file: its source in colour, what uses it and what it uses, what it overrides, its tests.

const MOST_LINES = 400, MOST_USES = 200, MOST_TESTS = 100, USES_SHOWN_OPEN = 12;
const USING = ["calls", "references", "inherits", "imports", "documents"];
const SAID = { calls: "calls", references: "uses", inherits: "extends", imports: "imports", documents: "documents", overrides: "overrides", tests: "tests" };

function kindBadge(model, at) {
  const kind = model.kind(at);
  return el("span", { class: "kind kind-" + (model.isTest(at) ? "test" : FUNCTIONS.has(kind) ? "function" : CLASSES.has(kind) ? "class" : "other") }, kind);
}

function symbolLink(model, at, options) {
  return el("a", { href: address("symbol", model.id(at)), ...options }, model.label(at));
}

function symbolPage(app, id, options) {
  const model = app.model;
  let at = model.find(id);
  if (at < 0) return missingPage(id);
  if (options.line && model.isFile(at)) at = model.around(model.path(at), Number(options.line));
  if (model.kind(at) === "directory") return folderPage(app, at);
  const page = el("article", { class: "page symbol" });
  append(page, [
    symbolHead(app, at),
    el("div", { class: "columns" },
      el("div", { class: "column" }, sourcePart(app, at, Number(options.line) || 0), membersPart(model, at)),
      el("div", { class: "column side" }, usesPart(app, at), treePart(app, at), overridesPart(model, at), testsPart(model, at))),
  ]);
  return page;
}

function missingPage(id) {
  return el("article", { class: "page narrow" }, el("h1", { tabindex: -1 }, "Not in this graph"),
    el("p", {}, id), el("p", {}, el("a", { href: address("search", "", { q: id.split("::").pop() }) }, "Search for it"), " or go to the ", el("a", { href: "#/map" }, "map"), "."));
}

function symbolHead(app, at) {
  const model = app.model, path = model.path(at), confidence = model.unusedBy.get(at);
  const facts = [
    model.isTest(at) && ["test", ""],
    model.isExported(at) && ["exported", ""],
    model.has(at, UNTESTED) && ["no test reaches it", "warn"],
    confidence && [`${confidence === "certain" ? "" : confidence + " "}unused`, "warn"],
    model.has(at, CHANGED) && [`changed since ${model.data.since}`, "note"],
    model.has(at, CYCLIC) && ["in an import cycle", "warn"],
  ].filter(Boolean);
  return el("header", { class: "head" },
    el("p", { class: "crumbs" }, crumbs(model, at)),
    el("h1", { tabindex: -1 }, kindBadge(model, at), el("span", { class: "title" }, model.label(at))),
    el("p", { class: "facts" },
      el("span", { class: "where" }, model.start(at) && !model.isFile(at) ? `${path}:${model.start(at)}-${model.end(at)}` : path),
      facts.map(([text, style]) => el("span", { class: "fact " + style }, text)),
      el("a", { href: address("map", model.id(at)) }, "On the map")),
    model.doc(at) && model.doc(at).split(/\n\s*\n/).map((part) => el("p", { class: "doc" }, part.replace(/\s*\n\s*/g, " "))));
}

function crumbs(model, at) {
  const out = [], place = model.place(at).split("/")[0];
  if (place) out.push(el("a", { href: address("map", "::" + place) }, place));
  const above = [];
  for (let each = model.parentOf[at]; each >= 0; each = model.parentOf[each]) above.unshift(each);
  for (const each of above) {
    const kind = model.kind(each);
    if (kind === "directory" && model.path(each) === "./") continue;
    const name = kind === "directory" || model.isFile(each) ? model.path(each).replace(/\/$/, "").split("/").pop() + (kind === "directory" ? "/" : "") : model.name(each);
    out.push(el("a", { href: address("symbol", model.id(each)) }, name));
  }
  return out.flatMap((link, place) => (place ? [" › ", link] : [link]));
}

function folderPage(app, at) {
  const model = app.model;
  return el("article", { class: "page narrow" },
    el("p", { class: "crumbs" }, crumbs(model, at)),
    el("h1", { tabindex: -1 }, kindBadge(model, at), el("span", { class: "title" }, model.path(at))),
    el("p", { class: "facts" }, el("a", { href: address("map", model.path(at)) }, "On the map")),
    el("ul", { class: "plain-list" }, model.below(at).map((each) => el("li", {}, kindBadge(model, each), " ", symbolLink(model, each)))));
}

// Source

function sourcePart(app, at, marked) {
  const body = el("div", { class: "source", tabindex: 0, role: "region", "aria-label": "Source" }, el("p", { class: "quiet pad" }, "Reading…"));
  showSource(app, at, marked, body);
  return el("section", { "aria-label": "Source" }, el("h2", {}, "Source"), body);
}

async function showSource(app, at, marked, body) {
  const model = app.model, path = model.path(at);
  const lines = await app.sources.lines(path).catch(() => null);
  if (!lines) {
    replaceContent(body, el("p", { class: "quiet pad" }, app.sources.leftOut.includes(path) ? "The text of this file is left out: the page would be too large." : "The text of this file is not in the page."));
    return;
  }
  const isFile = model.isFile(at);
  const first = isFile ? 1 : Math.max(1, model.start(at)), last = isFile ? lines.length : Math.min(lines.length, model.end(at));
  const painted = colored(lines.slice(first - 1, last).join("\n"), model.language(at));
  const links = linksIn(model, at, isFile);
  const show = (until) => {
    const rows = painted.slice(0, until).map((pieces, row) => {
      const line = first + row;
      return el("div", { class: line === marked ? "line marked" : "line" },
        el("span", { class: "number", "aria-hidden": "true" }, String(line)),
        el("code", {}, pieces.map(([style, text]) => piece(model, style, text, links.get(line)))));
    });
    replaceContent(body, rows, painted.length > until && el("p", { class: "pad" }, el("button", { type: "button", onclick: () => show(until + 4000) }, `Show all ${number(painted.length)} lines`)));
    const target = body.querySelector(".marked");
    if (target) target.scrollIntoView({ block: "center" });
  };
  show(Math.max(MOST_LINES, marked ? marked - first + 60 : 0));
}

/** What a line refers to: by line, symbols by name. */
function linksIn(model, at, isFile) {
  const links = new Map();
  const visit = (each) => {
    for (const edge of model.out(each, "calls", "references", "inherits", "imports")) {
      const target = model.target[edge];
      for (const line of model.lines(edge)) {
        if (!links.has(line)) links.set(line, new Map());
        links.get(line).set(model.name(target).replace(/\.\w+$/, ""), target);
      }
    }
    for (const below of model.below(each)) {
      if (isFile || model.start(below) >= model.start(at)) visit(below);
      if (each !== at || isFile || below !== at) {
        const line = model.nameLine(below);
        if (!links.has(line)) links.set(line, new Map());
        if (!links.get(line).has(model.name(below))) links.get(line).set(model.name(below), below);
      }
    }
  };
  visit(at);
  return links;
}

function piece(model, style, text, named) {
  if ((style === "w" || style === "m") && named) {
    const target = named.get(text) ?? named.get(text.replace(/^@/, "").split(".").pop());
    if (target !== undefined) return el("a", { class: "t-" + style, href: address("symbol", model.id(target)), tabindex: -1 }, text);
  }
  return style && style !== "w" ? el("span", { class: "t-" + style }, text) : text;
}

function membersPart(model, at) {
  const below = model.below(at);
  if (!below.length) return null;
  return el("section", { "aria-label": "Members" }, el("h2", {}, `Members (${number(below.length)})`),
    el("ul", { class: "plain-list" }, below.slice(0, 300).map((each) => el("li", {},
      kindBadge(model, each), " ", el("a", { href: address("symbol", model.id(each)) }, model.name(each)),
      el("span", { class: "where" }, String(model.nameLine(each)))))));
}

// Uses

function usesPart(app, at) {
  const model = app.model;
  const sites = [];
  for (const edge of model.into(at, ...USING)) {
    const source = model.source[edge];
    for (const line of model.lines(edge).slice(0, 50)) sites.push({ path: model.path(source), line, source, kind: model.edgeKind(edge), possible: model.isPossible(edge), test: model.isTest(source) });
  }
  const own = sites.filter((site) => !site.test), tests = sites.filter((site) => site.test);
  const section = el("section", { "aria-label": "Uses" }, el("h2", {}, `Uses (${number(own.length)})`));
  if (own.length) section.append(usesList(app, own));
  else section.append(el("p", { class: "quiet" }, tests.length ? "Only tests use it." : "Nothing in the repository is known to use it."));
  if (tests.length) {
    const folded = el("details", { ontoggle: () => {
      if (folded.open && folded.children.length === 1) folded.append(usesList(app, tests));
    } }, el("summary", {}, `${counted(tests.length, "use")} in tests`));
    section.append(folded);
  }
  return section;
}

function usesList(app, sites) {
  const byPath = new Map();
  sites.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line));
  for (const site of sites.slice(0, MOST_USES)) byPath.set(site.path, [...(byPath.get(site.path) || []), site]);
  const list = el("div", { class: "uses" });
  for (const [path, found] of byPath) {
    const rows = found.map((site) => {
      const text = el("code", {});
      return { site, text, row: el("li", { class: site.possible ? "possible" : "" },
        el("a", { href: address("symbol", path, { line: site.line }), class: "number" }, String(site.line)),
        el("span", { class: "use" }, symbolUse(app.model, site), site.possible && [" ", el("span", { class: "fact" }, "possible")], text)) };
    });
    list.append(el("div", { class: "use-file" }, el("a", { class: "path", href: address("symbol", path) }, path), el("ul", {}, rows.map((each) => each.row))));
    app.sources.lines(path).then((lines) => {
      if (!lines) return;
      for (const { site, text } of rows) {
        const [pieces] = colored((lines[site.line - 1] || "").trim().slice(0, 200), app.model.language(site.source));
        append(text, pieces.map(([style, part]) => piece(app.model, style, part, null)));
      }
    }).catch(() => undefined);
  }
  if (sites.length > MOST_USES) list.append(el("p", { class: "quiet" }, `and ${number(sites.length - MOST_USES)} more: rpg usages lists them all`));
  return list;
}

function symbolUse(model, site) {
  if (model.isFile(site.source)) return el("span", { class: "quiet" }, SAID[site.kind]);
  return [symbolLink(model, site.source), " ", el("span", { class: "quiet" }, SAID[site.kind])];
}

// The call tree

function treePart(app, at) {
  const model = app.model;
  const [callers, callees] = [steps(model, at, true), steps(model, at, false)];
  if (!callers.length && !callees.length) return null;
  return el("section", { "aria-label": "Call tree" },
    el("h2", {}, "Call tree"),
    callers.length > 0 && [el("h3", {}, `Called by (${number(callers.length)})`), branches(model, callers, true, [at])],
    callees.length > 0 && [el("h3", {}, `Calls (${number(callees.length)})`), branches(model, callees, false, [at])]);
}

/** The symbols one step up or down: {at, possible, via}. */
function steps(model, at, isUp) {
  const found = new Map();
  for (const edge of isUp ? model.into(at, "calls") : model.out(at, "calls")) {
    const other = isUp ? model.source[edge] : model.target[edge];
    const possible = model.isPossible(edge);
    if (!found.has(other) || !possible) found.set(other, { at: other, possible });
  }
  return [...found.values()].sort((one, other) => Number(model.isTest(one.at)) - Number(model.isTest(other.at)) || one.at - other.at);
}

function branches(model, list, isUp, above, from = 0) {
  const most = 30, out = el("ul", { class: "tree" });
  for (const each of list.slice(from, from + most)) out.append(branch(model, each, isUp, above));
  if (list.length > from + most) {
    const more = el("li", {}, el("button", { type: "button", class: "plain", onclick: () => {
      const rest = branches(model, list, isUp, above, from + most);
      more.replaceWith(...rest.children);
    } }, `and ${number(list.length - from - most)} more`));
    out.append(more);
  }
  return out;
}

function branch(model, { at, possible }, isUp, above) {
  const isRound = above.includes(at);
  const next = isRound ? [] : steps(model, at, isUp);
  const row = el("li", {});
  const turn = next.length
    ? el("button", { type: "button", class: "turn", "aria-expanded": "false", "aria-label": `${isUp ? "Callers" : "Callees"} of ${model.label(at)}`, onclick: () => {
      const isOpen = turn.getAttribute("aria-expanded") === "true";
      turn.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) row.lastChild.remove();
      else row.append(branches(model, next, isUp, [...above, at]));
    } }, icon("M9 6l6 6-6 6"))
    : el("span", { class: "turn" });
  append(row, [turn, kindBadge(model, at), " ", symbolLink(model, at, { title: model.path(at) }), isRound && el("span", { class: "fact" }, "again"), possible && el("span", { class: "fact" }, "possible"), el("span", { class: "where" }, model.path(at).split("/").pop())]);
  return row;
}

// What it overrides, and its tests

function overridesPart(model, at) {
  const parts = [
    ["Overrides", model.out(at, "overrides").map((edge) => model.target[edge])],
    ["Overridden by", model.into(at, "overrides").map((edge) => model.source[edge])],
    ["Extends", model.out(at, "inherits").map((edge) => model.target[edge])],
    ["Extended by", model.into(at, "inherits").map((edge) => model.source[edge])],
  ].filter(([, list]) => list.length);
  if (!parts.length) return null;
  return el("section", { "aria-label": "Inheritance" }, parts.map(([title, list]) => [
    el("h2", {}, `${title} (${number(list.length)})`),
    el("ul", { class: "plain-list" }, list.slice(0, 60).map((each) => el("li", {}, kindBadge(model, each), " ", symbolLink(model, each), el("span", { class: "where" }, model.path(each))))),
    list.length > 60 && el("p", { class: "quiet" }, `and ${number(list.length - 60)} more`),
  ]));
}

function testsPart(model, at) {
  if (model.isTest(at) || !(FUNCTIONS.has(model.kind(at)) || CLASSES.has(model.kind(at)))) return null;
  const found = model.testsOf(at, MOST_TESTS + 1);
  const shown = found.slice(0, MOST_TESTS);
  const section = el("section", { "aria-label": "Tests" }, el("h2", {}, `Tests that reach it (${found.length > MOST_TESTS ? `${MOST_TESTS} and more` : number(found.length)})`));
  if (!shown.length) section.append(el("p", { class: "quiet" }, model.has(at, UNTESTED) ? "No test reaches it along calls and uses." : "None within six steps."));
  const list = (tests) => el("ul", { class: "plain-list" }, tests.map(({ test, steps: far }) => el("li", {}, symbolLink(model, test), el("span", { class: "where" }, `${model.path(test)} · ${counted(far, "step")}`))));
  if (shown.length) section.append(list(shown.slice(0, USES_SHOWN_OPEN)));
  if (shown.length > USES_SHOWN_OPEN) section.append(el("details", {}, el("summary", {}, `${number(shown.length - USES_SHOWN_OPEN)} more`), list(shown.slice(USES_SHOWN_OPEN))));
  return section;
}
