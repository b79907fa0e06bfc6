// Atoms over time: a lane for each, with its marks in columns.

export const INPUT = 0, HOLDS = 1, PINNED = 2, REFUSED = 3;

class Column {
  constructor(values = new Float64Array(0)) {
    this.values = values;
    this.size = values.length;
  }

  push(value) {
    if (this.size === this.values.length) {
      const wider = new Float64Array(Math.max(8, 2 * this.size));
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.size++] = value;
  }

  // Times stay in order; late ones are moved to their place.
  insert(value) {
    this.push(value);
    for (let place = this.size - 1; place > 0 && this.values[place - 1] > value; place--) {
      this.values[place] = this.values[place - 1];
      this.values[place - 1] = value;
    }
  }

  // The place of the first value that is not less.
  find(value) {
    const { values } = this;
    let low = 0, high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(value) {
    const place = this.find(value);
    return place < this.size && this.values[place] === value;
  }
}

export class Lane {
  constructor(atom, predicate) {
    this.atom = atom;
    this.predicate = predicate;
    this.arrivals = new Column();
    this.refused = new Column();
    this.first = new Column(); // stretches in which it holds do not overlap
    this.last = new Column();
    this.pinAt = new Column();
    this.pinFirst = new Column();
    this.pinLast = new Column();
  }

  // The place of the stretch that covers a time point, or -1.
  covering(time) {
    const place = this.last.find(time);
    return place < this.first.size && this.first.values[place] <= time ? place : -1;
  }

  // A stretch that is known as a whole.
  stretch(first, last) {
    this.first.insert(first);
    this.last.insert(last);
  }

  open(time) {
    this.first.push(time);
    this.last.push(Infinity);
  }

  close(time) {
    const place = this.last.size - 1;
    if (place < 0 || this.last.values[place] !== Infinity) return;
    if (this.first.values[place] >= time) this.first.size = this.last.size = place;
    else this.last.values[place] = time - 1;
  }

  pin(at, time) {
    this.pinAt.push(at);
    this.pinFirst.push(time);
    this.pinLast.push(Infinity);
  }

  unpin(at, time) {
    for (let place = this.pinAt.size - 1; place >= 0; place--)
      if (this.pinAt.values[place] === at && this.pinLast.values[place] === Infinity) {
        this.pinLast.values[place] = time - 1;
        return;
      }
  }

  // The time points that this lane says to be pinned, as seen from an evaluation.
  pinnedFrom(time) {
    const found = [];
    for (let place = 0; place < this.pinAt.size; place++)
      if (this.pinFirst.values[place] <= time && time <= this.pinLast.values[place])
        found.push(this.pinAt.values[place]);
    return found;
  }
}

function decoded(column, base) {
  const [kind, text] = Object.entries(column)[0];
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let place = 0; place < raw.length; place++) bytes[place] = raw.charCodeAt(place);
  const numbers = kind === "i32" ? new Int32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  const found = new Float64Array(numbers.length);
  for (let place = 0; place < numbers.length; place++) found[place] = numbers[place] + base;
  return found;
}

export class Store {
  constructor(picture) {
    this.predicates = picture.predicates.map((one) => ({ ...one }));
    this.byName = new Map(this.predicates.map((one, place) => [one.name, place]));
    this.lanes = [];
    this.byAtom = new Map();
    this.version = 0; // of the set of lanes
    this.start = picture.start;
    this.end = picture.end;
    this.horizon = picture.end; // the last time point that anything is said about
    this.void = picture.void || [];
    this.read(picture.lanes);
  }

  read({ atoms, predicate, base, begin, kind, first, last, at }) {
    const starts = decoded(begin, 0), kinds = decoded(kind, 0);
    const firsts = decoded(first, base), lasts = decoded(last, base), points = decoded(at, base);
    for (let place = 0; place < lasts.length; place++) if (lasts[place] < firsts[place]) lasts[place] = Infinity;
    for (let number = 0; number < atoms.length; number++) {
      const lane = new Lane(atoms[number], predicate[number]);
      let low = starts[number];
      const end = starts[number + 1];
      while (low < end) {
        let high = low;
        while (high < end && kinds[high] === kinds[low]) high++;
        const part = (values) => new Column(values.subarray(low, high));
        if (kinds[low] === INPUT) lane.arrivals = part(firsts);
        else if (kinds[low] === REFUSED) lane.refused = part(firsts);
        else if (kinds[low] === HOLDS) [lane.first, lane.last] = [part(firsts), part(lasts)];
        else [lane.pinAt, lane.pinFirst, lane.pinLast] = [part(points), part(firsts), part(lasts)];
        low = high;
      }
      this.lanes.push(lane);
      this.byAtom.set(lane.atom, lane);
    }
    this.marks = lasts.length;
    for (const time of points) this.horizon = Math.max(this.horizon, time);
  }

  lane(atom, predicate) {
    let found = this.byAtom.get(atom);
    if (!found) {
      if (!this.byName.has(predicate)) {
        this.byName.set(predicate, this.predicates.length);
        this.predicates.push({ name: predicate, input: true, derived: false, shown: true });
      }
      found = new Lane(atom, this.byName.get(predicate));
      this.lanes.push(found);
      this.byAtom.set(atom, found);
      this.version++;
    }
    return found;
  }

  // What one evaluation changes; atoms come with their predicates.
  apply(event) {
    const time = event.time;
    this.end = Math.max(this.end, time);
    const each = (rows, action) => (rows || []).forEach(action);
    each(event.arrived, ([atom, predicate, at]) => this.lane(atom, predicate).arrivals.insert(at ?? time));
    each(event.refused, ([atom, predicate, at]) => this.lane(atom, predicate).refused.insert(at));
    each(event.disappeared, ([atom, predicate]) => this.lane(atom, predicate).close(time));
    each(event.appeared, ([atom, predicate]) => this.lane(atom, predicate).open(time));
    each(event.unpinned, ([atom, predicate, at]) => this.lane(atom, predicate).unpin(at, time));
    each(event.pinned, ([atom, predicate, at]) => {
      this.lane(atom, predicate).pin(at, time);
      this.horizon = Math.max(this.horizon, at);
    });
    each(event.stretches, ([atom, predicate, first, last, at]) => {
      const lane = this.lane(atom, predicate);
      if (at === null) lane.stretch(first, last);
      else {
        lane.pin(at, first);
        lane.unpin(at, last + 1);
      }
    });
    if (event.consistent === false) this.void.push([time, time]);
    this.marks += (event.arrived || []).length + (event.appeared || []).length + (event.pinned || []).length
      + (event.stretches || []).length;
  }

  // What there is at a time point: lanes that arrive, that hold, and [lane, at] pinned elsewhere.
  at(time) {
    const arriving = [], holding = [], pinned = [];
    for (const lane of this.lanes) {
      if (lane.arrivals.has(time)) arriving.push(lane);
      if (lane.covering(time) >= 0) holding.push(lane);
      for (const at of lane.pinAt.size ? lane.pinnedFrom(time) : []) pinned.push([lane, at]);
    }
    return { arriving, holding, pinned };
  }
}
