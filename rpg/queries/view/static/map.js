// The map: drawn by Cytoscape.js, and beside it as an outline, which a keyboard and a screen reader go through.

/** The zoom from which names can be read on a narrow screen; pixels of the smallest letters, and of the numbers of edges. */
const READABLE = 0.72, SMALLEST = 6, NUMBER_SIZE = 10.5;
const COLORS = {
  kind: "Kind",
  untested: "Not tested",
  unused: "Not used",
  changed: "Changed",
  cyclic: "Import cycles",
  size: "Size",
};
const TOLD = {
  kind: "code, tests, and other files",
  untested: "share of functions and classes that no test reaches",
  unused: "share of functions and classes that nothing uses, certainly or likely",
  changed: "share of functions and classes that changed",
  cyclic: "share of files that import each other in a circle",
  size: "number of symbols",
};
const WIDEST = 260, MOST_DRAWN = 60, STRONGEST = 2;

class MapPage {
  constructor(app, what, options) {
    this.app = app;
    this.tree = app.tree;
    this.model = app.model;
    this.open = new Set();
    this.color = COLORS[options.color] ? options.color : app.mapColor || "kind";
    this.allEdges = options.edges === "all";
    for (const key of (options.open || "").split("\n").filter(Boolean)) if (this.tree.find(key)) this.open.add(key);
    this.selected = this.itemCalled(what);
    for (let each = this.selected && this.selected.parent; each; each = each.parent) this.reveal(each);
    this.build();
  }

  itemCalled(what) {
    if (!what) return null;
    const at = this.model.find(what);
    return this.tree.find(what) || (at >= 0 && this.tree.ofSymbol(at)) || this.folderCalled(what);
  }

  /** A folder's path, in whichever area has most of it. */
  folderCalled(path) {
    let best = null;
    for (const item of this.tree.items.values()) {
      if (item.kind === "folder" && item.key.endsWith("/" + path) && (!best || item.counts.symbols > best.counts.symbols)) best = item;
    }
    return best;
  }

  reveal(item) {
    if (item !== this.tree.root) this.open.add(item.key);
    const inside = this.selected && item.children.findIndex((child) => this.selected.isIn(child));
    if (inside >= item.shown) item.shown = inside + 1;
  }

  build() {
    this.canvas = el("div", { class: "canvas", role: "img", "aria-label": "Map of the repository; the outline beside it says the same" });
    this.outline = el("ul", { class: "outline", role: "tree", "aria-label": "Outline of the map", onkeydown: (event) => this.keyInOutline(event) });
    this.details = el("section", { class: "details", "aria-label": "Chosen box", "aria-live": "polite" });
    this.legend = el("div", { class: "legend" });
    this.note = el("p", { class: "note" });
    const choices = Object.entries(COLORS).filter(([name]) => name !== "changed" || this.model.data.since);
    const color = el("select", { id: "color", onchange: (event) => this.setColor(event.target.value) },
      choices.map(([name, text]) => el("option", { value: name, selected: name === this.color }, name === "changed" ? `Changed since ${this.model.data.since}` : text)));
    const edges = el("input", { type: "checkbox", id: "all-edges", checked: this.allEdges, onchange: (event) => {
      this.allEdges = event.target.checked;
      this.draw();
    } });
    this.element = el("div", { class: "map" },
      el("div", { class: "map-side" },
        el("h1", { tabindex: -1, class: "map-title" }, "Map"),
        el("div", { class: "controls" },
          el("label", { for: "color" }, "Colour"), color,
          el("label", { class: "check" }, edges, "All connections")),
        this.details,
        this.outline),
      el("div", { class: "map-main" },
        this.canvas,
        el("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
          el("button", { type: "button", onclick: () => this.zoom(1.3), "aria-label": "Zoom in", title: "Zoom in (+)" }, icon("M12 5v14M5 12h14")),
          el("button", { type: "button", onclick: () => this.zoom(1 / 1.3), "aria-label": "Zoom out", title: "Zoom out (-)" }, icon("M5 12h14")),
          el("button", { type: "button", onclick: () => this.fit(), "aria-label": "Show everything", title: "Show everything (0)" }, icon("M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"))),
        el("div", { class: "map-foot" }, this.legend, this.note)));
  }

  /** Called when the element is in the page, and has a size. */
  shown() {
    this.cy = cytoscape({
      container: this.canvas,
      minZoom: 0.05,
      maxZoom: 3,
      boxSelectionEnabled: false,
      autoungrabify: true,
      pixelRatio: "auto",
    });
    this.cy.on("tap", "node", (event) => this.tapped(this.tree.find(event.target.id())));
    this.cy.on("tap", (event) => {
      if (event.target === this.cy) this.select(null);
    });
    this.cy.on("mouseover", "node", (event) => this.light(this.tree.find(event.target.id())));
    this.cy.on("mouseout", "node", () => this.light(this.selected));
    this.draw();
    this.cy.resize(); // the text below the map has its height now
    this.cy.on("zoom", () => this.showNumbers());
    this.begin();
    if (this.selected) this.zoomTo(this.selected);
  }

  gone() {
    if (this.cy) this.cy.destroy();
    this.cy = null;
  }

  tapped(item) {
    if (!item) return;
    if (this.selected === item) this.toggle(item);
    else this.select(item);
  }

  select(item) {
    this.selected = item;
    this.app.setAddress(this.address());
    this.light(item);
    this.drawOutline();
    this.drawDetails();
  }

  address() {
    return address("map", this.selected ? this.selected.key : "", {
      open: [...this.open].join("\n"),
      color: this.color === "kind" ? "" : this.color,
      edges: this.allEdges ? "all" : "",
    });
  }

  toggle(item, wanted) {
    if (item.isLeaf) return;
    const isOpen = this.open.has(item.key);
    if (wanted === isOpen) return;
    if (isOpen) {
      for (const key of [...this.open]) if (this.tree.find(key).isIn(item)) this.open.delete(key);
    } else this.open.add(item.key);
    this.selected = item;
    this.draw();
    this.zoomTo(item);
    this.app.setAddress(this.address());
  }

  setColor(color) {
    this.color = this.app.mapColor = color;
    this.app.setAddress(this.address());
    this.draw();
  }

  /** Draws everything anew. */
  draw() {
    const visible = visibleItems(this.tree, this.open);
    this.edges = edgesBetween(this.tree, visible);
    const wide = this.isNarrow() ? 0.3 : Math.max(0.7, Math.min(2.2, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight)));
    const boxes = layout(this.tree, this.open, this.edges, wide, (item) => this.widthOf(item));
    this.boxes = boxes;
    this.colors = themeColors();
    this.most = Math.max(1, ...visible.filter((item) => !this.open.has(item.key)).map((item) => item.counts.symbols));
    const drawn = this.allEdges ? this.edges.slice(0, 400) : strongest(this.edges, boxes.length);
    this.drawn = new Set(drawn);
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.style(this.style());
      this.cy.add(boxes.map((box) => ({
        group: "nodes",
        data: { id: box.item.key, ...this.drawnAs(box) },
        position: { x: box.x, y: box.y },
        classes: box.isOpen ? "open" : box.item.kind,
      })));
      this.addEdges(drawn, "edge");
    });
    this.light(this.selected);
    this.drawOutline();
    this.drawDetails();
    this.drawLegend(drawn.length);
  }

  addEdges(edges, style) {
    const byItem = new Map(this.boxes.map((box) => [box.item, box]));
    const found = ways(edges, this.boxes);
    edges.forEach(({ from, to, count }, place) => {
      const { path, number: spot } = found[place];
      this.cy.add([{
        group: "edges",
        data: { id: `${style} ${place}`, source: from.key, target: to.key, width: 1 + Math.min(1.6, Math.log2(count) / 6), ...asDrawn(path, byItem.get(from), byItem.get(to)) },
        classes: [style, path.length > 2 ? "bent" : ""].join(" "),
      }, {
        group: "nodes",
        data: { id: `${style} number ${place}`, label: number(count), w: spot.w, h: 15, fill: this.colors.back, line: this.colors.back, z: style === "near" ? 120 : 110 },
        position: { x: spot.x, y: spot.y },
        classes: `number ${style}`,
      }]);
    });
  }

  drawnAs({ item, w, h, isOpen }) {
    const [fill, line] = isOpen ? [this.colors.container, this.colors.line] : this.fillOf(item);
    return { label: isOpen ? item.label : this.labelOf(item), w, h, fill, line, z: isOpen ? item.depth : 100 };
  }

  labelOf(item) {
    if (item.kind === "symbol") return item.label + (item.children.length ? "  +" : "");
    return `${this.shortened(item.label)}\n${this.countOf(item)}`;
  }

  countOf(item) {
    const { counts } = item;
    const told = { untested: [counts.untested, "not tested"], unused: [counts.unused, "not used"], changed: [counts.changed, "changed"], cyclic: [counts.cyclic, "in cycles"] }[this.color];
    if (told && told[0]) return `${number(told[0])} ${told[1]}`;
    return item.kind === "file" ? counted(counts.symbols - 1, "symbol") : counted(counts.files, "file");
  }

  widthOf(item) {
    const text = this.measured(item.label, "500 13px");
    if (item.kind === "symbol") return Math.round(Math.min(WIDEST, Math.max(64, text + 34)));
    return Math.round(Math.min(WIDEST, Math.max(118, Math.max(text, this.measured(this.countOf(item), "12.5px")) + 30)));
  }

  measured(text, font) {
    const pen = (this.pen = this.pen || document.createElement("canvas").getContext("2d"));
    pen.font = `${font} system-ui, sans-serif`;
    return pen.measureText(text).width;
  }

  /** On one line of the widest box. */
  shortened(label) {
    let text = label;
    while (text.length > 8 && this.measured(text, "500 13px") > WIDEST - 24) text = text.slice(0, -2).trimEnd();
    return text === label ? label : text + "…";
  }

  /** Fill and border of a closed box. */
  fillOf(item) {
    const { counts } = item, colors = this.colors;
    if (this.color === "kind") {
      if (counts.tests > counts.symbols / 2) return [colors.test, colors.testLine];
      return counts.judged > 0.12 * counts.symbols ? [colors.code, colors.codeLine] : [colors.other, colors.otherLine];
    }
    const share = {
      untested: () => counts.untested / counts.judged,
      unused: () => counts.unused / counts.judged,
      changed: () => Math.sqrt(counts.changed / Math.max(1, counts.symbols)),
      cyclic: () => counts.cyclic / counts.files,
      size: () => Math.log(counts.symbols + 1) / Math.log(this.most + 1),
    }[this.color]();
    if (!(share > 0)) return [colors.none, colors.line];
    return [mixed(colors.none, colors.hot, 0.15 + 0.85 * Math.min(1, share)), mixed(colors.line, colors.hotLine, 0.4 + 0.6 * Math.min(1, share))];
  }

  style() {
    const colors = this.colors;
    const words = { color: colors.ink, "font-family": "system-ui, sans-serif", "min-zoomed-font-size": SMALLEST };
    return [
      { selector: "node", style: { shape: "round-rectangle", "corner-radius": 8, width: "data(w)", height: "data(h)", label: "data(label)", "background-color": "data(fill)", "border-width": 1, "border-color": "data(line)", "font-size": 12.5, "text-wrap": "wrap", "text-max-width": 250, "line-height": 1.35, "text-valign": "center", "z-index-compare": "manual", "z-index": "data(z)", ...words } },
      { selector: "node.symbol", style: { "font-size": 12, "corner-radius": 6, "text-wrap": "ellipsis" } },
      { selector: "node.area", style: { "font-weight": 500 } },
      { selector: "node.open", style: { "text-valign": "top", "text-margin-y": 26, "font-size": 13, "font-weight": 600, "corner-radius": 12, "background-opacity": 1, color: colors.quiet, "text-events": "yes" } },
      { selector: "edge", style: { width: "data(width)", "line-color": colors.edge, "target-arrow-color": colors.edge, "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": "straight", "source-endpoint": "data(from)", "target-endpoint": "data(to)", "z-index-compare": "manual", "z-index": 50 } },
      { selector: "edge.bent", style: { "curve-style": "round-segments", "segment-weights": "data(weights)", "segment-distances": "data(distances)", "segment-radii": 16, "edge-distances": "endpoints" } },
      { selector: "edge.far", style: { opacity: 0.18 } },
      { selector: "edge.near", style: { "line-color": colors.accent, "target-arrow-color": colors.accent, "z-index": 65 } },
      { selector: "node.number", style: { display: this.hasNumbers === false ? "none" : "element", "border-width": 0, "font-size": NUMBER_SIZE, "corner-radius": 4, color: colors.quiet, events: "no" } },
      { selector: "node.number.near", style: { color: colors.ink } },
      { selector: "node.number.far", style: { display: "none" } },
      { selector: "node.chosen", style: { "border-width": 3, "border-color": colors.accent } },
      { selector: "node.beside", style: { "border-color": colors.accent, "border-width": 1.5 } },
    ];
  }

  /** Brings out the connections of an item, also those that are not drawn otherwise. */
  light(item) {
    if (!this.cy) return;
    this.cy.batch(() => {
      this.cy.elements(".near").remove();
      this.cy.elements().removeClass("far chosen beside");
      if (!item) return;
      const node = this.cy.getElementById(item.key);
      node.addClass(this.selected === item ? "chosen" : "beside");
      this.cy.elements(".edge").addClass("far");
      const own = this.connectionsOf(item).slice(0, 60);
      this.addEdges(own, "near");
      for (const { from, to } of own) this.cy.getElementById((from.isIn(item) ? to : from).key).addClass("beside");
    });
  }

  /** The connections of an item and of all that is open in it, as its own. */
  connectionsOf(item) {
    const sums = new Map();
    for (const { from, to, count } of this.edges) {
      if (from.isIn(item) === to.isIn(item)) continue;
      const edge = from.isIn(item) ? { from: item, to } : { from, to: item };
      const key = edge.from.key + "\n" + edge.to.key, known = sums.get(key);
      sums.set(key, { ...edge, count: count + (known ? known.count : 0) });
    }
    return [...sums.values()].sort((one, other) => other.count - one.count);
  }

  drawDetails() {
    const item = this.selected;
    if (!item) {
      replaceContent(this.details, el("p", { class: "quiet" }, "Choose a box to see what it is connected to; choose it again to open it. With the keyboard: the outline, arrows, Enter."));
      return;
    }
    const { counts } = item;
    const facts = [
      item.kind !== "symbol" && item.kind !== "file" && counted(counts.files, "file"),
      counted(Math.max(1, counts.symbols - (item.kind === "file" ? 1 : 0)), "symbol"),
      counts.untested && `${number(counts.untested)} not tested`,
      counts.unused && `${number(counts.unused)} not used`,
      counts.changed && `${number(counts.changed)} changed`,
      counts.cyclic && `${counted(counts.cyclic, "file")} in cycles`,
    ].filter(Boolean);
    const own = this.connectionsOf(item);
    replaceContent(this.details,
      el("h2", {}, item.label),
      el("p", { class: "quiet" }, facts.join(" · ")),
      el("p", { class: "actions" },
        !item.isLeaf && el("button", { type: "button", onclick: () => this.toggle(item) }, this.open.has(item.key) ? "Close" : "Open"),
        item.at >= 0 && el("a", { class: "button", href: address("symbol", this.model.id(item.at)) }, item.kind === "file" ? "File" : "Symbol"),
        item.children.length > item.shown && this.open.has(item.key) && el("button", { type: "button", onclick: () => this.more(item) }, `Show more (${number(item.children.length - item.shown)})`)),
      this.connections("Uses", own.filter((edge) => edge.from === item), (edge) => edge.to),
      this.connections("Used by", own.filter((edge) => edge.to === item), (edge) => edge.from));
  }

  more(item) {
    item.shown += MOST_CHILDREN;
    this.draw();
    this.zoomTo(item);
  }

  connections(title, edges, other) {
    if (!edges.length) return null;
    return el("div", { class: "connections" },
      el("h3", {}, `${title} (${number(edges.length)})`),
      el("ul", {}, edges.slice(0, 8).map((edge) => el("li", {},
        el("button", { type: "button", class: "plain", onclick: () => this.select(other(edge)) }, other(edge).label),
        el("span", { class: "count" }, number(edge.count))))));
  }

  drawOutline() {
    const hadFocus = this.outline.contains(document.activeElement);
    const items = visibleItems(this.tree, this.open);
    const current = items.includes(this.selected) ? this.selected : items[0];
    replaceContent(this.outline, items.map((item) => {
      const isOpen = this.open.has(item.key);
      const left = isOpen && item.children.length - item.shown;
      return el("li", {
        role: "treeitem",
        "aria-level": item.depth,
        "aria-expanded": item.isLeaf ? null : String(isOpen),
        "aria-selected": String(item === this.selected),
        "data-depth": Math.min(8, item.depth),
        tabindex: item === current ? 0 : -1,
        onclick: () => this.tapped(item),
      },
      el("span", { class: "turn", "aria-hidden": "true" }, item.isLeaf ? "" : isOpen ? "▾" : "▸"),
      el("span", { class: "label" }, item.label),
      el("span", { class: "count" }, left > 0 ? `${item.shown} of ${number(item.children.length)}` : number(item.kind === "symbol" || item.kind === "file" ? item.children.length || "" : item.counts.files)));
    }));
    const focused = [...this.outline.children][items.indexOf(current)];
    if (focused && hadFocus) focused.focus();
    else if (focused && this.selected) keepInSight(this.outline, focused);
  }

  keyInOutline(event) {
    const items = visibleItems(this.tree, this.open);
    const at = items.indexOf(items.includes(this.selected) ? this.selected : items[0]);
    const item = items[at];
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key in steps) this.select(items[Math.max(0, Math.min(items.length - 1, this.selected ? steps[event.key] : at))]);
    else if (event.key === "ArrowRight") {
      if (!this.open.has(item.key)) this.toggle(item, true);
      else if (item.children.length) this.select(item.children[0]);
    } else if (event.key === "ArrowLeft") {
      if (this.open.has(item.key)) this.toggle(item, false);
      else if (item.parent !== this.tree.root) this.select(item.parent);
    } else if (event.key === "Enter" && item.at >= 0) location.hash = address("symbol", this.model.id(item.at));
    else if (event.key === "Enter" || event.key === " ") this.toggle(item);
    else return;
    event.preventDefault();
  }

  drawLegend(drawn) {
    const colors = this.colors;
    const swatch = (fill, line, text) => {
      const box = el("span", { class: "swatch" });
      box.style.background = fill;
      box.style.borderColor = line;
      return el("span", { class: "key" }, box, text);
    };
    if (this.color === "kind") {
      replaceContent(this.legend, swatch(colors.code, colors.codeLine, "code"), swatch(colors.test, colors.testLine, "tests"), swatch(colors.other, colors.otherLine, "other files"));
    } else {
      const scale = [0, 0.25, 0.5, 1].map((share) => swatch(share ? mixed(colors.none, colors.hot, 0.15 + 0.85 * share) : colors.none, share ? colors.hotLine : colors.line, ""));
      replaceContent(this.legend, el("span", { class: "scale" }, scale), el("span", {}, `little to much: ${TOLD[this.color]}`));
    }
    const all = this.edges.length;
    this.note.textContent = drawn < all ? `The strongest ${number(drawn)} of ${number(all)} connections; a chosen box shows all of its own.` : counted(all, "connection");
  }

  zoom(by) {
    this.cy.zoom({ level: this.cy.zoom() * by, renderedPosition: { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 } });
  }

  isNarrow() {
    return this.canvas.clientWidth < 620;
  }

  /** The first view: everything, or on a narrow screen its upper part, where all of it would be too small to read. */
  begin() {
    this.fit();
    if (!this.isNarrow() || this.cy.zoom() >= READABLE) return;
    const all = this.cy.elements().boundingBox();
    const level = Math.min(1, (this.canvas.clientWidth - 24) / all.w);
    this.cy.viewport({ zoom: level, pan: { x: this.canvas.clientWidth / 2 - ((all.x1 + all.x2) / 2) * level, y: 20 - all.y1 * level } });
  }

  /** Numbers that would be too small to read are not there, nor the gaps that they leave in their edges. */
  showNumbers() {
    const isShown = this.cy.zoom() * NUMBER_SIZE >= SMALLEST;
    if (isShown === this.hasNumbers) return;
    this.hasNumbers = isShown;
    this.cy.style(this.style());
  }

  fit() {
    this.cy.fit(undefined, 28);
    if (this.cy.zoom() > 1.15) {
      this.cy.zoom(1.15);
      this.cy.center();
    }
  }

  zoomTo(item) {
    const node = this.cy.getElementById(item.key);
    if (!node.length) return;
    const all = this.cy.elements().boundingBox();
    if (Math.min(this.canvas.clientWidth / all.w, this.canvas.clientHeight / all.h) > 0.72) {
      this.fit();
      return;
    }
    const box = node.boundingBox({ includeLabels: false });
    const level = Math.min(1.15, Math.max(0.25, Math.min(this.canvas.clientWidth / (box.w + 120), this.canvas.clientHeight / (box.h + 140))));
    const target = { zoom: level, pan: { x: this.canvas.clientWidth / 2 - ((box.x1 + box.x2) / 2) * level, y: this.canvas.clientHeight / 2 - ((box.y1 + box.y2) / 2) * level } };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.cy.viewport(target);
    else this.cy.animate(target, { duration: 220 });
  }

  key(event) {
    if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else return false;
    return true;
  }
}

/** Of each item the connections with the highest numbers, from it and to it. */
function strongest(edges, boxes) {
  const from = new Map(), to = new Map(), out = [];
  for (const edge of edges) {
    const one = from.get(edge.from) || 0, other = to.get(edge.to) || 0;
    if (one >= STRONGEST && other >= 1) continue;
    from.set(edge.from, one + 1);
    to.set(edge.to, other + 1);
    out.push(edge);
    if (out.length >= Math.min(MOST_DRAWN, Math.max(8, boxes * 1.5))) break;
  }
  return out;
}

function keepInSight(list, child) {
  const top = child.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - 60;
}

/** The colours of the page, from its style sheet. */
function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: named("ink"), quiet: named("quiet"), line: named("line"), back: named("back"), accent: named("accent"), edge: named("edge"),
    container: named("container"), none: named("surface"), hot: named("hot"), hotLine: named("hot-line"),
    code: named("code-fill"), codeLine: named("code-line"), test: named("test-fill"), testLine: named("test-line"), other: named("surface"), otherLine: named("line"),
  };
}

/** Between two colours of six hexadecimal digits. */
function mixed(one, other, share) {
  const parts = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const [from, to] = [parts(one), parts(other)];
  return "#" + from.map((part, at) => Math.round(part + (to[at] - part) * share).toString(16).padStart(2, "0")).join("");
}
