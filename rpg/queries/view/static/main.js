// Opens the page: reads the data, shows what the address names, keys, light and dark, and edits of a running server.

const KEYS = [
  ["/", "Search"], ["?", "This help"], ["Escape", "Close, or back"], ["m", "Map"], ["l", "Lists"], ["r", "Review"], ["t", "Light or dark"],
  ["+ - 0", "On the map: zoom in, out, show everything"], ["Arrows, Enter", "In the outline: move, open and close, go to the symbol"],
];

class App {
  constructor() {
    this.live = document.querySelector("#data") === null;
    this.server = this.live ? (what, options) => this.ask(what, options) : null;
    const given = new URLSearchParams(location.search);
    this.graph = given.get("graph") || "";
    this.since = given.get("since") || "";
    const theme = remembered("theme");
    if (theme) document.documentElement.dataset.theme = theme;
  }

  async start() {
    const root = document.getElementById("page");
    try {
      if (this.live && (await this.asksWhichGraph(root))) return;
      await this.load();
    } catch (error) {
      replaceContent(root, el("main", { class: "page narrow" }, el("h1", {}, "The page could not be opened"), el("p", {}, String(error.message || error))));
      return;
    }
    this.build(root);
    addEventListener("hashchange", () => this.show());
    addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolor());
    this.show(true);
    if (this.live) this.follow();
  }

  /** Whether there are several graphs, which are listed then. */
  async asksWhichGraph(root) {
    if (this.graph) return false;
    const { graphs } = await this.ask("graphs", {});
    if (graphs.length < 2) return false;
    document.title = "Graphs · rpg";
    replaceContent(root, el("main", { class: "page narrow", id: "main" }, el("h1", {}, "Graphs"),
      el("ul", { class: "plain-list" }, graphs.map((name) => el("li", {}, el("a", { href: "?" + new URLSearchParams({ graph: name }) }, name))))));
    return true;
  }

  async load() {
    const data = this.live ? await this.ask("data", { since: this.since }) : await block("data");
    this.model = new Model(data);
    this.tree = new MapTree(this.model);
    this.sources = new Sources(this.live ? null : await block("sources"), this.server);
    this.search = null;
    this.modelNumbers = null;
    this.generation = data.generation;
  }

  async ask(what, options) {
    const answer = await fetch(`view/${what}?${new URLSearchParams({ ...options, graph: this.graph })}`);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error || `the server answered ${answer.status}`);
    return found;
  }

  build(root) {
    const { data } = this.model;
    const link = (href, text) => el("a", { href }, text);
    this.links = [link("#/map", "Map"), link(firstList(this.model), "Lists"), link("#/review", "Review")];
    this.box = el("input", { type: "search", id: "search", placeholder: "Search", "aria-label": "Search names, paths and words", autocomplete: "off", spellcheck: "false",
      oninput: (event) => this.searched(event.target.value, true),
      onkeydown: (event) => {
        if (event.key === "Enter") this.searched(event.target.value, false);
      } });
    this.main = el("main", { id: "main" });
    this.help = el("dialog", { class: "help", "aria-labelledby": "help-title" },
      el("h2", { id: "help-title" }, "Keys"),
      el("dl", {}, KEYS.map(([key, text]) => [el("dt", {}, key.split(" ").map((each) => el("kbd", {}, each))), el("dd", {}, text)])),
      el("p", { class: "quiet" }, this.about()),
      el("p", {}, el("button", { type: "button", onclick: () => this.help.close() }, "Close")));
    this.told = el("p", { class: "told", role: "status" });
    replaceContent(root,
      el("a", { class: "skip", href: "#main", onclick: (event) => {
        event.preventDefault();
        this.focusMain();
      } }, "To the content"),
      el("header", { class: "top" },
        el("a", { class: "name", href: "#/map" }, data.name),
        data.commit && el("span", { class: "commit", title: data.dirty ? "The work tree differs from the commit" : "Commit" }, data.commit.slice(0, 8) + (data.dirty ? " +" : "")),
        el("nav", { "aria-label": "Pages" }, this.links),
        el("div", { class: "search", role: "search" }, icon("M11 4a7 7 0 1 1 0 14a7 7 0 0 1 0-14M16 16l5 5"), this.box, el("kbd", { "aria-hidden": "true" }, "/")),
        el("button", { type: "button", class: "tool", "aria-label": "Light or dark", title: "Light or dark (t)", onclick: () => this.turnTheme() }, icon("M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18")),
        el("button", { type: "button", class: "tool", "aria-label": "Help", title: "Keys (?)", onclick: () => this.help.showModal() }, icon("M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5"))),
      this.main, this.help, this.told);
  }

  about() {
    const left = this.sources.leftOut.length;
    const text = left ? `The texts of ${counted(left, "file")} are left out, so that the page stays small: tests and documents first.` : "";
    return `${counted(this.model.size, "symbol")}, ${counted(this.model.source.length, "connection")}; made by rpg ${this.model.data.rpg}. ${text}`;
  }

  show(isFirst) {
    const { page, what, options } = readAddress(location.hash || this.model.data.opens || "");
    if (this.map) this.map.gone();
    this.map = null;
    let shown, title;
    if (page === "symbol" || page === "file") [shown, title] = [symbolPage(this, what, options), what];
    else if (page === "list") [shown, title] = [listPage(this, what, options), (LISTS[what] || {}).title || "Lists"];
    else if (page === "review") [shown, title] = [reviewPage(this), "Review"];
    else if (page === "search") [shown, title] = [searchPage(this, options), `Search ${options.q || ""}`];
    else {
      this.map = new MapPage(this, what, options);
      [shown, title] = [this.map.element, "Map"];
    }
    document.title = `${title} · ${this.model.data.name}`;
    const at = { map: 0, list: 1, review: 2 }[page];
    this.links.forEach((link, place) => (place === at ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
    const isSearching = page === "search" && document.activeElement === this.box;
    if (page === "search" && !isSearching) this.box.value = options.q || "";
    if (page !== "search") this.box.value = "";
    replaceContent(this.main, shown);
    if (this.map) this.map.shown();
    if (page === "search" && !this.server) this.hitsShown();
    if (isFirst !== true && !isSearching) {
      scrollTo(0, 0);
      this.focusMain();
    }
  }

  focusMain() {
    const head = this.main.querySelector("h1");
    if (head) head.focus({ preventScroll: true });
  }

  /** Without showing the page anew: it is shown already. */
  setAddress(hash) {
    try {
      history.replaceState(null, "", hash);
    } catch {
      // Refused where the page has no address of its own.
    }
  }

  searched(query, isTyping) {
    const hash = address("search", "", { q: query });
    const isThere = readAddress(location.hash).page === "search";
    clearTimeout(this.waiting);
    const go = () => {
      if (isThere) {
        this.setAddress(hash);
        this.show();
      } else location.hash = hash;
    };
    this.goesToHit = !isTyping;
    if (isTyping) this.waiting = setTimeout(go, 120);
    else go();
  }

  /** Called when hits are in the page: who ended a search with Enter is at the first of them. */
  hitsShown() {
    const hit = this.main.querySelector(".hits a");
    if (hit && this.goesToHit) hit.focus();
    this.goesToHit = false;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isTyping = event.target.matches("input[type=search], input[type=text], textarea");
    if (event.key === "Escape") {
      if (this.help.open) return; // the dialog closes itself
      if (isTyping && event.target.value) event.target.value = "";
      else if (isTyping) this.focusMain();
      else if (this.map && this.map.selected) this.map.select(null);
      else history.back();
    } else if (isTyping || this.help.open) return;
    else if (event.key === "/") this.box.focus();
    else if (event.key === "?") this.help.showModal();
    else if (event.key === "m") location.hash = "#/map";
    else if (event.key === "l") location.hash = firstList(this.model);
    else if (event.key === "r") location.hash = "#/review";
    else if (event.key === "t") this.turnTheme();
    else if (!(this.map && this.map.key(event))) return;
    event.preventDefault();
  }

  turnTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    remember("theme", root.dataset.theme);
    this.recolor();
  }

  recolor() {
    if (this.map) this.map.draw();
  }

  /** Shows edits of the repository as the server notices them. */
  async follow() {
    for (;;) {
      await new Promise((done) => setTimeout(done, 2000));
      if (document.hidden) continue;
      try {
        const { generation } = await this.ask("generation", {});
        if (generation === this.generation) continue;
        await this.load();
        this.told.textContent = "The repository has changed; the page shows it as it is now.";
        setTimeout(() => (this.told.textContent = ""), 4000);
        const at = scrollY;
        this.show(true);
        scrollTo(0, at);
      } catch {
        this.told.textContent = "The server does not answer.";
      }
    }
  }
}

new App().start();
