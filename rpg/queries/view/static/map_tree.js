// What the map shows: a tree of areas, folders, files and symbols, and how much leads from one of them to another.

const MOST_CHILDREN = 24;
const COUNTED_EDGES = new Set(["calls", "references", "inherits", "imports", "overrides", "tests"]);

class Item {
  constructor(key, kind, label, parent) {
    this.key = key;
    this.kind = kind; // root, area, folder, file, symbol
    this.label = label;
    this.parent = parent;
    this.children = [];
    this.counts = { files: 0, symbols: 0, judged: 0, untested: 0, unused: 0, changed: 0, cyclic: 0, tests: 0 };
    this.at = -1; // the symbol's number, for files and symbols
    this.shown = MOST_CHILDREN;
  }

  get depth() { return this.parent ? this.parent.depth + 1 : 0; }
  get isLeaf() { return this.children.length === 0; }

  isIn(other) {
    for (let each = this; each; each = each.parent) if (each === other) return true;
    return false;
  }
}

class MapTree {
  constructor(model) {
    this.model = model;
    this.items = new Map();
    this.root = this.made("", "root", model.data.name, null);
    this.itemOfSymbol = new Array(model.size);
    const hasAreas = model.data.places.some(Boolean);
    for (let at = 0; at < model.size; at++) if (model.isFile(at)) this.addFile(at, hasAreas);
    this.joinSingles(this.root);
    for (const area of this.root.children) if (area.kind === "area") this.joinOnly(area);
    this.order(this.root);
  }

  made(key, kind, label, parent) {
    const item = new Item(key, kind, label, parent);
    this.items.set(key, item);
    if (parent) parent.children.push(item);
    return item;
  }

  addFile(at, hasAreas) {
    const path = this.model.path(at);
    let around = this.root;
    if (hasAreas) {
      const area = this.model.place(at).split("/")[0] || "Other files";
      around = this.items.get("::" + area) || this.made("::" + area, "area", area, this.root);
    }
    const prefix = around === this.root ? "" : around.key + "/";
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const key = `${prefix}/${parts.slice(0, depth).join("/")}/`;
      around = this.items.get(key) || this.made(key, "folder", parts[depth - 1] + "/", around);
    }
    const file = this.made(path, "file", parts[parts.length - 1], around);
    file.at = at;
    this.itemOfSymbol[at] = file;
    this.addBelow(file, at);
    file.counts.files = 1;
    for (let each = around; each; each = each.parent) {
      for (const name of Object.keys(file.counts)) each.counts[name] += file.counts[name];
    }
  }

  addBelow(item, at) {
    const model = this.model, { counts } = item;
    counts.symbols = 1;
    if (model.isJudged(at)) counts.judged = 1;
    if (model.has(at, UNTESTED)) counts.untested = 1;
    if (model.has(at, UNUSED)) counts.unused = 1;
    if (model.has(at, CHANGED)) counts.changed = 1;
    if (model.has(at, CYCLIC)) counts.cyclic = 1;
    if (model.isTest(at)) counts.tests = 1;
    for (const below of model.below(at)) {
      const child = new Item(model.id(below), "symbol", model.name(below), item);
      child.at = below;
      this.items.set(child.key, child);
      this.itemOfSymbol[below] = child;
      item.children.push(child);
      this.addBelow(child, below);
      for (const name of Object.keys(counts)) counts[name] += child.counts[name];
    }
  }

  /** A folder with nothing but a folder in it is one step: `src/app/`. */
  joinSingles(item) {
    item.children = item.children.map((child) => {
      let each = child;
      while (each.kind === "folder" && each.children.length === 1 && each.children[0].kind === "folder") {
        const inner = each.children[0];
        inner.label = each.label + inner.label;
        this.items.delete(each.key);
        inner.parent = item;
        each = inner;
      }
      return each;
    });
    for (const child of item.children) if (child.kind === "area" || child.kind === "folder") this.joinSingles(child);
  }

  /** A folder that is all of an area is not drawn inside it. */
  joinOnly(area) {
    const [only, ...others] = area.children;
    if (!only || others.length || only.kind !== "folder") return;
    area.children = only.children;
    for (const child of area.children) child.parent = area;
    this.items.set(only.key, area);
  }

  /** The largest first; what is in a file stays as it is there. */
  order(item) {
    if (item.kind === "file" || item.kind === "symbol") return;
    item.children.sort((one, other) => other.counts.symbols - one.counts.symbols || (one.label < other.label ? -1 : 1));
    for (const child of item.children) this.order(child);
  }

  find(key) { return this.items.get(key); }

  /** The item of a symbol's id or a path. */
  ofSymbol(at) { return this.itemOfSymbol[at]; }
}

/** The children of an item that are on the map: some of many, until more are asked for. */
function shownChildren(item) {
  return item.children.slice(0, item.shown);
}

/** What is drawn while `open` are open: the items without anything open in them, in the order of the tree. */
function visibleItems(tree, open) {
  const out = [];
  const visit = (item) => {
    out.push(item);
    if (open.has(item.key) || item === tree.root) shownChildren(item).forEach(visit);
  };
  shownChildren(tree.root).forEach(visit);
  return out;
}

/** How many edges lead from one visible item to another, the most first. What is in an item and not shown counts as the
 *  item's own. */
function edgesBetween(tree, visible) {
  const model = tree.model;
  const places = new Map(visible.map((item, place) => [item, place]));
  const known = new Map();
  const placeOf = (item) => {
    if (!item) return -1;
    if (known.has(item)) return known.get(item);
    const own = places.get(item);
    const found = own !== undefined ? own : placeOf(item.parent);
    known.set(item, found);
    return found;
  };
  const placeOfSymbol = new Int32Array(model.size);
  for (let at = 0; at < model.size; at++) placeOfSymbol[at] = placeOf(tree.itemOfSymbol[at]);
  const counted = new Set([...COUNTED_EDGES].map((kind) => model.kindNumbers[kind]));
  const kinds = model.data.edges.kind, many = visible.length, numbers = new Map();
  for (let edge = 0; edge < kinds.length; edge++) {
    if (!counted.has(kinds[edge])) continue;
    const from = placeOfSymbol[model.source[edge]], to = placeOfSymbol[model.target[edge]];
    if (from < 0 || to < 0 || from === to) continue;
    const key = from * many + to;
    numbers.set(key, (numbers.get(key) || 0) + 1);
  }
  return [...numbers].map(([key, count]) => ({ from: visible[Math.floor(key / many)], to: visible[key % many], count }))
    .filter(({ from, to }) => !from.isIn(to) && !to.isIn(from))
    .sort((one, other) => other.count - one.count);
}
