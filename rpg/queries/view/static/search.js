// Search without a server: names (in part, in other spelling, with typos), then words of signatures and docs.

const SHOWN_HITS = 60;
const FOUND = { words: "by words of its signature or text", path: "by its path", "similar name": "has a similar name" };

function foldName(name) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The words of a name: `get_userName` has get, user and name. */
function wordsOf(name) {
  return name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** Whether at most `most` letters differ; two that changed places are one. */
function isNear(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return false;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at), before = row;
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
      least = Math.min(least, next[j]);
    }
    if (least > most + 1) return false;
    [before, row] = [row, next];
  }
  return row[other.length] <= most;
}

class Search {
  constructor(model) {
    this.model = model;
    this.folded = model.data.texts.map(foldName);
  }

  /** Hits, the best first: {at, score, why}. */
  hits(query) {
    const model = this.model, written = query.trim();
    if (!written) return [];
    const dotted = written.toLowerCase().replace(/^.*::/, ""), whole = foldName(written);
    const words = wordsOf(written);
    const last = foldName(dotted.split(".").pop());
    const byText = this.folded.map((name) => this.nameScore(name, last || whole, whole));
    const out = [];
    for (let at = 0; at < model.size; at++) {
      let score = byText[model.data.symbols.name[at]], why = "name";
      if (score && dotted.includes(".") && !model.label(at).toLowerCase().endsWith(dotted)) score = 0;
      if (!score && words.length) {
        const has = this.wordScore(at, words);
        if (has) [score, why] = [has, "words"];
      }
      if (model.path(at).toLowerCase().includes(written.toLowerCase()) && model.isFile(at) && score < 50) [score, why] = [50, "path"];
      if (!score) continue;
      const users = model.firstIn[at + 1] - model.firstIn[at];
      score += Math.min(9, Math.log2(users + 1)) - (model.isTest(at) ? 12 : 0) - (model.kind(at) === "section" ? 6 : 0);
      out.push({ at, score, why });
    }
    out.sort((one, other) => other.score - one.score || one.at - other.at);
    return out.length ? out : this.nearHits(last || whole);
  }

  nameScore(name, last, whole) {
    if (!last) return 0;
    if (name === last || name === whole) return 100;
    if (name.startsWith(last)) return 80;
    if (last.length > 2 && name.includes(last)) return 60;
    return 0;
  }

  wordScore(at, words) {
    const model = this.model;
    const text = `${model.label(at)} ${model.signature(at)} ${model.doc(at)}`.toLowerCase();
    let found = 0;
    for (const word of words) if (text.includes(word)) found++;
    if (found < Math.max(1, Math.ceil(words.length * 0.6)) || (words.length === 1 && words[0].length < 3)) return 0;
    return (found / words.length) * 38 + (model.isJudged(at) ? 4 : 0);
  }

  nearHits(name) {
    const most = name.length > 7 ? 2 : 1, out = [];
    if (name.length < 4) return out;
    const near = this.folded.map((each) => isNear(each, name, most));
    for (let at = 0; at < this.model.size; at++) {
      if (near[this.model.data.symbols.name[at]]) out.push({ at, score: 20 - (this.model.isTest(at) ? 5 : 0), why: "similar name" });
    }
    return out.sort((one, other) => other.score - one.score || one.at - other.at);
  }
}

function searchPage(app, options) {
  const query = options.q || "";
  const results = el("div", { class: "results", "aria-live": "polite" });
  const page = el("article", { class: "page narrow" }, el("h1", { tabindex: -1 }, query ? `Search: ${query}` : "Search"), results);
  if (app.server && query) {
    searchedByServer(app, query).then((hits) => {
      showHits(app, results, query, hits);
      app.hitsShown();
    });
  } else showHits(app, results, query, null);
  return page;
}

async function searchedByServer(app, query) {
  try {
    const found = await app.server("search", { q: query });
    return found.hits.map((hit) => ({ at: app.model.find(hit.name && hit.name !== hit.path ? `${hit.path}::${hit.name}` : hit.path), why: hit.why, weak: hit.weak }))
      .filter((hit) => hit.at >= 0);
  } catch {
    return null;
  }
}

function showHits(app, results, query, given) {
  const model = app.model;
  app.search = app.search || new Search(model);
  const hits = given || app.search.hits(query);
  if (!query) {
    replaceContent(results, el("p", { class: "quiet" }, "Type a name, in part or misspelt, a path, or words of what the code does."));
    return;
  }
  const shown = hits.slice(0, SHOWN_HITS);
  replaceContent(results,
    el("p", { class: "quiet" }, hits.length ? `${counted(hits.length, "hit")}${hits.length > shown.length ? `, the best ${shown.length} are listed` : ""}` : `Nothing is called ${query}, or described with these words.`),
    el("ol", { class: "hits" }, shown.map(({ at, why }) => el("li", {},
      el("a", { href: address("symbol", model.id(at)) }, kindBadge(model, at), el("span", { class: "hit-name" }, model.label(at))),
      el("span", { class: "where" }, `${model.path(at)}${model.start(at) ? ":" + model.nameLine(at) : ""}`),
      why && why !== "name" && el("span", { class: "quiet small" }, ` ${FOUND[why] || why}`),
      model.doc(at) && el("p", { class: "doc" }, model.doc(at).split("\n")[0])))));
}
