"""What Go says: each case is a small source, its snapshot the facts as text."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "declarations.go": """
// Package shop sells.
package shop

import (
	"fmt"
	str "strings"
	. "math"
	_ "embed"
	"gopkg.in/yaml.v3"
	"example.com/x/v2"
)

// Kind tells carts apart.
type Kind int

const (
	// Plain is one.
	Plain Kind = iota
	Rich
)

var carts, err = load()

type Alias = map[string]*Cart
""",
    "types.go": """
package shop

// Cart holds lines.
type Cart[T any] struct {
	*Base
	pkg.Other
	name  string `json:"name"`
	lines []T
	by    map[string]*Line
	run   func(a int, b ...string) (int, error)
}

type Priced interface {
	fmt.Stringer
	Price(discount int) (total int, err error)
	~int | string
}
""",
    "functions.go": """
package shop

// Add adds.
func (c *Cart[T]) Add(a, b Item, more ...Item) (n int, err error) {
	defer c.close()
	go func(x int) { c.log(x) }(1)
	c.lines = append(c.lines, a)
	return n, nil
}

func Map[T, U any](items []T, f func(T) U) []U { return nil }

func init() {}

func init() { Map[Item, Line](items, f); handlers["a"](); handlers[i](1); Map[Item](items, f) }
""",
    "flow.go": """
package shop

func run(x any, ch chan *Cart) {
	for i, cart := range carts { cart.Total(i) }
	for cart := range ch { cart.Total(0) }
	if cart, ok := x.(*Cart); ok { cart.Total(1) } else if err := fail(); err != nil { err.Show() }
	switch t := x.(type) {
	case *Cart:
		t.Total(2)
	case Line, *Basket:
		t.Both()
	default:
		t.None()
	}
	select {
	case cart := <-ch:
		cart.Total(3)
	case ch <- made:
	}
	x := other
	x.Go()
	value, found := table[key]
	carts[0], total = value, found
outer:
	for { break outer }
}
""",
    "literals.go": """
package shop

func run() {
	a := &Cart{Name: "x", Run: func() { go1() }}
	b := []Line{{1, 2}, {Price: 3}}
	c := map[string]func(){"a": run, "b": func() {}}
	d := Handlers{run, other}
	e := struct{ cart *Cart }{cart: a}
	f := new(Cart)
	g := make([]Cart, 1)
	h := []byte("text")
	i := Kind(1)
	(*a).Go()
	a.
		// First.
		One().
		Two()
}
""",
}


@pytest.mark.parametrize("path", CASES)
def test_go_becomes_these_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot


def test_a_comment_behind_another_line_is_not_a_doc() -> None:
    facts = listed("a.go", "package a\n\nvar x = 1 // about x\nfunc f() {}\n\n// apart\n\nfunc g() {}\n")
    assert "function f 4-4" in facts
    assert "function g 8-8" in facts
    assert "doc" not in facts
