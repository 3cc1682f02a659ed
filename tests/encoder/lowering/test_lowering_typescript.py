"""What only TypeScript says: types, interfaces, overloads, merged declarations, namespaces, decorators."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "annotations.ts": """
        function f<T extends Base, U = Other>(this: Holder, a: T, b?: ns.Part<U>, ...c: Item[]): Promise<T> {}
        const typed: Cart | null = make(), cast = (x as Cart).go();
        const old = <Cart>x, sure = x!.go();
        let tuple: [Cart, Basket?], call: (a: Cart) => Basket, made: new () => Cart;
        type Part = Cart["lines"][number];
        type Same = typeof cast;
        type Mapped<T> = { [K in keyof T]: T[K] extends (infer E)[] ? E : Cart };
        type Imported = import("./other").Thing;
        function isCart(x: unknown): x is Cart { return x instanceof Cart; }
        if (isCart(thing)) thing.total();
    """,
    "classes.ts": """
        @Component({ selector: "x" })
        export abstract class Cart<T> extends Base<T> implements Priced, Taxed<T> {
          constructor(private readonly store: Store, @Inject(TOKEN) public count: number, plain?: Plain) { super(); }
          @Input() name?: string;
          declare kind: Kind;
          protected abstract total(): number;
          @Bound async load<U>(a: U): Promise<T> { return this.store.get(a); }
          static create(): Cart<any> { return make(); }
          [key: string]: unknown;
        }
    """,
    "interfaces.ts": """
        /** A shop. */
        export interface Shop<T> extends Base, ns.Other<T> {
          readonly name: string;
          carts: Cart[];
          find(id: string): Cart | undefined;
          get size(): number;
          (call: string): Result;
          new (made: string): Shop<T>;
          [index: number]: Cart;
        }
        type Options = { deep: { run(): void }; go: () => Cart } & Shared;
    """,
    "overloads.ts": """
        function make(a: string): Cart;
        function make(a: number): Basket;
        function make(a: any) { return a; }
        class Shop {
          get(a: string): Cart;
          get(a: any): any {}
        }
        declare function ambient(): Cart;
        declare const constant: Cart;
    """,
    "merged.ts": """
        interface Cart { total(): number }
        interface Cart { lines(): Line[] }
        class Basket { total() {} }
        interface Basket { weight(): number }
        interface Box { open(): void }
        class Box {}
        namespace Shop { export const price = () => 1; export class Deep {} }
        namespace Shop { export function later() { return price(); } }
        namespace A.B { export interface C {} }
        declare module "library" { interface Added { it(): void } }
        declare global { interface Window { shop: Shop } }
    """,
    "enums.ts": """
        export const enum Color { Red = 1, Green = Red << 1, "Dark Blue" }
    """,
    "modules.ts": """
        import type { Cart } from "./cart";
        import { type Line, add } from "./line";
        import legacy = require("./legacy");
        import Alias = ns.Inner;
        export = add;
    """,
    "stubs.d.ts": """
        export declare class Cart { total(): number; private hidden: string; }
        declare function loose(): void;
    """,
    "component.tsx": """
        const Cart: FC<Props> = ({ lines }) => <List items={lines} />;
    """,
}


@pytest.mark.parametrize("path", CASES)
def test_typescript_becomes_these_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot
