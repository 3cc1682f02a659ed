"""What Markdown says: headings and the names in code format below them."""

from __future__ import annotations

from listing import listed
from syrupy.assertion import SnapshotAssertion

SOURCE = """---
title: Shop
---
Before it all, `Cart.total()`.

# The `Shop` **guide**

It sells. More of
the same.

- a list with `add(item, 2)` and `not a name` and `--flag`
- [`Linked`](#there)

Underlined
==========

## Part ##

| `cell` | b |
|---|---|
| c | ``odd `tick` `` |

```js
const fenced = `nothing`; # no heading
```

### Part

> `quoted::name` and `src/shop.ts`

#

# Last: a::b
"""


def test_markdown_becomes_these_facts(snapshot: SnapshotAssertion) -> None:
    assert listed("guide.md", SOURCE) == snapshot


def test_a_section_ends_before_the_next_heading_of_its_level_or_a_higher_one() -> None:
    facts = listed("a.md", "# One\n\ntext\n\n## Two\n\n### Three\n\n## Four\n\nend\n\n\n# Five\n")
    assert "section One 1-11 in -" in facts
    assert "section Two 5-7 in One" in facts
    assert "section Three 7-7 in Two" in facts
    assert "section Four 9-11 in One" in facts
    assert "section Five 14-14 in -" in facts
