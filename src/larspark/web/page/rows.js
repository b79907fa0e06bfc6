// Which rows are shown: a heading for each predicate, its lanes, and what is left out, with its number.

export const HEADING = 0, LANE = 1, REST = 2;
const MANY = 24, FEW = 12;
const HEIGHTS = [30, 21, 24];

export class Rows {
  constructor(store) {
    this.store = store;
    this.folded = new Set(store.predicates.flatMap((one, place) => (one.shown ? [] : [place])));
    this.opened = new Set();
    this.search = "";
    this.update();
  }

  update() {
    const { store } = this, wanted = this.search.toLowerCase();
    const groups = store.predicates.map(() => []);
    for (const lane of store.lanes)
      if (!wanted || lane.atom.toLowerCase().includes(wanted)) groups[lane.predicate].push(lane);
    this.list = [];
    this.matches = 0;
    groups.forEach((lanes, predicate) => {
      if (!lanes.length) return;
      this.matches += lanes.length;
      const folded = this.folded.has(predicate) && !wanted;
      const cut = !folded && !wanted && lanes.length > MANY && !this.opened.has(predicate);
      this.list.push({ type: HEADING, predicate, count: lanes.length, folded });
      if (folded) return;
      for (const lane of cut ? lanes.slice(0, FEW) : lanes) this.list.push({ type: LANE, predicate, lane });
      if (cut) this.list.push({ type: REST, predicate, shown: FEW, count: lanes.length });
    });
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
    if (row.type === REST) this.opened.add(row.predicate);
    else if (this.folded.has(row.predicate)) this.folded.delete(row.predicate);
    else this.folded.add(row.predicate);
    this.update();
  }

  // Makes sure that a lane has a row.
  reveal(lane) {
    if (this.placeOf(lane) >= 0) return;
    if (this.search && !lane.atom.toLowerCase().includes(this.search.toLowerCase())) this.search = "";
    this.folded.delete(lane.predicate);
    this.update();
    if (this.placeOf(lane) < 0) {
      this.opened.add(lane.predicate);
      this.update();
    }
  }
}
