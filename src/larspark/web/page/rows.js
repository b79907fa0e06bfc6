// Which rows are shown: a heading for each predicate (or for each key, the first argument), its lanes, and what is left
// out, with its number.

export const HEADING = 0, LANE = 1, REST = 2;
const MANY = 24, FEW = 12;
const HEIGHTS = [30, 21, 24];

export class Rows {
  constructor(store) {
    this.store = store;
    this.folded = new Set(store.predicates.flatMap((one, place) => (one.shown ? [] : [place])));
    this.opened = new Set();
    this.search = "";
    this.byKey = false;
    this.update();
  }

  update() {
    const { store } = this, wanted = this.search.toLowerCase();
    const lanes = store.lanes.filter((lane) => !wanted || lane.atom.toLowerCase().includes(wanted));
    this.list = [];
    this.matches = lanes.length;
    for (const [group, own] of this.byKey ? byKey(lanes) : byPredicate(lanes, store.predicates)) {
      const folded = this.folded.has(group) && !wanted;
      const cut = !folded && !wanted && own.length > MANY && !this.opened.has(group);
      this.list.push({ type: HEADING, group, predicate: own[0].predicate, count: own.length, folded });
      if (folded) continue;
      for (const lane of cut ? own.slice(0, FEW) : own) this.list.push({ type: LANE, predicate: lane.predicate, lane });
      if (cut) this.list.push({ type: REST, group, predicate: own[0].predicate, shown: FEW, count: own.length });
    }
    this.tops = new Float64Array(this.list.length + 1);
    this.list.forEach((row, place) => (this.tops[place + 1] = this.tops[place] + HEIGHTS[row.type]));
    this.version = store.version;
  }

  get height() {
    return this.tops[this.list.length];
  }

  // The place of the row at a height.
  at(y) {
    let low = 0, high = this.list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= y) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  placeOf(lane) {
    return this.list.findIndex((row) => row.lane === lane);
  }

  toggle(row) {
    if (row.type === REST) this.opened.add(row.group);
    else if (this.folded.has(row.group)) this.folded.delete(row.group);
    else this.folded.add(row.group);
    this.update();
  }

  groupBy(key) {
    this.byKey = key;
    this.update();
  }

  // Makes sure that a lane has a row.
  reveal(lane) {
    if (this.placeOf(lane) >= 0) return;
    if (this.search && !lane.atom.toLowerCase().includes(this.search.toLowerCase())) this.search = "";
    const group = this.byKey ? keyOf(lane) : lane.predicate;
    this.folded.delete(group);
    this.update();
    if (this.placeOf(lane) < 0) {
      this.opened.add(group);
      this.update();
    }
  }
}

function byPredicate(lanes, predicates) {
  const groups = predicates.map((_, place) => [place, []]);
  for (const lane of lanes) groups[lane.predicate][1].push(lane);
  return groups.filter(([, own]) => own.length);
}

// What is about one thing stands together: its inputs first, then what is concluded about it.
function byKey(lanes) {
  const groups = new Map();
  for (const lane of lanes) {
    const key = keyOf(lane);
    (groups.get(key) || groups.set(key, []).get(key)).push(lane);
  }
  for (const own of groups.values()) own.sort((a, b) => a.predicate - b.predicate);
  return [...groups].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}

// The first argument, as it is written; atoms without arguments are about nothing in particular.
export function keyOf(lane) {
  if (lane.key === undefined) {
    const found = /^(?:"(?:[^"\\]|\\.)*"|[^("]*)\(("(?:[^"\\]|\\.)*"|[^,)]*)/.exec(lane.atom);
    lane.key = found ? found[1] : "";
  }
  return lane.key;
}
