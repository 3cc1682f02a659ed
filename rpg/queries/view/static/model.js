// Reads the columns of the page (graph_columns.py) back into a graph, and answers what it is asked of it.

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** What stands in the page under that name; null if it is not there. */
async function block(name) {
  const holder = document.getElementById(name);
  return holder ? unpacked(holder.textContent) : null;
}

function sums(differences) {
  const out = new Int32Array(differences.length);
  let sum = 0;
  for (let at = 0; at < out.length; at++) out[at] = sum += differences[at];
  return out;
}

const EXPORTED = 1, TEST = 2;
const UNTESTED = 1, UNUSED = 2, CHANGED = 4, CYCLIC = 8;
const FUNCTIONS = new Set(["function", "method", "property"]);
const CLASSES = new Set(["class", "interface", "enum", "struct", "trait", "type"]);

class Model {
  constructor(data) {
    this.data = data;
    this.lists = data.lists;
    const { symbols, edges } = data;
    this.size = symbols.name.length;
    this.pathOf = sums(symbols.path);
    this.parentOf = Int32Array.from(symbols.parent, (up, at) => at - up);
    this.source = sums(edges.source);
    this.target = Int32Array.from(edges.target, (step, at) => step + this.source[at]);
    this.firstSite = new Int32Array(edges.sites.length + 1);
    edges.sites.forEach((many, at) => (this.firstSite[at + 1] = this.firstSite[at] + many));
    this.kindNumbers = Object.fromEntries(data.edgeKinds.map((kind, at) => [kind, at]));
    this.join();
    this.mark();
  }

  /** Ids, children, and the edges of each symbol in both directions. */
  join() {
    const { ids } = this.data.symbols;
    this.ids = new Array(this.size);
    this.numbers = new Map();
    this.children = new Map();
    for (let at = 0; at < this.size; at++) {
      const path = this.path(at), up = this.parentOf[at];
      let id = ids[at];
      if (id === undefined) {
        const above = up >= 0 && up < at ? this.ids[up] : "";
        const kind = this.kind(at);
        id = kind === "directory" || kind === "module" || kind === "file"
          ? path : above + (above.includes("::") ? "." : "::") + this.name(at);
      }
      this.ids[at] = id;
      this.numbers.set(id, at);
      if (up >= 0) {
        const beside = this.children.get(up);
        if (beside) beside.push(at);
        else this.children.set(up, [at]);
      }
    }
    const many = this.source.length;
    this.firstOut = new Int32Array(this.size + 1);
    this.firstIn = new Int32Array(this.size + 1);
    for (let edge = 0; edge < many; edge++) {
      this.firstOut[this.source[edge] + 1]++;
      this.firstIn[this.target[edge] + 1]++;
    }
    for (let at = 0; at < this.size; at++) {
      this.firstOut[at + 1] += this.firstOut[at];
      this.firstIn[at + 1] += this.firstIn[at];
    }
    this.incoming = new Int32Array(many);
    const next = this.firstIn.slice();
    for (let edge = 0; edge < many; edge++) this.incoming[next[this.target[edge]]++] = edge;
  }

  mark() {
    this.marks = new Uint8Array(this.size);
    const { untested, unused, changed, cyclic } = this.data.marks;
    this.unusedBy = new Map();
    for (const at of untested) this.marks[at] |= UNTESTED;
    for (const [confidence, numbers] of Object.entries(unused)) {
      for (const at of numbers) {
        if (confidence !== "possible") this.marks[at] |= UNUSED;
        this.unusedBy.set(at, confidence);
      }
    }
    for (const at of changed) this.marks[at] |= CHANGED;
    for (const path of cyclic) if (this.numbers.has(path)) this.marks[this.numbers.get(path)] |= CYCLIC;
  }

  id(at) { return this.ids[at]; }
  name(at) { return this.data.texts[this.data.symbols.name[at]]; }
  kind(at) { return this.data.kinds[this.data.symbols.kind[at]]; }
  path(at) { return this.data.paths[this.pathOf[at]]; }
  place(at) { return this.data.places[this.pathOf[at]]; }
  language(at) { return this.data.languages[this.data.symbols.language[at]]; }
  start(at) { return this.data.symbols.start[at]; }
  end(at) { return this.start(at) + this.data.symbols.lines[at]; }
  nameLine(at) { return this.start(at) + this.data.symbols.named[at]; }
  signature(at) { return this.data.symbols.signature[at] || ""; }
  doc(at) { return this.data.symbols.doc[at] || ""; }
  isTest(at) { return (this.data.symbols.flags[at] & TEST) !== 0; }
  isExported(at) { return (this.data.symbols.flags[at] & EXPORTED) !== 0; }
  has(at, mark) { return (this.marks[at] & mark) !== 0; }
  below(at) { return this.children.get(at) || []; }
  isFile(at) { const kind = this.kind(at); return kind === "module" || kind === "file"; }
  isJudged(at) { const kind = this.kind(at); return !this.isTest(at) && (FUNCTIONS.has(kind) || CLASSES.has(kind)); }

  /** Its name within its file; a file's path. */
  label(at) {
    const id = this.ids[at], cut = id.indexOf("::");
    return cut < 0 ? id : id.slice(cut + 2);
  }

  find(id) {
    const found = this.numbers.get(id);
    return found === undefined ? -1 : found;
  }

  edgeKind(edge) { return this.data.edgeKinds[this.data.edges.kind[edge]]; }
  isPossible(edge) { return this.data.edges.possible[edge] === 1; }
  via(edge) { return this.data.vias[this.data.edges.via[edge]]; }

  /** The lines of an edge's sites, in the file of its source. */
  lines(edge) {
    let line = this.start(this.source[edge]);
    const out = [];
    for (let at = this.firstSite[edge]; at < this.firstSite[edge + 1]; at++) {
      line += this.data.edges.lines[at];
      if (out[out.length - 1] !== line) out.push(line);
    }
    return out;
  }

  out(at, ...kinds) { return this.chosen(at, this.firstOut, (place) => place, kinds); }
  into(at, ...kinds) { return this.chosen(at, this.firstIn, (place) => this.incoming[place], kinds); }

  chosen(at, first, edgeAt, kinds) {
    const wanted = new Set(kinds.map((kind) => this.kindNumbers[kind]));
    const out = [];
    for (let place = first[at]; place < first[at + 1]; place++) {
      const edge = edgeAt(place);
      if (!wanted.size || wanted.has(this.data.edges.kind[edge])) out.push(edge);
    }
    return out;
  }

  /** The innermost symbol around a line of a file. */
  around(path, line) {
    let at = this.find(path);
    if (at < 0) return -1;
    for (;;) {
      const inner = this.below(at).find((each) => this.start(each) <= line && line <= this.end(each));
      if (inner === undefined) return at;
      at = inner;
    }
  }

  /** The outermost function of tests around a symbol of theirs; -1 if there is none. */
  testAround(at) {
    let found = -1;
    for (let each = at; each >= 0 && this.isTest(each); each = this.parentOf[each]) if (FUNCTIONS.has(this.kind(each))) found = each;
    return found;
  }

  /** The tests from which a way of calls and uses leads to a symbol, with how many steps it takes. */
  testsOf(at, most) {
    const found = [];
    const seen = new Set([at]), tests = new Set();
    let frontier = [at];
    for (let steps = 1; steps <= 6 && frontier.length && found.length < most; steps++) {
      const next = [];
      for (const each of frontier) {
        const from = this.into(each, "calls", "references", "tests", "inherits").map((edge) => this.source[edge]);
        for (const edge of this.out(each, "overrides")) from.push(this.target[edge]);
        // A class runs what nobody names, as far as anybody can tell.
        const up = this.parentOf[each];
        if (up >= 0 && CLASSES.has(this.kind(up)) && (!from.length || /^__|^constructor$/.test(this.name(each)))) from.push(up);
        for (const source of from) {
          if (source < 0 || seen.has(source)) continue;
          seen.add(source);
          if (this.isTest(source)) {
            const test = this.testAround(source);
            if (test >= 0 && !tests.has(test)) {
              tests.add(test);
              found.push({ test, steps });
            }
          } else next.push(source);
        }
      }
      frontier = next;
    }
    return found;
  }
}

/** The texts of files: from the page, or from the server that sent it. */
class Sources {
  constructor(where, server) {
    this.blockOf = (where && where.blockOf) || {};
    this.leftOut = (where && where.leftOut) || [];
    this.blocks = new Map();
    this.texts = new Map();
    this.server = server;
  }

  has(path) { return Boolean(this.server) || path in this.blockOf; }

  /** The lines of a file; null if its text is not in the page. */
  async lines(path) {
    if (this.server) {
      if (!this.texts.has(path)) this.texts.set(path, this.server("source", { path }).then((found) => found.text));
      const text = await this.texts.get(path);
      return text ? text.split("\n") : null;
    }
    const at = this.blockOf[path];
    if (at === undefined) return null;
    const texts = await this.block(at);
    return texts[path] === undefined ? null : texts[path].split("\n");
  }

  block(at) {
    if (!this.blocks.has(at)) this.blocks.set(at, block(`block-${at}`));
    return this.blocks.get(at);
  }
}
