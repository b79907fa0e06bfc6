// Where the windows of a rule lie, seen from an evaluation: the stretch of time that each selects, as it is defined.

// `{text, first, last}` of what an atom is read through; nothing is selected when first > last, null: it cannot be drawn.
export function spanOf(read, store, now) {
  let span = { first: store.start, last: Infinity }, of = null, counted = false;
  for (const window of read.windows) {
    if ("of" in window) of = window.of;
    else if ("past" in window) {
      const pivot = Math.floor(now / window.hop) * window.hop;
      span = within(span, window.past === null ? -Infinity : pivot - window.past,
        window.future === null ? Infinity : pivot + window.future);
    } else if ("from" in window) span = within(span, at(window.from, now), at(window.to, now));
    else if (counted) return null; // which arrivals of one time point the first one has left is not known here
    else {
      counted = true;
      const keyed = "keys" in window;
      const times = arrivals(store, keyed ? Object.keys(window.keys) : of, window.keys || {}, span.first, Math.min(span.last, now));
      const starts = times.map((one) => begin(one, window, now, span.first));
      span = { first: starts.length ? Math.min(...starts) : keyed ? now : begin([], window, now, span.first), last: now };
    }
  }
  return { text: read.window, ...span };
}

function within(span, first, last) {
  return { first: Math.max(span.first, first), last: Math.min(span.last, last) };
}

// A bound that goes with the evaluation time, or stands.
function at([offset, rate], now) {
  return offset + rate * now;
}

// The times of arrivals in order, apart for every key.
function arrivals(store, names, keys, first, last) {
  const parts = new Map();
  for (const lane of store.lanes) {
    const name = store.predicates[lane.predicate].name;
    if (names && !names.includes(name)) continue;
    const low = lane.arrivals.find(first), high = lane.arrivals.find(last + 1);
    if (low === high) continue;
    const key = JSON.stringify((keys[name] || []).map((place) => argumentsOf(lane.atom)[place]));
    const own = parts.get(key) || parts.set(key, []).get(key);
    for (let place = low; place < high; place++) own.push(lane.arrivals.values[place]);
  }
  return [...parts.values()].map((times) => times.sort((a, b) => a - b));
}

// From when on arrivals of one key are selected.
function begin(times, { tuples, gap }, now, start) {
  if (gap === undefined) {
    if (tuples === 0) return now;
    return tuples === null || times.length < tuples ? start : times[times.length - tuples];
  }
  let following = now;
  for (let place = times.length - 1; place >= 0 && following - times[place] <= gap; place--) following = times[place];
  return following;
}

// The arguments of an atom, as they are written.
export function argumentsOf(atom) {
  const found = [];
  let depth = 0, from = 0;
  for (const { 0: piece, index } of atom.matchAll(/"(?:[^"\\]|\\.)*"|[(),]/g)) {
    if (piece === "(" && depth++ === 0) from = index + 1;
    else if ((piece === "," && depth === 1) || (piece === ")" && --depth === 0)) {
      found.push(atom.slice(from, index).trim());
      from = index + 1;
    }
  }
  return found;
}
