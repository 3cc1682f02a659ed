// Where things stand on the map: boxes in boxes, in rows, so that what uses stands above what is used.
//
// The order of siblings is that of Eades, Lin and Smyth's heuristic for few edges against the order; a row is filled
// before the next begins. The same graph always looks the same, and an opened box moves the others as little as rows do.

const PAD = 18, HEAD = 34, LEAF_HEIGHT = 52, SYMBOL_HEIGHT = 34;

/** Boxes of all visible items, {item, x, y, w, h, isOpen}: x and y are the middle. */
function layout(tree, open, edges, wide, widthOf) {
  const weights = siblingWeights(edges);
  const boxes = [];

  const sized = (item) => {
    const isOpen = item === tree.root || (open.has(item.key) && !item.isLeaf);
    if (!isOpen) {
      const h = item.kind === "symbol" ? SYMBOL_HEIGHT : LEAF_HEIGHT;
      return { item, w: widthOf(item), h, isOpen: false, inner: [] };
    }
    const children = inOrder(shownChildren(item), weights).map(sized);
    const hasEdges = children.some((child) => weights.has(child.item));
    const gapX = hasEdges ? (item.depth < 1 ? 84 : 44) : 14, gapY = hasEdges ? (item.depth < 1 ? 70 : 46) : 14;
    const rows = inRows(children, wide, gapX, gapY);
    const w = Math.max(...rows.map((row) => row.w), widthOf(item)) + 2 * PAD;
    let y = item === tree.root ? 0 : HEAD;
    const inner = [];
    for (const row of rows) {
      let x = (w - row.w) / 2;
      for (const child of row.children) {
        inner.push({ child, x, y: y + (row.h - child.h) / 2 });
        x += child.w + gapX;
      }
      y += row.h + gapY;
    }
    return { item, w, h: y - gapY + PAD, isOpen: true, inner };
  };

  const placed = (box, x, y) => {
    if (box.item !== tree.root) boxes.push({ item: box.item, x: x + box.w / 2, y: y + box.h / 2, w: box.w, h: box.h, isOpen: box.isOpen });
    for (const each of box.inner) placed(each.child, x + each.x, y + each.y);
  };
  placed(sized(tree.root), 0, 0);
  return boxes;
}

/** For each item, how much leads to each of its siblings, from it and from what is in it. */
function siblingWeights(edges) {
  const weights = new Map();
  for (const { from, to, count } of edges) {
    const above = [];
    for (let each = from; each; each = each.parent) above.push(each);
    let inner = to;
    while (inner && !above.includes(inner.parent)) inner = inner.parent;
    if (!inner) continue;
    const one = above[above.indexOf(inner.parent) - 1];
    if (!one || one === inner) continue;
    for (const item of [one, inner]) if (!weights.has(item)) weights.set(item, { to: new Map(), from: new Map() });
    weights.get(one).to.set(inner, (weights.get(one).to.get(inner) || 0) + count);
    weights.get(inner).from.set(one, (weights.get(inner).from.get(one) || 0) + count);
  }
  return weights;
}

function inOrder(items, weights) {
  const connected = items.filter((item) => weights.has(item)), alone = items.filter((item) => !weights.has(item));
  const left = new Set(connected), first = [], last = [];
  const sum = (map) => [...map].reduce((all, [item, count]) => all + (left.has(item) ? count : 0), 0);
  while (left.size) {
    let best = null, most = -Infinity;
    for (const item of left) {
      const { to, from } = weights.get(item), uses = sum(to), used = sum(from);
      if (!uses) {
        best = { item, isLast: true };
        break;
      }
      const share = used ? (uses - used) / (uses + used) : 2;
      if (share > most) [best, most] = [{ item, isLast: false }, share];
    }
    if (best.isLast) last.unshift(best.item);
    else first.push(best.item);
    left.delete(best.item);
  }
  return [...first, ...last, ...alone];
}

/** Rows of about that proportion of width to height. */
function inRows(boxes, wide, gapX, gapY) {
  const area = boxes.reduce((all, box) => all + (box.w + gapX) * (box.h + gapY), 0);
  const most = Math.max(Math.sqrt(area * wide), Math.min(460, 260 * wide), ...boxes.map((box) => box.w));
  const rows = [];
  for (const box of boxes) {
    const row = rows[rows.length - 1];
    if (row && row.w + gapX + box.w <= most + 1) {
      row.children.push(box);
      row.w += gapX + box.w;
      row.h = Math.max(row.h, box.h);
    } else rows.push({ children: [box], w: box.w, h: box.h });
  }
  return rows;
}

// Ways of edges, around the boxes that they do not lead to, and places for their numbers.

const ROOM = 9, TOUCHED = 7;

/** For each edge {path, number}: the corners of its way from border to border, and where its number stands. */
function ways(edges, boxes) {
  const byItem = new Map(boxes.map((box) => [box.item, box]));
  const both = new Set(edges.map(({ from, to }) => from.key + "\n" + to.key));
  const taken = [];
  return edges.map(({ from, to, count }, place) => {
    const start = byItem.get(from), end = byItem.get(to);
    const inTheWay = boxes.filter(({ item }) => !from.isIn(item) && !to.isIn(item) && !item.isIn(from) && !item.isIn(to) && !isInOther(item, from, to));
    const aside = both.has(to.key + "\n" + from.key) ? (from.key < to.key ? 7 : -7) : 0;
    const line = [facing(start, end, aside), facing(end, start, aside)];
    line.splice(1, 0, ...around(line[0], line[1], inTheWay, 0, ROOM + 4 * (place % 4)));
    const path = clipped(line, start, end);
    return { path, number: placeForNumber(path, number(count).length * 6.6 + 6, boxes, taken) };
  });
}

/** The point in a box from which a line leads to another: rather straight down than slanting. */
function facing(box, other, aside) {
  const most = Math.max(0, box.w * 0.4 - 8), tall = Math.max(0, box.h * 0.3);
  const toward = (from, to, within) => from + Math.max(-within, Math.min(within, (to - from) * 0.6));
  return Math.abs(other.y - box.y) > (box.h + other.h) / 2 ? [toward(box.x, other.x, most) + aside, box.y] : [box.x, toward(box.y, other.y, tall) + aside];
}

/** Whether a box around this one is in the way already. */
function isInOther(item, from, to) {
  for (let each = item.parent; each && each.parent; each = each.parent) if (!from.isIn(each) && !to.isIn(each)) return true;
  return false;
}

/** The corners of a way from one point to another, around what stands between them. */
function around(one, other, boxes, depth, room) {
  if (depth > 4) return [];
  let first = null, nearest = Infinity;
  for (const box of boxes) {
    const share = entered(one, other, box, TOUCHED);
    if (share !== null && share < nearest) [first, nearest] = [box, share];
  }
  if (!first) return [];
  const w = first.w / 2 + room, h = first.h / 2 + room;
  let best = null, least = Infinity;
  for (const corner of [[first.x - w, first.y - h], [first.x + w, first.y - h], [first.x - w, first.y + h], [first.x + w, first.y + h]]) {
    const far = distance(one, corner) + distance(corner, other) + (boxes.some((box) => isInside(corner, box, TOUCHED)) ? 1000 : 0)
      + 60 * (Number(entered(one, corner, first, TOUCHED) !== null) + Number(entered(corner, other, first, TOUCHED) !== null));
    if (far < least) [best, least] = [corner, far];
  }
  return [...around(one, best, boxes, depth + 2, room), best, ...around(best, other, boxes, depth + 1, room)];
}

function distance(one, other) { return Math.hypot(one[0] - other[0], one[1] - other[1]); }

function isInside([x, y], box, room) {
  return Math.abs(x - box.x) < box.w / 2 + room && Math.abs(y - box.y) < box.h / 2 + room;
}

/** The share of the way from one point to another after which it enters a box; null if it never does. */
function entered(one, other, box, room) {
  let from = 0, to = 1;
  const sides = [[one[0], other[0] - one[0], box.x - box.w / 2 - room, box.x + box.w / 2 + room], [one[1], other[1] - one[1], box.y - box.h / 2 - room, box.y + box.h / 2 + room]];
  for (const [start, step, low, high] of sides) {
    if (Math.abs(step) < 1e-9) {
      if (start <= low || start >= high) return null;
      continue;
    }
    const [near, far] = [(low - start) / step, (high - start) / step].sort((a, b) => a - b);
    from = Math.max(from, near);
    to = Math.min(to, far);
  }
  return from < to - 1e-6 ? from : null;
}

/** The way between the borders of the boxes that it connects. */
function clipped(line, start, end) {
  const out = line.map((point) => [...point]);
  const last = out.length - 1;
  const leave = entered(out[1], out[0], start, 0), arrive = entered(out[last - 1], out[last], end, 0);
  if (leave !== null) out[0] = between(line[1], line[0], leave);
  if (arrive !== null) out[last] = between(line[last - 1], line[last], arrive);
  return out;
}

function between(one, other, share) {
  return [one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share];
}

/** Where on a way a number of that width covers no box and no other number; near its middle if there is no such place. */
function placeForNumber(path, width, boxes, taken) {
  const lengths = path.slice(1).map((point, at) => distance(path[at], point));
  const whole = lengths.reduce((all, one) => all + one, 0);
  const pointAt = (far) => {
    for (let at = 0; at < lengths.length; at++) {
      if (far <= lengths[at] || at === lengths.length - 1) return between(path[at], path[at + 1], lengths[at] ? far / lengths[at] : 0);
      far -= lengths[at];
    }
    return path[0];
  };
  let best = pointAt(whole / 2), least = Infinity;
  for (const share of [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8, 0.12, 0.88]) {
    const [x, y] = pointAt(whole * share);
    let cost = Math.abs(share - 0.5);
    for (const box of taken) if (Math.abs(box.x - x) < (box.w + width) / 2 && Math.abs(box.y - y) < 16) cost += 10;
    for (const box of boxes) if (!box.isOpen && Math.abs(box.x - x) < (box.w + width) / 2 && Math.abs(box.y - y) < box.h / 2 + 8) cost += 6;
    if (cost < least) [best, least] = [[x, y], cost];
  }
  taken.push({ x: best[0], y: best[1], w: width });
  return { x: best[0], y: best[1], w: width };
}

/** A way as Cytoscape takes it: its ends from the middles of the boxes, its corners by shares of the line between the
 *  ends and distances from that. */
function asDrawn(path, start, end) {
  const [x1, y1] = path[0], [x2, y2] = path[path.length - 1];
  const dx = x2 - x1, dy = y2 - y1, long = Math.hypot(dx, dy) || 1;
  const corners = path.slice(1, -1);
  return {
    from: `${(x1 - start.x).toFixed(1)}px ${(y1 - start.y).toFixed(1)}px`,
    to: `${(x2 - end.x).toFixed(1)}px ${(y2 - end.y).toFixed(1)}px`,
    weights: corners.map(([x, y]) => (((x - x1) * dx + (y - y1) * dy) / (long * long)).toFixed(4)).join(" "),
    distances: corners.map(([x, y]) => (((y - y1) * dx - (x - x1) * dy) / long).toFixed(2)).join(" "),
  };
}
