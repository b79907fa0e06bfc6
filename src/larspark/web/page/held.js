// What `#hold` lets hold on: from an arrival to the next one of its key, or as long as it may.

import { argumentsOf } from "./windows.js";

const PAUSE = 250; // milliseconds, at least, between two looks at all arrivals

export class Held {
  constructor(store, holds) {
    this.store = store;
    this.holds = holds || [];
    this.spans = new Map();
  }

  // [[first, last], …] of a lane, in order; the last one may reach the end of the data.
  of(lane) {
    const { marks, end } = this.store, now = performance.now();
    if (this.holds.length && this.seen !== `${marks} ${end}` && !(now - this.at < PAUSE)) {
      [this.seen, this.at] = [`${marks} ${end}`, now];
      this.spans = new Map(this.holds.flatMap((hold) => [...spansOf(this.store, hold)]));
    }
    return this.spans.get(lane) || [];
  }

  covering(lane, time) {
    return this.of(lane).find(([first, last]) => first <= time && time <= last);
  }

  // The lanes that hold on at a time point.
  lanes(time) {
    return this.holds.length ? this.store.lanes.filter((lane) => this.covering(lane, time)) : [];
  }
}

export function spansOf(store, { predicate, keys, length }) {
  const parts = new Map(), found = new Map();
  for (const lane of store.lanes) {
    if (store.predicates[lane.predicate].name !== predicate) continue;
    const key = JSON.stringify(keys.map((place) => argumentsOf(lane.atom)[place]));
    (parts.get(key) || parts.set(key, []).get(key)).push(lane);
  }
  for (const lanes of parts.values()) {
    const times = [...new Set(lanes.flatMap((lane) => [...lane.arrivals.values.subarray(0, lane.arrivals.size)]))];
    times.sort((a, b) => a - b);
    const next = new Map(times.map((time, place) => [time, times[place + 1] ?? Infinity]));
    for (const lane of lanes) {
      const spans = [];
      for (const time of new Set(lane.arrivals.values.subarray(0, lane.arrivals.size))) {
        const last = Math.min(next.get(time) - 1, length === null ? Infinity : time + length, store.end);
        if (spans.length && spans.at(-1)[1] === time - 1) spans.at(-1)[1] = last;
        else spans.push([time, last]);
      }
      found.set(lane, spans);
    }
  }
  return found;
}
