"""What JavaScript and TypeScript say: each case is a small source, its snapshot the facts as text."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "functions.js": """
        /** Adds. */
        function add(a, b = one(), ...rest) { return a.plus(b); }
        const arrow = async x => x.go();
        let later; later = function () {};
        function* numbers() { yield add; yield* others(); }
        items.map(function named(item) { return named(item); });
        (() => { add(); })();
    """,
    "scopes.js": """
        import { path } from "./path";
        for (const path of paths) { path.one(); }
        path.two();
        if (flag) { const path = other; path.three(); } else { var hoisted = path; }
        hoisted.four();
        function assigns() { module_level = path; }
        let module_level;
    """,
    "patterns.js": """
        const { a, b: { c }, d = fallback, ...others } = source();
        const [first, , third, ...rest] = list;
        function taken({ x, y: z = make() }, [head]) { x(); z(); head(); }
        [first, other.member] = [third, first];
        try { risky(); } catch ({ message }) { message.show(); }
    """,
    "objects.js": """
        const api = {
          load() { return this.save(); },
          save: () => 1,
          nested: { deep: function () {} },
          get size() { return 2; },
          [computed]: other,
          ...mixin,
          other,
        };
        api.added = function () { this.load(); };
        configure({ handler() {} });
    """,
    "classes.js": """
        class Cart extends mix(Base) {
          static limit = 1;
          #lines = [];
          handle = () => this.total();
          constructor(lines) { super(lines); this.lines = lines; this.total = this.total.bind(this); }
          total() { return super.total() + this.#lines; }
          static make() { return new this(); }
          get size() { return 1; }
          set size(value) {}
          ["computed"]() {}
          static { this.limit = 2; }
        }
        const Named = class Inner { copy() { return new Inner(); } };
        const mixin = (Base) => class extends Base { mixed() {} };
    """,
    "prototypes.js": """
        function Cart(name) { this.name = name; }
        Cart.prototype.total = function () { return this.lines; };
        Basket.prototype = { copy() {} };
        util.inherits(Cart, Base);
        function Basket() {}
        Basket.prototype = Object.create(Cart.prototype);
        Object.assign(Cart.prototype, { mixed() { this.total(); } }, other);
    """,
    "commonjs.js": """
        const { load, save: store } = require("./store");
        const tax = require("./tax").rate;
        exports = module.exports = create;
        exports.helper = function () { return exports.other(); };
        module.exports.other = () => 1;
        Object.assign(module.exports, { more() {} }, require("./rest"));
        Object.defineProperty(exports, "late", { enumerable: true, get: function () { return load; } });
        function create() {}
    """,
    "amd.js": """
        define(["./a", "b"], function (a, b) {
          function run() { return a.go(); }
          return { run: run };
        });
    """,
    "modules.mjs": """
        import whole, { part as piece, "odd name" as odd } from "./parts";
        import * as space from "space";
        import "./effect";
        export { piece as default, odd };
        export { again as more } from "./again";
        export * from "./stars";
        export * as group from "./group";
        export const constant = 1, other = piece();
        const late = await import("./late");
        import("./later").then(({ go }) => go());
    """,
    "defaults.mjs": """
        export default { methods: { run() { this.stop(); }, stop() {} } };
    """,
    "anonymous.mjs": """
        export default class { run() {} }
    """,
    "receivers.js": """
        class Cart {
          all() {
            items.map(function (item) { return this.one(item); }, this);
            setTimeout(function () { this.one(); }.bind(this));
            setTimeout(function () { this.lost(); });
          }
          one() {}
        }
        if (thing instanceof Cart && thing.open) { thing.one(); } else { thing.other(); }
        if (!(other instanceof Cart)) throw new Error();
        other.one();
    """,
    "containers.js": """
        steps.push(run, ...others);
        table["name"] = run;
        table[key] = run;
        map.set("key", run);
        total += run();
        maybe ??= run;
        call`text ${run} more`;
    """,
    "jsdoc.js": """
        /** @typedef {import("./types").Line<Item>} Line */
        /**
         * @typedef {Object} Options
         * @property {Cart} cart
         */
        /**
         * Adds.
         * @param {Line[]} lines
         * @param {?Options} [options]
         * @returns {Promise<Cart>}
         */
        async function add(lines, options) { return options.cart.add(lines[0]); }
        /** @type {Map<string, Cart>} */
        const carts = new Map();
    """,
    "elements.jsx": """
        function App({ items }) {
          return <Shop.Cart on={handle} {...rest}><div>{items.map((item) => <Item value={item} />)}</div></Shop.Cart>;
        }
    """,
}


@pytest.mark.parametrize("path", CASES)
def test_javascript_becomes_these_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot


def test_a_doc_comment_belongs_to_the_span_of_what_follows_it() -> None:
    facts = listed("a.js", "other();\n/**\n * Says what it does.\n */\nexport function f() {}\n")
    assert "function f 2-5" in facts
    assert "doc 'Says what it does.'" in facts


def test_syntax_errors_leave_what_surrounds_them() -> None:
    facts = listed("a.js", "function before() {}\nclass {{{ ( \nfunction after() {}\n")
    assert "function before" in facts
    assert "function after" in facts
    assert "problem" in facts
