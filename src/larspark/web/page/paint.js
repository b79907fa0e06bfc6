// The picture of the visible lanes. Per lane and pixel column at most one mark is drawn, however many there are.

import { HEADING, LANE } from "./rows.js";

const MIN = 2, LETTER = 7.3;

// How wide the names of lanes may be: narrow screens leave most of the room to time.
export function labelsOf(width) {
  return Math.min(232, Math.round(width * 0.36));
}

// Where a time is: a time point t fills the pixels from x(t) to x(t + 1).
export class Scale {
  constructor(from, to, width) {
    this.from = from;
    this.to = to;
    this.width = width;
    this.left = labelsOf(width);
    this.unit = (width - this.left) / (to - from);
  }

  x(time) {
    return this.left + (time - this.from) * this.unit;
  }

  middle(time) {
    return this.x(time + 0.5);
  }

  time(x) {
    return this.from + (x - this.left) / this.unit;
  }
}

export function paintRows(context, { rows, scale, theme, page, scroll, height }) {
  context.clearRect(0, 0, scale.width, height);
  const first = rows.at(scroll), { list, tops } = rows;
  paintGround(context, scale, theme, page, height);
  for (let place = first; place < list.length && tops[place] < scroll + height; place++) {
    const row = list[place], y = tops[place] - scroll, h = tops[place + 1] - tops[place];
    const predicate = rows.store.predicates[row.predicate];
    const colour = predicate.derived ? theme.of(rows.store.predicates, row.predicate) : theme.input;
    if (row.type === LANE) paintLane(context, row.lane, y, h, { scale, theme, page, colour });
    else if (row.type === HEADING) paintHeading(context, row, y, h, { scale, theme, page, colour, predicate });
    else paintRest(context, row, y, h, theme);
  }
  paintCursor(context, scale, theme, page, height);
}

function paintGround(context, scale, theme, page, height) {
  context.fillStyle = theme.line;
  for (const tick of page.axis.ticks(scale.from, scale.to, scale.width - scale.left)) {
    const x = scale.middle(tick.time);
    if (x > scale.left && tick.time >= page.store.start) context.fillRect(Math.round(x), 0, 1, height);
  }
  context.fillStyle = theme.band;
  const after = Math.max(scale.left, scale.x(page.store.end + 1));
  if (after < scale.width) context.fillRect(after, 0, scale.width - after, height);
  context.fillStyle = theme.refused;
  context.globalAlpha = 0.12;
  for (const [low, high] of page.store.void) {
    const left = Math.max(scale.left, scale.x(low)), right = scale.x(high + 1);
    if (right > scale.left) context.fillRect(left, 0, Math.max(1, right - left), height);
  }
  context.globalAlpha = 1;
}

function paintLane(context, lane, y, h, { scale, theme, page, colour }) {
  if (page.selected === lane) {
    context.fillStyle = theme.raised;
    context.fillRect(0, y, scale.width, h);
    context.fillStyle = theme.accent;
    context.fillRect(0, y, 3, h);
  }
  context.save();
  context.beginPath();
  context.rect(scale.left, y, scale.width - scale.left, h);
  context.clip();
  paintHeld(context, page.held.of(lane), y, h, scale, theme);
  paintStretches(context, lane, y, h, scale, colour);
  paintPoints(context, lane.arrivals, scale, (x, width) => {
    context.fillStyle = theme.input;
    mark(context, x - width / 2, y + 4, width, h - 8, Math.min(2, width / 2));
  });
  paintPoints(context, lane.refused, scale, (x) => {
    context.strokeStyle = theme.refused;
    context.lineWidth = 2;
    context.beginPath();
    const m = y + h / 2;
    context.moveTo(x - 4, m - 4);
    context.lineTo(x + 4, m + 4);
    context.moveTo(x + 4, m - 4);
    context.lineTo(x - 4, m + 4);
    context.stroke();
  });
  if (lane.pinAt.size) paintPins(context, lane, y, h, { scale, theme, colour, cursor: page.cursor });
  context.restore();
  context.font = `12px ${theme.mono}`;
  context.fillStyle = page.selected === lane ? theme.ink : theme.soft;
  context.textBaseline = "middle";
  context.fillText(named(lane.atom, room(scale), page.rows.byKey), 24, y + h / 2 + 0.5);
}

// Values that hold on after they arrived: a thin bar behind the ticks.
function paintHeld(context, spans, y, h, scale, theme) {
  context.fillStyle = theme.input;
  context.globalAlpha = 0.35;
  for (const [first, last] of spans)
    if (last >= scale.from - 1 && first <= scale.to)
      context.fillRect(scale.x(first), y + h / 2 - 2, Math.max(1, scale.x(last + 1) - scale.x(first)), 4);
  context.globalAlpha = 1;
}

function paintStretches(context, lane, y, h, scale, colour) {
  const first = lane.first.values, last = lane.last.values, size = lane.first.size;
  context.fillStyle = colour;
  for (let place = lane.last.find(scale.from - 1); place < size && first[place] <= scale.to; ) {
    const left = Math.max(scale.x(first[place]), scale.left - 4);
    const right = Math.min(scale.x(Math.min(last[place], scale.endOfData) + 1), scale.width + 4);
    const width = right - left;
    if (width >= MIN) {
      mark(context, left + (scale.unit > 6 ? 1 : 0), y + 4, width - (scale.unit > 6 ? 2 : 0), h - 8, 3);
      place++;
    } else {
      context.fillRect(left, y + 4, 1.2, h - 8);
      place = Math.max(place + 1, lane.last.find(scale.time(left + 1.2)));
    }
  }
}

function paintPoints(context, column, scale, draw) {
  const width = Math.max(2, Math.min(8, scale.unit * 0.5));
  for (let place = column.find(Math.floor(scale.from)); place < column.size && column.values[place] <= scale.to; ) {
    const x = scale.middle(column.values[place]);
    draw(x, width);
    place = scale.unit >= 1 ? place + 1 : Math.max(place + 1, column.find(scale.time(x + 2)));
  }
}

// Diamonds at the time that is spoken of: full when past, hollow when ahead, faint when the cursor does not see it.
function paintPins(context, lane, y, h, { scale, theme, colour, cursor }) {
  const m = y + h / 2, r = 5;
  context.lineWidth = 1.6;
  for (let place = 0; place < lane.pinAt.size; place++) {
    const at = lane.pinAt.values[place];
    if (at < scale.from - 1 || at > scale.to + 1) continue;
    const x = scale.middle(at);
    const seen = lane.pinFirst.values[place] <= cursor && cursor <= lane.pinLast.values[place];
    context.globalAlpha = seen ? 1 : 0.28;
    context.beginPath();
    context.moveTo(x, m - r);
    context.lineTo(x + r, m);
    context.lineTo(x, m + r);
    context.lineTo(x - r, m);
    context.closePath();
    context.fillStyle = at <= cursor ? colour : theme.ground; // bars of the same lane may lie below
    context.strokeStyle = at <= cursor ? theme.ground : colour;
    context.fill();
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintHeading(context, row, y, h, { scale, theme, page, colour, predicate }) {
  context.fillStyle = theme.line;
  context.fillRect(0, Math.round(y), scale.width, 1);
  context.textBaseline = "middle";
  const m = y + h / 2 + 2;
  context.fillStyle = theme.soft;
  context.beginPath();
  if (row.folded) for (const [dx, dy] of [[10, -4], [15, 0], [10, 4]]) context.lineTo(dx, m + dy);
  else for (const [dx, dy] of [[8, -2], [16, -2], [12, 3]]) context.lineTo(dx, m + dy);
  context.fill();
  context.font = `600 12.5px ${theme.sans}`;
  const keyed = page.rows.byKey;
  context.fillStyle = predicate.derived && !keyed ? colour : theme.ink;
  const name = shortened(keyed ? row.group || "no key" : predicate.name, room(scale) - 4);
  context.fillText(name, 24, m);
  const wide = context.measureText(name).width;
  context.font = `11px ${theme.sans}`;
  context.fillStyle = theme.faint;
  context.fillText(row.count > 1 ? String(row.count) : "", 32 + wide, m);
  if (!keyed) for (const window of page.windows(predicate.name)) paintBracket(context, window, y, h, scale, theme);
}

// A window of the selected rule: from where it reaches back to where it ends, at the cursor.
function paintBracket(context, window, y, h, scale, theme) {
  const left = Math.max(scale.x(window.first), scale.left), right = Math.min(scale.x(window.last + 1), scale.width - 1);
  const top = y + h - 9;
  context.strokeStyle = context.fillStyle = theme.accent;
  if (window.last < window.first) {
    const x = scale.x(window.first);
    label(context, `${window.text} is empty`, Math.min(Math.max(x, scale.left + 4), scale.width - 140), top - 4, theme);
    return;
  }
  if (right <= scale.left) return;
  context.lineWidth = 1.5;
  context.beginPath();
  if (scale.x(window.first) >= scale.left) {
    context.moveTo(left, top + 7);
    context.lineTo(left, top);
  } else context.moveTo(left, top);
  context.lineTo(right, top);
  context.lineTo(right, top + 7);
  context.stroke();
  label(context, window.text, Math.max(left, scale.left + 2) + 2, top - 4, theme);
}

function label(context, text, x, y, theme) {
  context.font = `11px ${theme.mono}`;
  context.textBaseline = "alphabetic";
  context.fillText(text, x, y);
}

function paintRest(context, row, y, h, theme) {
  context.font = `11.5px ${theme.sans}`;
  context.fillStyle = theme.accent;
  context.textBaseline = "middle";
  const count = row.count.toLocaleString("en-US");
  context.fillText(`${row.shown} of ${count} shown · show all`, 24, y + h / 2);
}

function paintCursor(context, scale, theme, page, height) {
  const x = scale.middle(page.cursor);
  if (x < scale.left || x > scale.width) return;
  context.fillStyle = theme.accent;
  if (scale.unit > 5) {
    context.globalAlpha = 0.1;
    context.fillRect(scale.x(page.cursor), 0, scale.unit, height);
    context.globalAlpha = 1;
  }
  context.fillRect(Math.round(x) - 0.5, 0, 1.5, height);
}

export function paintAxis(context, { scale, theme, page, height }) {
  context.clearRect(0, 0, scale.width, height);
  context.textBaseline = "middle";
  context.textAlign = "center";
  const x = scale.middle(page.cursor), label = page.axis.name(page.cursor);
  context.font = `600 12px ${theme.sans}`;
  const wide = context.measureText(label).width + 16;
  const flag = Math.min(Math.max(x, scale.left + wide / 2), scale.width - wide / 2);
  for (const tick of page.axis.ticks(scale.from, scale.to, scale.width - scale.left)) {
    const at = scale.middle(tick.time);
    if (at < scale.left || tick.time < page.store.start) continue; // time has a beginning
    context.font = `${tick.strong ? "600 " : ""}11.5px ${theme.sans}`;
    context.fillStyle = theme.soft;
    const half = context.measureText(tick.label).width / 2;
    const fits = at - half > scale.left - 8 && at + half < scale.width;
    if (fits && Math.abs(at - flag) > half + wide / 2 + 2) context.fillText(tick.label, at, height / 2);
  }
  if (x >= scale.left && x <= scale.width) {
    context.fillStyle = theme.accent;
    mark(context, flag - wide / 2, 3, wide, height - 6, 4);
    context.fillStyle = theme.ground;
    context.font = `600 12px ${theme.sans}`;
    context.fillText(label, flag, height / 2 + 0.5);
  }
  context.textAlign = "start";
}

function mark(context, x, y, width, height, radius) {
  if (radius < 1.5 || width < 4) {
    context.fillRect(x, y, Math.max(width, 1), height);
    return;
  }
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(radius, width / 2));
  context.fill();
}

// As many letters as a name may have.
function room(scale) {
  return Math.max(8, Math.floor((scale.left - 28) / LETTER));
}

// An atom that is too long leaves out what its heading says: the predicate.
function named(atom, most, byKey) {
  const open = byKey || atom.length <= most ? -1 : atom.indexOf("(");
  return shortened(open > 0 && atom[0] !== '"' ? atom.slice(open) : atom, most);
}

// Names that begin alike are told apart by their ends.
export function shortened(text, most) {
  const tail = Math.floor((most - 1) * 0.3);
  return text.length <= most ? text : `${text.slice(0, most - 1 - tail)}…${text.slice(text.length - tail)}`;
}
