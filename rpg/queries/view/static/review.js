// A review: what changed, who is affected, what no test reaches (queries/review/review.py).

function reviewPage(app) {
  const found = app.model.data.review, model = app.model;
  if (!found) {
    return el("article", { class: "page narrow" }, el("h1", { tabindex: -1 }, "Review"),
      el("p", {}, "This page has no review. Write one with a change in it:"), el("pre", {}, "rpg view --since main -o page.html\nrpg review main --format html > review.html"));
  }
  const certain = found.broken.filter((each) => each.certain).length;
  const affected = found.at_risk.reduce((all, each) => all + each.callers[0], 0);
  return el("article", { class: "page" },
    el("h1", { tabindex: -1 }, "Review of ", el("code", {}, found.head ? `${found.base}..${found.head}` : found.base)),
    found.note && el("p", { class: "quiet" }, found.note),
    el("ul", { class: "figures" },
      figure(found.broken.length, found.broken.length ? (certain ? "places broken" : "possibly broken") : `broken, ${counted(found.checked, "use")} checked`, found.broken.length ? "bad" : "good"),
      figure(found.at_risk.length, "changed and in use", ""),
      figure(affected, "direct uses affected", ""),
      figure(found.untested.length, "changed and untested", found.untested.length ? "bad" : "good"),
      figure(found.tests.length, `${found.tests.length === 1 ? "test" : "tests"} to run`, "")),
    el("p", { class: "below-figures" }, el("a", { class: "button", href: address("map", "", { color: "changed" }) }, "The change on the map")),
    reviewSection("Broken", found.broken, (each) => el("li", { class: "row bad" },
      placeLink(each.path, each.line), el("p", {}, !each.certain && el("span", { class: "fact" }, "possibly"), withCode(each.message), each.hint && el("span", { class: "quiet" }, " ", withCode(each.hint))))),
    found.unjudged.length > 0 && el("p", { class: "quiet" }, `Cannot be judged: ${found.unjudged.slice(0, 10).join(", ")}`),
    reviewSection("No test reaches", found.untested, (id) => el("li", { class: "row bad" }, symbolRow(model, id))),
    reviewSection("At risk", found.at_risk, (each) => el("li", { class: "row" },
      symbolRow(model, each.symbol),
      el("p", { class: "quiet" }, `${each.what === "signature" ? "another signature" : "another body"}; ${counted(each.callers[0], "use")}${further(each)}`),
      el("p", { class: "nearest" }, each.nearest.map((near) => nearLink(near))))),
    reviewSection("Tests to run", found.tests, (each) => el("li", {}, idLink(model, `${each.path}::${each.name}`), el("span", { class: "where" }, `${each.path}:${each.line}`))),
    found.more_tests > 0 && el("p", { class: "quiet" }, `${counted(found.more_tests, "test")} more may run it, on doubtful ways`),
    reviewSection("Changed files", found.files, (each) => el("li", {}, el("span", { class: "status status-" + each.status }, each.status), " ", idLink(model, each.path), each.was && el("span", { class: "where" }, `was ${each.was}`), each.symbols > 0 && el("span", { class: "where" }, counted(each.symbols, "symbol")))),
    Object.keys(found.areas).length > 0 && el("section", {}, el("h2", {}, "Areas"), el("ul", { class: "plain-list" }, Object.entries(found.areas).map(([area, many]) => el("li", {}, el("a", { href: address("map", "::" + area, { color: "changed" }) }, area), el("span", { class: "where" }, counted(many, "changed symbol")))))));
}

function figure(value, text, style) {
  return el("li", { class: "figure " + style }, el("strong", {}, number(value)), el("span", {}, text));
}

function further(each) {
  const more = each.callers.slice(1).reduce((all, many) => all + many, 0);
  return more ? `, ${number(more)} more within ${each.callers.length} steps` : "";
}

function reviewSection(title, entries, row) {
  if (!entries.length) return null;
  const list = (some) => el("ul", { class: "rows" }, some.map(row));
  return el("section", {}, el("h2", {}, `${title} (${number(entries.length)})`), list(entries.slice(0, 40)),
    entries.length > 40 && el("details", {}, el("summary", {}, `${number(entries.length - 40)} more`), list(entries.slice(40))));
}

function placeLink(path, line) {
  return el("a", { class: "where", href: address("symbol", path, { line }) }, `${path}:${line}`);
}

function symbolRow(model, id) {
  return [idLink(model, id), el("span", { class: "where" }, id.split("::")[0])];
}

/** `path:line name`, as a link. */
function nearLink(near) {
  const found = /^(.*?):(\d+) (.*)$/.exec(near);
  return found ? el("a", { href: address("symbol", found[1], { line: found[2] }), title: near }, found[3]) : near;
}

/** What stands between two backticks is code. */
function withCode(text) {
  const parts = text.split("`");
  return parts.length % 2 ? parts.map((part, at) => (at % 2 ? el("code", {}, part) : part)) : text;
}
